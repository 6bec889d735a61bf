package core

import (
	"context"
	"strings"

	"veristream/backend/align"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

// alignSearch finds passages of documents for an alignment: within what the
// user named, nothing is refused.
type alignSearch struct {
	searcher *retrieve.Searcher
	fast     bool
}

// Find implements align.Searcher.
func (s alignSearch) Find(ctx context.Context, text string, documents []string, top int) ([]audit.Hit, error) {
	if words := strings.Fields(text); len(words) > 120 {
		text = strings.Join(words[:120], " ")
	}
	r, err := s.searcher.Search(ctx, retrieve.Query{
		Text: text, Top: top, NoRefuse: true, NoRerank: s.fast,
		Filter: audit.Filter{Corpora: []string{audit.CorpusDocuments}, Sources: documents},
	})
	return r.Hits, err
}

// Aligner lays designs beside handbooks and baselines.
func (a *Answers) Aligner(fast bool) *align.Aligner {
	return &align.Aligner{Search: alignSearch{a.Searcher, fast}, LLM: a.Asker.LLM}
}
