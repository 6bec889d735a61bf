package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/words"
)

// system tells the model its task. It is short: a small model on a processor
// reads some hundred tokens a second.
const system = `You answer questions about rules and documents from numbered passages, and from nothing else.
Write one to three sentences, the answer first. For each give the number of the passage, quote: the exact words copied from that passage, and text: one short plain sentence that answers the question with those words.
Keep every number, name, condition and exception as it stands. If the passages do not answer the question, give no sentences.`

// What the model may read and write.
const (
	maxShown      = 80  // words shown of a passage
	maxPinned     = 140 // of one that the question names
	maxPrompt     = 400 // of all passages together
	maxReply      = 420 // tokens
	maxLikely     = 3   // passages, where the units' scores are shares of a probability
	leastLikely   = 0.1 // and what the best unit of each of them must have
	replyPatience = 3 * time.Minute
)

// patience is how long a reply may take.
func (w *work) patience() time.Duration {
	if w.q.Patience > 0 {
		return w.q.Patience
	}
	return replyPatience
}

var errNoSentences = errors.New("the model gave no sentence")

// draft is a sentence as the model gives it.
type draft struct {
	Passage int    `json:"passage"`
	Quote   string `json:"quote"`
	Text    string `json:"text"`
}

// askModel has the model phrase the answer; each sentence is checked as soon as
// it is whole.
func (w *work) askModel(ctx context.Context) error {
	numbers := []int{}
	var b strings.Builder
	spent := 0
	for _, i := range w.toShow() {
		shown := w.show(i, maxPrompt-spent)
		if shown == "" {
			continue
		}
		spent += len(strings.Fields(shown))
		numbers = append(numbers, i+1)
		p := w.hits[i].Passage
		name := p.Citation
		if name == "" {
			name = Place(p)
		}
		fmt.Fprintf(&b, "[%d] %s: %s\n", i+1, name, shown)
	}
	schema, err := json.Marshal(replySchema(numbers))
	if err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	reader := &draftReader{emit: func(d draft) { w.check(ctx, d) }}
	resp, err := w.asker.LLM.Complete(ctx, audit.Request{
		System: system, Prompt: b.String() + "\nQuestion: " + w.u.text, Schema: schema,
		MaxTokens: maxReply, Deadline: w.patience(), OnText: reader.write,
	})
	w.use.Calls++
	if err != nil {
		if audit.CodeOf(err) == audit.CodeReply && len(w.sentences) > 0 {
			return nil // what was whole before the reply broke off is checked and stays
		}
		return err
	}
	w.use.PromptTokens += resp.PromptTokens
	w.use.OutputTokens += resp.OutputTokens
	if reader.count == 0 { // a model that does not stream, or an answer from a cache
		reader.write(resp.Text)
	}
	return nil
}

// toShow gives the passages that the model reads. A small model picks badly
// among many, and reading takes most of its time: where the scores tell how
// likely a passage holds the answer, it gets the likely ones, the best first.
func (w *work) toShow() []int {
	var out []int
	for i := range w.hits[:min(maxRead, len(w.hits))] {
		out = append(out, i)
	}
	if !w.fitted {
		return out
	}
	score := func(i int) float64 {
		u, _ := w.bestOf(i)
		return u.score
	}
	out = slices.DeleteFunc(out, func(i int) bool { return score(i) < leastLikely && !w.hits[i].Pinned })
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(score(b), score(a)) })
	return out[:min(maxLikely, len(out))]
}

// replySchema is the form of a reply. Its citations can only be passages that
// were shown.
func replySchema(numbers []int) any {
	type m = map[string]any
	item := struct {
		Type       string   `json:"type"`
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
	}{"object", struct {
		Passage m `json:"passage"`
		Quote   m `json:"quote"`
		Text    m `json:"text"`
	}{m{"type": "integer", "enum": numbers}, m{"type": "string"}, m{"type": "string"}}, []string{"passage", "quote", "text"}}
	return m{
		"type": "object", "required": []string{"sentences"},
		"properties": m{"sentences": m{"type": "array", "maxItems": 3, "items": item}},
	}
}

// show gives what the model reads of a passage: its best units, in their order.
func (w *work) show(hit, room int) string {
	limit := min(maxShown, room)
	if w.hits[hit].Pinned {
		limit = min(maxPinned, room)
	}
	var mine []unit
	for _, u := range w.units {
		if u.hit == hit {
			mine = append(mine, u)
		}
	}
	slices.SortStableFunc(mine, func(a, b unit) int {
		if a.score > b.score {
			return -1
		}
		return 1
	})
	var chosen []unit
	size := 0
	for _, u := range mine {
		n := len(strings.Fields(w.words(u)))
		if size+n > limit && len(chosen) > 0 {
			continue
		}
		if size+n > limit+40 {
			continue
		}
		chosen, size = append(chosen, u), size+n
	}
	slices.SortFunc(chosen, func(a, b unit) int { return a.order - b.order })
	var parts []string
	caption := ""
	for i, u := range chosen {
		if i > 0 && u.order != chosen[i-1].order+1 {
			parts = append(parts, "…")
		}
		if u.table != nil && u.table.caption != caption && u.table.caption != "" {
			caption = u.table.caption
			parts = append(parts, caption)
		}
		text := w.words(u)
		if u.table != nil {
			text += "."
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// draftReader finds whole sentences in a reply that is still being written.
type draftReader struct {
	emit  func(draft)
	count int
	buf   strings.Builder
	depth int
	quote bool
	slash bool
}

func (r *draftReader) write(piece string) {
	for _, c := range piece {
		if r.depth >= 2 {
			r.buf.WriteRune(c)
		}
		switch {
		case r.slash:
			r.slash = false
		case r.quote:
			r.slash = c == '\\'
			r.quote = c != '"'
		case c == '"':
			r.quote = true
		case c == '{':
			if r.depth++; r.depth == 2 {
				r.buf.Reset()
				r.buf.WriteRune(c)
			}
		case c == '}':
			if r.depth--; r.depth == 1 {
				var d draft
				if json.Unmarshal([]byte(r.buf.String()), &d) == nil {
					r.count++
					r.emit(d)
				}
			}
		}
	}
}

// check holds a draft against the passages. The quote must stand in one of
// them, and is replaced by the passage's own sentence; the text may say no
// number and little else that does not stand there. What fails is replaced by
// the passage's own words, and dropped where there are none that fit.
func (w *work) check(ctx context.Context, d draft) {
	w.drafts++
	u, exact := w.locate(d)
	if u == nil {
		w.dropped++
		return
	}
	text := strings.TrimSpace(d.Text)
	if exact && w.faithful(text, *u) {
		s := w.own(ctx, *u)
		s.Text, s.Verbatim = text, false
		if w.put(s) {
			w.whole++
		} else {
			w.drafts-- // said twice: neither support nor lack of it
		}
		return
	}
	if !w.put(w.own(ctx, *u)) {
		w.dropped++
	}
}

// locate finds the unit that a draft rests on: the one that holds its quote;
// else, in the passage that it cites, the one nearest to what it says.
func (w *work) locate(d draft) (best *unit, exact bool) {
	quote := strings.Trim(d.Quote, " .…\"“”")
	for _, cited := range []bool{true, false} {
		for i := range w.units {
			u := &w.units[i]
			if (u.hit == d.Passage-1) != cited {
				continue
			}
			for _, text := range []string{u.text, w.words(*u)} {
				if _, _, ok := words.Find(text, quote); ok && len(strings.Fields(quote)) > 0 {
					if best == nil || u.score > best.score {
						best = u
					}
				}
			}
		}
		if best != nil {
			return best, true
		}
	}
	// A quote that runs over two sentences rests on the one that says most of it.
	want := terms(d.Quote + " " + d.Text)
	most := 0.5
	for i := range w.units {
		u := &w.units[i]
		if u.hit != d.Passage-1 {
			continue
		}
		if s := share(want, terms(w.words(*u))); s > most {
			best, most = u, s
		}
	}
	return best, best != nil && w.spans(d.Passage-1, quote)
}

// spans says whether a quote stands in a passage across its sentences.
func (w *work) spans(hit int, quote string) bool {
	if hit < 0 || hit >= len(w.hits) {
		return false
	}
	_, _, ok := words.Find(w.hits[hit].Passage.Body, quote)
	return ok
}

func share(want, have []string) float64 {
	if len(want) == 0 {
		return 0
	}
	n := 0
	for _, t := range want {
		if slices.Contains(have, t) {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

var (
	reFigure = regexp.MustCompile(`\d[\d,]*(?:\.\d+)?`)
	reNot    = regexp.MustCompile(`(?i)\b(?:not|no|never|none|neither|nor|without|unless|except|cannot|prohibit\w*|exempt\w*|exclud\w*)\b|n't\b`)
)

// faithful says whether a model's sentence says no more than the unit: its
// numbers stand there, most of its words do or are the question's, and neither
// denies what the other affirms.
func (w *work) faithful(text string, u unit) bool {
	source := w.words(u)
	if u.table != nil {
		source += " " + u.table.caption
	}
	if len(strings.Fields(text)) < 2 {
		return false
	}
	have := figures(source)
	for _, f := range figures(text) {
		if !slices.Contains(have, f) {
			return false
		}
	}
	if w.u.numeric && len(have) > 0 && len(figures(text)) == 0 && !hasNumberWord(text) {
		return false
	}
	known := append(terms(source), terms(w.hits[u.hit].Passage.Header)...)
	if share(terms(text), append(known, w.u.terms...)) < 0.7 || share(terms(text), known) < 0.4 {
		return false
	}
	return reNot.MatchString(text) == reNot.MatchString(source) || u.table != nil
}

// figures gives the numbers of a text without their commas.
func figures(text string) []string {
	var out []string
	for _, f := range reFigure.FindAllString(text, -1) {
		out = append(out, strings.TrimRight(strings.ReplaceAll(f, ",", ""), "."))
	}
	return out
}

var reNumberWord = regexp.MustCompile(`(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|billion|half|third|quarter)\b`)

func hasNumberWord(s string) bool { return reNumberWord.MatchString(s) }
