package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/words"
)

// work is one question on its way to an answer.
type work struct {
	asker *Asker
	q     Question
	u     understanding
	hits  []audit.Hit
	units []unit
	idf   map[string]float64
	// fitted says that the units' scores come of fitted weights.
	fitted bool

	sentences []Sentence
	used      []string // folded quotes that stand in the answer
	drafts    int      // sentences that the model gave
	whole     int      // of them, those that passed as they were
	dropped   int
	unsure    bool   // the model found no answer
	rewritten string // the words that were searched where the question's own found nothing
	use       audit.LLMUse
	told      func(Sentence) // what waits for sentences that are held back
}

// put adds a sentence to the answer, unless it rests on words that another
// rests on already.
func (w *work) put(s Sentence) bool {
	key := ""
	for _, sup := range s.Support {
		key += fmt.Sprint(sup.Passage) + strings.Join(tokens(sup.Quote), " ")
	}
	if slices.Contains(w.used, key) {
		return false
	}
	w.used = append(w.used, key)
	w.sentences = append(w.sentences, s)
	if w.q.OnSentence != nil {
		w.q.OnSentence(s)
	}
	return true
}

// support names where a quote of a passage stands: the deepest paragraph that
// holds it.
func (w *work) support(ctx context.Context, hit int, quote string) Support {
	p := w.hits[hit].Passage
	s := Support{Citation: p.Citation, Source: p.Source, Quote: quote, Passage: w.hits[hit].Rank}
	if s.Citation == "" {
		s.Citation = Place(p)
	}
	if w.asker.Rules == nil || len(p.Citations) < 2 {
		return s
	}
	depth := -1
	for _, text := range p.Citations {
		c, err := audit.ParseCitation(text)
		if err != nil {
			continue
		}
		r, err := w.asker.Rules.Rule(ctx, c, w.q.Filter.AsOf)
		if err != nil {
			continue
		}
		if _, _, ok := words.Find(r.Text, quote); ok && c.Depth() > depth {
			s.Citation, depth = c.String(), c.Depth()
		}
	}
	return s
}

// Place names a passage without a citation: document, section, page.
func Place(p audit.Passage) string {
	place := p.Title
	if place == "" {
		place = p.Source
	}
	switch {
	case p.FirstPage > 0 && p.LastPage > p.FirstPage:
		place += fmt.Sprintf(", pp. %d-%d", p.FirstPage, p.LastPage)
	case p.FirstPage > 0:
		place += fmt.Sprintf(", p. %d", p.FirstPage)
	}
	return place
}

// direct answers with the paragraphs that the question names; false where no
// official text of theirs is installed and no card names them.
func (w *work) direct(ctx context.Context) (bool, error) {
	if w.u.control != "" {
		w.readControl(ctx)
	}
	for _, c := range w.u.citations[:min(3, len(w.u.citations))] {
		if w.asker.Rules != nil {
			if err := w.read(ctx, c, 0); err != nil {
				return false, err
			}
		}
		if w.has(c) {
			continue
		}
		for i, h := range w.hits {
			if !h.Pinned || h.Passage.Citation != c.String() {
				continue
			}
			for _, u := range unitsOf(i, h.Passage.Body) {
				if len(w.sentences) < maxDirect {
					w.put(Sentence{Text: u.text, Verbatim: true, Support: []Support{w.support(ctx, i, u.text)}})
				}
			}
			break
		}
	}
	return len(w.sentences) > 0, nil
}

// readControl puts a control's statement into the answer, part by part.
func (w *work) readControl(ctx context.Context) {
	var at []int
	for i, h := range w.hits {
		if h.Passage.Meta[audit.MetaControlID] == w.u.control && h.Passage.Meta[audit.MetaSectionType] == "control" {
			at = append(at, i)
		}
	}
	slices.SortFunc(at, func(a, b int) int { return w.hits[a].Passage.Order - w.hits[b].Passage.Order })
	for _, i := range at {
		for _, u := range unitsOf(i, w.hits[i].Passage.Body) {
			if len(w.sentences) < maxDirect {
				w.put(w.own(ctx, u))
			}
		}
	}
}

// Bounds of a direct answer.
const (
	maxDirect      = 12
	maxDirectDepth = 3
)

// has says whether the answer quotes a paragraph or one below it.
func (w *work) has(c audit.Citation) bool {
	return slices.ContainsFunc(w.sentences, func(s Sentence) bool {
		return s.Support[0].Citation == c.String() || strings.HasPrefix(s.Support[0].Citation, c.String()+"(")
	})
}

// read puts a paragraph's own words, and those below it, into the answer, as
// far as the passages hold them.
func (w *work) read(ctx context.Context, c audit.Citation, depth int) error {
	if depth > maxDirectDepth || len(w.sentences) >= maxDirect {
		return nil
	}
	r, err := w.asker.Rules.Rule(ctx, c, w.q.Filter.AsOf)
	if err != nil {
		return ctx.Err() // not installed: a card may have it
	}
	w.quote(r)
	children, err := w.asker.Rules.Children(ctx, c, w.q.Filter.AsOf)
	if err != nil {
		return err
	}
	for _, k := range children {
		if k.Citation.IsComment() != c.IsComment() || k.Kind == audit.KindExample {
			continue
		}
		if err := w.read(ctx, k.Citation, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// quote puts a rule's own words into the answer where a passage holds them.
func (w *work) quote(r audit.Rule) {
	if len(strings.Fields(r.Text)) == 0 {
		return
	}
	for i, h := range w.hits {
		start, end, ok := words.Find(h.Passage.Body, r.Text)
		if !ok {
			continue
		}
		quote := h.Passage.Body[start:end]
		w.put(Sentence{Text: r.Citation.String() + ": " + r.Text, Verbatim: true, Support: []Support{{
			Citation: r.Citation.String(), Source: h.Passage.Source, Quote: quote, Passage: i + 1,
		}}})
		return
	}
}

// Bounds of an extractive answer.
const (
	maxExtract = 2
	maxList    = 8
	// behind is how far below the best a unit may score and still be told;
	// behindFitted the same where scores are shares of a probability.
	behind       = 0.93
	behindFitted = 0.70
)

// extract takes the best units of the passages as the answer.
func (w *work) extract(ctx context.Context) {
	limit, line := maxExtract, behind
	if w.fitted {
		line = behindFitted
	}
	best := w.best(12)
	if w.u.numeric && len(best) > 0 && w.units[best[0]].table != nil {
		limit = 1 // a number has one cell
	}
	for _, at := range best {
		u := w.units[at]
		if len(w.sentences) >= limit || u.score < line*w.units[best[0]].score {
			break
		}
		w.put(w.own(ctx, u))
	}
	// A comparison needs a word from each side.
	for i, h := range w.hits {
		if len(w.u.citations) < 2 || !h.Pinned || slices.ContainsFunc(w.sentences, func(s Sentence) bool { return s.Support[0].Passage == h.Rank }) {
			continue
		}
		if u, ok := w.bestOf(i); ok {
			w.put(w.own(ctx, u))
		}
	}
}

// list gives the best unit of each passage that speaks of what is asked.
func (w *work) list(ctx context.Context) {
	for i := range w.hits {
		u, ok := w.bestOf(i)
		if !ok || len(w.sentences) >= maxList {
			continue
		}
		if w.lexical(u) > 0 {
			w.put(w.own(ctx, u))
		}
	}
}

func (w *work) bestOf(hit int) (unit, bool) {
	best, ok := unit{}, false
	for _, u := range w.units {
		if u.hit == hit && (!ok || u.score > best.score) {
			best, ok = u, true
		}
	}
	return best, ok
}

// own makes a sentence of a unit's own words.
func (w *work) own(ctx context.Context, u unit) Sentence {
	text := u.text
	if u.table != nil {
		text = u.table.say(u.row, w.u.years)
		if s := u.table.scale(u.row); s != "" {
			text += " (" + s + ")"
		}
	}
	return Sentence{Text: text, Verbatim: true, Support: []Support{w.support(ctx, u.hit, u.text)}}
}
