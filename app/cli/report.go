package cli

import (
	"context"
	"fmt"
	"time"

	"veristream/app/core"
	"veristream/app/papers"
	"veristream/backend/audit"
)

// writeReport writes the PDF of an audit that was just made.
func (a *App) writeReport(ctx context.Context, c *core.Core, r *audit.Result, path string) error {
	m := &papers.Maker{Store: c.Store, Dirs: a.Dirs, Version: a.Version, Now: time.Now}
	data, err := m.PDF(ctx, r, papers.Options{})
	if err != nil {
		return err
	}
	if err := writeFile(path, data); err != nil {
		return err
	}
	fmt.Fprintln(a.Out, "PDF: "+path)
	return nil
}
