package llm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"veristream/backend/audit"
)

// Options set up a Client.
type Options struct {
	Model     Model
	MinCtx    int           // context window to begin with; 0: 4096
	MaxTokens int           // output budget of requests that give none; 0: 1024
	Deadline  time.Duration // of requests that give none; 0: five minutes
	KeepAlive time.Duration // how long the model stays loaded; 0: 15 minutes
	Threads   int           // 0 lets the server choose
	// TopTokens is how many alternatives are told for each token of a reply
	// under a schema; 0: 8, negative: none. The server sorts its vocabulary for
	// them, which takes some 35 ms a token on a laptop.
	TopTokens int
}

// Client asks one model. It implements audit.LLM, and may be used by several
// goroutines: calls wait for each other, since the server works on one at a
// time anyway and a call's deadline should not run while it waits.
type Client struct {
	server  *Server
	opts    Options
	schemas schemas
	turn    chan struct{}

	mu     sync.Mutex
	numCtx int         // grows, never shrinks: a change makes the server load the model anew
	window int         // the model's longest context; 0 where it is not known
	ready  *api.Client // the connection for which the model was ensured
	failed string      // the request whose reply could not be used, until another one is made
}

var _ audit.LLM = (*Client)(nil)

const (
	defaultCtx       = 4096
	defaultMaxTokens = 1024
	defaultDeadline  = 5 * time.Minute
	defaultKeepAlive = 15 * time.Minute
	defaultTopTokens = 8
)

// NewClient gives a client of a model on a server. The server stays the
// caller's to close.
func NewClient(server *Server, opts Options) *Client {
	if opts.MaxTokens == 0 {
		opts.MaxTokens = defaultMaxTokens
	}
	if opts.Deadline == 0 {
		opts.Deadline = defaultDeadline
	}
	if opts.KeepAlive == 0 {
		opts.KeepAlive = defaultKeepAlive
	}
	if opts.TopTokens == 0 {
		opts.TopTokens = defaultTopTokens
	}
	return &Client{server: server, opts: opts, turn: make(chan struct{}, 1), numCtx: max(opts.MinCtx, defaultCtx)}
}

// ModelID names the model and its version.
func (c *Client) ModelID() string {
	if c.opts.Model.SHA256 != "" {
		return c.opts.Model.Name + "@" + c.opts.Model.SHA256[:min(12, len(c.opts.Model.SHA256))]
	}
	return c.opts.Model.Name
}

// Prepare finds or starts the server and brings the model to it.
func (c *Client) Prepare(ctx context.Context) error {
	_, err := c.connect(ctx)
	return explain(ctx, err, c.opts.Model.Name, 0)
}

func (c *Client) connect(ctx context.Context) (*api.Client, error) {
	client, err := c.server.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ready == client {
		return client, nil
	}
	window, err := c.server.ensure(ctx, client, c.opts.Model)
	if err != nil {
		if lostServer(err) {
			c.server.forget(client)
		}
		return nil, err
	}
	c.window, c.ready = window, client
	return client, nil
}

// Complete asks the model. The reply is whole and satisfies the schema, or
// there is an error.
func (c *Client) Complete(ctx context.Context, req audit.Request) (audit.Response, error) {
	var schema *jsonschema.Schema
	if len(req.Schema) > 0 {
		var err error
		if schema, err = c.schemas.get(req.Schema); err != nil {
			return audit.Response{}, audit.Wrap(err, audit.CodeInternal, "A request to the language model has a bad schema")
		}
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return audit.Response{}, ctx.Err()
	}
	deadline := req.Deadline
	if deadline == 0 {
		deadline = c.opts.Deadline
	}
	client, err := c.connect(ctx)
	if err != nil {
		return audit.Response{}, explain(ctx, err, c.opts.Model.Name, deadline)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, deadline, errDeadline)
	defer cancel()
	start := time.Now()
	reply, err := c.ask(ctx, client, req)
	if err != nil {
		if lostServer(err) {
			c.server.forget(client)
		}
		return audit.Response{}, explain(ctx, err, c.opts.Model.Name, deadline)
	}
	if schema != nil {
		if err := validate(schema, reply.text); err != nil {
			c.stumble(req)
			return audit.Response{}, err
		}
	}
	return audit.Response{
		Text: reply.text, Tokens: reply.tokens,
		PromptTokens: reply.PromptEvalCount, OutputTokens: reply.EvalCount, Duration: time.Since(start),
	}, nil
}

// stumble remembers a request whose reply could not be used. A model that picks
// the likeliest token every time would give the same reply to the same
// question; asked again, it may choose more freely.
func (c *Client) stumble(req audit.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed = req.System + req.Prefix + req.Prompt
}

// sampling gives temperature and seed: fixed, but for a request that is
// repeated because its reply could not be used.
func (c *Client) sampling(req audit.Request) (temperature float64, seed int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if again := c.failed == req.System+req.Prefix+req.Prompt; again && c.failed != "" {
		return 0.4, 2
	}
	return 0, 1
}

// ask sends the request, in a larger window if the first proves too small, and
// again where the server is busy.
func (c *Client) ask(ctx context.Context, client *api.Client, req audit.Request) (*reply, error) {
	numCtx, err := c.size(req)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		r, err := c.chat(ctx, client, req, numCtx)
		var status api.StatusError
		switch {
		case err == nil:
			if err = r.check(req, numCtx); errors.Is(err, ErrCutOff) || errors.Is(err, ErrEmpty) {
				c.stumble(req)
			}
			return r, err
		case errors.Is(explain(ctx, err, "", 0), ErrTooLong) && req.NumCtx == 0 && c.grow(numCtx):
			numCtx = c.current()
		case errors.As(err, &status) && status.StatusCode == http.StatusServiceUnavailable && try < 5:
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Second << try):
			}
		default:
			return nil, err
		}
	}
}

// reply is what came back for one request.
type reply struct {
	text   string
	done   bool
	reason string
	tokens []audit.TokenChoice
	api.Metrics
}

func (c *Client) chat(ctx context.Context, client *api.Client, req audit.Request, numCtx int) (*reply, error) {
	temperature, seed := c.sampling(req)
	options := map[string]any{
		"temperature": temperature, "seed": seed, "num_ctx": numCtx, "num_predict": c.budget(req),
		// Excerpts and citations are copied: a penalty for repeating would bend them.
		"repeat_penalty": 1.0,
	}
	if c.opts.Threads > 0 {
		options["num_thread"] = c.opts.Threads
	}
	no := false
	chat := &api.ChatRequest{
		Model: c.opts.Model.ref(), Messages: messages(req), Format: req.Schema, Options: options,
		KeepAlive: &api.Duration{Duration: c.opts.KeepAlive},
		// What does not fit must be an error, not a shorter prompt.
		Truncate: &no, Shift: &no,
		Think: &api.ThinkValue{Value: false},
	}
	if req.Schema != nil && c.opts.TopTokens > 0 {
		chat.Logprobs, chat.TopLogprobs = true, min(c.opts.TopTokens, 20)
	}
	var text strings.Builder
	r := &reply{}
	err := client.Chat(ctx, chat, func(resp api.ChatResponse) error {
		text.WriteString(resp.Message.Content)
		if req.OnText != nil {
			req.OnText(resp.Message.Content)
		}
		r.tokens = append(r.tokens, choices(resp.Logprobs)...)
		if resp.Done {
			r.done, r.reason, r.Metrics = true, resp.DoneReason, resp.Metrics
		}
		return nil
	})
	if err == nil {
		err = ctx.Err() // the API's reader ends silently with its connection
	}
	r.text = strings.TrimSpace(text.String())
	return r, err
}

// choices turns logarithms into the probabilities that the domain speaks of.
func choices(tokens []api.Logprob) []audit.TokenChoice {
	out := make([]audit.TokenChoice, 0, len(tokens))
	for _, t := range tokens {
		c := audit.TokenChoice{Text: t.Token, Alternatives: map[string]float64{t.Token: math.Exp(t.Logprob)}}
		for _, alt := range t.TopLogprobs {
			c.Alternatives[alt.Token] = math.Exp(alt.Logprob)
		}
		out = append(out, c)
	}
	return out
}

// messages puts what many calls share first, byte for byte the same, so that
// the server finds it in its cache.
func messages(req audit.Request) []api.Message {
	var out []api.Message
	if req.System != "" {
		out = append(out, api.Message{Role: "system", Content: req.System})
	}
	text := req.Prompt
	if req.Prefix != "" {
		text = req.Prefix + "\n\n" + req.Prompt
	}
	return append(out, api.Message{Role: "user", Content: text})
}

// check tells a whole reply from the others.
func (r *reply) check(req audit.Request, numCtx int) error {
	switch {
	case !r.done:
		return audit.Wrap(ErrCutOff, audit.CodeReply, "The language model's reply broke off").WithDetails(r.text)
	case r.reason == "length":
		return audit.Wrap(cause(ErrCutOff, fmt.Errorf("%d tokens in a window of %d", r.EvalCount, numCtx)), audit.CodeReply,
			"The language model's reply was cut off after %d tokens", r.EvalCount).WithDetails(r.text)
	case r.PromptEvalCount > 0 && r.PromptEvalCount < fewestTokens(req):
		return audit.Wrap(cause(ErrTruncated, fmt.Errorf("%d tokens were read, at least %d were sent", r.PromptEvalCount, fewestTokens(req))),
			audit.CodeModel, "The Ollama server dropped a part of what it was asked")
	case r.text == "":
		return audit.Wrap(ErrEmpty, audit.CodeReply, "The language model gave an empty reply")
	}
	return nil
}
