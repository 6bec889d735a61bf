package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/finder"
	"veristream/app/texts"
	"veristream/backend/audit"
	backendregs "veristream/backend/regs"
	"veristream/backend/store"
	"veristream/regs"
)

func (a *App) regsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "regs",
		Short: "Install, show and check official rule texts",
		Long: `Rule cards in plain words come with the program. The official text is installed
beside them: fetched from the eCFR and from FINRA, or imported from files. Where
it is there, searches look into both and findings quote it.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.regsList(), a.regsShow(), a.regsImport(), a.regsPull(), a.regsVerify(), a.regsRemove())
	return cmd
}

// withStore opens the database for one command.
func (a *App) withStore(ctx context.Context, f func(*store.Store) error) error {
	if err := a.Dirs.Make(); err != nil {
		return err
	}
	st, err := store.Open(ctx, a.Dirs.Database())
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return errors.Join(f(st), st.Close())
}

func (a *App) installer(st *store.Store) (*texts.Installer, error) {
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		return nil, err
	}
	return &texts.Installer{
		Store: st, Catalogue: catalogue, Now: time.Now,
		Puller: &backendregs.Puller{
			Fetcher: backendregs.NewFetcher(), Catalogue: catalogue, Dir: filepath.Join(a.Dirs.Cache, "texts"),
		},
	}, nil
}

func (a *App) regsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the installed texts, the cards and what can be fetched",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				installed, err := st.Texts(cmd.Context())
				if err != nil {
					return err
				}
				set, err := finder.Cards(a.Dirs)
				if err != nil {
					return err
				}
				catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
				if err != nil {
					return err
				}
				v := newRegsList(installed, set, catalogue)
				if asJSON {
					return a.printJSON(v)
				}
				return v.print(a.Out)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func (a *App) regsShow() *cobra.Command {
	var asJSON bool
	var asOf string
	cmd := &cobra.Command{
		Use:   "show CITATION",
		Short: "Show a paragraph: its text, what is above and below it, its card",
		Example: `  veristream regs show "16 CFR 255.5(a)"
  veristream regs show "Rule 206(4)-1(a)(1) and (2)"
  veristream regs show "comment 54(a)(1)-2.i" --as-of 2024-01-01`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkDate(asOf); err != nil {
				return err
			}
			wanted, err := audit.ParseCitations(joinArgs(args))
			if err != nil {
				return err
			}
			set, err := finder.Cards(a.Dirs)
			if err != nil {
				return err
			}
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				var shown []texts.Shown
				var missing error // of a list, what is there is shown
				for _, c := range wanted {
					s, err := texts.Show(cmd.Context(), st, set, c, asOf)
					if audit.CodeOf(err) == audit.CodeInput && len(wanted) > 1 {
						fmt.Fprintf(a.Err, "veristream: %s\n", audit.SentenceOf(err))
						missing = &toldError{err}
						continue
					}
					if err != nil {
						return err
					}
					shown = append(shown, s)
				}
				if asJSON {
					return errors.Join(missing, a.printJSON(struct {
						Schema     int           `json:"schema"`
						Paragraphs []texts.Shown `json:"paragraphs"`
					}{audit.SchemaVersion, shown}))
				}
				for i, s := range shown {
					if i > 0 {
						fmt.Fprintln(a.Out)
					}
					printShown(a.Out, s)
				}
				return missing
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&asOf, "as-of", "", "date of the text, YYYY-MM-DD (today)")
	return cmd
}

// importFlags are the flags of import and pull.
type importFlags struct {
	json    bool
	asOf    string
	noEmbed bool
	verbose bool
}

func (f *importFlags) add(cmd *cobra.Command, asOf string) {
	cmd.Flags().BoolVar(&f.json, "json", false, "write JSON")
	cmd.Flags().StringVar(&f.asOf, "as-of", "", asOf)
	cmd.Flags().BoolVar(&f.noEmbed, "no-embed", false, "leave the vectors to the next search")
	cmd.Flags().BoolVar(&f.verbose, "verbose", false, "list every ambiguous marker, gap and duplicate")
}

func (a *App) regsImport() *cobra.Command {
	var f importFlags
	var regulator string
	var title int
	cmd := &cobra.Command{
		Use:   "import PATH...",
		Short: "Install official text from files or folders",
		Long: `Reads eCFR XML, the CFPB's RegML and eRegs JSON, pages saved from a browser, PDF,
Markdown and plain text; what a file is, its content tells. Each text replaces the
same text of the same date in one step; texts of other dates stay beside it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkDate(f.asOf); err != nil {
				return err
			}
			return a.install(cmd.Context(), f, func(ctx context.Context, in *texts.Installer) (reports []texts.Report, failures []texts.Failure, err error) {
				for _, path := range args {
					some, bad, err := in.Import(ctx, path, texts.ImportOptions{AsOf: f.asOf, Regulator: regulator, Title: title}, a.tellFile)
					reports, failures = append(reports, some...), append(failures, bad...)
					switch {
					case ctx.Err() != nil || err != nil && len(args) == 1:
						return reports, failures, err
					case err != nil:
						failures = append(failures, texts.Failure{File: path, Err: err})
					}
				}
				return reports, failures, nil
			})
		},
	}
	f.add(cmd, "date on which the text was in force, where the file does not tell it")
	cmd.Flags().IntVar(&title, "title", 0, "title of the CFR, where the text does not tell it")
	cmd.Flags().StringVar(&regulator, "regulator", "", "whose rules these are, where their number does not tell it")
	return cmd
}

func (a *App) regsPull() *cobra.Command {
	var f importFlags
	var title int
	var part string
	cmd := &cobra.Command{
		Use:   "pull [SOURCE...]",
		Short: "Fetch official text from the eCFR and FINRA and install it",
		Long: `Fetches the sources that veristream regs list names; without a name those that have
rule cards. Any other part of the CFR is fetched with --title and --part.
Offline it says so and changes nothing.`,
		Example: `  veristream regs pull
  veristream regs pull ftc-255 --as-of 2024-01-01
  veristream regs pull --title 31 --part 1022`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkDate(f.asOf); err != nil {
				return err
			}
			if (title == 0) != (part == "") || title != 0 && len(args) > 0 {
				return audit.Errorf(audit.CodeUsage, "Give --title and --part together and no source, or sources alone.")
			}
			return a.install(cmd.Context(), f, func(ctx context.Context, in *texts.Installer) ([]texts.Report, []texts.Failure, error) {
				sources, err := pullSources(in.Catalogue, args, title, part)
				if err != nil {
					return nil, nil, err
				}
				if err := core.OnlineAt(ctx, a.Dirs, "no rule text is fetched"); err != nil {
					return nil, nil, err
				}
				return in.Pull(ctx, sources, f.asOf, a.tellFile)
			})
		},
	}
	f.add(cmd, "fetch the text in force on this date (eCFR only)")
	cmd.Flags().IntVar(&title, "title", 0, "title of the CFR")
	cmd.Flags().StringVar(&part, "part", "", "part of the CFR")
	return cmd
}

func pullSources(c backendregs.Catalogue, names []string, title int, part string) ([]backendregs.Official, error) {
	if title != 0 {
		return []backendregs.Official{backendregs.ECFRSource(title, part)}, nil
	}
	var out []backendregs.Official
	if len(names) == 0 {
		for _, s := range c.Sources {
			if s.Cards != "" {
				out = append(out, s)
			}
		}
		return out, nil
	}
	for _, n := range names {
		s, err := c.Source(n)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// tellFile says on stderr what is being read.
func (a *App) tellFile(name string) { fmt.Fprintf(a.Err, "reading %s\n", name) }

// install runs an import or a pull, tells what came of it and embeds it.
func (a *App) install(ctx context.Context, f importFlags, do func(context.Context, *texts.Installer) ([]texts.Report, []texts.Failure, error)) error {
	return a.withStore(ctx, func(st *store.Store) error {
		in, err := a.installer(st)
		if err != nil {
			return err
		}
		reports, failures, err := do(ctx, in)
		if err != nil {
			return err
		}
		if f.json {
			err = a.printJSON(newImportJSON(reports, failures))
		} else {
			printReports(a.Out, reports, f.verbose)
		}
		for _, bad := range failures {
			fmt.Fprintf(a.Err, "veristream: %s: %s\n", bad.File, audit.SentenceOf(bad.Err))
		}
		if err != nil {
			return err
		}
		if len(reports) > 0 && !f.noEmbed {
			if err := a.embed(ctx, st); err != nil {
				return err
			}
		}
		if len(failures) > 0 {
			return &toldError{failures[0].Err}
		}
		return nil
	})
}

// embed makes the vectors of what was installed, so that the first search need
// not. Without an embedder there is nothing to do.
func (a *App) embed(ctx context.Context, st *store.Store) error {
	find, err := finder.With(ctx, st, a.Dirs)
	if err != nil {
		return err
	}
	told := false
	err = find.Prepare(ctx, func(done, total int) {
		if total > 0 && (done%64 == 0 || done == total) {
			fmt.Fprintf(a.Err, "\rmaking vectors: %d of %d passages", done, total)
			told = true
		}
	})
	if told {
		fmt.Fprintln(a.Err)
	}
	return errors.Join(err, find.Close())
}

func (a *App) regsVerify() *cobra.Command {
	var asJSON bool
	var asOf, record string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Hold the rule cards against the installed texts",
		Long: `Says which cards name a paragraph that the text does not have, which paragraphs of
an audited rule have no card, which texts have changed since the cards were
checked, and where paragraphs are missing or stand twice.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkDate(asOf); err != nil {
				return err
			}
			set, err := finder.Cards(a.Dirs)
			if err != nil {
				return err
			}
			checked, err := backendregs.LoadChecked(regs.Files, "checked.json")
			if err != nil {
				return err
			}
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				installed, err := texts.Installed(cmd.Context(), st, asOf)
				if err != nil {
					return err
				}
				if record != "" {
					return writeRecord(record, backendregs.Record(set, installed))
				}
				v := backendregs.Verify(set, installed, checked)
				if asJSON {
					err = a.printJSON(struct {
						Schema int `json:"schema"`
						backendregs.Verification
					}{audit.SchemaVersion, v})
				} else {
					printVerification(a.Out, v)
				}
				if err != nil {
					return err
				}
				for _, c := range v.Sources {
					if !c.OK() {
						return &toldError{audit.Errorf(audit.CodeInput, "cards and texts do not agree")}
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&asOf, "as-of", "", "use the texts in force on this date, YYYY-MM-DD (the latest)")
	cmd.Flags().StringVar(&record, "record", "", "write hashes of the installed paragraphs to this file, after the cards have been compared with them")
	return cmd
}

func (a *App) regsRemove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID...",
		Short: "Remove an installed text with its passages and vectors",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withStore(cmd.Context(), func(st *store.Store) error {
				for _, id := range args {
					err := st.RemoveText(cmd.Context(), id)
					if errors.Is(err, store.ErrNotFound) {
						return audit.Errorf(audit.CodeUsage, "No text %q is installed; see veristream regs list.", id)
					}
					if err != nil {
						return err
					}
					fmt.Fprintf(a.Out, "removed %s\n", id)
				}
				return nil
			})
		},
	}
}

func checkDate(date string) error {
	if date == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return audit.Errorf(audit.CodeUsage, "%q is no date; write it as 2026-03-01.", date)
	}
	return nil
}

func writeRecord(name string, c backendregs.Checked) error {
	f, err := os.Create(name)
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The record cannot be written to %s.", name)
	}
	return errors.Join(writeIndented(f, c), f.Close())
}
