package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/serve"
	"veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

func (a *App) serveCommand() *cobra.Command {
	var addr, model string
	var noLLM bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer searches and questions over HTTP, for this computer only",
		Long: `Serves POST /search and POST /ask (also as server-sent events), GET /health and
GET /openapi.json on a loopback address, until it is stopped. Every POST needs the
token: that of VERISTREAM_TOKEN, else one that is made and printed at the start.`,
		Example: `  veristream serve
  curl -s -H "Authorization: Bearer $TOKEN" -d '{"query":"what does 1026.54(b) say"}' http://127.0.0.1:8734/ask`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := serve.Listen(cmd.Context(), addr)
			if err != nil {
				return err
			}
			defer l.Close()
			c, err := core.OpenAnswers(cmd.Context(), core.Options{Dirs: a.Dirs, Version: a.Version, LLM: model, NoLLM: noLLM})
			if err != nil {
				return err
			}
			if err := a.prepare(cmd.Context(), c.Finder); err != nil {
				return errors.Join(err, c.Close())
			}
			token := os.Getenv("VERISTREAM_TOKEN")
			if token == "" {
				token = rand.Text()
				fmt.Fprintln(a.Out, "token:   "+token)
			}
			fmt.Fprintf(a.Out, "serving: http://%s (stop with Ctrl-C)\n", l.Addr())
			err = serve.Run(cmd.Context(), l, serve.Handler(&engine{app: a, answers: c}, serve.Options{Token: token, Version: a.Version}))
			return errors.Join(err, c.Close())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8734", "loopback address and port")
	cmd.Flags().StringVar(&model, "model", "", "language model (the first that is installed)")
	cmd.Flags().BoolVar(&noLLM, "no-llm", false, "use no language model")
	return cmd
}

// engine answers requests in the shapes of the command line's JSON.
type engine struct {
	app     *App
	answers *core.Answers
}

func filterOf(r serve.Request) audit.Filter {
	return audit.Filter{Corpora: r.Corpora, Regulators: r.Regulators, Sources: r.Sources, Meta: r.Meta, AsOf: r.AsOf}
}

// Search answers POST /search.
func (e *engine) Search(ctx context.Context, r serve.Request) (any, error) {
	if err := checkDate(r.AsOf); err != nil {
		return nil, err
	}
	found, err := e.answers.Searcher.Search(ctx, retrieve.Query{Text: r.Query, Filter: filterOf(r), Top: min(r.Top, 10), NoRerank: r.Fast})
	if err != nil {
		return nil, err
	}
	return newSearchJSON(r.ID, r.Query, found, false), nil
}

// Ask answers POST /ask.
func (e *engine) Ask(ctx context.Context, r serve.Request, tell func(any)) (any, error) {
	if err := checkDate(r.AsOf); err != nil {
		return nil, err
	}
	q := ask.Question{
		Text: r.Query, Filter: filterOf(r), Fast: r.Fast, NoLLM: r.NoLLM, Careful: r.Careful, Earlier: r.Earlier,
		OnSentence: func(s ask.Sentence) { tell(s) },
	}
	ans, err := e.app.answer(ctx, e.answers, q, askFlags{wide: r.Wide})
	if err != nil {
		return nil, err
	}
	return newAskJSON(r.ID, r.Query, ans), nil
}
