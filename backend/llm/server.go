package llm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"

	"veristream/backend/audit"
)

// ServerOptions say where a server may be found, or how one is started.
type ServerOptions struct {
	Host        string   // as in OLLAMA_HOST; empty: Ollama's usual address
	Binaries    []string // programs to start where none answers, the first that exists
	Dir         string   // models and keys of a server that we start
	LogFile     string   // its log; empty: the end of it is kept for errors
	AllowRemote bool     // Host may be another computer
}

// Server is an Ollama server: one that was running, or a child of ours. It is
// looked for when it is first needed, and again when it is gone.
type Server struct {
	opts ServerOptions
	http *http.Client

	mu     sync.Mutex
	client *api.Client
	base   *url.URL
	child  *child
}

// NewServer prepares a server; nothing is started yet.
func NewServer(opts ServerOptions) *Server {
	// No proxy: the address is this computer's.
	return &Server{opts: opts, http: &http.Client{Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     time.Minute,
	}}}
}

// probeTimeout is how long a server may take to say that it is there.
const probeTimeout = 2 * time.Second

// Connect gives a client of a server that answers. A child that has died is
// replaced by a new one.
func (s *Server) Connect(ctx context.Context) (*api.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil && (s.child == nil || s.child.alive()) {
		return s.client, nil
	}
	s.client, s.base = nil, nil
	base, err := hostURL(s.opts.Host)
	if err != nil {
		return nil, err
	}
	if !isLoopback(base) && !s.opts.AllowRemote {
		return nil, audit.Wrap(ErrRemote, audit.CodeUsage,
			"OLLAMA_HOST names another computer (%s), and nothing may leave this one; unset it, or run Ollama here", base.Host)
	}
	client := api.NewClient(base, s.http)
	probe, cancel := context.WithTimeout(ctx, probeTimeout)
	err = client.Heartbeat(probe)
	cancel()
	if err == nil {
		s.client, s.base = client, base
		return client, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.start(ctx, base, err)
}

// start runs a server of our own.
func (s *Server) start(ctx context.Context, asked *url.URL, probe error) (*api.Client, error) {
	binary := ""
	for _, b := range s.opts.Binaries {
		if st, err := os.Stat(b); err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0 {
			binary = b
			break
		}
	}
	if binary == "" {
		return nil, audit.Wrap(cause(ErrNoServer, fmt.Errorf("ask %s: %w", asked.Host, probe)), audit.CodeMissing,
			"The language model needs Ollama, which is neither running nor installed (run: veristream doctor)")
	}
	c, err := startChild(ctx, binary, s.opts, s.http)
	if err != nil {
		return nil, err
	}
	s.child, s.client, s.base = c, c.client, c.base
	return c.client, nil
}

// forget drops a server that did not answer, so that the next call looks anew.
func (s *Server) forget(client *api.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != client || s.child != nil && s.child.alive() {
		return
	}
	s.client = nil
}

// Close stops the server if it is ours.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = nil
	s.http.CloseIdleConnections()
	if s.child == nil {
		return nil
	}
	err := s.child.stop()
	s.child = nil
	return err
}

// State describes the server for a person.
type State struct {
	Address string
	Version string
	Ours    bool // started by this process
}

// State connects and says what answered.
func (s *Server) State(ctx context.Context) (State, error) {
	client, err := s.Connect(ctx)
	if err != nil {
		return State{}, err
	}
	version, err := client.Version(ctx)
	if err != nil {
		return State{}, explain(ctx, err, "", 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	st := State{Version: version, Ours: s.child != nil}
	if s.base != nil {
		st.Address = s.base.Host
	}
	return st, nil
}

// hostURL reads an address as OLLAMA_HOST gives it: host, host:port or a URL.
// An address to listen on everywhere is asked on this computer.
func hostURL(host string) (*url.URL, error) {
	host = strings.Trim(strings.TrimSpace(host), `"'`)
	if host == "" {
		host = "127.0.0.1"
	}
	port := "11434"
	if scheme, _, ok := strings.Cut(host, "://"); !ok {
		host = "http://" + host
	} else if scheme == "http" {
		port = "80"
	} else if scheme == "https" {
		port = "443"
	}
	u, err := url.Parse(host)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, audit.Errorf(audit.CodeUsage, "OLLAMA_HOST is not an address: %q.", host)
	}
	name := u.Hostname()
	if ip := net.ParseIP(name); ip != nil && ip.IsUnspecified() {
		name = "127.0.0.1"
	}
	if u.Port() != "" {
		port = u.Port()
	}
	u.Host = net.JoinHostPort(name, port)
	return u, nil
}

func isLoopback(u *url.URL) bool {
	if u.Hostname() == "localhost" {
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return ip != nil && ip.IsLoopback()
}

// Has reports whether the server keeps a model of that name.
func (s *Server) Has(ctx context.Context, ref string) (bool, error) {
	client, err := s.Connect(ctx)
	if err != nil {
		return false, err
	}
	m, err := findModel(ctx, client, ref)
	return m != nil, explain(ctx, err, ref, 0)
}

// Pull lets the server download a model of Ollama's library.
func (s *Server) Pull(ctx context.Context, ref string, report func(done, total int64)) error {
	client, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	// Layers are reported one by one; their sum is the model.
	done, total := map[string]int64{}, map[string]int64{}
	err = client.Pull(ctx, &api.PullRequest{Model: ref}, func(p api.ProgressResponse) error {
		if p.Digest == "" {
			return nil
		}
		done[p.Digest], total[p.Digest] = p.Completed, p.Total
		var d, t int64
		for k := range total {
			d, t = d+done[k], t+total[k]
		}
		report(d, t)
		return nil
	})
	if err != nil && ctx.Err() == nil && !lostServer(err) {
		return audit.Wrap(err, audit.CodeNetwork, "Ollama could not download %s", ref)
	}
	return explain(ctx, err, ref, 0)
}

// findModel gives the server's entry of a name; nil where there is none.
func findModel(ctx context.Context, client *api.Client, name string) (*api.ListModelResponse, error) {
	list, err := client.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	if !strings.Contains(filepath.Base(name), ":") {
		name += ":latest"
	}
	for i := range list.Models {
		if list.Models[i].Name == name {
			return &list.Models[i], nil
		}
	}
	return nil, nil
}

// errEnded says that a child ended before it answered.
var errEnded = errors.New("ollama ended")
