package cli

import "github.com/spf13/cobra"

func (a *App) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "docs",
		Short: "Import, list and remove documents to search and ask about",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}
