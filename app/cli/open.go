package cli

import (
	"github.com/spf13/cobra"

	"veristream/backend/audit"
)

func (a *App) openCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "open FILE|URL...",
		Short: "Open the window with videos to audit",
		Long: `Opens the window and offers the given files and addresses for a new audit. This is
what a file manager calls.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.Window == nil {
				return audit.Errorf(audit.CodeMissing, "This build of VeriStream has no window. Use veristream audit.")
			}
			return a.Window(cmd.Context(), args)
		},
	}
}
