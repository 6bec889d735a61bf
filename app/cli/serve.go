package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"veristream/app/core"
	"veristream/app/serve"
	"veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

func (a *App) serveCommand() *cobra.Command {
	var addr, model, traceTo string
	var noLLM bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer searches and questions over HTTP, for this computer only",
		Long: `Serves POST /search and POST /ask (also as server-sent events), GET /health and
GET /openapi.json on a loopback address, until it is stopped. Every POST needs the
token: that of VERISTREAM_TOKEN, else one that is made and printed at the start.

With --trace it writes OpenTelemetry traces: how long each request took, and where,
without what was asked. They go to a file, or to a collector on this computer
(OTLP over HTTP); any other address is refused.`,
		Example: `  veristream serve
  veristream serve --trace http://127.0.0.1:4318
  curl -s -H "Authorization: Bearer $TOKEN" -d '{"query":"what does 1026.54(b) say"}' http://127.0.0.1:8734/ask`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := serve.Listen(cmd.Context(), addr)
			if err != nil {
				return err
			}
			defer l.Close()
			o := serve.Options{Version: a.Version}
			closeTraces, err := a.traces(cmd.Context(), traceTo, &o)
			if err != nil {
				return err
			}
			c, err := core.OpenAnswers(cmd.Context(), core.Options{Dirs: a.Dirs, Version: a.Version, LLM: model, NoLLM: noLLM})
			if err != nil {
				return errors.Join(err, closeTraces())
			}
			return errors.Join(a.serve(cmd.Context(), l, c, o), c.Close(), closeTraces())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8734", "loopback address and port")
	cmd.Flags().StringVar(&traceTo, "trace", "", "file, or http address of a collector on this computer, for OpenTelemetry traces (off)")
	cmd.Flags().StringVar(&model, "model", "", "language model (the first that is installed)")
	cmd.Flags().BoolVar(&noLLM, "no-llm", false, "use no language model")
	return cmd
}

// serve serves until it is stopped.
func (a *App) serve(ctx context.Context, l net.Listener, c *core.Answers, o serve.Options) error {
	if err := a.prepare(ctx, c.Finder); err != nil {
		return err
	}
	if o.Token = os.Getenv("VERISTREAM_TOKEN"); o.Token == "" {
		o.Token = rand.Text()
		fmt.Fprintln(a.Out, "token:   "+o.Token)
	}
	fmt.Fprintf(a.Out, "serving: http://%s (stop with Ctrl-C)\n", l.Addr())
	return serve.Run(ctx, l, serve.Handler(&engine{app: a, answers: c}, o))
}

// traces opens traces where they are asked for, and gives what closes them.
func (a *App) traces(ctx context.Context, to string, o *serve.Options) (func() error, error) {
	if to == "" {
		return func() error { return nil }, nil
	}
	t, err := serve.OpenTraces(ctx, to, a.Version, func(err error) { fmt.Fprintf(a.Err, "veristream: traces are not written: %v\n", err) })
	if err != nil {
		return nil, err
	}
	o.Tracer = t.Tracer()
	return t.Close, nil
}

// engine answers requests in the shapes of the command line's JSON.
type engine struct {
	app     *App
	answers *core.Answers
}

// filter reads where a request looks, and refuses what nobody has.
func (e *engine) filter(ctx context.Context, r serve.Request) (audit.Filter, error) {
	f := audit.Filter{Corpora: r.Corpora, Regulators: r.Regulators, Sources: r.Sources, Meta: r.Meta, AsOf: r.AsOf}
	if err := checkDate(r.AsOf); err != nil {
		return f, err
	}
	return e.answers.Known(ctx, f)
}

// Search answers POST /search.
func (e *engine) Search(ctx context.Context, r serve.Request) (any, error) {
	filter, err := e.filter(ctx, r)
	if err != nil {
		return nil, err
	}
	found, err := e.answers.Searcher.Search(ctx, retrieve.Query{Text: r.Query, Filter: filter, Top: min(r.Top, 10), NoRerank: r.Fast})
	if err != nil {
		return nil, err
	}
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int("passages", len(found.Hits)), attribute.Bool("refused", found.Refused),
		attribute.String("rerank", found.Rerank), attribute.String("dense", found.Dense))
	return newSearchJSON(r.ID, r.Query, found, false), nil
}

// Ask answers POST /ask.
func (e *engine) Ask(ctx context.Context, r serve.Request, tell func(any)) (any, error) {
	filter, err := e.filter(ctx, r)
	if err != nil {
		return nil, err
	}
	span := trace.SpanFromContext(ctx)
	q := ask.Question{
		Text: r.Query, Filter: filter, Fast: r.Fast, NoLLM: r.NoLLM, Careful: r.Careful, Earlier: r.Earlier,
		OnFound: func(hits []audit.Hit) {
			span.AddEvent("passages found", trace.WithAttributes(attribute.Int("passages", len(hits))))
		},
		OnSentence: func(s ask.Sentence) {
			span.AddEvent("sentence")
			tell(s)
		},
	}
	ans, err := e.app.answer(ctx, e.answers, q, askFlags{wide: r.Wide})
	if err != nil {
		return nil, err
	}
	span.SetAttributes(attribute.Bool("refused", ans.Refused), attribute.String("how", ans.How), attribute.String("confidence", string(ans.Confidence)),
		attribute.Int("llm.calls", ans.Use.Calls), attribute.Int("llm.prompt_tokens", ans.Use.PromptTokens), attribute.Int("llm.output_tokens", ans.Use.OutputTokens))
	return newAskJSON(r.ID, r.Query, ans), nil
}
