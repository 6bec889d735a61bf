package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/eval"
)

func (a *App) evalAskCommand() *cobra.Command {
	var half, out, model, units string
	var kinds []string
	var fast, noLLM, show, careful bool
	var sample int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "ask",
		Short: "Ask frozen questions and measure citations, quotes, facts and refusals",
		Long: `Asks the questions of eval/ask over what is installed: the official texts
(veristream regs import) and the documents (veristream docs import) that they are about.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := core.OpenAnswers(cmd.Context(), core.Options{Dirs: a.Dirs, Version: a.Version, LLM: model, NoLLM: noLLM})
			if err != nil {
				return err
			}
			if err := a.prepare(cmd.Context(), c.Finder); err != nil {
				return errors.Join(err, c.Close())
			}
			if units != "" {
				return errors.Join(writeWhole(units, func(w io.Writer) error {
					return eval.WriteUnits(cmd.Context(), c, eval.Half(half), w, a.Err)
				}), c.Close())
			}
			rep, err := eval.RunAsk(cmd.Context(), c, eval.AskRun{Half: eval.Half(half), Fast: fast, NoLLM: noLLM, Kinds: kinds, Show: show, Careful: careful, Sample: sample, Seed: seed}, a.Err)
			if err := errors.Join(err, c.Close()); err != nil {
				return err
			}
			rep.Write(a.Out)
			if out == "" {
				return nil
			}
			data, err := json.MarshalIndent(rep, "", "  ")
			if err != nil {
				return fmt.Errorf("write the report: %w", err)
			}
			return writeFile(filepath.Join(out, "ask-"+rep.At.Format(time.RFC3339)+".json"), data)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&half, "half", "", "tune or test (both)")
	flags.StringSliceVar(&kinds, "kind", nil, "rule, cite, list, compare, asof, changed, number, filing, control, refuse, align (all)")
	flags.StringVar(&out, "out", "", "folder for the timestamped figures")
	flags.StringVar(&units, "units", "", "only write what an answer without a model chooses among to this file, for fitting")
	flags.StringVar(&model, "model", "", "language model")
	flags.BoolVar(&fast, "fast", false, "search without the reranker")
	flags.BoolVar(&noLLM, "no-llm", false, "use no language model")
	flags.IntVar(&sample, "sample", 0, "ask this many, drawn by chance (all)")
	flags.Uint64Var(&seed, "seed", 1, "which draw")
	flags.BoolVar(&careful, "careful", false, "have the model read its answers again")
	flags.BoolVar(&show, "show", false, "show each question with its answer")
	return cmd
}
