package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/eval"
)

func (a *App) evalAuditCommand() *cobra.Command {
	var cases, half, out, llm, candidates, figures, judge string
	var noLLM, show, ablations, faithful bool
	var sample, judged int
	var only []string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Audit labelled cases and measure recall, precision and traps",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			load := func() ([]eval.AuditCase, error) { return eval.LoadAuditCases(cases, eval.Half(half)) }
			if candidates != "" && !cmd.Flags().Changed("half") {
				load = func() ([]eval.AuditCase, error) { return eval.LoadTrainingVideos(cases) }
			}
			list, err := load()
			if err != nil {
				return err
			}
			list = eval.Sample(list, sample)
			if err := reportFolder(out); err != nil {
				return err
			}
			c, err := core.Open(cmd.Context(), core.Options{Dirs: a.Dirs, Version: a.Version, LLM: llm, NoLLM: noLLM})
			if err != nil {
				return err
			}
			defer c.Close()
			if candidates != "" {
				return writeCandidates(cmd.Context(), c, list, candidates, a.Err)
			}
			run := eval.AuditRun{Cases: list, Half: eval.Half(half), NoLLM: noLLM, Show: show, Only: only}
			for _, name := range only {
				if !slices.Contains(eval.AblationNames(), name) {
					return audit.Errorf(audit.CodeUsage, "--ablation takes one of: %s.", strings.Join(eval.AblationNames(), ", "))
				}
			}
			if ablations || len(only) > 0 {
				reports, err := eval.RunAuditAblations(cmd.Context(), c, run, a.Out, a.Err)
				if err != nil || out == "" {
					return err
				}
				return writeAuditReports(out, reports...)
			}
			if faithful {
				run.Faithful = &eval.Faithfulness{}
			}
			rep, err := eval.RunAudit(cmd.Context(), c, run, a.Err)
			if err != nil {
				return err
			}
			rep.Write(a.Out)
			if faithful {
				if err := a.judgeRationales(cmd.Context(), c, run.Faithful, judge, judged); err != nil {
					return err
				}
			}
			if figures != "" {
				if err := eval.AddMeasures(figures, rep.Measures(), writeFile); err != nil {
					return err
				}
			}
			if out == "" {
				return nil
			}
			return writeAuditReports(out, rep)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&cases, "cases", "eval/audit/cases", "folder of labelled cases")
	flags.StringVar(&half, "half", "test", "tune or test; empty for both")
	flags.IntVar(&sample, "sample", 0, "only so many of the cases, drawn by chance, the same ones each time (0: all)")
	flags.StringVar(&out, "out", "", "folder for the timestamped figures")
	flags.StringVar(&figures, "measures", "", "file of the figures that reports print (app/measures/measured.json); this run replaces the one with the same language model")
	flags.StringVar(&llm, "model", "", "language model")
	flags.StringVar(&candidates, "candidates", "", "only write what could become a finding to this file, for fitting; without --half, --cases is a folder of training videos")
	flags.BoolVar(&noLLM, "no-llm", false, "use no language model")
	flags.BoolVar(&ablations, "ablations", false, "audit once more with each part left out and print one line for each")
	flags.StringSliceVar(&only, "ablation", nil, "only these of the ablations, by name")
	flags.BoolVar(&faithful, "faithful", false, "look whether the sentences of the rationales are supported, in code and by a second model")
	flags.StringVar(&judge, "judge", "", "the second model (the first that is installed and not that of the audits)")
	flags.IntVar(&judged, "judged", 0, "how many different sentences the second model judges, drawn by chance (80)")
	flags.BoolVar(&show, "show", false, "list what was missed and what was wrong")
	return cmd
}

// judgeRationales asks a language model other than that of the audits, where one
// is installed, about the rationales, and prints what came out.
func (a *App) judgeRationales(ctx context.Context, c *core.Core, f *eval.Faithfulness, name string, most int) error {
	f.Writer = c.LanguageModel()
	judge, name, err := c.SecondModel(ctx, name)
	if err != nil {
		return err
	}
	if judge != nil {
		if err := f.AskJudge(ctx, name, judge, most, a.Err); err != nil {
			return err
		}
	}
	f.Write(a.Out)
	return nil
}

// reportFolder makes the folder for the figures before they take their time.
func reportFolder(folder string) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder %s for the figures cannot be made.", folder)
	}
	return nil
}

// writeAuditReports writes the reports of one run into one file of the folder.
func writeAuditReports(folder string, reports ...*eval.AuditReport) error {
	var v any = reports
	if len(reports) == 1 {
		v = reports[0]
	}
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return writeFile(filepath.Join(folder, "audit-"+reports[0].At.Format(time.RFC3339)+".json"), data)
}

func writeCandidates(ctx context.Context, c *core.Core, list []eval.AuditCase, path string, progress io.Writer) error {
	var buf bytes.Buffer
	if err := eval.WriteCandidates(ctx, c.Pipeline.Auditor, list, &buf, progress); err != nil {
		return err
	}
	return writeFile(path, buf.Bytes())
}
