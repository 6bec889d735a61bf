package retrieve

import (
	"cmp"
	"context"
	"slices"

	"veristream/backend/audit"
)

// Bounds of the second look.
const (
	sections     = 4  // looked into again
	sectionVotes = 3  // hits of a section that count for it
	sectionFrom  = 40 // hits of the first fusion that vote
	sectionDepth = 20 // of the lists within them
)

// deepen fuses the lists, looks again into the sections that the fusion
// favours, and fuses all. The right paragraph often stands beside the ones that
// share the question's words.
func (s *Searcher) deepen(ctx context.Context, q Query, u understanding, lists []list, vector []float32) ([]*found, error) {
	first := fuse(lists)
	if s.opts.WeightSection <= 0 || len(q.Filter.Within) > 0 || len(first) == 0 {
		return first, nil
	}
	within, err := s.favoured(ctx, first)
	if err != nil || len(within) == 0 {
		return first, err
	}
	f := q.Filter
	f.Within = within
	if !q.DenseOnly {
		lq := audit.LexicalQuery{Words: u.words, Phrases: u.phrases, Weights: s.opts.Columns}
		hits, err := s.index.SearchBM25(ctx, lq, f, sectionDepth)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list{listSecBM25, s.opts.WeightSection, hits})
	}
	if vector != nil {
		hits, err := s.index.SearchDense(ctx, s.embed.ModelID(), vector, f, sectionDepth)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list{listSecDense, s.opts.WeightSection, hits})
	}
	return fuse(lists), nil
}

// favoured gives the sections with the most of the fusion's score in their few
// best paragraphs.
func (s *Searcher) favoured(ctx context.Context, ranked []*found) ([]audit.Citation, error) {
	ids := make([]int64, 0, sectionFrom)
	score := map[int64]float64{}
	for _, f := range ranked[:min(len(ranked), sectionFrom)] {
		ids = append(ids, f.id)
		score[f.id] = f.rrf
	}
	passages, err := s.index.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	type vote struct {
		section audit.Citation
		votes   int
		sum     float64
	}
	at := map[string]*vote{}
	var votes []*vote
	for _, p := range passages {
		c, err := audit.ParseCitation(p.Citation)
		if err != nil {
			continue
		}
		section := c.SectionCitation()
		v := at[section.String()]
		if v == nil {
			v = &vote{section: section}
			at[section.String()] = v
			votes = append(votes, v)
		}
		if v.votes++; v.votes <= sectionVotes {
			v.sum += score[p.ID]
		}
	}
	slices.SortStableFunc(votes, func(a, b *vote) int { return cmp.Compare(b.sum, a.sum) })
	var out []audit.Citation
	for _, v := range votes[:min(len(votes), sections)] {
		out = append(out, v.section)
	}
	return out, nil
}
