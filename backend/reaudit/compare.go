package reaudit

import (
	"cmp"
	"slices"

	"veristream/backend/audit"
)

// Audit is one of the two: its result, and all that was decided on it.
type Audit struct {
	Result    *audit.Result
	Decisions []audit.Decision
}

// Comparison is how an audit stands to an earlier one, and the decisions that
// carry over. They are to be added to the later audit's record.
type Comparison struct {
	Since     audit.Since
	Decisions []audit.Decision
}

// Compare compares an audit with an earlier one of the same work. A finding of
// the later one that a person has decided already keeps that decision.
func Compare(then, now Audit) Comparison {
	c := &comparing{then: then, now: now, channels: map[audit.Source]*both{}, whole: true}
	c.since = audit.Since{
		AuditID: then.Result.ID, At: then.Result.Run.StartedAt,
		New: []audit.NewFinding{}, Carried: []audit.CarriedFinding{}, Resolved: []audit.EarlierFinding{},
	}
	for _, source := range []audit.Source{audit.Speech, audit.Screen, audit.Description} {
		b := besides(then.Result, now.Result, source)
		c.channels[source] = b
		added, gone := b.counts()
		c.since.WordsNew += added
		c.since.WordsGone += gone
		c.whole = c.whole && b.scattered()
	}
	c.old, c.fresh = c.sides(then, true), c.sides(now, false)
	c.match()
	c.describe()
	c.quote()
	return Comparison{Since: c.since, Decisions: c.carried}
}

// quote keeps, in the later result, what the evidence was made of that it quotes
// of the earlier one.
func (c *comparing) quote() {
	for _, o := range c.old {
		if m, ok := c.then.Result.Said[o.Evidence]; ok && o.Excerpt == "" {
			if c.now.Result.Said == nil {
				c.now.Result.Said = audit.Said{}
			}
			c.now.Result.Said[o.Evidence] = m
		}
	}
}

type comparing struct {
	then, now  Audit
	channels   map[audit.Source]*both
	whole      bool // the video as a whole is what it was
	old, fresh []*side
	since      audit.Since
	carried    []audit.Decision
}

// side is a finding of one of the two audits.
type side struct {
	audit.Finding
	place
	bag       bag
	cite      audit.Citation
	verdict   verdict
	with      []*side // its counterparts
	pair      pair    // with the first of them
	asChanged bool    // its counterpart stands on other words
}

func (c *comparing) sides(a Audit, then bool) []*side {
	var out []*side
	for _, f := range a.Result.Findings {
		s := &side{Finding: f, verdict: fold(f, a.Decisions)}
		s.cite, _ = audit.ParseCitation(f.Citation) // the zero citation is nobody's kin
		if b := c.channels[f.Source]; f.Excerpt != "" && b != nil {
			ch := b.now
			if then {
				ch = b.then
			}
			s.place = ch.place(f)
			s.bag = bagOf(s.wordTokens)
		}
		out = append(out, s)
	}
	// The order of the lists must not decide anything.
	slices.SortStableFunc(out, func(x, y *side) int {
		return cmp.Or(cmp.Compare(x.StartMS, y.StartMS), cmp.Compare(x.Category, y.Category),
			cmp.Compare(x.Citation, y.Citation), cmp.Compare(x.ID, y.ID))
	})
	return out
}

// kin says whether two findings ask the same of a video: one category, one
// paragraph, or a paragraph and what it is a part of.
func kin(a, b *side) bool {
	if a.Regulator != b.Regulator {
		return false
	}
	return a.Category == b.Category || !a.cite.IsZero() && !b.cite.IsZero() && (a.cite.Within(b.cite) || b.cite.Within(a.cite))
}

// pair is a possible match.
type pair struct {
	old, fresh *side
	same       bool
	moved      bool // the words are the same and stand elsewhere
	heard      []audit.Heard
	score      float64
}

func (c *comparing) pair(o, f *side) (p pair, ok bool) {
	p = pair{old: o, fresh: f}
	if !kin(o, f) {
		return p, false
	}
	if o.Category == f.Category {
		p.score += 0.3
	}
	if o.Citation == f.Citation {
		p.score += 0.2
	}
	switch {
	case o.Excerpt == "" && f.Excerpt == "":
		p.same = c.whole
		p.score += 2
		return p, o.Category == f.Category || o.Citation == f.Citation
	case o.Source != f.Source || o.Excerpt == "" || f.Excerpt == "":
		// Said instead of shown, or found instead of missed: another finding. It
		// is only worth a word where it is the very same question.
		p.score += 0.5
		return p, o.Category == f.Category && o.Citation == f.Citation && (o.Excerpt == "" || f.Excerpt == "")
	}
	b := c.channels[o.Source]
	shared := b.shared(o.words, f.words)
	if shared < 0.5 && common(o.bag, f.bag) < 0.5 {
		return p, false // most pairs: not worth a comparison in order
	}
	alike := overlap(o.wordTokens, f.wordTokens)
	if p.heard, p.same = b.sameScope(o.place, f.place); p.same {
		p.score += 3 + shared + 0.5*alike
		return p, true
	}
	if p.heard, p.same = same(o.scopeToken, f.scopeToken); p.same && alike >= 0.5 {
		p.moved = shared < 0.5
		p.score += 2.5 + shared + 0.5*alike
		return p, true
	}
	p.same, p.heard = false, nil
	p.score += max(shared, alike)
	return p, shared >= 0.5 || alike >= 0.6
}

// match finds for each finding at most one counterpart, the likeliest first, and
// then lays to them what a split or a join left over.
func (c *comparing) match() {
	var pairs []pair
	for _, o := range c.old {
		for _, f := range c.fresh {
			if p, ok := c.pair(o, f); ok {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortStableFunc(pairs, func(p, q pair) int { return cmp.Compare(q.score, p.score) })
	for _, p := range pairs {
		if len(p.old.with) == 0 && len(p.fresh.with) == 0 {
			p.old.with, p.fresh.with = []*side{p.fresh}, []*side{p.old}
			p.old.pair, p.fresh.pair = p, p
			p.fresh.asChanged = !p.same && (p.fresh.Excerpt != "" || p.old.Excerpt != "")
		}
	}
	for _, p := range pairs {
		if !p.same || p.moved || p.old.Category != p.fresh.Category || p.fresh.Excerpt == "" {
			continue
		}
		b := c.channels[p.old.Source]
		switch {
		case len(p.fresh.with) == 0 && len(p.old.with) == 1 && !p.old.with[0].asChanged &&
			!p.old.with[0].words.touches(p.fresh.words) && inside(p.fresh.words, p.old.words, b.from):
			p.fresh.with, p.fresh.pair = []*side{p.old}, p // one sentence became two
			p.old.with = append(p.old.with, p.fresh)
		case len(p.old.with) == 0 && len(p.fresh.with) == 1 && !p.fresh.asChanged &&
			!p.fresh.with[0].words.touches(p.old.words) && inside(p.old.words, p.fresh.words, b.to):
			p.old.with, p.old.pair = []*side{p.fresh}, p // two sentences became one
			p.fresh.with = append(p.fresh.with, p.old)
		}
	}
}

// inside says whether nearly all of a run's words stand in a run of the other
// audit.
func inside(s, other span, to []int) bool {
	n := 0
	for i := s.from; i < s.to; i++ {
		if j := to[i]; j >= other.from && j < other.to {
			n++
		}
	}
	return s.size() > 0 && float64(n) >= 0.8*float64(s.size())
}

// describe writes the three lists and the decisions that carry over.
func (c *comparing) describe() {
	for _, f := range c.fresh {
		switch {
		case len(f.with) == 0:
			c.since.New = append(c.since.New, audit.NewFinding{FindingID: f.ID})
		case f.asChanged:
			was := f.with[0].earlier()
			c.since.New = append(c.since.New, audit.NewFinding{FindingID: f.ID, Was: &was})
		default:
			c.since.Carried = append(c.since.Carried, c.carry(f))
		}
	}
	for _, o := range c.old {
		if len(o.with) == 0 {
			c.since.Resolved = append(c.since.Resolved, o.earlier())
		}
	}
}

func (c *comparing) carry(f *side) audit.CarriedFinding {
	o := f.with[0]
	out := audit.CarriedFinding{FindingID: f.ID, Moved: f.pair.moved, Heard: f.pair.heard}
	for _, w := range f.with {
		out.Was = append(out.Was, w.earlier())
	}
	if f.Excerpt != "" {
		out.Near = f.pair.moved || c.channels[f.Source].besideEdited(o.place, f.place)
	}
	if f.verdict.own || !slices.ContainsFunc(f.with, func(w *side) bool { return w.verdict.holds() }) {
		return out // it is decided here, or there is nothing to take over
	}
	if out.Why = c.against(o, f); out.Why != "" {
		return out
	}
	out.Taken = true
	c.carried = append(c.carried, c.take(o, f)...)
	return out
}

// against says what stands against taking over what was decided of a finding.
func (c *comparing) against(o, f *side) audit.WhyNot {
	then, now := c.then.Result, c.now.Result
	origin := o.verdict.origin(c.then.Result.ID, o)
	switch {
	case o.Category != f.Category && o.Citation != f.Citation:
		return audit.WhyParagraph
	case o.Rule.Official && f.Rule.Official && o.Citation == f.Citation && o.Rule.SHA256 != f.Rule.SHA256:
		return audit.WhyRuleText
	case then.Facts.WithDefaults() != now.Facts.WithDefaults() && o.Applies != f.Applies:
		return audit.WhyFacts
	case f.Severity.Rank() < o.Severity.Rank():
		return audit.WhyGraver
	case f.Excerpt == "" && !f.pair.same:
		return audit.WhyVideo
	case slices.ContainsFunc(f.with, func(w *side) bool { return w.verdict.stand != o.verdict.stand }):
		return audit.WhyJoined
	case origin.Heard+len(f.pair.heard) > leeway(len(tokens(origin.Excerpt))):
		return audit.WhyReadings
	case f.pair.moved && c.doubtful(o):
		return audit.WhyPlace
	}
	return ""
}

// doubtful says whether the same words stand elsewhere in the earlier audit, and
// something else was decided of them there: then it is not known which of them
// moved.
func (c *comparing) doubtful(o *side) bool {
	return slices.ContainsFunc(c.old, func(w *side) bool {
		if w == o || w.Source != o.Source || !kin(w, o) || w.verdict.stand == o.verdict.stand {
			return false
		}
		_, ok := same(w.scopeToken, o.scopeToken)
		return ok
	})
}
