package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"veristream/backend/audit"
)

// candidate is one paragraph in the pool: its official text, its card, or
// both. They are one result.
type candidate struct {
	text *audit.Passage // official text or document
	card *audit.Passage

	key     string // the paragraph
	rrf     float64
	bm25    float64
	dense   float64
	asked   float64 // of the nearest everyday question that it answers
	rerank  float64
	reread  bool // rerank is known
	score   float64
	pinned  bool
	related bool // above, below or beside a cited paragraph
	ranks   map[string]int
	why     []string
	comment *candidate // the comment that brought this rule
}

// passage is what is shown: the official text where there is one.
func (c *candidate) passage() audit.Passage {
	if c.text != nil {
		return *c.text
	}
	return *c.card
}

// texts are what the cross-encoder reads.
func (c *candidate) texts() []string {
	var out []string
	for _, p := range []*audit.Passage{c.text, c.card} {
		if p != nil {
			out = append(out, p.Text())
		}
	}
	return out
}

// pool gathers the candidates: what is cited, then the best of the fusion,
// until the cross-encoder has enough to read.
func (s *Searcher) pool(ctx context.Context, q Query, u understanding, ranked []*found, vector []float32) ([]*candidate, error) {
	b := &builder{s: s, filter: q.Filter, at: map[string]*candidate{}, held: map[string][]audit.Passage{}, questions: map[int64]bool{}}
	if err := b.pin(ctx, u.citations); err != nil {
		return nil, err
	}
	left := ranked[:min(len(ranked), 3*s.opts.Pool)]
	var passages []audit.Passage
	by := map[int64]*found{}
	// Read in steps: the pool is mostly full after the first.
	fill := func(n int) error {
		for len(b.list) < n && b.texts < s.opts.Texts {
			if len(passages) == 0 {
				if len(left) == 0 {
					return nil
				}
				step := left[:min(len(left), s.opts.Pool)]
				left = left[len(step):]
				ids := make([]int64, 0, len(step))
				for _, f := range step {
					ids = append(ids, f.id)
					by[f.id] = f
				}
				var err error
				if passages, err = s.index.Passages(ctx, ids); err != nil {
					return err
				}
				if err := b.lookUp(ctx, passages); err != nil {
					return err
				}
				continue
			}
			if err := b.add(ctx, passages[0], by[passages[0].ID]); err != nil {
				return err
			}
			passages = passages[1:]
		}
		return nil
	}
	if err := fill(s.opts.Pool - maxCommented - maxGist - maxAsked); err != nil {
		return nil, err
	}
	if err := b.nearest(ctx, ranked, listAsksDense, maxAsked); err != nil {
		return nil, err
	}
	if err := b.nearest(ctx, ranked, listGistDense, maxGist); err != nil {
		return nil, err
	}
	if err := b.commented(ctx); err != nil {
		return nil, err
	}
	if err := fill(s.opts.Pool); err != nil {
		return nil, err
	}
	// A card's official text gains what the card gained, and the other way round.
	for _, f := range ranked {
		b.note(f)
	}
	if vector != nil {
		if err := b.cosines(ctx, vector); err != nil {
			return nil, err
		}
	}
	return b.list, nil
}

// builder gathers candidates, one for each paragraph.
type builder struct {
	s      *Searcher
	filter audit.Filter
	list   []*candidate
	at     map[string]*candidate // by paragraph
	ids    map[int64]*candidate
	texts  int

	held      map[string][]audit.Passage // by paragraph: what holds those that cards and questions lead to
	questions map[int64]bool             // ids that are everyday questions
}

// paragraphKey names what counts once: a paragraph, wherever its text is from.
// Parts of documents that have no citation count by themselves.
func paragraphKey(p audit.Passage) string {
	if p.Citation == "" || p.Corpus == audit.CorpusDocuments {
		return p.Source + "\x00" + p.Header + "\x00" + p.SHA256
	}
	return p.Citation
}

// add puts a passage into the pool, beside the other half of its paragraph.
func (b *builder) add(ctx context.Context, p audit.Passage, f *found) error {
	c, err := b.place(ctx, p)
	if err != nil || f == nil || c == nil {
		return err
	}
	b.gain(c, f)
	return nil
}

// gain adds what the lists say of a passage to its candidate, once.
func (b *builder) gain(c *candidate, f *found) {
	c.rrf += f.rrf
	c.bm25, c.dense, c.asked = max(c.bm25, f.bm25), max(c.dense, f.dense), max(c.asked, f.asked)
	for name, rank := range f.ranks {
		if have, ok := c.ranks[name]; !ok || rank < have {
			c.ranks[name] = rank
		}
	}
	f.rrf = 0 // told once
	f.ranks = nil
}

// note adds what the lists say of passages that came in beside others.
func (b *builder) note(f *found) {
	if c := b.ids[f.id]; c != nil && f.ranks != nil {
		b.gain(c, f)
	}
}

// place finds or makes the candidate of a passage's paragraph.
func (b *builder) place(ctx context.Context, p audit.Passage) (*candidate, error) {
	if c := b.ids[p.ID]; c != nil {
		return c, nil
	}
	switch p.Corpus {
	case audit.CorpusCards:
		return b.placeCard(ctx, p)
	case audit.CorpusAsks:
		return b.placeAsk(ctx, p)
	}
	key := paragraphKey(p)
	c := b.at[key]
	switch {
	case c == nil:
		c = b.fresh(key)
		c.text = &p
		b.texts++
	case c.text == nil:
		c.text = &p
		b.texts++
	}
	// Another part of a long paragraph adds to its score and is not shown again.
	b.own(p.ID, c)
	return c, nil
}

// placeCard puts a card beside the official text that holds its paragraph.
func (b *builder) placeCard(ctx context.Context, p audit.Passage) (*candidate, error) {
	c := b.at[paragraphKey(p)]
	if c == nil {
		held, err := b.holding(ctx, p)
		if err != nil {
			return nil, err
		}
		if len(held) > 0 && held[0].Corpus == audit.CorpusRules {
			if c, err = b.place(ctx, held[0]); err != nil {
				return nil, err
			}
		}
	}
	if c == nil {
		c = b.fresh(paragraphKey(p))
	}
	if c.card == nil {
		c.card = &p
		b.texts++
	}
	b.at[paragraphKey(p)] = c
	b.own(p.ID, c)
	return c, nil
}

// placeAsk finds or makes the candidate of the paragraph that answers an
// everyday question: its official text, or its card where no text is installed.
// It gives nil where neither is.
func (b *builder) placeAsk(ctx context.Context, p audit.Passage) (*candidate, error) {
	c := b.at[paragraphKey(p)]
	if c == nil {
		held, err := b.holding(ctx, p)
		held = slices.DeleteFunc(slices.Clone(held), func(h audit.Passage) bool {
			return len(b.filter.Kinds) > 0 && !slices.Contains(b.filter.Kinds, h.Kind)
		})
		if err != nil || len(held) == 0 {
			return nil, err
		}
		if c, err = b.place(ctx, held[0]); err != nil {
			return nil, err
		}
	}
	b.questions[p.ID] = true
	b.own(p.ID, c)
	return c, nil
}

// holding gives what holds the paragraph of a card or a question, official
// text first.
func (b *builder) holding(ctx context.Context, p audit.Passage) ([]audit.Passage, error) {
	if _, ok := b.held[p.Citation]; !ok {
		if err := b.lookUp(ctx, []audit.Passage{p}); err != nil {
			return nil, err
		}
	}
	return b.held[p.Citation], nil
}

// lookUp reads at once what holds the paragraphs of cards and questions.
func (b *builder) lookUp(ctx context.Context, passages []audit.Passage) error {
	f := b.filter
	f.Corpora, f.Kinds = nil, nil
	for _, corpus := range []string{audit.CorpusRules, audit.CorpusCards} {
		if slices.Contains(b.filter.Corpora, corpus) {
			f.Corpora = append(f.Corpora, corpus)
		}
	}
	var cites []audit.Citation
	for _, p := range passages {
		if p.Corpus != audit.CorpusCards && p.Corpus != audit.CorpusAsks {
			continue
		}
		c, ok := b.s.cite(p.Citation)
		if _, known := b.held[p.Citation]; ok && !known {
			cites = append(cites, c)
			b.held[p.Citation] = nil
		}
	}
	if len(f.Corpora) == 0 || len(cites) == 0 {
		return nil
	}
	held, err := b.s.index.PassagesByCitations(ctx, cites, f)
	maps.Copy(b.held, held)
	return err
}

// allowsRules says whether the filter lets official text in.
func (b *builder) allowsRules() bool {
	return slices.Contains(b.filter.Corpora, audit.CorpusRules)
}

func (b *builder) fresh(key string) *candidate {
	c := &candidate{key: key, ranks: map[string]int{}}
	b.at[key] = c
	b.list = append(b.list, c)
	return c
}

func (b *builder) own(id int64, c *candidate) {
	if b.ids == nil {
		b.ids = map[int64]*candidate{}
	}
	b.ids[id] = c
}

// cosines fills in how near each candidate is to the question, also for those
// that only the words found.
func (b *builder) cosines(ctx context.Context, vector []float32) error {
	ids := make([]int64, 0, len(b.ids))
	for id := range b.ids {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	near, err := b.s.index.Cosines(ctx, b.s.embed.ModelID(), vector, ids)
	if err != nil {
		return err
	}
	for id, cos := range near {
		c := b.ids[id]
		if b.questions[id] {
			c.asked = max(c.asked, cos)
		} else {
			c.dense = max(c.dense, cos)
		}
	}
	return nil
}

// score lets the cross-encoder read every candidate; the better of a
// paragraph's text and its card counts.
func (s *Searcher) score(ctx context.Context, u understanding, pool []*candidate) error {
	var texts []string
	var of []*candidate
	for _, c := range pool {
		for _, t := range c.texts() {
			texts, of = append(texts, t), append(of, c)
		}
	}
	scores, err := s.rerank.Rerank(ctx, u.text, texts)
	if err != nil {
		return err
	}
	for i, x := range scores {
		if c := of[i]; !c.reread || float64(x) > c.rerank {
			c.rerank, c.reread = float64(x), true
		}
	}
	return nil
}

// order sorts the pool: what is pinned in its own order, then by the sum of
// the standardised scores.
func (s *Searcher) order(u understanding, pool []*candidate, about []audit.Citation) {
	if len(pool) == 0 {
		return
	}
	column := func(of func(*candidate) float64) []float64 {
		xs := make([]float64, len(pool))
		for i, c := range pool {
			xs[i] = of(c)
		}
		return standardise(xs)
	}
	rrf := column(func(c *candidate) float64 { return c.rrf })
	cos := column(func(c *candidate) float64 { return c.dense })
	for i, c := range pool {
		if c.dense == 0 {
			cos[i] = 0 // it has no vector, being read in parts, which says nothing of it
		}
	}
	rerank := column(func(c *candidate) float64 { return c.rerank })
	for i, c := range pool {
		if c.reread {
			c.score = rerank[i] + s.opts.Cosine*cos[i] + s.opts.Fusion*rrf[i]
		} else {
			c.score = rrf[i] + s.opts.PlainCosine*cos[i]
		}
		if c.related {
			c.score += s.opts.Related
		}
		if s.named(c.passage(), u) {
			c.score += s.opts.Named
		}
		c.score += s.opts.Asked * max(0, c.asked-s.opts.AskedFrom)
		c.score += s.opts.Gist * s.nearTo(c.passage(), about)
	}
	for _, c := range pool {
		if c.comment != nil {
			c.score = max(c.score, c.comment.score-s.opts.Behind)
		}
	}
	slices.SortStableFunc(pool, func(a, b *candidate) int {
		switch {
		case a.pinned && b.pinned:
			return 0
		case a.pinned != b.pinned:
			if a.pinned {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.score, a.score)
	})
}

// named says whether a passage stands in what the question names: a section, a
// body of rules, a regulator.
func (s *Searcher) named(p audit.Passage, u understanding) bool {
	if slices.Contains(u.regulators, p.Regulator) {
		return true
	}
	c, ok := s.cite(p.Citation)
	if !ok {
		return false
	}
	for _, x := range u.citations {
		if c.Within(x.SectionCitation()) {
			return true
		}
	}
	return slices.ContainsFunc(u.scopes, c.Within)
}

// nearTo gives 1 for a passage in the first of the sections, 1/2 in the second,
// and so on.
func (s *Searcher) nearTo(p audit.Passage, sections []audit.Citation) float64 {
	c, ok := s.cite(p.Citation)
	if !ok {
		return 0
	}
	for i, section := range sections {
		if c.Within(section) {
			return 1 / float64(i+1)
		}
	}
	return 0
}
