package desk

import (
	"context"

	"veristream/app"
	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// Inspect implements app.Inspector: the parts that an audit works with, as
// core found them.
func (d *desk) Inspect(ctx context.Context) []app.Installed {
	var out []app.Installed
	for _, tool := range []string{"ffmpeg", "ffprobe"} {
		version, err := media.Version(ctx, tool)
		if err != nil {
			out = append(out, app.Installed{Name: tool, State: "missing", Detail: audit.SentenceOf(err), Fix: "sudo apt install ffmpeg"})
			continue
		}
		out = append(out, app.Installed{Name: tool, State: "ok", Version: version})
	}
	out = append(out, d.inspectYTDLP(ctx))
	c, err := d.ready(ctx)
	if err != nil {
		return append(out, app.Installed{Name: "database", State: "missing", Detail: audit.SentenceOf(err)})
	}
	out = append(out, app.Installed{Name: "rule cards", State: "ok", Version: c.Pipeline.RulesVersion})
	for _, role := range []string{"whisper", "embedder", "reranker", "llm"} {
		m, ok := c.Pipeline.Models[role]
		switch {
		case !ok || m.Name == "none":
			out = append(out, app.Installed{Name: role, State: "missing", Detail: m.Note, Fix: "veristream models pull"})
		default:
			out = append(out, app.Installed{Name: role, State: "ok", Version: m.Name})
		}
	}
	return out
}

func (d *desk) inspectYTDLP(ctx context.Context) app.Installed {
	lacks := app.Installed{
		Name: "yt-dlp", State: "warning", Detail: "It is needed for links to pages only.", Fix: "veristream tools update",
	}
	exe := d.dirs.YTDLP()
	if exe == "" {
		return lacks
	}
	version, err := media.Downloader{Exe: exe}.Version(ctx)
	if err != nil {
		lacks.Detail = audit.SentenceOf(err)
		return lacks
	}
	return app.Installed{Name: "yt-dlp", State: "ok", Version: version}
}

// Network implements app.Switch.
func (d *desk) Network(ctx context.Context) (app.Network, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return app.Network{}, err
	}
	n, err := core.ReadNetwork(ctx, c.Store)
	return app.Network(n), err
}

// SetOffline implements app.Switch.
func (d *desk) SetOffline(ctx context.Context, off bool) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	return core.SetOffline(ctx, c.Store, off)
}

// Categories implements app.Namer.
func (d *desk) Categories(ctx context.Context) (map[string]string, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, category := range c.Pipeline.Auditor.Data.Categories {
		titles[category.ID] = category.Title
	}
	return titles, nil
}
