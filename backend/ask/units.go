package ask

import (
	"context"
	"math"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// unit is what can be quoted by itself: a sentence or a row of a table.
type unit struct {
	hit   int // index of the passage
	text  string
	table *table // the table whose row it is
	row   int
	score float64
	order int
	reads features
	// paragraph is where it stands, as far as the text's markers tell; lead the
	// place among its passage's units of the sentence that leads to it, or -1.
	paragraph string
	lead      int
}

// features are what the score of a unit is made of.
type features struct {
	words  float64 // share of the question's weight that stands in it
	reread float64 // the cross-encoder, 0..1 over the units that it read
	read   float64 // 1 where the cross-encoder read it
	place  float64 // 1 / rank of its passage
	found  float64 // how its passage stands out among those found, 0..1
	pairs  float64 // share of the question's pairs of words that stand in it
	figure float64 // 1 where a number is asked for and it has one
}

// maxUnit is the most words of a unit; a longer sentence is cut at semicolons.
const maxUnit = 70

// unitsOf cuts a passage into units.
func unitsOf(hit int, body string) []unit {
	var out []unit
	add := func(u unit) {
		u.hit, u.order, u.lead = hit, len(out), -1
		out = append(out, u)
	}
	lines := strings.Split(body, "\n")
	for i := 0; i < len(lines); {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, "|") {
			n := i
			for n < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[n]), "|") {
				n++
			}
			t := readTable(lines[i:n], caption(lines[:i]))
			for r := range t.rows {
				add(unit{text: t.rows[r].raw, table: t, row: r})
			}
			i = n
			continue
		}
		i++
		if line == "" {
			continue
		}
		for _, s := range audit.Sentences(line) {
			for _, part := range cutLong(s) {
				add(unit{text: part})
			}
		}
	}
	return out
}

// caption is the line above a table.
func caption(above []string) string {
	for i := len(above) - 1; i >= 0; i-- {
		if t := strings.TrimSpace(above[i]); t != "" {
			return t
		}
	}
	return ""
}

// cutLong cuts a long sentence at its semicolons.
func cutLong(s string) []string {
	if len(strings.Fields(s)) <= maxUnit {
		return []string{s}
	}
	var out []string
	current := ""
	for i, part := range strings.SplitAfter(s, "; ") {
		if i > 0 && len(strings.Fields(current+part)) > maxUnit {
			out, current = append(out, strings.TrimSpace(current)), ""
		}
		current += part
	}
	if t := strings.TrimSpace(current); t != "" {
		out = append(out, t)
	}
	return out
}

// gather cuts the passages that are read and scores their units.
func (w *work) gather(ctx context.Context, rerank bool) error {
	read := maxRead
	if w.u.list || w.u.numeric || w.u.defines { // the cell may stand in the last table
		read = len(w.hits)
	}
	for i, h := range w.hits[:min(read, len(w.hits))] {
		units := unitsOf(i, h.Passage.Body)
		outline(units, h.Passage.Citations)
		w.units = append(w.units, units...)
	}
	w.weigh()
	for i := range w.units {
		w.units[i].score = w.lexical(w.units[i])
	}
	if !rerank || w.asker.Reranker == nil || w.q.Fast {
		w.blend(nil, nil)
		return nil
	}
	// The cross-encoder reads the likeliest only: it is what takes time.
	best := w.best(maxReranked)
	texts := make([]string, len(best))
	for i, at := range best {
		texts[i] = w.hits[w.units[at].hit].Passage.Header + "\n" + w.words(w.units[at])
	}
	scores, err := w.asker.Reranker.Rerank(ctx, w.u.search, texts)
	if err != nil {
		return err
	}
	if len(scores) > 0 {
		w.judged = float64(slices.Max(scores))
	}
	w.blend(best, scores)
	return nil
}

// maxReranked is how many units the cross-encoder reads.
const maxReranked = 24

// words are a unit's words as they are read: a row with the names of its columns.
func (w *work) words(u unit) string {
	if u.table != nil {
		return u.table.say(u.row, nil)
	}
	return u.text
}

// weigh counts in how many units each term of the question stands.
func (w *work) weigh() {
	w.idf = map[string]float64{}
	for _, t := range w.u.terms {
		n := 0
		for _, u := range w.units {
			if slices.Contains(terms(w.words(u)), t) {
				n++
			}
		}
		w.idf[t] = math.Log(1 + float64(len(w.units)+1)/float64(n+1))
	}
}

// lexical is the share of the question's weight that stands in a unit; what
// only its header says counts half.
func (w *work) lexical(u unit) float64 {
	have, head := terms(w.words(u)), terms(w.hits[u.hit].Passage.Header)
	if u.table != nil {
		head = append(head, terms(u.table.caption)...)
	}
	var sum, all float64
	for _, t := range w.u.terms {
		all += w.idf[t]
		switch {
		case slices.Contains(have, t):
			sum += w.idf[t]
		case slices.Contains(head, t):
			sum += w.idf[t] / 2
		}
	}
	if all == 0 {
		return 0
	}
	s := sum / all
	if w.u.numeric && strings.ContainsAny(u.text, "0123456789") {
		s += 0.1
	}
	return s
}

// blend joins words, the cross-encoder and the passage's rank.
func (w *work) blend(read []int, scores []float32) {
	scaled := map[int]float64{}
	if len(scores) > 0 {
		least, most := slices.Min(scores), slices.Max(scores)
		for i, at := range read {
			if most > least {
				scaled[at] = float64((scores[i] - least) / (most - least))
			}
		}
	}
	found, asked := w.standing(), pairs(w.u.text)
	for i := range w.units {
		u := &w.units[i]
		_, read := scaled[i]
		u.reads = features{words: u.score, reread: scaled[i], place: 1 / float64(u.hit+1), found: found[u.hit], pairs: share(asked, pairs(w.words(*u)))}
		if w.u.numeric && (strings.ContainsAny(u.text, "0123456789") || hasNumberWord(u.text)) {
			u.reads.figure = 1
		}
		if read {
			u.reads.read = 1
		}
	}
	if w.fitted = len(scores) > 0 && w.rulesOnly(); w.fitted {
		w.weighFitted()
		return
	}
	for i := range w.units {
		u := &w.units[i]
		u.score = 0.6*u.reads.words + 0.7*u.reads.reread + 0.25*u.reads.place + w.fit(*u)
		if w.hits[u.hit].Pinned {
			u.score += 0.3
		}
		if u.short() {
			u.score -= 0.5 // a heading, a marker
		}
	}
}

// short says whether a unit is a heading or a marker.
func (u unit) short() bool { return len(strings.Fields(u.text)) < 4 && u.table == nil }

// depth is how deep the paragraph of a unit stands.
func (u unit) depth() float64 { return float64(strings.Count(u.paragraph, "(")) }

// rulesOnly says whether only rules and cards were found.
func (w *work) rulesOnly() bool {
	return !slices.ContainsFunc(w.hits, func(h audit.Hit) bool { return h.Passage.Corpus == audit.CorpusDocuments })
}

// weighFitted scores the units of rules by weights that a softmax regression
// found on the tune halves of eval/ask and eval/retrieval (veristream eval ask
// --units): which unit stands in the paragraph that answers. The scores are
// shares of the best one's probability.
func (w *work) weighFitted() {
	most := math.Inf(-1)
	for i := range w.units {
		u := &w.units[i]
		r := u.reads
		u.score = 0.95*r.words + 3.08*r.reread + 0.15*r.read + 2.41*r.place + 0.91*r.words*r.found + 1.79*r.pairs + 1.41*r.figure +
			0.93*math.Log1p(float64(len(strings.Fields(u.text)))) + 1.43*w.fit(*u) - 0.48*u.depth()
		if u.leads() {
			u.score += 0.66
		}
		if besideRule[w.hits[u.hit].Passage.Kind] {
			u.score -= 2.84
		}
		if w.hits[u.hit].Pinned {
			u.score++ // the question names it; none of those that were fitted does
		}
		if u.short() {
			u.score--
		}
		most = math.Max(most, u.score)
	}
	for i := range w.units {
		w.units[i].score = math.Exp(w.units[i].score - most)
	}
}

// besideRule are the kinds that explain or follow a rule.
var besideRule = map[audit.Kind]bool{
	audit.KindCommentary: true, audit.KindExample: true, audit.KindAppendix: true, audit.KindFootnote: true,
}

// standing says of each passage how it stands out by the cross-encoder and by
// its meaning, 1 for the best.
func (w *work) standing() []float64 {
	sum := make([]float64, len(w.hits))
	for _, part := range []struct {
		of     func(audit.Hit) float64
		weight float64
	}{
		{func(h audit.Hit) float64 { return h.Scores.Dense }, 1.5},
		{func(h audit.Hit) float64 {
			if h.Scores.Rerank == nil {
				return 0
			}
			return *h.Scores.Rerank
		}, 1},
	} {
		var mean, square float64
		for _, h := range w.hits {
			mean += part.of(h) / float64(len(w.hits))
		}
		for _, h := range w.hits {
			square += (part.of(h) - mean) * (part.of(h) - mean) / float64(len(w.hits))
		}
		for i, h := range w.hits {
			if square > 0 {
				sum[i] += part.weight * (part.of(h) - mean) / math.Sqrt(square)
			}
		}
	}
	if len(sum) == 0 {
		return sum
	}
	most := slices.Max(sum)
	for i := range sum {
		sum[i] = math.Exp(sum[i] - most)
	}
	return sum
}

// fit is what a unit's form says of how it answers: rules before comments on
// them, definitions for what something is, cells for numbers, and what only
// leads to something last.
func (w *work) fit(u unit) float64 {
	p := w.hits[u.hit].Passage
	s := 0.0
	if besideRule[p.Kind] {
		s -= 0.1
	}
	switch p.Meta[audit.MetaSectionType] {
	case "related", "informative_references":
		s -= 0.4
	case "control":
		s += 0.1
	}
	if w.u.defines && reMeans.MatchString(u.text) {
		s += 0.3
	}
	if u.table == nil {
		if strings.HasSuffix(u.text, ":") && p.Corpus == audit.CorpusDocuments {
			s -= 0.4 // "The following table shows:"
		}
		return s
	}
	r := u.table.rows[u.row]
	if !slices.ContainsFunc(r.cells, func(c string) bool { return strings.ContainsAny(c, "0123456789") }) {
		return s - 0.4
	}
	if !w.u.numeric {
		return s - 0.1
	}
	if rePercent.MatchString(w.u.text) {
		if strings.Contains(u.text, "%") {
			s += 0.2
		} else {
			s -= 0.3
		}
	}
	// "Total assets", and not "Total deferred tax assets"; the group helps only.
	s += 0.5 * share(terms(r.label), w.u.terms) * min(1, 2*share(w.u.terms, terms(r.group+" "+r.label+" "+u.table.caption)))
	return s + u.table.yearFit(w.u.years)
}

// best gives the indexes of the n best units, best first.
func (w *work) best(n int) []int {
	at := make([]int, len(w.units))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int {
		switch {
		case w.units[a].score > w.units[b].score:
			return -1
		case w.units[a].score < w.units[b].score:
			return 1
		}
		return 0
	})
	return at[:min(n, len(at))]
}
