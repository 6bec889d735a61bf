package desk

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"veristream/app"
	"veristream/app/core"
	"veristream/app/texts"
	"veristream/backend/audit"
	backendregs "veristream/backend/regs"
	"veristream/backend/retrieve"
	"veristream/regs"
)

// RuleSets implements app.Rulebook.
func (d *desk) RuleSets(ctx context.Context, asOf string) ([]texts.RuleSet, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	return texts.RuleSets(ctx, c.Store, c.Cards, orToday(asOf))
}

func orToday(day string) string {
	if day == "" {
		return time.Now().Format(time.DateOnly)
	}
	return day
}

// OpenRules implements app.Rulebook.
func (d *desk) OpenRules(ctx context.Context, set, asOf string) (*texts.Book, error) {
	sets, err := d.RuleSets(ctx, asOf)
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		if s.ID == set {
			return d.openBook(ctx, s)
		}
	}
	return nil, audit.Errorf(audit.CodeInput, "%s is not installed any more.", set)
}

// OpenRule implements app.Rulebook.
func (d *desk) OpenRule(ctx context.Context, c audit.Citation, asOf string) (*texts.Book, error) {
	sets, err := d.RuleSets(ctx, asOf)
	if err != nil {
		return nil, err
	}
	s, ok := texts.SetOf(sets, c)
	if !ok {
		return nil, audit.Errorf(audit.CodeInput, "No installed text and no card has %s.", c)
	}
	return d.openBook(ctx, s)
}

// mostBooks bounds how many rules are kept open: a large one has thousands of
// paragraphs.
const mostBooks = 6

// openBook opens a set; it is kept, because a reader goes from paragraph to
// paragraph.
func (d *desk) openBook(ctx context.Context, s texts.RuleSet) (*texts.Book, error) {
	key := s.ID
	if s.Text != nil {
		key += " " + s.Text.ID + " " + s.Text.SHA256
	}
	d.mu.Lock()
	b, ok := d.books[key]
	d.mu.Unlock()
	if ok {
		return b, nil
	}
	checked, err := backendregs.LoadChecked(regs.Files, "checked.json")
	if err != nil {
		return nil, err
	}
	b, err = texts.OpenBook(ctx, d.core.Store, s, d.core.Cards, checked)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.books) >= mostBooks {
		clear(d.books)
	}
	d.books[key] = b
	return b, nil
}

// rulesChanged forgets what was read of the installed texts.
func (d *desk) rulesChanged(c *core.Core) {
	d.mu.Lock()
	clear(d.books)
	d.mu.Unlock()
	c.TextsChanged()
}

// mostHits bounds what a search in the rules gives.
const mostHits = 40

// FindRules implements app.Rulebook: first the paragraphs that the query
// names, then those that hold its words, last those that speak of the same in
// other words.
func (d *desk) FindRules(ctx context.Context, query, asOf string) ([]app.RuleHit, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	sets, err := d.RuleSets(ctx, asOf)
	if err != nil {
		return nil, err
	}
	f := finding{query: query, sets: sets, seen: map[string]bool{}}
	if whole, err := d.named(ctx, &f, asOf); err != nil || whole {
		return f.hits, err
	}
	within := audit.Filter{Corpora: []string{audit.CorpusRules, audit.CorpusCards}, AsOf: asOf}
	scored, err := c.Store.SearchBM25(ctx, audit.LexicalQuery{Words: wordsOf(query), Weights: retrieve.Defaults().Columns}, within, mostHits)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(scored))
	for i, s := range scored {
		ids[i] = s.ID
	}
	worded, err := c.Store.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, p := range worded {
		f.add(p, p.Body)
	}
	if c.Embedder == nil {
		return f.hits, nil
	}
	alike, err := c.Searcher.Search(ctx, retrieve.Query{Text: query, Filter: within, NoRerank: true, NoRefuse: true})
	if err != nil {
		return nil, err
	}
	for _, h := range alike.Hits {
		body := h.Matched
		if body == "" {
			body = h.Passage.Body
		}
		f.add(h.Passage, body)
	}
	return f.hits, nil
}

// finding gathers what a search in the rules finds; a paragraph is told once.
type finding struct {
	query string
	sets  []texts.RuleSet
	seen  map[string]bool
	hits  []app.RuleHit
}

func (f *finding) add(p audit.Passage, body string) {
	cite, err := audit.ParseCitation(p.Citation)
	if err != nil || f.seen[p.Citation] {
		return // the card of a paragraph that is there already
	}
	s, ok := texts.SetOf(f.sets, cite)
	if !ok {
		return
	}
	f.seen[p.Citation] = true
	f.hits = append(f.hits, app.RuleHit{
		Citation: p.Citation, Title: p.Title, Set: s.ID, Official: p.Corpus == audit.CorpusRules, Kind: p.Kind, Snippet: snippet(body, f.query),
	})
}

// named finds the paragraphs that a query names. Where it is a citation and
// nothing else, what stands directly below it is found too, and that is all.
func (d *desk) named(ctx context.Context, f *finding, asOf string) (whole bool, err error) {
	cites := audit.FindCitations(f.query)
	if c, err := audit.ParseCitation(f.query); err == nil {
		whole, cites = true, []audit.FoundCitation{{Citation: c}}
	}
	for _, found := range cites {
		b, err := d.OpenRule(ctx, found.Citation, asOf)
		if audit.CodeOf(err) == audit.CodeInput {
			continue // it is not installed; the words may lead to another
		}
		if err != nil {
			return false, err
		}
		p, err := b.Page(found.Citation)
		if err != nil || f.seen[p.Citation] {
			continue
		}
		f.page(p)
		if !whole {
			continue
		}
		for _, n := range b.Nodes {
			if c, err := audit.ParseCitation(n.Citation); err == nil && n.Parent == p.Citation && len(f.hits) < mostHits {
				if below, err := b.Page(c); err == nil {
					f.page(below)
				}
			}
		}
	}
	return whole && len(f.hits) > 0, nil
}

// page adds a paragraph that was opened.
func (f *finding) page(p texts.RulePage) {
	f.seen[p.Citation] = true
	f.hits = append(f.hits, app.RuleHit{
		Citation: p.Citation, Title: p.Title, Set: p.Set, Official: p.Text != nil, Kind: p.Path[len(p.Path)-1].Kind, Snippet: about(p),
	})
}

func wordsOf(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// about gives the first words of a paragraph.
func about(p texts.RulePage) string {
	for _, f := range p.Flow {
		if f.Citation == p.Citation && f.Text != "" {
			return cut(f.Text)
		}
	}
	if p.Card != nil {
		return cut(p.Card.Requires)
	}
	return p.Without
}

// snippet gives the sentence of a text that has most of a query's words.
func snippet(body, query string) string {
	words := wordsOf(query)
	best, most := "", -1
	for _, s := range audit.Sentences(strings.Join(strings.Fields(body), " ")) {
		n, lower := 0, strings.ToLower(s)
		for _, w := range words {
			if len(w) > 2 && strings.Contains(lower, w) {
				n++
			}
		}
		if n > most {
			best, most = s, n
		}
	}
	return cut(best)
}

const snippetLength = 220

func cut(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > snippetLength {
		return strings.TrimRight(string(r[:snippetLength]), " ,;") + "…"
	}
	return s
}

// ImportTexts implements app.Importer.
func (d *desk) ImportTexts(ctx context.Context, req app.ImportRequest, tell func(app.ImportProgress)) (app.ImportReport, error) {
	var report app.ImportReport
	c, err := d.ready(ctx)
	if err != nil {
		return report, err
	}
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		return report, err
	}
	in := &texts.Installer{Store: c.Store, Catalogue: catalogue, Now: time.Now}
	for _, path := range req.Paths {
		opts := texts.ImportOptions{AsOf: req.AsOf, Regulator: req.Regulator}
		reports, failures, err := in.Import(ctx, path, opts, func(file string) { tell(app.ImportProgress{Step: app.ImportFile, File: file}) })
		for _, r := range reports {
			report.Imported = append(report.Imported, importedText(r))
		}
		for _, f := range failures {
			report.Failures = append(report.Failures, app.NewImportFailure(f.File, f.Err))
		}
		switch {
		case err == nil:
		case ctx.Err() != nil || len(req.Paths) == 1:
			return report, err
		default:
			report.Failures = append(report.Failures, app.NewImportFailure(path, err))
		}
	}
	d.rulesChanged(c)
	return report, d.read(ctx, c, &report, tell)
}

// mostRemarks bounds what is told of one text's numbering.
const mostRemarks = 40

func importedText(r texts.Report) app.Imported {
	out := app.Imported{
		ID: r.Text.ID, Title: r.Text.Title, File: r.File, State: "imported", AsOf: r.Text.AsOf, SHA256: r.Text.SHA256,
		Sections: r.Sections, Paragraphs: r.Rules, Passages: r.Passages,
	}
	if r.Again {
		out.State = "again"
	}
	if r.Notice != "" {
		out.Remarks = append(out.Remarks, strings.ToUpper(r.Notice[:1])+r.Notice[1:]+".")
	}
	for i, p := range r.Problems {
		if i == mostRemarks {
			out.Remarks = append(out.Remarks, fmt.Sprintf("and %d more", len(r.Problems)-i))
			break
		}
		out.Remarks = append(out.Remarks, fmt.Sprintf("%s: %s", p.Citation, p.What))
	}
	return out
}

// read makes the vectors of what was imported. What was written stays when it
// is stopped: the next question goes on from there.
func (d *desk) read(ctx context.Context, c *core.Core, report *app.ImportReport, tell func(app.ImportProgress)) error {
	if len(report.Imported) == 0 {
		return nil
	}
	err := c.Prepare(ctx, func(done, total int) {
		tell(app.ImportProgress{Step: app.ImportVectors, Done: done, Total: total})
	})
	if ctx.Err() != nil {
		report.Unread = true
		return nil
	}
	return err
}

// RemoveText implements app.Importer.
func (d *desk) RemoveText(ctx context.Context, id string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	if err := c.Store.RemoveText(ctx, id); err != nil {
		return err
	}
	d.rulesChanged(c)
	return nil
}
