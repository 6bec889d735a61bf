package retrieve

import (
	"cmp"
	"context"
	"slices"

	"veristream/backend/audit"
)

// Bounds of the second look.
const (
	sections     = 3  // looked into again because their paragraphs were found
	described    = 3  // because what they are about is near the question
	sectionVotes = 3  // hits of a section that count for it
	sectionFrom  = 40 // hits of the first fusion that vote
	sectionDepth = 20 // of the lists within them
)

// deepen fuses the lists, looks again into the sections that the fusion
// favours and into those that are about the question, and fuses all. The right
// paragraph often stands beside the ones that share the question's words. It
// also gives the sections that are about the question, the nearest first.
func (s *Searcher) deepen(ctx context.Context, q Query, u understanding, lists []list, vector []float32) ([]*found, []audit.Citation, error) {
	first := fuse(lists)
	if len(q.Filter.Within) > 0 || len(first) == 0 {
		return first, nil, nil
	}
	var about []audit.Citation
	var inAbout, inVoted []list
	err := together(func() (err error) {
		if s.opts.WeightGist <= 0 {
			return nil
		}
		if about, err = s.described(ctx, q, u, vector); err != nil {
			return err
		}
		inAbout, err = s.within(ctx, q, u, vector, about, s.opts.WeightGist, listGistBM25, listGistDense)
		return err
	}, func() error {
		if s.opts.WeightSection <= 0 {
			return nil
		}
		voted, err := s.favoured(ctx, first)
		if err != nil {
			return err
		}
		inVoted, err = s.within(ctx, q, u, vector, voted, s.opts.WeightSection, listSecBM25, listSecDense)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	lists = append(append(lists, inAbout...), inVoted...)
	return fuse(lists), about, nil
}

// within asks both indexes for what stands in some sections.
func (s *Searcher) within(ctx context.Context, q Query, u understanding, vector []float32, sections []audit.Citation,
	weight float64, lexical, dense string,
) ([]list, error) {
	if len(sections) == 0 {
		return nil, nil
	}
	f := q.Filter
	f.Within = sections
	inWords, inVectors := list{name: lexical, weight: weight}, list{name: dense, weight: weight}
	err := together(func() (err error) {
		if !q.DenseOnly {
			lq := audit.LexicalQuery{Words: u.words, Phrases: u.phrases, Weights: s.opts.Columns}
			inWords.hits, err = s.index.SearchBM25(ctx, lq, f, sectionDepth)
		}
		return err
	}, func() (err error) {
		if vector != nil {
			inVectors.hits, err = s.index.SearchDense(ctx, s.embed.ModelID(), vector, f, sectionDepth)
		}
		return err
	})
	return []list{inWords, inVectors}, err
}

// described gives the sections whose description is nearest to the question.
func (s *Searcher) described(ctx context.Context, q Query, u understanding, vector []float32) ([]audit.Citation, error) {
	if !slices.Contains(q.Filter.Corpora, audit.CorpusRules) || len(q.Filter.Regulators)+len(q.Filter.Sources) > 0 {
		return nil, nil
	}
	f := audit.Filter{Corpora: []string{audit.CorpusSections}}
	var lists []list
	if !q.DenseOnly {
		lq := audit.LexicalQuery{Words: u.words, Phrases: u.phrases, Weights: s.opts.Columns}
		hits, err := s.index.SearchBM25(ctx, lq, f, 2*described)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list{listBM25, 0.5, hits})
	}
	if vector != nil {
		hits, err := s.index.SearchDense(ctx, s.embed.ModelID(), vector, f, 2*described)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list{listDense, 1, hits})
	}
	var ids []int64
	for _, x := range fuse(lists) {
		ids = append(ids, x.id)
	}
	passages, err := s.index.Passages(ctx, ids[:min(len(ids), described)])
	if err != nil {
		return nil, err
	}
	var out []audit.Citation
	for _, p := range passages {
		if c, ok := s.cite(p.Citation); ok {
			out = append(out, c)
		}
	}
	return out, nil
}

// favoured gives the sections with the most of the fusion's score in their few
// best paragraphs.
func (s *Searcher) favoured(ctx context.Context, ranked []*found) ([]audit.Citation, error) {
	ids := make([]int64, 0, sectionFrom)
	for _, f := range ranked[:min(len(ranked), sectionFrom)] {
		ids = append(ids, f.id)
	}
	citations, err := s.index.Citations(ctx, ids)
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
	for _, f := range ranked[:len(ids)] {
		c, ok := s.cite(citations[f.id])
		if !ok {
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
			v.sum += f.rrf
		}
	}
	slices.SortStableFunc(votes, func(a, b *vote) int { return cmp.Compare(b.sum, a.sum) })
	var out []audit.Citation
	for _, v := range votes[:min(len(votes), sections)] {
		out = append(out, v.section)
	}
	return out, nil
}
