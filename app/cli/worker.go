package cli

import (
	"github.com/spf13/cobra"

	"veristream/backend/transcribe"
	"veristream/backend/transcribe/whispercpp"
)

// workerCommand is the other end of transcribe.Worker: this program, started
// by itself, so that a native crash takes down nothing but the worker.
func (a *App) workerCommand() *cobra.Command {
	worker := &cobra.Command{
		Use:    "worker",
		Short:  "Work for another VeriStream process",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var opt transcribe.Options
	speech := &cobra.Command{
		Use:   "transcribe",
		Short: "Write down the speech of a WAV file as JSON lines",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			engine, err := whispercpp.Open(opt.ModelPath)
			if err != nil {
				return tellParent(cmd, err)
			}
			defer engine.Close()
			if err := transcribe.Serve(cmd.Context(), engine, opt, a.Out); err != nil {
				return &toldError{err}
			}
			return nil
		},
	}
	flags := speech.Flags()
	flags.StringVar(&opt.ModelPath, "model", "", "ggml file of the speech model")
	flags.StringVar(&opt.WAV, "wav", "", "16 kHz mono sound")
	flags.StringVar(&opt.Language, "language", "auto", "language, or auto")
	flags.IntVar(&opt.Threads, "threads", 0, "threads; 0 is one for each physical core")
	flags.Int64Var(&opt.OffsetMS, "offset-ms", 0, "begin at the end of this chunk")
	flags.StringVar(&opt.Prompt, "prompt", "", "names and terms to expect")
	flags.BoolVar(&opt.Translate, "translate", false, "translate into English")
	flags.IntVar(&opt.BeamSize, "beam", 0, "beam size; 0 is greedy")
	worker.AddCommand(speech)
	return worker
}

// tellParent writes an error as the parent reads it.
func tellParent(cmd *cobra.Command, err error) error {
	if sendErr := transcribe.SendError(cmd.OutOrStdout(), err); sendErr != nil {
		return sendErr
	}
	return &toldError{err}
}
