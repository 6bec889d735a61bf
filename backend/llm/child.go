package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

const (
	startTimeout = 30 * time.Second
	stopTimeout  = 4 * time.Second // for a server that is asked to stop
	logTail      = 8 << 10
)

// child is an Ollama server that this process started.
type child struct {
	cmd    *exec.Cmd
	kill   context.CancelFunc // kills its process group
	done   chan struct{}
	client *api.Client
	base   *url.URL
	log    *proc.Tail
	file   *os.File
}

// startChild starts a server on a free loopback port and waits until it
// answers. Another program may take the port in between; then another is tried.
func startChild(ctx context.Context, binary string, opts ServerOptions, hc *http.Client) (*child, error) {
	var err error
	for range 3 {
		var c *child
		if c, err = tryChild(ctx, binary, opts, hc); err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, errEnded) {
			break
		}
	}
	return nil, err
}

func tryChild(ctx context.Context, binary string, opts ServerOptions, hc *http.Client) (*child, error) {
	port, err := freePort(ctx)
	if err != nil {
		return nil, audit.Wrap(cause(ErrServer, err), audit.CodeModel, "No port is free for the Ollama server")
	}
	for _, dir := range []string{filepath.Join(opts.Dir, "models"), filepath.Join(opts.Dir, "home")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, audit.Wrap(err, audit.CodeStorage, "The folder for the Ollama server cannot be made")
		}
	}
	// The server outlives the call that starts it; stop or the end of this
	// process ends it.
	life, kill := context.WithCancel(context.Background())
	c := &child{kill: kill, done: make(chan struct{}), log: proc.NewTail(logTail)}
	c.base = &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", port)}
	c.client = api.NewClient(c.base, hc)
	c.cmd = proc.Command(life, binary, "serve")
	gentleDeath(c.cmd)
	c.cmd.Env = childEnv(os.Environ(), c.base.Host, opts.Dir)
	var out io.Writer = c.log
	if opts.LogFile != "" {
		if c.file, err = os.Create(opts.LogFile); err == nil {
			out = io.MultiWriter(c.log, c.file)
		}
	}
	c.cmd.Stdout, c.cmd.Stderr = out, out
	wait, err := proc.Start(c.cmd)
	if err != nil {
		kill()
		return nil, audit.Wrap(cause(ErrNoServer, err), audit.CodeMissing, "Ollama could not be started from %s", binary)
	}
	go func() {
		_ = wait()
		kill() // its runners go with it, however it ended
		killGroup(c.cmd)
		if c.file != nil {
			_ = c.file.Close()
		}
		close(c.done)
	}()
	if err := c.ready(ctx); err != nil {
		_ = c.stop()
		return nil, err
	}
	return c, nil
}

// ready waits until the server answers.
func (c *child) ready(ctx context.Context) error {
	limit, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := c.client.Heartbeat(limit); err == nil {
			return nil
		}
		select {
		case <-c.done:
			return audit.Wrap(cause(ErrServer, errEnded), audit.CodeModel, "The Ollama server ended as soon as it was started").
				WithDetails(c.log.String())
		case <-limit.Done():
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return audit.Wrap(ErrServer, audit.CodeModel, "The Ollama server did not answer within %s", startTimeout).
				WithDetails(c.log.String())
		case <-tick.C:
		}
	}
}

func (c *child) alive() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// stop asks the server to end, which also ends its runners, and kills the
// whole group where it does not.
func (c *child) stop() error {
	if !c.alive() {
		return nil
	}
	terminate(c.cmd)
	select {
	case <-c.done:
		return nil
	case <-time.After(stopTimeout):
	}
	c.kill()
	select {
	case <-c.done:
		return nil
	case <-time.After(stopTimeout):
		return fmt.Errorf("stop ollama: process %d does not end", c.cmd.Process.Pid)
	}
}

// childEnv is the environment of a server of ours: small machines first, no
// cloud, and nothing written into the user's home.
func childEnv(env []string, host, dir string) []string {
	set := []string{
		"OLLAMA_HOST=" + host,
		"OLLAMA_MODELS=" + filepath.Join(dir, "models"),
		"HOME=" + filepath.Join(dir, "home"), // keys and settings of its own
		"OLLAMA_KEEP_ALIVE=15m",
		"OLLAMA_NUM_PARALLEL=1",
		"OLLAMA_MAX_LOADED_MODELS=1",
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NOHISTORY=1",
		"OLLAMA_LOAD_TIMEOUT=5m",
	}
	out := make([]string, 0, len(env)+len(set))
	for _, kv := range env {
		key, _, _ := strings.Cut(kv, "=")
		overridden := false
		for _, s := range set {
			overridden = overridden || strings.HasPrefix(s, key+"=")
		}
		if !overridden {
			out = append(out, kv)
		}
	}
	return append(out, set...)
}

// freePort asks the kernel for a port that nobody listens on.
func freePort(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
