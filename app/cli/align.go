package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/backend/align"
	"veristream/backend/audit"
	"veristream/backend/report"
)

type alignFlags struct {
	handbook, baseline    []string
	csv, xlsx, json, name string
	fast, noLLM           bool
}

func (a *App) alignCommand() *cobra.Command {
	var f alignFlags
	cmd := &cobra.Command{
		Use:   "align DESIGN --handbook DOC --baseline DOC",
		Short: "Trace the elements of a design to controls and to what a handbook says of them",
		Long: `For each element of a design or a data-flow description (the items of its lists, the
rows of its tables, else its sections) finds the controls of a baseline that apply,
where a handbook covers them, and what it lacks. DESIGN, handbook and baseline are
imported documents, by id, title or file; a file that is not imported yet is.

Works without a language model; with one, each link gets a short reason of the
model's, marked as such. It is a proposal for a person, not an assessment.

What --json writes can go into the signed report of an audit: veristream report
latest --pdf report.pdf --alignment trace.json`,
		Example: `  veristream align design.md --handbook handbook.docx --baseline nist-low.json --csv trace.csv
  veristream align design.md --handbook handbook --baseline csf-2.0 --no-llm --xlsx trace.xlsx --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(f.handbook) == 0 || len(f.baseline) == 0 {
				return audit.Errorf(audit.CodeUsage, "Give --handbook and --baseline.")
			}
			// Loading a model changes the working directory for a moment.
			for _, p := range []*string{&f.csv, &f.xlsx, &f.json} {
				if *p != "" && *p != jsonToStdout {
					abs, err := filepath.Abs(*p)
					if err != nil {
						return fmt.Errorf("find %s: %w", *p, err)
					}
					*p = abs
				}
			}
			c, err := core.OpenAnswers(cmd.Context(), core.Options{Dirs: a.Dirs, Version: a.Version, LLM: f.name, NoLLM: f.noLLM})
			if err != nil {
				return err
			}
			return errors.Join(a.align(cmd.Context(), c, args[0], f), c.Close())
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.handbook, "handbook", nil, "documents that say how things are done here")
	flags.StringSliceVar(&f.baseline, "baseline", nil, "documents with the controls that must be met")
	flags.StringVar(&f.csv, "csv", "", "write the traceability table as CSV")
	flags.StringVar(&f.xlsx, "xlsx", "", "write the traceability table as an Excel file")
	flags.StringVar(&f.json, "json", "", "write JSON, to a file where one is named (--json=FILE)")
	flags.Lookup("json").NoOptDefVal = jsonToStdout
	flags.StringVar(&f.name, "model", "", "language model (the first that is installed)")
	flags.BoolVar(&f.noLLM, "no-llm", false, "give no reasons by a language model")
	flags.BoolVar(&f.fast, "fast", false, "search without the reranker")
	return cmd
}

// named gives the ids of documents; what is a file and not imported is.
func (a *App) named(ctx context.Context, c *core.Answers, names []string) ([]string, error) {
	var ids []string
	for _, name := range names {
		have, err := c.Store.Documents(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the documents: %w", err)
		}
		id := ""
		for _, d := range have {
			if d.ID == name || strings.EqualFold(d.Title, name) {
				id = d.ID
			}
		}
		if id == "" {
			if _, err := os.Stat(name); err != nil {
				return nil, audit.Errorf(audit.CodeInput, "There is no document and no file %q. Run: veristream docs list", name)
			}
			reports, failures, err := (&docstore.Importer{Store: c.Store}).Import(ctx, []string{name}, docstore.Options{}, nil)
			switch {
			case err != nil:
				return nil, err
			case len(failures) > 0:
				return nil, failures[0].Err
			}
			for _, r := range reports {
				ids = append(ids, r.Document.ID)
			}
			continue
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (a *App) align(ctx context.Context, c *core.Answers, design string, f alignFlags) error {
	var ids [3][]string
	for i, names := range [][]string{{design}, f.handbook, f.baseline} {
		var err error
		if ids[i], err = a.named(ctx, c, names); err != nil {
			return err
		}
	}
	if err := a.prepare(ctx, c.Finder); err != nil {
		return err
	}
	var elements []align.Element
	for _, id := range ids[0] {
		passages, err := c.Store.SourcePassages(ctx, audit.CorpusDocuments, id)
		if err != nil {
			return fmt.Errorf("read the design: %w", err)
		}
		elements = append(elements, align.Elements(passages)...)
	}
	if len(elements) == 0 {
		return audit.Errorf(audit.CodeInput, "The design holds no element that could be traced.")
	}
	rep, err := c.Aligner(f.fast).Align(ctx, elements, ids[1], ids[2], func(done int) {
		if isTerminal(a.Err) {
			fmt.Fprintf(a.Err, "\r%d of %d elements", done, len(elements))
		}
	})
	if isTerminal(a.Err) {
		fmt.Fprintln(a.Err)
	}
	if err != nil {
		return err
	}
	made, err := c.KeepAlignment(ctx, rep, ids)
	if err != nil {
		return err
	}
	return a.tellAlignment(made, f)
}

var alignHead = []string{"element", "place in the design", "control", "title", "the control's words", "state", "handbook", "the handbook's words", "lacks", "reason"}

func (a *App) tellAlignment(rep core.Alignment, f alignFlags) error {
	var rows [][]string
	count := map[string]int{}
	for _, l := range rep.Links {
		count[l.State]++
		reason := l.Reason
		if l.ByModel {
			reason += " (language model)"
		}
		rows = append(rows, []string{l.Element, l.Place, l.Control, l.Title, l.Requires, l.State, l.Handbook, l.Quote, l.Lacks, reason})
	}
	for _, name := range rep.Without {
		rows = append(rows, []string{name, "", "", "", "", "no control found", "", "", "", ""})
	}
	if f.csv != "" {
		data, err := report.TableCSV(alignHead, rows)
		if err == nil {
			err = writeFile(f.csv, data)
		}
		if err != nil {
			return err
		}
	}
	if f.xlsx != "" {
		data, err := report.TableXLSX("Traceability", alignHead, []float64{28, 30, 12, 30, 60, 12, 34, 60, 30, 50}, rows)
		if err == nil {
			err = writeFile(f.xlsx, data)
		}
		if err != nil {
			return err
		}
	}
	if f.json != "" {
		return a.writeTo(f.json, func(w io.Writer) error {
			return writeIndented(w, rep)
		})
	}
	p := painter{on: isTerminal(a.Out)}
	last := ""
	for _, l := range rep.Links {
		if l.Element != last {
			fmt.Fprintln(a.Out, p.bold(l.Element))
			last = l.Element
		}
		where := l.Handbook
		if where == "" {
			where = "the handbook does not speak of it"
		}
		fmt.Fprintf(a.Out, "  %-10s %-8s %s; %s\n", l.Control, l.State, l.Title, where)
	}
	for _, name := range rep.Without {
		fmt.Fprintf(a.Out, "%s\n  no control of the baseline was found\n", p.bold(name))
	}
	fmt.Fprintf(a.Out, "%d elements, %d links: %d covered, %d partly, %d missing\n", len(rep.Elements), len(rep.Links), count[align.Covered], count[align.Partly], count[align.Missing])
	return nil
}
