package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// ruleShare is how many of ten results must be rule text, where the pool has
// so many that are not far behind.
const ruleShare = 3

// finish cuts the ordered pool to the results: room for rule text, what the
// first results refer to, parents in the place of their parts, and numbers.
func (s *Searcher) finish(ctx context.Context, q Query, u understanding, pool []*candidate) ([]audit.Hit, error) {
	chosen := s.choose(pool, q.Top)
	var err error
	if s.opts.Links > 0 && !q.BM25Only && !q.DenseOnly {
		if chosen, err = s.link(ctx, q, u, chosen, pool); err != nil {
			return nil, err
		}
	}
	hits := make([]audit.Hit, 0, len(chosen))
	spent := 0
	shown := map[int64]bool{}
	for _, c := range chosen {
		h := audit.Hit{Passage: c.passage(), Pinned: c.pinned, Why: c.explain()}
		h.Scores = audit.Scores{BM25: c.bm25, Dense: c.dense, RRF: c.rrf}
		if c.reread {
			x := c.rerank
			h.Scores.Rerank = &x
		}
		if c.text != nil {
			h.Card = c.card
		}
		if err := s.readParent(ctx, &h); err != nil {
			return nil, err
		}
		if shown[h.Passage.ID] {
			continue // two parts of one section: it is read once
		}
		size := len(h.Passage.Header) + len(h.Passage.Body)
		if len(hits) > 0 && spent+size > s.opts.Budget {
			continue
		}
		spent += size
		shown[h.Passage.ID] = true
		h.Rank = len(hits) + 1
		hits = append(hits, h)
	}
	return hits, nil
}

// choose takes the first results, and makes room for rule text that commentary,
// examples and documents would crowd out.
func (s *Searcher) choose(pool []*candidate, top int) []*candidate {
	chosen := slices.Clone(pool[:min(top, len(pool))])
	want := min(ruleShare, top/3+1)
	have := 0
	for _, c := range chosen {
		if c.isRule() {
			have++
		}
	}
	rest := pool[len(chosen):]
	for i := len(chosen) - 1; i > 0 && have < want; i-- {
		if chosen[i].isRule() || chosen[i].pinned {
			continue
		}
		at := slices.IndexFunc(rest, (*candidate).isRule)
		if at < 0 {
			break
		}
		c := rest[at]
		c.why = append(c.why, "rule text has a place beside commentary")
		chosen = append(slices.Delete(chosen, i, i+1), c)
		rest = rest[at+1:]
		have++
	}
	return chosen
}

// isRule says whether the candidate is the text of a rule, or a card where no
// text is installed.
func (c *candidate) isRule() bool {
	if c.text == nil {
		return true
	}
	switch c.text.Kind {
	case audit.KindCommentary, audit.KindExample, audit.KindDocument, audit.KindAppendix, audit.KindFootnote, audit.KindTable:
		return false
	}
	return true
}

// readParent puts the parent in the place of a part that was found.
func (s *Searcher) readParent(ctx context.Context, h *audit.Hit) error {
	if h.Passage.ParentID == 0 {
		return nil
	}
	found, err := s.index.Passages(ctx, []int64{h.Passage.ParentID})
	if err != nil {
		return err
	}
	if len(found) == 0 || len(found[0].Body) > s.opts.Budget/3 {
		return nil
	}
	h.Matched = h.Passage.Body
	h.Passage = found[0]
	return nil
}

// explain says in words why the candidate is there.
func (c *candidate) explain() string {
	why := slices.Clone(c.why)
	for _, name := range []string{
		listBM25, listDense, listCards, listExpanded, listScopedBM25, listScopedDense, listDefBM25, listDefDense, listSecBM25, listSecDense,
		listGistBM25, listGistDense, listAsksBM25, listAsksDense,
	} {
		if rank, ok := c.ranks[name]; ok {
			why = append(why, fmt.Sprintf("%s #%d", name, rank))
		}
	}
	if c.text != nil && c.card != nil {
		why = append(why, "its card was read with it")
	}
	return strings.Join(why, "; ")
}
