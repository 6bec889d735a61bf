package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veristream/app/storage"
	"veristream/backend/audit"
	"veristream/backend/store"
	"veristream/models"
)

// storageJSON is what the command writes with --json.
type storageJSON struct {
	Schema int `json:"schema"`
	storage.Disk
	Freed int64 `json:"freed_bytes,omitempty"`
}

func (a *App) storageCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "storage",
		Short: "Show what takes how much space, clean the cache, and set its quota",
		Long: `Shows what VeriStream takes of the disk. Sound, playback copies, pictures and
downloads are the cache: they are made or fetched again when they are needed. The
oldest of them go when the cache is over its quota, never what a running audit needs.
Audits, transcripts and decisions are not the cache's, and your own files are never
touched.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.showStorage(cmd.Context(), asJSON, 0) },
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "write JSON")
	names := make([]string, 0, len(storage.Cleanable()))
	for _, k := range storage.Cleanable() {
		names = append(names, string(k))
	}
	cmd.AddCommand(&cobra.Command{
		Use:       "clean [" + strings.Join(names, "|") + "]...",
		Short:     "Delete the cache, or kinds of it, but what a running audit needs",
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			kinds := storage.Cleanable()
			if len(args) > 0 {
				kinds = nil
				for _, name := range args {
					kinds = append(kinds, storage.Kind(name))
				}
			}
			if err := storage.Sweep(a.Dirs); err != nil {
				return err
			}
			freed, err := storage.Clean(cmd.Context(), a.Dirs, kinds...)
			if err != nil {
				return err
			}
			return a.showStorage(cmd.Context(), asJSON, freed)
		},
	}, &cobra.Command{
		Use:     "quota SIZE",
		Short:   "Set how much the cache may take, as in 20GB or 500MB; 0 is no bound",
		Example: "  veristream storage quota 20GB",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := parseSize(args[0])
			if err != nil {
				return err
			}
			freed := int64(0)
			err = a.withStore(cmd.Context(), func(st *store.Store) error {
				if err := storage.SetQuota(cmd.Context(), st, n); err != nil {
					return err
				}
				freed, err = storage.Enforce(cmd.Context(), a.Dirs, n)
				return err
			})
			if err != nil {
				return err
			}
			return a.showStorage(cmd.Context(), asJSON, freed)
		},
	})
	return cmd
}

// parseSize reads a size as in 20GB, 500MB or plain bytes.
func parseSize(text string) (int64, error) {
	s := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	s = strings.TrimSuffix(s, "B")
	unit := int64(1)
	for _, suffix := range []struct {
		name string
		of   int64
	}{{"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}} {
		if rest, ok := strings.CutSuffix(s, suffix.name); ok {
			s, unit = rest, suffix.of
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || n < 0 || n*float64(unit) > 1<<60 {
		return 0, audit.Errorf(audit.CodeUsage, "%q is no size: write it as 20GB or 500MB.", text)
	}
	return int64(n * float64(unit)), nil
}

func (a *App) showStorage(ctx context.Context, asJSON bool, freed int64) error {
	return a.withStore(ctx, func(st *store.Store) error {
		r, err := storage.Measure(ctx, a.Dirs, st)
		if err != nil {
			return err
		}
		if asJSON {
			return a.printJSON(storageJSON{audit.SchemaVersion, r, freed})
		}
		w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, u := range r.Kinds {
			note := ""
			if u.Cleanable {
				note = "cache"
			}
			fmt.Fprintf(w, "%s\t%d\t  %s\t%s\t\n", models.FormatBytes(u.Bytes), u.Items, u.Kind, note)
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("write the list: %w", err)
		}
		quota := "no bound"
		if r.Quota > 0 {
			quota = models.FormatBytes(r.Quota)
		}
		fmt.Fprintf(a.Out, "\ncache %s of %s, free on the disk %s\n", models.FormatBytes(r.Cache), quota, models.FormatBytes(r.Free))
		if freed > 0 {
			fmt.Fprintf(a.Out, "freed %s\n", models.FormatBytes(freed))
		}
		return nil
	})
}
