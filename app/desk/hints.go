package desk

import (
	"context"
	"strings"

	"veristream/app"
	"veristream/app/core"
	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// Look implements app.Hinter.
func (d *desk) Look(ctx context.Context, address string) (app.Site, error) {
	v := audit.Video{Path: address, SourceURL: address, Title: address}
	c, err := d.ready(ctx)
	if err != nil {
		return app.Site{}, err
	}
	r, err := core.Fetcher{Dirs: d.dirs, Store: c.Store, Limits: core.DefaultLimits}.Look(ctx, address)
	if err != nil {
		return app.Site{}, err
	}
	if r.Title != "" {
		v.Title = r.Title
	}
	v.DurationMS = r.DurationMS
	site := app.Site{Video: v, Proposed: core.Stated(r), Over: core.OverLimits(r)}
	for _, e := range r.Entries {
		site.Entries = append(site.Entries, app.Entry{Address: e.URL, Title: e.Title, DurationMS: e.DurationMS})
	}
	return site, nil
}

// Propose implements app.Hinter: of the paths, those that hold text are read.
func (d *desk) Propose(_ context.Context, paths []string) ([]audit.ProposedFact, error) {
	var segments []audit.Segment
	for _, path := range paths {
		source := audit.Speech
		switch {
		case strings.HasSuffix(path, ".screen.srt"):
			source = audit.Screen
		case strings.HasSuffix(path, ".description.txt"):
			source = audit.Description
		case !media.IsTranscript(path):
			continue
		}
		some, err := media.ReadSubtitles(path, source)
		if err != nil {
			return nil, err
		}
		segments = append(segments, some...)
	}
	return agent.ProposeFacts(segments), nil
}
