package desk

import (
	"context"
	"fmt"

	"veristream/app"
	"veristream/app/papers"
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

// Export implements app.Exporter. What leaves is noted in the record, bears the
// name of the settings and speaks the window's language.
func (d *desk) Export(ctx context.Context, auditID, format, path string) error {
	m, err := d.maker(ctx)
	if err != nil {
		return err
	}
	r, err := m.Store.Result(ctx, auditID)
	if err != nil {
		return err
	}
	set, err := app.LoadSettings(windowDir(d.dirs))
	if err != nil {
		return err
	}
	options := papers.Options{Language: set.Language, Name: set.Reviewer, Firm: set.Organisation}
	in, err := m.Gather(ctx, r, options)
	if err != nil {
		return fmt.Errorf("gather the report: %w", err)
	}
	var signed papers.Signed
	if format == papers.FormatPDF || format == papers.FormatZIP {
		if signed, err = m.Make(ctx, in, options, papers.Signing{Passphrase: passphrase()}); err != nil {
			return err
		}
	}
	if err := m.Write(ctx, in, signed, format, path); err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	return nil
}
