package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/store"
	"veristream/models"
)

// settingsJSON is what the command writes with --json.
type settingsJSON struct {
	Schema  int          `json:"schema"`
	Network core.Network `json:"network"`
	// Reranker orders what a search has found.
	Reranker string `json:"reranker"`
	Data     string `json:"data"`
	Cache    string `json:"cache"`
	Config   string `json:"config"`
}

func (a *App) settingsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "Show the settings, and switch the network off or on",
		Long: `Shows the settings that the command line and the window share, and where files
are kept. While offline is on, no video is fetched from an address, and no model,
no rule text and no yt-dlp is downloaded; audits of files need no network anyway.
The variable VERISTREAM_OFFLINE=1 does the same for one run.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error { return a.showSettings(cmd, st, asJSON) })
		},
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.AddCommand(&cobra.Command{
		Use:       "offline [on|off]",
		Short:     "Switch the network off (on) or back on (off)",
		Example:   "  veristream settings offline on",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: []string{"on", "off"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] != "on" && args[0] != "off" {
				return audit.Errorf(audit.CodeUsage, "offline is on or off, not %q.", args[0])
			}
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				if len(args) == 1 {
					if err := core.SetOffline(cmd.Context(), st, args[0] == "on"); err != nil {
						return err
					}
				}
				return a.showSettings(cmd, st, asJSON)
			})
		},
	})
	cmd.AddCommand(&cobra.Command{
		Use:   "reranker [NAME]",
		Short: "Choose the reranker of searches, by its name in \"models list\"",
		Long: `Chooses the cross-encoder that orders what a search has found: the one that comes
with the program (regulation-reranker), or another that is installed, as by
"models pull ms-marco-minilm-l-6-v2" or "models import FOLDER", or none. Whether a question is
refused is measured with our own; another's scores have no part in that.`,
		Example: "  veristream settings reranker ms-marco-minilm-l-6-v2",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				if len(args) == 1 {
					list, err := weights.Open(a.Dirs)
					if err != nil {
						return err
					}
					if err := weights.Choose(cmd.Context(), st, list, models.KindReranker, args[0]); err != nil {
						return err
					}
				}
				return a.showSettings(cmd, st, asJSON)
			})
		},
	})
	return cmd
}

func (a *App) showSettings(cmd *cobra.Command, st *store.Store, asJSON bool) error {
	network, err := core.ReadNetwork(cmd.Context(), st)
	if err != nil {
		return err
	}
	reranker, err := finder.ChosenReranker(cmd.Context(), st)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(settingsJSON{audit.SchemaVersion, network, reranker, a.Dirs.Data, a.Dirs.Cache, a.Dirs.Config})
	}
	offline := "off"
	switch {
	case network.By == core.OfflineVariable:
		offline = "on (" + core.OfflineVariable + " is set)"
	case network.Offline:
		offline = "on"
	}
	_, err = fmt.Fprintf(a.Out, "offline  %s\nreranker %s\ndata     %s\ncache    %s\nconfig   %s\n", offline, reranker, a.Dirs.Data, a.Dirs.Cache, a.Dirs.Config)
	return err
}
