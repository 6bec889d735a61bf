package cli

import "github.com/spf13/cobra"

// evalCommand measures the product on labelled cases, from a checkout.
func (a *App) evalCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure the product on labelled cases (from a checkout)",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.evalAskCommand(), a.evalAuditCommand(), a.evalBenchCommand(), a.evalRetrievalCommand())
	return cmd
}
