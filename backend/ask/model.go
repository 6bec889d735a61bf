package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
)

// system tells the model its task. It is short: a small model on a processor
// reads some thirty tokens a second.
const system = `You explain the answer to a question in plain words, from numbered lines of rules or documents and from nothing else.
Write one or two short sentences that answer the question. For each give line: the number of the line that it rests on, and text: the sentence.
Keep every number, name, condition and exception as it stands. Do not copy a line. If the lines do not answer the question, give no sentences.`

// What the model may read and write.
const (
	maxLines      = 4   // lines shown
	maxPrompt     = 160 // words of all lines together, but for the first
	maxSaid       = 2   // sentences
	maxReply      = 200 // tokens
	replyPatience = 3 * time.Minute
	// likely is how near to the best a line must score that does not stand in
	// the answer; likelyFitted the same where scores are shares of a probability.
	likely       = 0.85
	likelyFitted = 0.3
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
	Line int    `json:"line"`
	Text string `json:"text"`
}

// explain has the model say in plain words what the passages' own sentences
// mean. They stand by themselves: where the model fails, the answer is what it
// was before, and says so.
func (w *work) explain(ctx context.Context) (notice string, err error) {
	stood := len(w.sentences)
	if w.q.Careful {
		w.hold()
	}
	if err = w.askModel(ctx); err == nil && w.q.Careful {
		if err = w.selfCheck(ctx); err != nil {
			w.sentences = w.sentences[:stood] // nobody has read them again
		}
	}
	w.release()
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", err
	case usable(err):
		return "The language model's reply could not be used; these are the passages' own sentences.", nil
	}
	return "The language model did not answer; these are the passages' own sentences. " + audit.SentenceOf(err), nil
}

// explained says whether a sentence in the model's words stands in the answer.
func (w *work) explained() bool {
	return slices.ContainsFunc(w.sentences, func(s Sentence) bool { return !s.Verbatim })
}

// askModel has the model explain the lines; each of its sentences is checked as
// soon as it is whole.
func (w *work) askModel(ctx context.Context) error {
	var b strings.Builder
	lines, numbers := w.lines(), []int{}
	for i, at := range lines {
		numbers = append(numbers, i+1)
		s := w.sayWhole(ctx, at)
		fmt.Fprintf(&b, "[%d] %s: %s\n", i+1, s.Support[0].Citation, s.Text)
	}
	schema, err := json.Marshal(replySchema(numbers))
	if err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	reader := &draftReader{emit: func(d draft) { w.check(ctx, d, lines) }}
	resp, err := w.asker.LLM.Complete(ctx, audit.Request{
		System: system, Prompt: b.String() + "\nQuestion: " + w.u.text, Schema: schema,
		MaxTokens: maxReply, Deadline: w.patience(), OnText: reader.write,
	})
	w.use.Calls++
	if err != nil {
		if audit.CodeOf(err) == audit.CodeReply && w.explained() {
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

// lines gives the units that the model reads: those that the answer begins
// with, and the likely ones after them. Reading takes most of a small model's
// time, and among many lines it picks badly.
func (w *work) lines() []int {
	out, size := slices.Clone(w.stand), 0
	for _, at := range out {
		size += len(strings.Fields(w.statement(at)))
	}
	floor := likely
	if w.fitted {
		floor = likelyFitted
	}
	best := w.best(2 * maxLines)
	for _, at := range best {
		u := w.units[at]
		n := len(strings.Fields(w.statement(at)))
		if slices.Contains(out, at) || u.short() || u.score < floor*w.units[best[0]].score || size+n > maxPrompt {
			continue
		}
		if len(out) >= maxLines {
			break
		}
		out, size = append(out, at), size+n
	}
	return out
}

// replySchema is the form of a reply. A sentence can only rest on a line that
// was shown.
func replySchema(numbers []int) any {
	type m = map[string]any
	item := struct {
		Type       string   `json:"type"`
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
	}{"object", struct {
		Line m `json:"line"`
		Text m `json:"text"`
	}{m{"type": "integer", "enum": numbers}, m{"type": "string"}}, []string{"line", "text"}}
	return m{
		"type": "object", "required": []string{"sentences"},
		"properties": m{"sentences": m{"type": "array", "maxItems": maxSaid, "items": item}},
	}
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

// check holds a draft against the lines: it may say no number and little else
// that does not stand in the one that it names, or else in another. What fails
// is dropped, and so is what says again what stands already.
func (w *work) check(ctx context.Context, d draft, lines []int) {
	w.drafts++
	text := strings.TrimSpace(d.Text)
	at := -1
	for i, line := range lines {
		if (at < 0 || i == d.Line-1) && w.faithful(text, line) {
			at = line
		}
	}
	switch {
	case at < 0:
		w.dropped++
	case w.repeats(text):
		w.drafts-- // neither support nor lack of it
	default:
		s := w.sayWhole(ctx, at)
		s.Text, s.Verbatim = text, false
		w.whole++
		w.tell(s)
	}
}

// repeats says whether a sentence says what stands already, in nearly the same
// words; one that is much shorter explains.
func (w *work) repeats(text string) bool {
	mine := terms(text)
	return slices.ContainsFunc(w.sentences, func(s Sentence) bool {
		theirs := terms(s.Text)
		return share(mine, theirs) >= 0.9 && 2*len(theirs) < 3*len(mine)
	})
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

// faithful says whether a model's sentence says no more than a line: its
// numbers stand there, most of its words do or are the question's, and neither
// denies what the other affirms.
func (w *work) faithful(text string, at int) bool {
	u, source := w.units[at], w.statement(at)
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
