package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/store"
)

func (a *App) docsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Import, list and remove documents to search and ask about",
		Long: `Annual reports (10-K, as EDGAR keeps them), Markdown, PDF, DOCX, control catalogs
and profiles (OSCAL and others) in JSON, XML or YAML, CSV and plain text are read
into sections, tables and controls, and searched beside the rules. Nothing leaves
this computer.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.docsImport(), a.docsList(), a.docsRemove())
	return cmd
}

func (a *App) docsImport() *cobra.Command {
	var asJSON, noEmbed, fresh, ocr bool
	var title string
	var meta map[string]string
	cmd := &cobra.Command{
		Use:   "import PATH...",
		Short: "Import files and folders; what has not changed is passed over",
		Long: `Imports files and folders. A file that cannot be read does not stop the others.

Pages of a PDF that hold no text are pictures. With --ocr they are read from them,
up to 400 of a document. What was read so is marked, with how sure the reading is,
and every answer that uses it says so. An import that is stopped goes on where it
was when it is started again.`,
		Example: `  veristream docs import reports/ policies/handbook.docx
  veristream docs import controls.csv --meta risk_tier=high
  veristream docs import --ocr scanned-policy.pdf`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if title != "" && len(args) > 1 {
				return audit.Errorf(audit.CodeUsage, "--title names one document; give one file.")
			}
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				o := docstore.Options{Title: title, Meta: meta, Fresh: fresh}
				if ocr {
					scans, end, err := core.OpenScans(cmd.Context(), a.Dirs, st)
					if err != nil {
						return err
					}
					defer end() //nolint:errcheck // it was ended by us
					o.Scans = scans
				}
				reports, failures, err := a.importDocs(cmd.Context(), st, args, o)
				if err != nil {
					return err
				}
				if err := a.tellImport(reports, failures, asJSON); err != nil {
					return err
				}
				if !noEmbed && len(reports) > 0 {
					if err := a.embedNew(cmd.Context(), st); err != nil {
						return err
					}
				}
				if len(failures) > 0 {
					return &toldError{failures[0].Err}
				}
				return nil
			})
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	flags.BoolVar(&noEmbed, "no-embed", false, "leave the vectors to the next search")
	flags.BoolVar(&fresh, "fresh", false, "read again what has not changed")
	flags.BoolVar(&ocr, "ocr", false, "read pages without text from their pictures")
	flags.StringVar(&title, "title", "", "the document's title, where the file does not tell it")
	flags.StringToStringVar(&meta, "meta", nil, "metadata to add, as in --meta risk_tier=high")
	return cmd
}

// importDocs imports documents and tells a person at a terminal how far it is.
func (a *App) importDocs(ctx context.Context, st *store.Store, paths []string, o docstore.Options) ([]docstore.Report, []docstore.Failure, error) {
	tell := func(string) {}
	if isTerminal(a.Err) {
		tell = func(file string) { fmt.Fprintf(a.Err, "\r\x1b[Kreading %s", filepath.Base(file)) }
		o.OnPage = func(file string, done, total int) {
			fmt.Fprintf(a.Err, "\r\x1b[Kreading %s: page %d of %d from its picture", filepath.Base(file), done, total)
		}
		defer fmt.Fprint(a.Err, "\r\x1b[K")
	}
	return (&docstore.Importer{Store: st}).Import(ctx, paths, o, tell)
}

// embedNew embeds what was imported, where an embedder is installed.
func (a *App) embedNew(ctx context.Context, st *store.Store) error {
	f, err := finder.With(ctx, st, a.Dirs)
	if err != nil {
		return err
	}
	if f.Embedder == nil && len(f.Missing) > 0 {
		fmt.Fprintln(a.Err, "No vectors were made: "+audit.SentenceOf(f.Missing[0]))
	}
	return errors.Join(a.prepare(ctx, f), f.Close())
}

func (a *App) tellImport(reports []docstore.Report, failures []docstore.Failure, asJSON bool) error {
	if asJSON {
		out := struct {
			Schema   int               `json:"schema"`
			Imported []docstore.Report `json:"documents"`
			Failed   []failureJSON     `json:"failed"`
		}{audit.SchemaVersion, reports, []failureJSON{}}
		if out.Imported == nil {
			out.Imported = []docstore.Report{}
		}
		for _, f := range failures {
			out.Failed = append(out.Failed, failureJSON{f.File, audit.SentenceOf(f.Err)})
		}
		return a.printJSON(out)
	}
	for _, r := range reports {
		d := r.Document
		fmt.Fprintf(a.Out, "%-9s  %s  (%s, %s)\n", r.State, d.ID, d.Title, d.Type)
		if r.State == docstore.StateUnchanged {
			continue
		}
		pages := ""
		if d.Pages > 0 {
			pages = fmt.Sprintf("%d pages, ", d.Pages)
		}
		fmt.Fprintf(a.Out, "           %s%d sections, %d passages, %d ms\n", pages, d.Sections, d.Passages, r.MS)
		for _, odd := range d.Anomalies[:min(3, len(d.Anomalies))] {
			fmt.Fprintf(a.Out, "           note: %s\n", odd)
		}
		if n := len(d.Anomalies); n > 3 {
			fmt.Fprintf(a.Out, "           and %d notes more (docs list --verbose)\n", n-3)
		}
	}
	for _, f := range failures {
		fmt.Fprintf(a.Err, "failed     %s: %s\n", f.File, audit.SentenceOf(f.Err))
	}
	return nil
}

func (a *App) docsList() *cobra.Command {
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the imported documents",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				list, err := st.Documents(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					if list == nil {
						list = []audit.Document{}
					}
					return a.printJSON(struct {
						Schema    int              `json:"schema"`
						Documents []audit.Document `json:"documents"`
					}{audit.SchemaVersion, list})
				}
				if len(list) == 0 {
					fmt.Fprintln(a.Out, "No document is imported. Run: veristream docs import PATH")
					return nil
				}
				w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tKIND\tPAGES\tPASSAGES\tNOTES\tTITLE")
				for _, d := range list {
					fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\n", d.ID, d.Type, d.Pages, d.Passages, len(d.Anomalies), d.Title)
				}
				if err := w.Flush(); err != nil {
					return fmt.Errorf("write the list: %w", err)
				}
				for _, d := range list {
					if verbose && len(d.Anomalies) > 0 {
						fmt.Fprintf(a.Out, "\n%s\n  %s\n", d.ID, strings.Join(d.Anomalies, "\n  "))
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "list what was odd about each document")
	return cmd
}

func (a *App) docsRemove() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "remove ID...",
		Short: "Remove documents with all their passages",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				gone, err := (&docstore.Importer{Store: st}).Remove(cmd.Context(), args)
				if asJSON {
					ids := []string{}
					for _, d := range gone {
						ids = append(ids, d.ID)
					}
					return errors.Join(a.printJSON(map[string]any{"schema": audit.SchemaVersion, "removed": ids}), err)
				}
				for _, d := range gone {
					fmt.Fprintf(a.Out, "removed    %s  (%s, %d passages)\n", d.ID, d.Title, d.Passages)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
