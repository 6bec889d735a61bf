package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"veristream/backend/audit"
	"veristream/eval"
)

func (a *App) evalRetrievalCommand() *cobra.Command {
	run := eval.RetrievalRun{}
	var half, out string
	var memo bool
	cmd := &cobra.Command{
		Use:   "retrieval",
		Short: "Ask the frozen questions under every ablation",
		Long: `Builds an index of the official texts of a folder, asks the questions in
eval/retrieval and prints recall, rank and refusals with 95% bootstrap intervals,
for the product and with one part after another left out.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			run.Half = eval.Half(half)
			if half != "" && run.Half != eval.Tune && run.Half != eval.Test {
				return audit.Errorf(audit.CodeUsage, "--half takes tune or test.")
			}
			if err := a.Dirs.Make(); err != nil {
				return err
			}
			if run.Index == "" {
				run.Index = filepath.Join(a.Dirs.Cache, "eval-retrieval.db")
			}
			if memo {
				run.Memo = filepath.Join(a.Dirs.Cache, "eval-retrieval.memo")
			}
			// Loading a model changes the working directory for a moment.
			for _, p := range []*string{&run.Regs, &run.Index, &out} {
				if *p == "" {
					continue
				}
				abs, err := filepath.Abs(*p)
				if err != nil {
					return fmt.Errorf("find %s: %w", *p, err)
				}
				*p = abs
			}
			report, err := eval.Retrieval(cmd.Context(), a.Dirs, run, a.Out)
			if err != nil || out == "" {
				return err
			}
			file, err := report.Write(out)
			if err == nil {
				fmt.Fprintln(a.Out, "written to", file)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&run.Regs, "regs", "../shared/regs", "folder of official texts")
	flags.StringVar(&run.Index, "index", "", "file of the index (in the cache folder)")
	flags.StringVar(&half, "half", "", "tune or test; empty for both, told apart")
	flags.StringSliceVar(&run.Only, "only", nil, "ablations by name")
	flags.StringVar(&out, "out", "", "folder for the timestamped figures")
	flags.BoolVar(&run.Fit, "fit", false, "fit the line of refusal anew")
	flags.BoolVar(&run.Show, "show", false, "list what was missed")
	flags.BoolVar(&memo, "memo", false, "remember the models' answers between ablations: quicker, and its times mean nothing")
	return cmd
}
