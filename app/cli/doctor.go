package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"veristream/app/doctor"
	"veristream/backend/audit"
)

// doctorJSON is what doctor --json writes.
type doctorJSON struct {
	Schema int            `json:"schema"`
	Ready  bool           `json:"ready"`
	Checks []doctor.Check `json:"checks"`
}

func (a *App) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is installed, what is missing and what to run",
		Long: `Looks at each part that an audit uses and prints the version found, or the
command that installs it. Exit code 3 says that something necessary is missing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := doctor.New(a.Dirs)
			if err != nil {
				return err
			}
			checks := d.Inspect(cmd.Context())
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			ready := doctor.Ready(checks)
			if asJSON {
				err = a.printJSON(doctorJSON{1, ready, checks})
			} else {
				err = writeChecks(a.Out, checks, ready)
			}
			if err != nil {
				return err
			}
			if !ready {
				return &toldError{audit.Errorf(audit.CodeMissing, "Something necessary is missing.")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func writeChecks(w io.Writer, checks []doctor.Check, ready bool) error {
	mark := map[doctor.State]string{doctor.OK: "ok", doctor.Warning: "note", doctor.Missing: "MISSING"}
	for _, c := range checks {
		text := c.Version
		switch {
		case text == "":
			text = c.Detail
		case c.Detail != "":
			text += "  (" + c.Detail + ")"
		}
		fmt.Fprintf(w, "%-8s %-14s  %s\n", mark[c.State], c.Name, text)
		if c.Fix != "" {
			fmt.Fprintf(w, "%-8s %-14s  to do: %s\n", "", "", c.Fix)
		}
	}
	end := "Everything that an audit needs is there."
	if !ready {
		end = "Something necessary is missing."
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", end); err != nil {
		return fmt.Errorf("write the checks: %w", err)
	}
	return nil
}
