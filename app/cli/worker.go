package cli

import (
	"github.com/spf13/cobra"

	"veristream/backend/ocr"
	"veristream/backend/ocr/ppocr"
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
				return tellParent(a, err)
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
	worker.AddCommand(speech, a.workerOCR())
	return worker
}

// workerOCR is the other end of ocr.Worker.
func (a *App) workerOCR() *cobra.Command {
	var library, model string
	var threads int
	cmd := &cobra.Command{
		Use:   "ocr",
		Short: "Read the text on frames that come on standard input",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			engine, err := ppocr.Open(library, model, threads)
			if err != nil {
				if sendErr := ocr.SendError(a.Out, err); sendErr != nil {
					return sendErr
				}
				return &toldError{err}
			}
			defer engine.Close()
			return ocr.Serve(cmd.Context(), engine, a.In, a.Out)
		},
	}
	cmd.Flags().StringVar(&library, "library", "", "file of ONNX Runtime's library")
	cmd.Flags().StringVar(&model, "model", "", "folder of the models")
	cmd.Flags().IntVar(&threads, "threads", 1, "threads")
	return cmd
}

// tellParent writes an error as the parent reads it.
func tellParent(a *App, err error) error {
	if sendErr := transcribe.SendError(a.Out, err); sendErr != nil {
		return sendErr
	}
	return &toldError{err}
}
