package desk

import (
	"context"
	"path/filepath"
	"strings"

	"veristream/app"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// Audits implements app.Archive. An audit that runs is not listed: the queue
// shows it. One that failed is listed until there is a later one of its file.
func (d *desk) Audits(ctx context.Context) ([]app.Summary, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	list, err := c.Store.ListAudits(ctx, store.AuditFilter{})
	if err != nil {
		return nil, err
	}
	signed, err := c.Store.SignedAudits(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	rows := make([]app.Summary, 0, len(list))
	for _, a := range list {
		later := seen[a.Path]
		seen[a.Path] = true
		row := app.Summary{
			ID: a.ID, Title: a.Title, Path: a.Path, Added: a.Created, Facts: a.Facts,
			Findings: a.Counts.Findings, High: a.Counts.High, Medium: a.Counts.Medium, Low: a.Counts.Low, Decided: a.Counts.Decided,
			Signed: signed[a.ID],
		}
		switch {
		case a.State == store.StateDone:
		case a.State == store.StateFailed && !later:
			row.Failed = a.Error
		case a.State == store.StateCancelled && !later:
			row.Failed = app.FailedCancelled
		default:
			continue
		}
		if v, ok := d.video(ctx, a.VideoSHA256); ok {
			row.DurationMS, row.HasVideo, row.SourceURL = v.DurationMS, v.HasVideo, v.SourceURL
			if v.Title != "" && a.Title == stem(a.Path) {
				row.Title = v.Title
			}
		}
		if row.Decided > 0 {
			decisions, err := c.Store.Decisions(ctx, a.ID)
			if err != nil {
				return nil, err
			}
			if n := len(decisions); n > 0 {
				row.Reviewer = decisions[n-1].By
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// video gives what is known of a recording; it is kept, because a library has
// many rows and asks often.
func (d *desk) video(ctx context.Context, sha256 string) (audit.Video, bool) {
	if sha256 == "" {
		return audit.Video{}, false
	}
	d.mu.Lock()
	v, ok := d.videos[sha256]
	d.mu.Unlock()
	if ok {
		return v, true
	}
	v, err := d.core.Store.Video(ctx, sha256)
	if err != nil {
		return audit.Video{}, false // a row without its length is still a row
	}
	d.mu.Lock()
	d.videos[sha256] = v
	d.mu.Unlock()
	return v, true
}

// Result implements app.Archive.
func (d *desk) Result(ctx context.Context, id string) (audit.Result, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return audit.Result{}, err
	}
	r, err := c.Store.Result(ctx, id)
	if err != nil {
		return audit.Result{}, err
	}
	if r.Video.Title == "" {
		r.Video.Title = stem(r.Video.Path)
	}
	return *r, nil
}

// SetDeleted implements app.Archive.
func (d *desk) SetDeleted(ctx context.Context, id string, deleted bool) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	if deleted {
		return c.Store.DeleteAudit(ctx, id)
	}
	return c.Store.RestoreAudit(ctx, id)
}

// Decisions implements app.Record.
func (d *desk) Decisions(ctx context.Context, auditID string) ([]audit.Decision, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	return c.Store.Decisions(ctx, auditID)
}

// Decide implements app.Record.
func (d *desk) Decide(ctx context.Context, auditID string, decision audit.Decision) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	return c.Store.SaveDecision(ctx, auditID, decision)
}

// Compare implements app.Comparer.
func (d *desk) Compare(ctx context.Context, id, with, by string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	_, err = c.Compare(ctx, id, with, by)
	return err
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
