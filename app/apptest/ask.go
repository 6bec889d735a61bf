package apptest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veristream/app"
	"veristream/backend/ask"
	"veristream/backend/audit"
)

// Scope implements app.Asker.
func (m *Machines) Scope(context.Context) (app.Scope, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return app.Scope{
		Regulators: []string{audit.FTC, "ACME"}, RuleSets: 2, Texts: 1, Documents: append([]audit.Document{}, m.imported...), Model: "a small model",
	}, nil
}

// Past implements app.Asker: one question of another day.
func (m *Machines) Past(context.Context, int) ([]app.PastQuestion, error) {
	return []app.PastQuestion{{
		ID: 7, Text: "what must a firm keep?", At: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), By: "ada", Mode: app.ModeCareful,
		Answer: app.Answer{How: ask.HowModel, Confidence: ask.High, Sentences: []ask.Sentence{{Text: "Its letters."}}},
	}}, nil
}

// Ask implements app.Asker: two sentences, one after the other. It refuses
// what speaks of the weather.
func (m *Machines) Ask(ctx context.Context, q app.Asked, tell func(app.AskEvent)) (app.Answer, error) {
	wait := func() error {
		select {
		case <-ctx.Done():
			return fmt.Errorf("answer: %w", ctx.Err())
		case <-time.After(m.Step):
			return nil
		}
	}
	tell(app.AskEvent{Step: app.StepSearching})
	if err := wait(); err != nil {
		return app.Answer{}, err
	}
	if m.Fails != nil {
		return app.Answer{}, m.Fails
	}
	out := app.Answer{Passages: []app.FoundPassage{
		{Rank: 1, ID: 1, Citation: "16 CFR 255.9(a)(1)", Title: "Letters", Corpus: audit.CorpusRules, Source: "16-cfr-255@2026-01-01", Name: "Guides", Text: letters},
		{Rank: 2, ID: 2, Citation: "16 CFR 255.9(a)(2)", Title: "Keeping", Corpus: audit.CorpusCards, Source: "acme", Name: "Cards", Text: "Keep the letters."},
	}}
	if strings.Contains(q.Text, "weather") {
		out.Refused, out.Reason, out.Confidence = true, "The installed rules do not speak of this.", ask.Low
		return out, nil
	}
	tell(app.AskEvent{Step: app.StepAnswering, Passages: out.Passages})
	for i, p := range out.Passages {
		if err := wait(); err != nil {
			return app.Answer{}, err
		}
		s := ask.Sentence{Text: p.Text, Verbatim: true, Support: []ask.Support{{Citation: p.Citation, Source: p.Source, Quote: p.Text, Passage: i + 1}}}
		out.Sentences = append(out.Sentences, s)
		tell(app.AskEvent{Sentence: &s})
	}
	out.Confidence, out.How, out.Coverage = ask.High, ask.HowExtract, 1
	if n := len(q.Earlier); n > 0 {
		out.Notice = "After: " + q.Earlier[n-1]
	}
	return out, nil
}

// Read implements app.Asker.
func (m *Machines) Read(_ context.Context, document string, passage int64) (app.DocumentPages, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.imported, func(d audit.Document) bool { return d.ID == document })
	if i < 0 {
		return app.DocumentPages{}, audit.Errorf(audit.CodeInput, "There is no document %s.", document)
	}
	return app.DocumentPages{Document: m.imported[i], Passages: []app.DocumentPage{{ID: passage, Title: "First", Place: "p. 1", Text: "Words."}}}, nil
}

// ImportDocuments implements app.Importer.
func (m *Machines) ImportDocuments(ctx context.Context, paths []string, ocr bool, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var out app.ImportReport
	for _, p := range paths {
		tell(app.ImportProgress{Step: app.ImportFile, File: p})
		select {
		case <-ctx.Done():
			return out, fmt.Errorf("import %s: %w", p, ctx.Err())
		case <-time.After(m.Step):
		}
		if strings.HasSuffix(p, ".bin") {
			out.Failures = append(out.Failures, app.ImportFailure{File: p, Sentence: "It is no document."})
			continue
		}
		if strings.HasSuffix(p, ".scan.pdf") && !ocr {
			out.Failures = append(out.Failures, app.ImportFailure{File: p, Sentence: "Its pages are pictures.", Scan: true})
			continue
		}
		doc := audit.Document{ID: filepath.Base(p), Title: filepath.Base(p), Passages: 1}
		m.mu.Lock()
		m.imported = append(m.imported, doc)
		m.mu.Unlock()
		out.Imported = append(out.Imported, app.Imported{ID: doc.ID, Title: doc.Title, File: p, State: "imported", Passages: 1})
	}
	return out, nil
}

// RemoveDocument implements app.Importer.
func (m *Machines) RemoveDocument(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.imported = slices.DeleteFunc(m.imported, func(d audit.Document) bool { return d.ID == id })
	return nil
}
