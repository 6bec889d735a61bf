package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/words"
)

// work is one question on its way to an answer.
type work struct {
	asker  *Asker
	q      Question
	u      understanding
	hits   []audit.Hit
	units  []unit
	idf    map[string]float64
	judged float64 // what the cross-encoder says of the best unit; 0 without one
	// fitted says that the units' scores come of fitted weights.
	fitted bool

	sentences []Sentence
	stand     []int    // the units whose words the answer begins with
	used      []string // folded quotes that stand in the answer
	drafts    int      // sentences that the model gave
	whole     int      // of them, those that passed as they were
	dropped   int
	unsure    bool   // nobody has read the model's sentences again
	rewritten string // the words that were searched where the question's own found nothing
	use       audit.LLMUse
	told      func(Sentence) // what waits for sentences that are held back
	held      int            // from which sentence on
}

// put adds a sentence of a passage's own words to the answer, unless they stand
// there already.
func (w *work) put(s Sentence) bool {
	key := ""
	for _, sup := range s.Support {
		key += fmt.Sprint(sup.Passage) + strings.Join(tokens(sup.Quote), " ")
	}
	if slices.Contains(w.used, key) {
		return false
	}
	w.used = append(w.used, key)
	w.tell(s)
	return true
}

// tell adds a sentence to the answer.
func (w *work) tell(s Sentence) {
	w.sentences = append(w.sentences, s)
	if w.q.OnSentence != nil {
		w.q.OnSentence(s)
	}
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
	behind     = 0.93 // how far below the best a unit may score and still be told
)

// choose takes the passages' own sentences as the answer and says how.
func (w *work) choose(ctx context.Context) string {
	if w.u.list {
		if w.list(ctx); len(w.sentences) > 0 {
			return HowList
		}
	}
	w.extract(ctx)
	return HowExtract
}

// isCell says whether the answer is the cell of a table that holds the number
// which is asked for: a model could only say it again.
func (w *work) isCell() bool {
	return w.u.numeric && len(w.stand) > 0 && w.units[w.stand[0]].table != nil
}

// extract takes the best units of the passages as the answer.
func (w *work) extract(ctx context.Context) {
	limit := maxExtract
	if w.fitted {
		limit = 1 // a second one was right less often than it helped
	}
	best := w.best(12)
	if w.u.numeric && len(best) > 0 && w.units[best[0]].table != nil {
		limit = 1 // a number has one cell
	}
	for _, at := range best {
		u := w.units[at]
		if len(w.sentences) >= limit || u.score < behind*w.units[best[0]].score {
			break
		}
		if w.put(w.sayWhole(ctx, at)) {
			w.stand = append(w.stand, at)
		}
	}
	// A comparison needs a word from each side.
	for i, h := range w.hits {
		if len(w.u.citations) < 2 || !h.Pinned || slices.ContainsFunc(w.sentences, func(s Sentence) bool { return s.Support[0].Passage == h.Rank }) {
			continue
		}
		if at, ok := w.bestOf(i); ok && w.put(w.sayWhole(ctx, at)) {
			w.stand = append(w.stand, at)
		}
	}
}

// list gives the best unit of each passage that speaks of what is asked.
func (w *work) list(ctx context.Context) {
	for i := range w.hits {
		at, ok := w.bestWhere(i, w.mentions)
		if ok && len(w.sentences) < maxList {
			w.put(w.own(ctx, w.units[at]))
		}
	}
}

// mentions says whether a unit speaks of what a list is asked of: its rarest
// word stands there, and half of them do.
func (w *work) mentions(u unit) bool {
	of := slices.DeleteFunc(slices.Clone(w.u.terms), func(t string) bool { return slices.Contains(listWords, t) })
	if len(of) == 0 {
		return w.lexical(u) > 0
	}
	rarest := slices.MaxFunc(of, func(a, b string) int { return cmp.Compare(w.idf[a], w.idf[b]) })
	have := terms(w.words(u))
	return slices.Contains(have, rarest) && 2*share(of, have) >= 1
}

// listWords are the stems of the words with which a list is asked for.
var listWords = terms("mention speak talk cover address concern refer deal relate apply paragraphs sections provisions passages comments subcategories subcategory")

// bestOf gives the index of a passage's best unit.
func (w *work) bestOf(hit int) (int, bool) {
	return w.bestWhere(hit, func(unit) bool { return true })
}

// bestWhere is the same among some of them.
func (w *work) bestWhere(hit int, keep func(unit) bool) (best int, ok bool) {
	for i, u := range w.units {
		if u.hit == hit && keep(u) && (!ok || u.score > w.units[best].score) {
			best, ok = i, true
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
