package desk

import (
	"context"

	"veristream/app"
	"veristream/app/core"
	"veristream/app/doctor"
	"veristream/backend/audit"
)

// Inspect implements app.Inspector: what the doctor finds, and the cards.
func (d *desk) Inspect(ctx context.Context) []app.Installed {
	doc, err := doctor.New(d.dirs)
	if err != nil {
		return []app.Installed{{Name: "models", State: "missing", Detail: audit.SentenceOf(err), Said: app.SaidOf(err)}}
	}
	var out []app.Installed
	for _, c := range doc.Inspect(ctx) {
		part := app.Installed{Name: c.Name, State: string(c.State), Version: c.Version, Detail: c.Detail, Fix: c.Fix}
		if c.Said.Key != "" {
			part.Said = &c.Said
		}
		out = append(out, part)
	}
	c, err := d.ready(ctx)
	if err != nil {
		return append(out, app.Installed{Name: "database", State: "missing", Detail: audit.SentenceOf(err), Said: app.SaidOf(err)})
	}
	return append(out, app.Installed{Name: "rule cards", State: "ok", Version: c.Pipeline.RulesVersion})
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
