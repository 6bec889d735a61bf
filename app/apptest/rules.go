package apptest

import (
	"context"
	"strings"

	"veristream/app"
	"veristream/app/texts"
	"veristream/backend/audit"
	"veristream/backend/regs"
)

// Words of an invented rule.
const (
	letters = "(1) write letters; and"
	keeping = "(2) keep them."
)

// shelf is one invented text.
type shelf struct{}

var guide = audit.Text{
	ID: "16-cfr-255@2026-01-01", Regulator: audit.FTC, Part: "16 CFR 255", Title: "Guides", AsOf: "2026-01-01", SHA256: "00aa", Origin: "guide.txt", Format: "text",
}

func (shelf) Texts(context.Context) ([]audit.Text, error) { return []audit.Text{guide}, nil }

func (shelf) CountRules(context.Context) (map[string]int, error) {
	return map[string]int{guide.ID: 4}, nil
}

func (shelf) TextRules(context.Context, string) ([]audit.Rule, error) {
	var out []audit.Rule
	for _, r := range []struct{ cite, marker, title, text string }{
		{"16 CFR 255.9", "", "Invented things", ""},
		{"16 CFR 255.9(a)", "(a)", "Invented things", "(a) A firm must do the following:"},
		{"16 CFR 255.9(a)(1)", "(1)", "Invented things", letters},
		{"16 CFR 255.9(a)(2)", "(2)", "Invented things", keeping},
	} {
		out = append(out, audit.Rule{
			Citation: audit.MustParseCitation(r.cite), Regulator: audit.FTC, Source: guide.ID, Kind: audit.KindRule, Title: r.title, Marker: r.marker, Text: r.text,
		})
	}
	return out, nil
}

// cardSet has a card of the guide, and a firm's own rule without a text.
func cardSet() regs.CardSet {
	return regs.CardSet{
		Sources: []regs.Source{
			{
				ID: "guide", Regulator: audit.FTC, Part: "16 CFR 255", Title: "Guides", InForceFrom: "2026-01-01", Nature: "interpretive",
				Without: []regs.Without{{Citation: "16 CFR 255.9", Reason: "A section heading."}},
			},
			{ID: "acme", Regulator: "ACME", Part: "ACME 3", Title: "Our policy", InForceFrom: "2025-01-01", Nature: "binding", House: true},
		},
		Cards: []audit.Card{
			{
				Citation: "16 CFR 255.9(a)(1)", Kind: audit.KindRule, Title: "Write letters", Requires: "Write.", Severity: audit.Low, Checked: true,
				Source: "guide", SHA256: "00bb",
			},
			{Citation: "ACME 3.1", Kind: audit.KindRule, Title: "No coins", Requires: "Name no coin.", Severity: audit.Medium, Source: "acme", SHA256: "00cc"},
		},
	}
}

// RuleSets implements app.Rulebook.
func (m *Machines) RuleSets(ctx context.Context, asOf string) ([]texts.RuleSet, error) {
	return texts.RuleSets(ctx, shelf{}, cardSet(), asOf)
}

// OpenRules implements app.Rulebook.
func (m *Machines) OpenRules(ctx context.Context, set, asOf string) (*texts.Book, error) {
	sets, err := m.RuleSets(ctx, asOf)
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		if s.ID == set {
			return texts.OpenBook(ctx, shelf{}, s, cardSet(), regs.Checked{})
		}
	}
	return nil, audit.Errorf(audit.CodeInput, "There is no rule %s.", set)
}

// OpenRule implements app.Rulebook.
func (m *Machines) OpenRule(ctx context.Context, c audit.Citation, asOf string) (*texts.Book, error) {
	sets, err := m.RuleSets(ctx, asOf)
	if err != nil {
		return nil, err
	}
	s, ok := texts.SetOf(sets, c)
	if !ok {
		return nil, audit.Errorf(audit.CodeInput, "There is no rule %s.", c)
	}
	return m.OpenRules(ctx, s.ID, asOf)
}

// FindRules implements app.Rulebook.
func (m *Machines) FindRules(_ context.Context, query, _ string) ([]app.RuleHit, error) {
	if !strings.Contains(letters, query) {
		return nil, nil
	}
	return []app.RuleHit{{Citation: "16 CFR 255.9(a)(1)", Title: "Write letters", Set: "16 CFR 255", Official: true, Kind: audit.KindRule, Snippet: letters}}, nil
}

// ImportTexts implements app.Importer.
func (m *Machines) ImportTexts(_ context.Context, req app.ImportRequest, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var out app.ImportReport
	for _, p := range req.Paths {
		tell(app.ImportProgress{Step: app.ImportFile, File: p})
		out.Imported = append(out.Imported, app.Imported{ID: "text@" + req.AsOf, Title: "A text", File: p, State: "imported", AsOf: req.AsOf, Paragraphs: 4})
	}
	return out, nil
}

// RemoveText implements app.Importer.
func (m *Machines) RemoveText(context.Context, string) error { return nil }

// Sources implements app.Importer.
func (m *Machines) Sources(context.Context) ([]app.TextSource, error) {
	return []app.TextSource{{ID: "ftc-255", Regulator: "FTC", Covers: "16 CFR 255", Title: "Endorsements", Usual: true}}, nil
}

// PullTexts implements app.Importer.
func (m *Machines) PullTexts(_ context.Context, sources []string, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var out app.ImportReport
	for _, s := range sources {
		tell(app.ImportProgress{Step: app.ImportFile, File: s})
		out.Imported = append(out.Imported, app.Imported{ID: s + "@2026-11-30", Title: s, State: "imported", AsOf: "2026-11-30", Paragraphs: 4})
	}
	return out, nil
}
