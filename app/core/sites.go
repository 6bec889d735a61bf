package core

import (
	"context"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/pipeline"
)

// fetch brings the video of an address and fills the run with what its site
// says. What the user gave of title and description stays.
func (c *Core) fetch(ctx context.Context, job Job, run *pipeline.Job, observe pipeline.Observer) error {
	began := time.Now()
	tell := func(state pipeline.State, note string, done, total int64) {
		if observe != nil {
			observe(pipeline.Event{Progress: &pipeline.Progress{
				Stage: pipeline.StageProbe, State: state, Done: done, Total: total, Unit: "bytes", Elapsed: time.Since(began), Note: note,
			}})
		}
	}
	f := Fetcher{
		Dirs: c.Dirs, Store: c.Store, Limits: DefaultLimits, Fresh: job.Fresh,
		Tell: func(note string, done, total int64) { tell(pipeline.Runs, note, done, total) },
	}
	if job.Limits != nil {
		f.Limits = *job.Limits
	}
	got, err := f.Fetch(ctx, job.Path)
	if err != nil {
		tell(pipeline.Failed, audit.SentenceOf(err), 0, 0)
		return err
	}
	run.Path, run.SourceURL = got.File, job.Path
	if run.Title == "" {
		run.Title = got.Remote.Title
	}
	if run.Title == "" {
		run.Title = job.Path
	}
	if run.Description == "" {
		run.DescriptionSegments = described(got.Remote)
	}
	run.Proposed = proposals(got.Remote, *job.Facts)
	run.Notices = append(run.Notices, notices(got)...)
	return nil
}

// proposals are the facts that a site states, for a person to confirm.
func proposals(r media.Remote, known audit.Facts) []audit.ProposedFact {
	var out []audit.ProposedFact
	if _, ok := known.PublishedOn(); !ok && r.Uploaded != "" {
		said := "uploaded on " + r.Uploaded
		if r.Uploader != "" {
			said += " by " + r.Uploader
		}
		out = append(out, audit.ProposedFact{Fact: "published", Value: r.Uploaded, Excerpt: said})
	}
	if p, ok := paidHint(r); ok && known.Paid != "yes" {
		out = append(out, p)
	}
	return out
}

// described gives what stands on a video's page as segments of the description:
// its title, the site's mark of paid promotion, and its description.
func described(r media.Remote) []audit.Segment {
	text := r.Description
	if r.Paid {
		text = "Includes paid promotion.\n" + text
	}
	if r.Title != "" && !strings.HasPrefix(strings.TrimSpace(r.Description), r.Title) {
		text = r.Title + "\n" + text
	}
	return media.DescriptionSegments(text)
}

// notices tell how the input came.
func notices(got Fetched) []audit.Messages {
	from := audit.Say("The video was fetched from {0}.", got.Address)
	if got.Remote.Uploader != "" {
		from = audit.Say("The video was fetched from {0}, where {1} shows it.", got.Address, got.Remote.Uploader)
	}
	if got.Reused {
		from = from.And(audit.Say("The copy of {0} was used.", got.At.Format(time.DateOnly)))
	}
	out := []audit.Messages{from}
	if len(got.Subtitles) > 0 {
		out = append(out, audit.Say("The site has subtitles of its own, which were not audited: {*}", got.Subtitles...))
	}
	return out
}
