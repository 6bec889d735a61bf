package infer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/options"

	"veristream/backend/audit"
)

// Options say where onnxruntime is and how much of the machine to use.
type Options struct {
	// LibraryDirs are folders in which libonnxruntime.so may lie, the nearest first.
	LibraryDirs []string
	// Threads bounds how many texts run at once; 0 means the physical cores.
	Threads int
}

// Runtime is the process's onnxruntime. Make one, and close it at the end.
type Runtime struct {
	opts Options

	mu      sync.Mutex // guards session and the loading of models
	session *hugot.Session
	loaded  int // pipelines so far: each needs a name of its own
	closed  bool
}

// New makes a runtime; nothing is opened yet.
func New(opts Options) *Runtime {
	if opts.Threads <= 0 {
		opts.Threads = PhysicalCores()
	}
	return &Runtime{opts: opts}
}

// Close frees the models and the library.
func (r *Runtime) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.session == nil {
		return nil
	}
	err := r.session.Destroy()
	r.session = nil
	if err != nil {
		return fmt.Errorf("close onnxruntime: %w", err)
	}
	return nil
}

// Library gives the folder in which onnxruntime was found.
func (r *Runtime) Library() (string, error) {
	for _, dir := range r.opts.LibraryDirs {
		if info, err := os.Stat(filepath.Join(dir, LibraryName)); err == nil && info.Mode().IsRegular() {
			return filepath.Abs(dir)
		}
	}
	return "", audit.Errorf(audit.CodeMissing,
		"onnxruntime (%s) is not installed. Run build/setup, or install VeriStream again.", LibraryName)
}

// open opens the library; r.mu is held.
func (r *Runtime) open() (*hugot.Session, error) {
	if r.closed {
		return nil, errors.New("onnxruntime is closed")
	}
	if r.session != nil {
		return r.session, nil
	}
	dir, err := r.Library()
	if err != nil {
		return nil, err
	}
	// One thread a text and no spinning: several texts run at once, and an
	// idle thread must not burn a laptop's battery.
	session, err := hugot.NewORTSession(options.WithOnnxLibraryPath(dir), options.WithIntraOpNumThreads(1),
		options.WithInterOpNumThreads(1), options.WithIntraOpSpinning(false))
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeModel, "onnxruntime in %s cannot be opened.", dir)
	}
	r.session = session
	return session, nil
}

// load makes one pipeline for each text that may run at once. They share the
// model; what is their own are counters that must not be raced for.
func load[T any](ctx context.Context, r *Runtime, m model, make1 func(s *hugot.Session, name string) (T, error)) (free chan T, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	session, err := r.open()
	if err != nil {
		return nil, err
	}
	// A model that cannot be loaded leaves the process in its folder.
	if here, wdErr := os.Getwd(); wdErr == nil {
		defer func() { err = errors.Join(err, os.Chdir(here)) }()
	}
	free = make(chan T, r.opts.Threads)
	for range r.opts.Threads {
		r.loaded++
		p, err := make1(session, fmt.Sprintf("%s#%d", m.id, r.loaded))
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeModel, "The model in %s cannot be loaded. Run veristream models verify.", m.dir)
		}
		free <- p
	}
	return free, nil
}

// each runs f for every index, in the order given, on as many pipelines as are
// free. It stops at the first failure or when ctx ends.
func each[T any](ctx context.Context, free chan T, order []int, f func(p T, i int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	defer wg.Wait()
	next := make(chan int)
	for range min(cap(free), len(order)) {
		wg.Go(func() {
			for i := range next {
				select {
				case p := <-free:
					err := f(p, i)
					free <- p
					if err != nil {
						stop(err)
					}
				case <-ctx.Done():
				}
			}
		})
	}
	for _, i := range order {
		// Asked by itself first: a select may also take the other branch.
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}
