package desk

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"veristream/app"
	"veristream/app/core"
	"veristream/app/texts"
	backendregs "veristream/backend/regs"
	"veristream/regs"
)

// Sources implements app.Importer.
func (d *desk) Sources(ctx context.Context) ([]app.TextSource, error) {
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		return nil, err
	}
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	have, err := c.Store.Texts(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]app.TextSource, 0, len(catalogue.Sources))
	for _, s := range catalogue.Sources {
		row := app.TextSource{ID: s.ID, Regulator: s.Regulator, Covers: s.Covers, Title: s.Title, Page: s.Page, Usual: s.Cards != ""}
		for _, t := range have {
			if t.Part == s.Covers && t.AsOf > row.AsOf {
				row.AsOf = t.AsOf
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// PullTexts implements app.Importer.
func (d *desk) PullTexts(ctx context.Context, sources []string, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var report app.ImportReport
	c, err := d.ready(ctx)
	if err != nil {
		return report, err
	}
	if err := core.Online(ctx, c.Store, "no rule text is fetched"); err != nil {
		return report, err
	}
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		return report, err
	}
	wanted := slices.DeleteFunc(slices.Clone(catalogue.Sources), func(s backendregs.Official) bool { return !slices.Contains(sources, s.ID) })
	in := &texts.Installer{
		Store: c.Store, Catalogue: catalogue, Now: time.Now,
		Puller: &backendregs.Puller{Fetcher: backendregs.NewFetcher(), Catalogue: catalogue, Dir: filepath.Join(d.dirs.Cache, "texts")},
	}
	n := 0
	reports, failures, err := in.Pull(ctx, wanted, "", func(source string) {
		tell(app.ImportProgress{Step: app.ImportFile, File: source, Done: n, Total: len(wanted)})
		n++
	})
	for _, r := range reports {
		report.Imported = append(report.Imported, importedText(r))
	}
	for _, f := range failures {
		report.Failures = append(report.Failures, app.NewImportFailure(f.File, f.Err))
	}
	if err != nil && len(reports) == 0 {
		return report, err
	}
	d.rulesChanged(c)
	return report, d.read(ctx, c, &report, tell)
}
