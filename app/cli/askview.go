package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/app/finder"
	"veristream/backend/ask"
)

// prepare embeds what waits for its vectors and tells how far it is.
func (a *App) prepare(ctx context.Context, f *finder.Finder) error {
	told := false
	err := f.Prepare(ctx, func(done, total int) {
		if total > 0 {
			fmt.Fprintf(a.Err, "\rreading what is new: %d of %d passages", done, total)
			told = true
		}
	})
	if told {
		fmt.Fprintln(a.Err)
	}
	return err
}

// askAloud answers one question for a person: each sentence is written when it
// is checked, then what the sentences rest on.
func (a *App) askAloud(ctx context.Context, c *core.Answers, q ask.Question, f askFlags) error {
	p := painter{on: isTerminal(a.Out)}
	told := &toldAnswer{out: a.Out, paint: p}
	q.OnSentence = told.say
	writes := c.Asker.LLM != nil && !q.NoLLM
	if p.on && writes {
		fmt.Fprintln(a.Err, p.dim("searching; what the passages say comes first, then the language model explains it …"))
	}
	if !f.wide {
		var chips []docstore.Chip
		var err error
		if q.Filter, chips, err = c.Narrow(ctx, q.Text, q.Filter); err != nil {
			return err
		}
		for _, chip := range chips {
			fmt.Fprintln(a.Out, p.dim(fmt.Sprintf("where %s is %s (%q); --wide searches everywhere", chip.Key, chip.Value, chip.From)))
		}
	}
	ans, err := c.Ask(ctx, q)
	if err != nil {
		if len(told.sentences) > 0 {
			told.rests()
			fmt.Fprintln(a.Out, p.dim("The answer was cut off here. What stands above is checked."))
		}
		return err
	}
	if ans.Refused {
		fmt.Fprintln(a.Out, "No answer. "+ans.Reason)
		for i, h := range ans.Hits[:min(3, len(ans.Hits))] {
			if i == 0 {
				fmt.Fprintln(a.Out, p.dim("The nearest passages, which do not seem to answer it:"))
			}
			fmt.Fprintf(a.Out, "  %s  %s\n", p.bold(name(h)), p.dim(h.Passage.Title))
		}
		return nil
	}
	told.rests()
	state := fmt.Sprintf("confidence: %s; %s; %d ms", ans.Confidence, howWords[ans.How], ans.MS)
	if ans.How == ask.HowModel {
		state += fmt.Sprintf("; %.0f%% of the model's sentences passed as written, %d taken out", 100*ans.Coverage, ans.Dropped)
	}
	fmt.Fprintln(a.Out, p.dim(state))
	if ans.Notice != "" {
		fmt.Fprintln(a.Out, p.dim(ans.Notice))
	}
	odd, err := c.Anomalies(ctx, ans)
	if err != nil {
		return err
	}
	a.tellAnomalies(odd)
	if c.Asker.LLM == nil && !q.NoLLM {
		fmt.Fprintln(a.Out, p.dim("No language model is installed; these are the passages' own sentences. Run: veristream models pull"))
	}
	return nil
}

// toldAnswer writes the sentences of an answer as they come. What two of them
// rest on has one number.
type toldAnswer struct {
	out       io.Writer
	paint     painter
	sentences []ask.Sentence
	quotes    []ask.Support
}

// say writes a sentence with the numbers of what it rests on.
func (t *toldAnswer) say(s ask.Sentence) {
	if !s.Verbatim && (len(t.sentences) == 0 || t.sentences[len(t.sentences)-1].Verbatim) {
		fmt.Fprintln(t.out, t.paint.dim("In the language model's words, checked against the quotes:"))
	}
	text := s.Text
	for _, sup := range s.Support {
		text += fmt.Sprintf(" [%d]", t.number(sup))
	}
	for i, line := range wrap(text, 96) {
		if i > 0 {
			line = "  " + line
		}
		fmt.Fprintln(t.out, line)
	}
	t.sentences = append(t.sentences, s)
}

// number gives the number of what a sentence rests on.
func (t *toldAnswer) number(s ask.Support) int {
	i := slices.Index(t.quotes, s)
	if i < 0 {
		i, t.quotes = len(t.quotes), append(t.quotes, s)
	}
	return i + 1
}

// rests writes what the sentences rest on. A quote that is a sentence of the
// answer is not written again.
func (t *toldAnswer) rests() {
	fmt.Fprintln(t.out)
	for i, sup := range t.quotes {
		fmt.Fprintf(t.out, "[%d] %s  %s\n", i+1, t.paint.bold(sup.Citation), t.paint.dim(sup.Source))
		if slices.ContainsFunc(t.sentences, func(s ask.Sentence) bool { return s.Text == sup.Quote }) {
			continue
		}
		for _, line := range wrap("“"+strings.TrimSpace(sup.Quote)+"”", 92) {
			fmt.Fprintf(t.out, "    %s\n", line)
		}
	}
}

// mostAnomalies is how many are told without being asked for.
const mostAnomalies = 5

// tellAnomalies writes what is odd about the documents of an answer.
func (a *App) tellAnomalies(odd []string) {
	for _, o := range odd[:min(mostAnomalies, len(odd))] {
		fmt.Fprintln(a.Out, "note: "+o)
	}
	if n := len(odd) - mostAnomalies; n > 0 {
		fmt.Fprintf(a.Out, "and %d notes more (docs list --verbose)\n", n)
	}
}

var howWords = map[string]string{
	ask.HowDirect: "the paragraph's own text", ask.HowList: "one sentence of each paragraph", ask.HowModel: "the passages' own sentences, then the language model's",
	ask.HowExtract: "the passages' own sentences",
}
