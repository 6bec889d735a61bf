package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

// searchFlags are the flags of search.
type searchFlags struct {
	filterFlags
	top                   int
	noRerank, bm25, dense bool
	explain               bool
	json                  string
	batch                 string
}

// jsonToStdout is what --json says where no file is named.
const jsonToStdout = "-"

func (a *App) searchCommand() *cobra.Command {
	var f searchFlags
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find the paragraphs that answer a question",
		Long: `Searches the rule cards, the official texts and the documents that are installed,
and gives at most ten passages with their citations and the parts of their scores.
A paragraph that the question cites comes first. Where nothing is near enough,
it says so instead.`,
		Example: `  veristream search "does an influencer have to say that she was paid"
  veristream search --regulator FINRA --explain "projections of performance"
  veristream search --within "12 CFR 1005" --type exception "transfers that are not covered"
  veristream search --batch questions.jsonl --json results.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error {
			// "--json FILE": a flag whose value may be left out leaves FILE behind.
			if f.batch != "" && f.json == jsonToStdout && len(args) == 1 {
				f.json, args = args[0], nil
			}
			if (f.batch == "") == (len(args) == 0) {
				return audit.Errorf(audit.CodeUsage, "Give a question, or --batch FILE with one {\"id\",\"query\"} a line.")
			}
			if f.bm25 && f.dense {
				return audit.Errorf(audit.CodeUsage, "--bm25-only and --dense-only exclude each other.")
			}
			if f.top < 1 || f.top > 10 {
				return audit.Errorf(audit.CodeUsage, "--top takes a number from 1 to 10.")
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
			return a.search(cmd.Context(), f, strings.Join(args, " "))
		},
	}
	flags := cmd.Flags()
	f.register(flags)
	flags.IntVar(&f.top, "top", 10, "how many passages, at most 10")
	flags.BoolVar(&f.noRerank, "no-rerank", false, "order by the fusion of both indexes alone")
	flags.BoolVar(&f.bm25, "bm25-only", false, "ask the full-text index alone")
	flags.BoolVar(&f.dense, "dense-only", false, "ask the vector index alone")
	flags.BoolVar(&f.explain, "explain", false, "say why each passage is there")
	flags.StringVar(&f.batch, "batch", "", "file of questions, one {\"id\",\"query\"} a line")
	flags.StringVar(&f.json, "json", "", "write JSON, to a file where one is named (--json=FILE; with --batch also --json FILE)")
	flags.Lookup("json").NoOptDefVal = jsonToStdout
	return cmd
}

func (a *App) search(ctx context.Context, f searchFlags, question string) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	find, err := a.openFinder(ctx)
	if err != nil {
		return err
	}
	defer find.Close()
	if filter, err = find.Known(ctx, filter); err != nil {
		return err
	}
	q := retrieve.Query{
		Text: question, Top: f.top, NoRerank: f.noRerank, BM25Only: f.bm25, DenseOnly: f.dense,
		Filter: filter,
	}
	if f.dense && find.Embedder == nil && len(find.Missing) > 0 {
		return find.Missing[0]
	}
	if f.batch != "" {
		return a.searchBatch(ctx, find.Searcher, q, f)
	}
	r, err := find.Searcher.Search(ctx, q)
	if err != nil {
		return err
	}
	if f.json != "" {
		return a.writeTo(f.json, func(w io.Writer) error {
			return writeIndented(w, newSearchJSON("", question, r, f.explain))
		})
	}
	a.printSearch(question, r, f.explain)
	return nil
}

// openFinder opens what a search needs and embeds what is not embedded yet.
func (a *App) openFinder(ctx context.Context) (*finder.Finder, error) {
	find, err := finder.Open(ctx, a.Dirs)
	if err != nil {
		return nil, err
	}
	told := false
	err = find.Prepare(ctx, func(done, total int) {
		if total > 0 {
			fmt.Fprintf(a.Err, "\rreading the rules for the first time: %d of %d passages", done, total)
			told = true
		}
	})
	if told {
		fmt.Fprintln(a.Err)
	}
	if err != nil {
		return nil, errors.Join(err, find.Close())
	}
	return find, nil
}

// searchBatch answers a file of questions with the models loaded once.
func (a *App) searchBatch(ctx context.Context, s *retrieve.Searcher, q retrieve.Query, f searchFlags) error {
	out := f.json
	if out == "" {
		out = jsonToStdout
	}
	return eachQuestion(f.batch, func(in questionLines) error {
		return a.writeTo(out, func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			for line, err := range in {
				if err != nil {
					return err
				}
				q.Text = line.Query
				r, err := s.Search(ctx, q)
				if err != nil {
					return fmt.Errorf("question %s: %w", line.ID, err)
				}
				if err := enc.Encode(newSearchJSON(line.ID, line.Query, r, f.explain)); err != nil {
					return audit.Wrap(err, audit.CodeStorage, "The results cannot be written to %s.", out)
				}
			}
			return nil
		})
	})
}

// questionLine is a line of a batch.
type questionLine struct {
	ID    string `json:"id"`
	Query string `json:"query"`
}

// questionLines gives the lines of a batch as they are read.
type questionLines func(yield func(questionLine, error) bool)

// eachQuestion opens a file of questions and hands its lines to f.
func eachQuestion(path string, f func(questionLines) error) error {
	file, err := os.Open(path)
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The file of questions %s cannot be read.", path)
	}
	defer file.Close()
	return f(func(yield func(questionLine, error) bool) {
		sc := bufio.NewScanner(file)
		sc.Buffer(nil, 1<<20)
		for n := 1; sc.Scan(); n++ {
			var line questionLine
			text := strings.TrimSpace(strings.TrimPrefix(sc.Text(), "\ufeff"))
			if text == "" {
				continue
			}
			if err := json.Unmarshal([]byte(text), &line); err != nil || line.Query == "" {
				yield(line, audit.Errorf(audit.CodeInput, "Line %d of %s is not of the form {\"id\": \"...\", \"query\": \"...\"}.", n, path))
				return
			}
			if !yield(line, nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield(questionLine{}, audit.Wrap(err, audit.CodeInput, "The file of questions %s cannot be read.", path))
		}
	})
}

// writeTo writes to standard output or, whole or not at all, to a file.
func (a *App) writeTo(path string, write func(io.Writer) error) error {
	if path == jsonToStdout {
		return write(a.Out)
	}
	return writeWhole(path, write)
}

func writeIndented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
