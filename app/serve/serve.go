// Package serve answers searches and questions over HTTP, on this computer's
// own loopback address and with a token, so that scripts and other tools can
// use the engine of the window. It never listens elsewhere.
package serve

import (
	"context"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"veristream/backend/audit"
)

//go:embed openapi.json
var openapi []byte

// Request is what a client asks.
type Request struct {
	ID         string              `json:"id"`
	Query      string              `json:"query"`
	Corpora    []string            `json:"corpora"`
	Regulators []string            `json:"regulators"`
	Sources    []string            `json:"sources"`
	Meta       map[string][]string `json:"meta"`
	AsOf       string              `json:"as_of"`
	Top        int                 `json:"top"`
	Fast       bool                `json:"fast"`
	NoLLM      bool                `json:"no_llm"`
	Careful    bool                `json:"careful"`
	Wide       bool                `json:"wide"`
	Earlier    []string            `json:"earlier"`
}

// Engine answers; the command line gives it. Ask tells each sentence as soon as
// it is checked.
type Engine interface {
	Search(ctx context.Context, r Request) (any, error)
	Ask(ctx context.Context, r Request, tell func(sentence any)) (any, error)
}

// Options set up a server.
type Options struct {
	Token   string
	Version string
	// PerMinute bounds the requests of one minute; 0: 120.
	PerMinute int
	// Tracer is told of each request; nil: nobody is.
	Tracer trace.Tracer
}

const (
	maxBody  = 64 << 10
	patience = 5 * time.Minute
)

// Listen opens a port on the loopback address. Any other address is refused.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "%q is not an address of the form 127.0.0.1:PORT.", addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, audit.Errorf(audit.CodeUsage, "VeriStream serves this computer only; %s is not a loopback address.", host)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The address %s cannot be opened; another program may use it.", addr)
	}
	return l, nil
}

// Handler is the server without its listener.
func Handler(e Engine, o Options) http.Handler {
	if o.PerMinute == 0 {
		o.PerMinute = 120
	}
	if o.Tracer == nil {
		o.Tracer = noop.NewTracerProvider().Tracer(serviceName)
	}
	s := &server{engine: e, opts: o, one: make(chan struct{}, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", s.health)
	mux.HandleFunc("GET /openapi.json", s.describe)
	mux.Handle("POST /search", s.guard(s.search))
	mux.Handle("POST /ask", s.guard(s.ask))
	return s.traced(mux)
}

// Run serves until the context ends, then lets open requests finish for a
// moment.
func Run(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := srv.Shutdown(stop)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	if err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	return nil
}

type server struct {
	engine Engine
	opts   Options
	one    chan struct{} // the models work on one question at a time

	mu    sync.Mutex
	since time.Time
	count int
}

func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"status": "ok", "version": s.opts.Version})
}

func (s *server) describe(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write(openapi) //nolint:errcheck // the client has gone
}

// guard lets in who knows the token, asks by the loopback name and not too
// often. A page in a browser may not ask: it would need no token of its user's.
func (s *server) guard(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		ip := net.ParseIP(strings.Trim(host, "[]"))
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case host != "localhost" && (ip == nil || !ip.IsLoopback()):
			fail(w, http.StatusForbidden, "Ask by the loopback address.") // rebinding of names
		case r.Header.Get("Origin") != "":
			fail(w, http.StatusForbidden, "Pages in a browser may not ask.")
		case !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.opts.Token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			fail(w, http.StatusUnauthorized, "The token is missing or wrong.")
		case !s.admit():
			w.Header().Set("Retry-After", "60")
			fail(w, http.StatusTooManyRequests, "There were too many requests within a minute.")
		default:
			next(w, r)
		}
	})
}

func (s *server) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.since) > time.Minute {
		s.since, s.count = now, 0
	}
	s.count++
	return s.count <= s.opts.PerMinute
}

func read(w http.ResponseWriter, r *http.Request) (Request, bool) {
	var req Request
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	dec.DisallowUnknownFields()
	err := dec.Decode(&req)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		fail(w, http.StatusRequestEntityTooLarge, "The request is too large.")
	case err != nil:
		fail(w, http.StatusBadRequest, "The request is not JSON of the form that /openapi.json describes.")
	case strings.TrimSpace(req.Query) == "":
		fail(w, http.StatusBadRequest, "The request holds no query.")
	default:
		return req, true
	}
	return req, false
}

// turn waits until the models are free.
func (s *server) turn(ctx context.Context) (free func(), err error) {
	return func() { <-s.one }, s.step(ctx, "wait for the models", func(ctx context.Context) error {
		select {
		case s.one <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

func (s *server) search(w http.ResponseWriter, r *http.Request) {
	s.reply(w, r, "search", s.engine.Search)
}

func (s *server) ask(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		s.stream(w, r)
		return
	}
	s.reply(w, r, "ask", func(ctx context.Context, req Request) (any, error) { return s.engine.Ask(ctx, req, func(any) {}) })
}

func (s *server) reply(w http.ResponseWriter, r *http.Request, name string, do func(context.Context, Request) (any, error)) {
	req, ok := read(w, r)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	free, err := s.turn(ctx)
	if err == nil {
		defer free()
		var out any
		err = s.step(ctx, name, func(ctx context.Context) (err error) {
			out, err = do(ctx, req)
			return err
		})
		if err == nil {
			answer(w, http.StatusOK, out)
			return
		}
	}
	fail(w, statusOf(err), audit.SentenceOf(err))
}

// stream tells each sentence as an event, then the whole answer.
func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	req, ok := read(w, r)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	free, err := s.turn(ctx)
	if err != nil {
		fail(w, statusOf(err), audit.SentenceOf(err))
		return
	}
	defer free()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	send := func(event string, v any) {
		data, err := json.Marshal(v)
		if err == nil {
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
			http.NewResponseController(w).Flush() //nolint:errcheck // the client has gone
		}
	}
	var out any
	err = s.step(ctx, "ask", func(ctx context.Context) (err error) {
		out, err = s.engine.Ask(ctx, req, func(sentence any) { send("sentence", sentence) })
		return err
	})
	if err != nil {
		send("error", map[string]string{"error": audit.SentenceOf(err)})
		return
	}
	send("answer", out)
}

func statusOf(err error) int {
	switch audit.CodeOf(err) {
	case audit.CodeInput, audit.CodeUsage:
		return http.StatusBadRequest
	case audit.CodeMissing, audit.CodeModelMissing:
		return http.StatusServiceUnavailable
	case audit.CodeDeadline, audit.CodeCancelled:
		return http.StatusGatewayTimeout
	}
	return http.StatusInternalServerError
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.Encode(v) //nolint:errcheck // the client has gone
}

func fail(w http.ResponseWriter, status int, sentence string) {
	answer(w, status, map[string]string{"error": sentence})
}
