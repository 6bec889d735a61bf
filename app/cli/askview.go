package cli

import (
	"context"
	"fmt"
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
	n := 0
	q.OnSentence = func(s ask.Sentence) {
		n++
		for i, line := range wrap(fmt.Sprintf("%s [%d]", s.Text, n), 96) {
			if i > 0 {
				line = "  " + line
			}
			fmt.Fprintln(a.Out, line)
		}
	}
	if p.on && c.Asker.LLM != nil && !q.NoLLM {
		fmt.Fprintln(a.Err, p.dim("reading …"))
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
	fmt.Fprintln(a.Out)
	for i, s := range ans.Sentences {
		for _, sup := range s.Support {
			fmt.Fprintf(a.Out, "[%d] %s  %s\n", i+1, p.bold(sup.Citation), p.dim(sup.Source))
			for _, line := range wrap("“"+strings.TrimSpace(sup.Quote)+"”", 92) {
				fmt.Fprintf(a.Out, "    %s\n", line)
			}
		}
	}
	state := fmt.Sprintf("confidence: %s; %s; %d ms", ans.Confidence, howWords[ans.How], ans.MS)
	if ans.How == ask.HowModel {
		state += fmt.Sprintf("; %.0f%% of its sentences passed as written, %d taken out", 100*ans.Coverage, ans.Dropped)
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
	ask.HowDirect: "the paragraph's own text", ask.HowList: "one sentence of each paragraph", ask.HowModel: "written by the language model",
	ask.HowExtract: "the passages' own sentences",
}
