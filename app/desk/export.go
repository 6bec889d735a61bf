package desk

import (
	"context"
	"fmt"
	"os"
	"time"

	"veristream/app"
	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
)

// Formats implements app.Exporter: the signed report first, then its other
// forms and the evidence that holds them all.
func (d *desk) Formats() []app.Format {
	out := []app.Format{{ID: "pdf", Extension: ".pdf"}}
	for _, f := range report.Formats() {
		out = append(out, app.Format{ID: f.ID, Extension: f.Extension})
	}
	return append(out, app.Format{ID: "zip", Extension: ".zip"})
}

// Export implements app.Exporter. What leaves is noted in the record.
func (d *desk) Export(ctx context.Context, auditID, format, path string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	r, err := c.Store.Result(ctx, auditID)
	if err != nil {
		return err
	}
	m := &papers.Maker{Store: c.Store, Dirs: d.dirs, Version: d.version, Now: time.Now}
	options := papers.Options{Language: "en"}
	in, err := m.Gather(ctx, r, options)
	if err != nil {
		return fmt.Errorf("gather the report: %w", err)
	}
	data, err := d.paper(ctx, m, in, options, format)
	if err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "%s cannot be written.", path)
	}
	event := "exported"
	if format == "pdf" {
		event = "signed"
	}
	return m.Note(ctx, auditID, event, path, data)
}

func (d *desk) paper(ctx context.Context, m *papers.Maker, in report.Input, o papers.Options, format string) ([]byte, error) {
	if format != "pdf" && format != "zip" {
		return report.Export(in, format)
	}
	signed, err := m.Make(ctx, in, o, papers.Signing{Passphrase: os.Getenv("VERISTREAM_PASSPHRASE")})
	if err != nil || format == "pdf" {
		return signed.PDF, err
	}
	return report.Evidence(in, signed.PDF)
}
