package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/backend/ask"
	"veristream/backend/audit"
)

// askFlags are the flags of ask.
type askFlags struct {
	filterFlags
	model             string
	fast, noLLM, wide bool
	careful           bool
	earlier           []string
	json, batch       string
}

func (a *App) askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question from the rules and documents, or refuse",
		Long: `Answers a question from the passages that a search finds. Every sentence stands on
words that are quoted from a passage and checked to be there, character for
character; a number in a sentence stands in its quote. Where nothing answers,
it refuses and says what is missing.

The answer begins with the passages' own sentences, within a second or two. A
language model then explains them in plain words; what it says is checked against
them, and taken out where it says more. Without one, or with --no-llm, they are the
answer. A question that only names a paragraph is answered with its text.`,
		Example: `  veristream ask "when must a creditor give notice of a higher rate"
  veristream ask "what does 1026.54(b) say"
  veristream ask --no-llm --corpus documents "what were Apple's net sales in 2024"
  veristream ask --batch questions.jsonl --json answers.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			// "--json FILE": a flag whose value may be left out leaves FILE behind.
			if f.batch != "" && f.json == jsonToStdout && len(args) == 1 {
				f.json, args = args[0], nil
			}
			if (f.batch == "") == (len(args) == 0) {
				return audit.Errorf(audit.CodeUsage, "Give a question, or --batch FILE with one {\"id\",\"query\"} a line.")
			}
			if _, err := f.filter(); err != nil {
				return err
			}
			// Loading a model changes the working directory for a moment.
			for _, p := range []*string{&f.batch, &f.json} {
				if *p != "" && *p != jsonToStdout {
					abs, err := filepath.Abs(*p)
					if err != nil {
						return fmt.Errorf("find %s: %w", *p, err)
					}
					*p = abs
				}
			}
			return a.ask(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	flags := cmd.Flags()
	f.register(flags)
	flags.StringVar(&f.model, "model", "", "language model (the first that is installed)")
	flags.BoolVar(&f.fast, "fast", false, "search without the reranker")
	flags.BoolVar(&f.noLLM, "no-llm", false, "answer with the passages' own sentences")
	flags.BoolVar(&f.careful, "careful", false, "have the model read its sentences again beside their quotes")
	flags.BoolVar(&f.wide, "wide", false, "do not narrow the search to the documents that the question names")
	flags.StringArrayVar(&f.earlier, "after", nil, "the question before this one, for one that leans on it")
	flags.StringVar(&f.batch, "batch", "", "file of questions, one {\"id\",\"query\"} a line")
	flags.StringVar(&f.json, "json", "", "write JSON, to a file where one is named (--json=FILE; with --batch also --json FILE)")
	flags.Lookup("json").NoOptDefVal = jsonToStdout
	return cmd
}

func (a *App) ask(ctx context.Context, f askFlags, text string) error {
	c, err := core.OpenAnswers(ctx, core.Options{Dirs: a.Dirs, Version: a.Version, LLM: f.model, NoLLM: f.noLLM})
	if err != nil {
		return err
	}
	return errors.Join(a.askWith(ctx, c, f, text), c.Close())
}

func (a *App) askWith(ctx context.Context, c *core.Answers, f askFlags, text string) error {
	if err := a.prepare(ctx, c.Finder); err != nil {
		return err
	}
	q := ask.Question{Text: text, Fast: f.fast, NoLLM: f.noLLM, Careful: f.careful, Earlier: f.earlier}
	filter, err := f.filter()
	if err != nil {
		return err
	}
	if q.Filter, err = c.Known(ctx, filter); err != nil {
		return err
	}
	if f.batch != "" {
		return a.askBatch(ctx, c, q, f)
	}
	if f.json != "" {
		got, err := a.answer(ctx, c, q, f)
		if err != nil {
			return err
		}
		return a.writeTo(f.json, func(w io.Writer) error { return writeIndented(w, newAskJSON("", text, got)) })
	}
	return a.askAloud(ctx, c, q, f)
}

// answered is an answer with what was read from its question, and what is odd
// about the documents that it rests on.
type answered struct {
	ask.Answer
	chips []docstore.Chip
	odd   []string
}

// answer answers a question within the documents that it names, unless the
// user chose them, or wants none chosen.
func (a *App) answer(ctx context.Context, c *core.Answers, q ask.Question, f askFlags) (out answered, err error) {
	if !f.wide {
		if q.Filter, out.chips, err = c.Narrow(ctx, q.Text, q.Filter); err != nil {
			return out, err
		}
	}
	if out.Answer, err = c.Ask(ctx, q); err != nil {
		return out, err
	}
	out.odd, err = c.Anomalies(ctx, out.Answer)
	return out, err
}

// askBatch answers a file of questions with the models loaded once.
func (a *App) askBatch(ctx context.Context, c *core.Answers, q ask.Question, f askFlags) error {
	out := f.json
	if out == "" {
		out = jsonToStdout
	}
	return eachQuestion(f.batch, func(in questionLines) error {
		return a.writeTo(out, func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			n := 0
			for line, err := range in {
				if err != nil {
					return err
				}
				q.Text = line.Query
				got, err := a.answer(ctx, c, q, f)
				if err != nil {
					return fmt.Errorf("question %s: %w", line.ID, err)
				}
				if err := enc.Encode(newAskJSON(line.ID, line.Query, got)); err != nil {
					return audit.Wrap(err, audit.CodeStorage, "The answers cannot be written to %s.", out)
				}
				n++
				if out != jsonToStdout && isTerminal(a.Err) {
					fmt.Fprintf(a.Err, "\r%d answered", n)
				}
			}
			if out != jsonToStdout && isTerminal(a.Err) {
				fmt.Fprintln(a.Err)
			}
			return nil
		})
	})
}

// askJSON is what ask --json writes.
type askJSON struct {
	Schema     int            `json:"schema"`
	ID         string         `json:"id"`
	Query      string         `json:"query"`
	Answer     string         `json:"answer"`
	Refused    bool           `json:"refused"`
	Reason     string         `json:"reason"`
	Confidence ask.Confidence `json:"confidence"`
	MS         int64          `json:"ms"`
	How        string         `json:"how,omitempty"`
	Coverage   float64        `json:"coverage"`
	Dropped    int            `json:"dropped"`
	Notice     string         `json:"notice,omitempty"`
	AsOf       string         `json:"as_of,omitempty"`
	Rewritten  string         `json:"rewritten,omitempty"`
	// Filters are what was read from the question before the search.
	Filters []docstore.Chip `json:"filters,omitempty"`
	// Anomalies are what is odd about the documents that the answer rests on.
	Anomalies []string       `json:"anomalies,omitempty"`
	Sentences []ask.Sentence `json:"sentences"`
	Passages  []passageJSON  `json:"passages"`
}

func newAskJSON(id, query string, ans answered) askJSON {
	out := askJSON{
		Schema: audit.SchemaVersion, ID: id, Query: query, Answer: ans.Text, Refused: ans.Refused, Reason: ans.Reason,
		Confidence: ans.Confidence, MS: ans.MS, How: ans.How, Coverage: ans.Coverage, Dropped: ans.Dropped, Notice: ans.Notice, AsOf: ans.AsOf, Rewritten: ans.Rewritten,
		Filters: ans.chips, Anomalies: ans.odd, Sentences: ans.Sentences, Passages: []passageJSON{},
	}
	if out.Sentences == nil {
		out.Sentences = []ask.Sentence{}
	}
	for _, h := range ans.Hits {
		out.Passages = append(out.Passages, newPassageJSON(h, false))
	}
	return out
}
