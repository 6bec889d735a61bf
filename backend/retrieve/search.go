package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"veristream/backend/audit"
)

// The lists that are fused.
const (
	listBM25        = "bm25"
	listDense       = "dense"
	listExpanded    = "dense, written out"
	listScopedBM25  = "bm25 in scope"
	listScopedDense = "dense in scope"
	listCards       = "cards' vectors"
	listDefBM25     = "bm25 of definitions"
	listDefDense    = "dense of definitions"
	listSecBM25     = "bm25 in the section"
	listSecDense    = "dense in the section"
	listGistBM25    = "bm25 in the section that is about it"
	listGistDense   = "dense in the section that is about it"
	listAsksBM25    = "bm25 of everyday questions"
	listAsksDense   = "an everyday question that it answers"
)

// Searcher answers queries. It may be used by many goroutines.
type Searcher struct {
	index  Index
	embed  audit.Embedder // nil: not installed
	rerank audit.Reranker // nil: not installed
	opts   Options
	now    func() time.Time

	// Vectors embeds the program's own questions; nil: they are embedded anew by
	// every process.
	Vectors Vectors

	cites sync.Map // citation -> audit.Citation, of the passages seen so far

	mu    sync.Mutex
	known [][]float32 // of the questions that are known to be out of scope
}

// New makes a searcher. Either model may be nil: results say so.
func New(index Index, embed audit.Embedder, rerank audit.Reranker, opts Options) *Searcher {
	return &Searcher{index: index, embed: embed, rerank: rerank, opts: opts, now: time.Now}
}

// Search answers one query.
func (s *Searcher) Search(ctx context.Context, q Query) (Result, error) {
	start := s.now()
	r, err := s.search(ctx, q)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	r.MS = s.now().Sub(start).Milliseconds()
	return r, nil
}

func (s *Searcher) search(ctx context.Context, q Query) (Result, error) {
	if q.Top <= 0 {
		q.Top = 10
	}
	if len(q.Filter.Corpora) == 0 { // not the gists of sections
		q.Filter.Corpora = []string{audit.CorpusRules, audit.CorpusCards, audit.CorpusDocuments}
	}
	u := understand(q)
	r := Result{Rerank: s.rerankState(q), Dense: s.denseState(q)}
	if u.text == "" && len(u.citations) == 0 {
		r.Refused, r.Reason = true, "There is no question."
		return r, nil
	}
	if !q.NoRefuse {
		reason, err := s.uncovered(ctx, q, u)
		if err != nil {
			return r, err
		}
		if reason != "" {
			r.Refused, r.Reason = true, reason
			return r, nil
		}
	}
	lists, vector, err := s.ask(ctx, q, u)
	if err != nil {
		return r, err
	}
	ranked, about, err := s.deepen(ctx, q, u, lists, vector)
	if err != nil {
		return r, err
	}
	pool, err := s.pool(ctx, q, u, ranked, vector)
	if err != nil {
		return r, err
	}
	if r.Rerank != NotInstalled && r.Rerank != Off {
		if err := s.score(ctx, u, pool); err != nil {
			return r, err
		}
	}
	s.order(u, pool, about)
	r.Near = nearness(u, pool)
	r.Near.Asked = asked(lists)
	// Without any of the questions in the index nothing can be said of them.
	if r.Near.Paper = r.Near.Asked == 0 || unknownGround(pool); !r.Near.Paper && !q.NoRefuse {
		if r.Near.Away, err = s.away(ctx, vector, q.LeaveOut); err != nil {
			return r, err
		}
	}
	r.Score = s.opts.Refusal.Score(r.Near)
	if !q.NoRefuse && len(u.citations) == 0 {
		r.Refused, r.Reason = s.refuses(r, pool)
		if again, ok, err := s.askAgain(ctx, q, u, r); ok || err != nil {
			return again, err
		}
	}
	if u.onlyCites() {
		pool = slices.DeleteFunc(pool, func(c *candidate) bool { return !c.pinned && !c.related && !s.named(c.passage(), u) })
	}
	r.Hits, err = s.finish(ctx, q, u, pool)
	return r, err
}

// askAgain asks a refused question once more with its abbreviations written out:
// a few words in a trade's shorthand are near to nothing. ok is false where that
// is refused as well, or where there is nothing to write out.
func (s *Searcher) askAgain(ctx context.Context, q Query, u understanding, r Result) (again Result, ok bool, err error) {
	if !r.Refused || q.writtenOut || u.written == u.text {
		return r, false, nil
	}
	q.Text, q.writtenOut = u.written, true
	again, err = s.search(ctx, q)
	return again, err == nil && !again.Refused, err
}

func (s *Searcher) rerankState(q Query) string {
	switch {
	case q.NoRerank, q.BM25Only, q.DenseOnly, s.opts.NoRerank:
		return Off
	case s.rerank == nil:
		return NotInstalled
	}
	return s.rerank.ModelID()
}

func (s *Searcher) denseState(q Query) string {
	switch {
	case q.BM25Only:
		return Off
	case s.embed == nil:
		return NotInstalled
	}
	return s.embed.ModelID()
}

// ask asks both indexes, at the same time: the vector index while the full-text
// index is walked. It also gives the question's vector.
func (s *Searcher) ask(ctx context.Context, q Query, u understanding) ([]list, []float32, error) {
	var lexical, dense []list
	var vector []float32
	err := together(func() (err error) {
		if !q.DenseOnly {
			lexical, err = s.askWords(ctx, q, u)
		}
		return err
	}, func() (err error) {
		if !q.BM25Only && s.embed != nil {
			dense, vector, err = s.askVectors(ctx, q, u)
		}
		return err
	})
	return append(lexical, dense...), vector, err
}

func (s *Searcher) askWords(ctx context.Context, q Query, u understanding) ([]list, error) {
	lq := audit.LexicalQuery{Words: u.words, Phrases: u.phrases, Citations: u.citations, Weights: s.opts.Columns}
	hits, err := s.index.SearchBM25(ctx, lq, q.Filter, s.opts.Depth)
	if err != nil {
		return nil, err
	}
	out := []list{{listBM25, s.opts.WeightBM25, hits}}
	if f, ok := s.forAsks(q); ok {
		hits, err := s.index.SearchBM25(ctx, lq, f, s.opts.Depth/2)
		if err != nil {
			return nil, err
		}
		out = append(out, list{listAsksBM25, s.opts.WeightAsks / 2, hits})
	}
	if f, ok := s.scoped(q, u); ok {
		hits, err := s.index.SearchBM25(ctx, lq, f, s.opts.Depth)
		if err != nil {
			return nil, err
		}
		out = append(out, list{listScopedBM25, s.opts.WeightScope, hits})
	}
	if u.defines && s.opts.WeightDefine > 0 && len(q.Filter.Kinds) == 0 {
		f := q.Filter
		f.Kinds = []audit.Kind{audit.KindDefinition}
		hits, err := s.index.SearchBM25(ctx, lq, f, sectionDepth)
		if err != nil {
			return nil, err
		}
		out = append(out, list{listDefBM25, s.opts.WeightDefine, hits})
	}
	return out, nil
}

func (s *Searcher) askVectors(ctx context.Context, q Query, u understanding) ([]list, []float32, error) {
	texts := []string{u.text}
	if u.expanded != u.text && s.opts.WeightExpanded > 0 {
		texts = append(texts, u.expanded)
	}
	vectors, err := s.embed.Embed(ctx, audit.RoleQuery, texts)
	if err != nil {
		return nil, nil, err
	}
	// All at the same time: each walks the index on its own.
	var out []list
	var asks []func() error
	ask := func(name string, weight float64, v []float32, f audit.Filter, depth int) {
		i := len(out)
		out = append(out, list{name: name, weight: weight})
		asks = append(asks, func() error {
			hits, err := s.index.SearchDense(ctx, s.embed.ModelID(), v, f, depth)
			out[i].hits = hits
			return err
		})
	}
	// Cards have a list of their own: each has a dozen vectors in everyday
	// words, and they would push texts out of a common one.
	forTexts, forCards := withoutCards(q.Filter)
	if forTexts != nil {
		ask(listDense, s.opts.WeightDense, vectors[0], *forTexts, s.opts.Depth)
	}
	if forCards != nil {
		ask(listCards, s.opts.WeightCards, vectors[0], *forCards, s.opts.Depth/2)
	}
	if f, ok := s.forAsks(q); ok {
		ask(listAsksDense, s.opts.WeightAsks, vectors[0], f, s.opts.Depth/2)
	}
	if len(vectors) > 1 && forTexts != nil {
		ask(listExpanded, s.opts.WeightExpanded, vectors[1], *forTexts, s.opts.Depth)
	}
	if f, ok := s.scoped(q, u); ok {
		ask(listScopedDense, s.opts.WeightScope, vectors[0], f, s.opts.Depth)
	}
	if u.defines && s.opts.WeightDefine > 0 && len(q.Filter.Kinds) == 0 {
		f := q.Filter
		f.Kinds = []audit.Kind{audit.KindDefinition}
		ask(listDefDense, s.opts.WeightDefine, vectors[0], f, sectionDepth)
	}
	return out, vectors[0], together(asks...)
}

// together runs functions at the same time and gives their errors.
func together(list ...func() error) error {
	errs := make([]error, len(list))
	var wg sync.WaitGroup
	for i, f := range list {
		wg.Go(func() { errs[i] = f() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// withoutCards splits a filter into the one for texts and the one for cards;
// nil where it lets none of them in.
func withoutCards(f audit.Filter) (texts, cards *audit.Filter) {
	split := func(corpora ...string) *audit.Filter {
		out := f
		out.Corpora = nil
		for _, c := range corpora {
			if slices.Contains(f.Corpora, c) {
				out.Corpora = append(out.Corpora, c)
			}
		}
		if len(out.Corpora) == 0 {
			return nil
		}
		return &out
	}
	return split(audit.CorpusRules, audit.CorpusDocuments), split(audit.CorpusCards)
}

// forAsks is the filter for everyday questions, where rules are looked for.
func (s *Searcher) forAsks(q Query) (audit.Filter, bool) {
	if s.opts.WeightAsks <= 0 || !slices.Contains(q.Filter.Corpora, audit.CorpusRules) && !slices.Contains(q.Filter.Corpora, audit.CorpusCards) {
		return audit.Filter{}, false
	}
	return audit.Filter{Corpora: []string{audit.CorpusAsks}, Within: q.Filter.Within}, true
}

// cite reads the citation of a passage. Every search reads some hundred, mostly
// the same ones, and the spelling is told from others by expressions that take
// their time.
func (s *Searcher) cite(citation string) (audit.Citation, bool) {
	if c, ok := s.cites.Load(citation); ok {
		return c.(audit.Citation), true
	}
	c, err := audit.ParseCitation(citation)
	if err == nil {
		c.Path, c.Comment = slices.Clip(c.Path), slices.Clip(c.Comment) // it is shared
		s.cites.Store(citation, c)
	}
	return c, err == nil
}

// scoped narrows the filter to what the question names: paragraphs, bodies of
// rules, regulators. It is asked beside the whole, not instead of it: people
// name the wrong rule.
func (s *Searcher) scoped(q Query, u understanding) (audit.Filter, bool) {
	f := q.Filter
	if s.opts.WeightScope <= 0 {
		return f, false
	}
	var within []audit.Citation
	for _, c := range u.citations {
		within = appendNew(within, c.SectionCitation())
	}
	within = append(within, u.scopes...)
	switch {
	case len(within) > 0 && len(f.Within) == 0:
		f.Within = within
	case len(u.regulators) > 0 && len(f.Regulators) == 0:
		f.Regulators = u.regulators
	default:
		return f, false
	}
	return f, true
}
