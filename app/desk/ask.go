package desk

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"veristream/app"
	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/backend/ask"
	"veristream/backend/audit"
)

// answers gives what answers questions, over the database that is open.
func (d *desk) answers(ctx context.Context) (*core.Answers, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asking == nil {
		d.asking = c.Answers()
	}
	return d.asking, nil
}

// Scope implements app.Asker.
func (d *desk) Scope(ctx context.Context) (app.Scope, error) {
	out := app.Scope{Regulators: []string{}, Documents: []audit.Document{}}
	a, err := d.answers(ctx)
	if err != nil {
		return out, err
	}
	sets, err := d.RuleSets(ctx, "")
	if err != nil {
		return out, err
	}
	out.RuleSets, out.Model = len(sets), a.Model
	for _, s := range sets {
		if s.Text != nil {
			out.Texts++
		}
		if !slices.Contains(out.Regulators, s.Regulator) {
			out.Regulators = append(out.Regulators, s.Regulator)
		}
	}
	have, err := a.Store.Documents(ctx)
	if err != nil {
		return out, fmt.Errorf("list the documents: %w", err)
	}
	out.Documents = append(out.Documents, have...)
	return out, nil
}

// Ask implements app.Asker.
func (d *desk) Ask(ctx context.Context, q app.Asked, tell func(app.AskEvent)) (app.Answer, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return app.Answer{}, err
	}
	release, err := d.hold(ctx, c)
	if err != nil {
		return app.Answer{}, err
	}
	defer release()
	a, err := d.answers(ctx)
	if err != nil {
		return app.Answer{}, err
	}
	err = a.Prepare(ctx, func(done, total int) {
		if total > 0 {
			tell(app.AskEvent{Step: app.StepReading, Done: done, Total: total})
		}
	})
	if err != nil {
		return app.Answer{}, err
	}
	tell(app.AskEvent{Step: app.StepSearching})
	named, err := d.sources(ctx, a)
	if err != nil {
		return app.Answer{}, err
	}
	filter, filters, err := d.narrow(ctx, a, q)
	if err != nil {
		return app.Answer{}, err
	}
	tell(app.AskEvent{Filters: filters})
	got, err := a.Ask(ctx, ask.Question{
		Text: q.Text, Filter: filter, Fast: q.Mode == app.ModeFast, NoLLM: q.Mode == app.ModePassages, Careful: q.Mode == app.ModeCareful, Earlier: q.Earlier,
		OnFound:    func(hits []audit.Hit) { tell(app.AskEvent{Step: app.StepAnswering, Passages: named.passages(hits)}) },
		OnSentence: func(s ask.Sentence) { tell(app.AskEvent{Sentence: &s}) },
	})
	if err != nil {
		return app.Answer{}, err
	}
	odd, err := a.Anomalies(ctx, got)
	if err != nil {
		return app.Answer{}, err
	}
	out := app.Answer{
		Refused: got.Refused, Reason: got.Reason, Confidence: got.Confidence, Sentences: got.Sentences, Passages: named.passages(got.Hits),
		Filters: filters, How: got.How, Coverage: got.Coverage, Dropped: got.Dropped, Notice: got.Notice, Anomalies: odd,
	}
	if got.How == ask.HowModel {
		out.Model = a.Model
	}
	return out, nil
}

// Past implements app.Asker.
func (d *desk) Past(ctx context.Context, limit int) ([]app.PastQuestion, error) {
	a, err := d.answers(ctx)
	if err != nil {
		return nil, err
	}
	past, err := a.Past(ctx, limit)
	if err != nil {
		return nil, err
	}
	named, err := d.sources(ctx, a)
	if err != nil {
		return nil, err
	}
	out := make([]app.PastQuestion, 0, len(past))
	for _, p := range past {
		q := app.PastQuestion{ID: p.Seq, Text: p.Question, At: p.At, By: p.By, Mode: app.ModeStandard, AsOf: p.Answer.AsOf, Answer: app.Answer{
			Refused: p.Answer.Refused, Reason: p.Answer.Reason, Confidence: p.Answer.Confidence, Sentences: p.Answer.Sentences,
			Passages: named.passages(p.Answer.Hits), How: p.Answer.How, Coverage: p.Answer.Coverage, Model: p.Model,
		}}
		if p.Careful {
			q.Mode = app.ModeCareful
		}
		out = append(out, q)
	}
	return out, nil
}

// narrow gives where to look: where the user said, else in the documents that
// the question names.
func (d *desk) narrow(ctx context.Context, a *core.Answers, q app.Asked) (audit.Filter, []app.AskFilter, error) {
	f := audit.Filter{Corpora: q.Corpora, Regulators: q.Regulators, Sources: q.Documents, AsOf: q.AsOf}
	if len(q.Documents) > 0 {
		f.Corpora = []string{audit.CorpusDocuments}
	}
	out := []app.AskFilter{}
	f, chips, err := a.Narrow(ctx, without(q.Text, q.Without), f)
	if err != nil {
		return f, nil, err
	}
	for _, c := range chips {
		if c.Key != audit.MetaRiskTier { // it is told and narrows nothing
			out = append(out, app.AskFilter(c))
		}
	}
	return f, out, nil
}

// without takes words out of a question, so that no filter is read from them.
func without(question string, words []string) string {
	for _, w := range words {
		if w = strings.TrimSpace(w); w != "" {
			question = regexp.MustCompile(`(?i)`+regexp.QuoteMeta(w)).ReplaceAllLiteralString(question, " ")
		}
	}
	return question
}

// sourceNames say what people call the sources of passages.
type sourceNames struct {
	texts     map[string]audit.Text
	documents map[string]audit.Document
	cards     map[string]string // titles of card files
	hashes    map[string]string // of cards, by citation
}

func (d *desk) sources(ctx context.Context, a *core.Answers) (sourceNames, error) {
	n := sourceNames{texts: map[string]audit.Text{}, documents: map[string]audit.Document{}, cards: map[string]string{}, hashes: map[string]string{}}
	installed, err := a.Store.Texts(ctx)
	if err != nil {
		return n, fmt.Errorf("list the installed texts: %w", err)
	}
	for _, t := range installed {
		n.texts[t.ID] = t
	}
	have, err := a.Store.Documents(ctx)
	if err != nil {
		return n, fmt.Errorf("list the documents: %w", err)
	}
	for _, doc := range have {
		n.documents[doc.ID] = doc
	}
	for _, s := range a.Cards.Sources {
		n.cards[s.ID] = s.Title
	}
	for _, c := range a.Cards.Cards {
		n.hashes[c.Citation] = c.SHA256
	}
	return n, nil
}

func (n sourceNames) passages(hits []audit.Hit) []app.FoundPassage {
	out := make([]app.FoundPassage, 0, len(hits))
	for _, h := range hits {
		p := h.Passage
		f := app.FoundPassage{
			Rank: h.Rank, ID: p.ID, Citation: p.Citation, Title: p.Title, Corpus: p.Corpus, Kind: p.Kind, Source: p.Source, Text: p.Body, Pinned: h.Pinned,
		}
		if f.Citation == "" {
			f.Citation = ask.Place(p)
		}
		switch p.Corpus {
		case audit.CorpusRules:
			t := n.texts[p.Source]
			f.Name, f.AsOf, f.SHA256 = t.Title, t.AsOf, t.SHA256
		case audit.CorpusCards:
			f.Name, f.SHA256 = n.cards[p.Source], n.hashes[p.Citation]
		case audit.CorpusDocuments:
			doc := n.documents[p.Source]
			f.Name, f.SHA256 = doc.Title, doc.SHA256
		}
		out = append(out, f)
	}
	return out
}

// round is how many passages are shown before and after one.
const round = 3

// Read implements app.Asker.
func (d *desk) Read(ctx context.Context, document string, passage int64) (app.DocumentPages, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return app.DocumentPages{}, err
	}
	have, err := c.Store.Documents(ctx)
	if err != nil {
		return app.DocumentPages{}, fmt.Errorf("list the documents: %w", err)
	}
	i := slices.IndexFunc(have, func(doc audit.Document) bool { return doc.ID == document })
	if i < 0 {
		return app.DocumentPages{}, audit.Errorf(audit.CodeInput, "This document was removed. What was quoted of it stands in the answer.")
	}
	all, err := c.Store.SourcePassages(ctx, audit.CorpusDocuments, document)
	if err != nil {
		return app.DocumentPages{}, err
	}
	if at := slices.IndexFunc(all, func(p audit.Passage) bool { return p.ID == passage }); at >= 0 && all[at].ParentID != 0 {
		passage = all[at].ParentID // a part is read within its whole
	}
	all = slices.DeleteFunc(all, func(p audit.Passage) bool { return p.ParentID != 0 })
	at := slices.IndexFunc(all, func(p audit.Passage) bool { return p.ID == passage })
	if at < 0 {
		return app.DocumentPages{}, audit.Errorf(audit.CodeInput, "This passage is not there any more: the document was imported anew.")
	}
	from, to := max(0, at-round), min(len(all), at+round+1)
	out := app.DocumentPages{Document: have[i], At: at - from, Passages: []app.DocumentPage{}}
	if from > 0 {
		out.Before = all[from-1].ID
	}
	if to < len(all) {
		out.After = all[to].ID
	}
	for _, p := range all[from:to] {
		out.Passages = append(out.Passages, app.DocumentPage{ID: p.ID, Title: p.Title, Place: ask.Place(p), Kind: p.Kind, Text: p.Body})
	}
	return out, nil
}

// ImportDocuments implements app.Importer.
func (d *desk) ImportDocuments(ctx context.Context, paths []string, ocr bool, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var report app.ImportReport
	c, err := d.ready(ctx)
	if err != nil {
		return report, err
	}
	var o docstore.Options
	if ocr {
		scans, end, err := core.OpenScans(ctx, d.dirs, c.Store)
		if err != nil {
			return report, err
		}
		defer end() //nolint:errcheck // it was ended by us
		o.Scans = scans
		o.OnPage = func(file string, done, total int) {
			tell(app.ImportProgress{Step: app.ImportPages, File: file, Done: done, Total: total})
		}
	}
	in := &docstore.Importer{Store: c.Store}
	reports, failures, err := in.Import(ctx, paths, o, func(file string) { tell(app.ImportProgress{Step: app.ImportFile, File: file}) })
	if err != nil {
		return report, err
	}
	for _, r := range reports {
		doc := r.Document
		report.Imported = append(report.Imported, app.Imported{
			ID: doc.ID, Title: doc.Title, File: r.File, State: r.State, SHA256: doc.SHA256, Sections: doc.Sections, Passages: doc.Passages,
			Remarks: doc.Anomalies,
		})
	}
	for _, f := range failures {
		failure := app.NewImportFailure(f.File, f.Err)
		failure.Scan = f.Scan()
		report.Failures = append(report.Failures, failure)
	}
	return report, d.read(ctx, c, &report, tell)
}

// RemoveDocument implements app.Importer.
func (d *desk) RemoveDocument(ctx context.Context, id string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	return c.Store.RemoveDocument(ctx, id)
}
