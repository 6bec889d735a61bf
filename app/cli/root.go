// Package cli is the command line: one file a subcommand, one place for
// progress bars and exit codes. It holds no logic of its own: each command
// asks package core and prints what comes back.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"veristream/app/dirs"
	"veristream/backend/audit"
)

// Exit codes, as the help and the documentation give them.
const (
	ExitDone      = 0
	ExitFailed    = 1
	ExitUsage     = 2
	ExitMissing   = 3
	ExitCancelled = 4
)

// App is what the commands share.
type App struct {
	Version string
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	Dirs    dirs.Dirs
	// Prompts are the texts of the language model's prompts, for reports; nil
	// where only their digests are known.
	Prompts fs.FS
	// Window opens the window, with files or addresses to begin with; main sets
	// it, so that this package needs no windowing library.
	Window func(ctx context.Context, open []string) error
}

// New makes an App on the process's own streams.
func New(version string) *App {
	return &App{Version: version, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Dirs: dirs.Find()}
}

// commands lists the subcommands; each stands in a file of its name.
func (a *App) commands() []*cobra.Command {
	return []*cobra.Command{
		a.alignCommand(),
		a.askCommand(),
		a.auditCommand(),
		a.batchCommand(),
		a.docsCommand(),
		a.doctorCommand(),
		a.evalCommand(),
		a.modelsCommand(),
		a.openCommand(),
		a.recordCommand(),
		a.regsCommand(),
		a.reportCommand(),
		a.searchCommand(),
		a.serveCommand(),
		a.settingsCommand(),
		a.storageCommand(),
		a.toolsCommand(),
		a.transcribeCommand(),
		a.verifyCommand(),
		a.workerCommand(),
	}
}

// Root makes the command tree.
func (a *App) Root() *cobra.Command {
	root := &cobra.Command{
		Use:   "veristream",
		Short: "Audit finance videos against US marketing rules, on this computer",
		Long: `VeriStream transcribes a video, reads its screens, and lists potential issues
under FTC, SEC and FINRA marketing rules, each with its time, its exact words
and its sub-paragraph, for a person to decide. Nothing leaves this computer.

It never says that a video is compliant, and it gives no legal advice.

Without a subcommand it opens the window.`,
		Version:       a.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.Window == nil {
				return cmd.Help()
			}
			return a.Window(cmd.Context(), nil)
		},
	}
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetIn(a.In)
	root.SetVersionTemplate("veristream {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return audit.Wrap(err, audit.CodeUsage, "That is not how this command is used (see --help)")
	})
	root.AddCommand(a.commands()...)
	return root
}

// Run runs one command line and gives its exit code. An interrupt cancels the
// command's context; a second one ends the process at once.
func (a *App) Run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return a.RunContext(ctx, args)
}

// RunContext is Run under a context of the caller's.
func (a *App) RunContext(ctx context.Context, args []string) int {
	root := a.Root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitDone
	}
	var told *toldError
	if !errors.As(err, &told) {
		a.tell(err)
	}
	if ctx.Err() != nil {
		return ExitCancelled
	}
	return ExitCode(err)
}

// tell writes an error for a person: one sentence, then the cause and what a
// tool said, indented.
func (a *App) tell(err error) {
	fmt.Fprintln(a.Err, "veristream: "+audit.SentenceOf(err))
	var e *audit.Error
	if errors.As(err, &e) {
		if e.Err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintln(a.Err, "  cause: "+strings.ReplaceAll(e.Err.Error(), "\n", "\n    "))
		}
		if e.Details != "" {
			fmt.Fprintln(a.Err, "  details: "+strings.ReplaceAll(strings.TrimSpace(e.Details), "\n", "\n    "))
		}
	}
}

// toldError is an error that its command has shown already.
type toldError struct{ err error }

func (t *toldError) Error() string { return t.err.Error() }
func (t *toldError) Unwrap() error { return t.err }

// ExitCode gives the exit code for an error.
func ExitCode(err error) int {
	switch audit.CodeOf(err) {
	case "":
		return ExitDone
	case audit.CodeUsage:
		return ExitUsage
	case audit.CodeMissing, audit.CodeModelMissing:
		return ExitMissing
	case audit.CodeCancelled:
		return ExitCancelled
	case audit.CodeInternal:
		// cobra's own complaints about arguments are plain errors
		if msg := err.Error(); strings.HasPrefix(msg, "unknown command") || strings.HasPrefix(msg, "unknown flag") ||
			strings.HasPrefix(msg, "accepts ") || strings.HasPrefix(msg, "requires ") {
			return ExitUsage
		}
	}
	return ExitFailed
}

// printJSON writes a value as indented JSON to standard output.
func (a *App) printJSON(v any) error {
	return writeIndented(a.Out, v)
}
