package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"veristream/app/core"
)

func (a *App) toolsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "Update the programs that VeriStream keeps for itself",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "update",
		Short: "Install the newest yt-dlp, which brings videos from addresses",
		Long: `Downloads the newest yt-dlp with pip into VeriStream's own folder of tools, where
it is used before any other. The one that is there stays until the new one runs.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			version, err := core.UpdateYTDLP(cmd.Context(), a.Dirs)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Out, "yt-dlp %s: installed\n", version)
			return err
		},
	})
	return cmd
}
