// Package desk fits package core to the window: it gives the window's services
// the parts of core in the shapes that they ask for.
package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"sync/atomic"

	"veristream/app"
	"veristream/app/batch"
	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/app/texts"
	"veristream/app/window"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/pipeline"
	"veristream/backend/store"
	"veristream/models"
)

// Options say what the window shows.
type Options struct {
	Version string
	Dirs    dirs.Dirs
	Assets  fs.FS    // the built front end
	Prompts fs.FS    // the texts of the language model's prompts
	Open    []string // paths or addresses to begin with
	// Models change how models are found and fetched; none: those of the program,
	// from their publishers.
	Models []models.Option
}

// Run shows the window and returns when it is closed.
func Run(ctx context.Context, o Options) error {
	if err := o.Dirs.Make(); err != nil {
		return err
	}
	d := begin(ctx, o)
	shown := window.Run(ctx, d.parts(), window.Options{
		Version: o.Version, Assets: o.Assets, DataDir: o.Dirs.Data, Dir: windowDir(o.Dirs), Open: o.Open,
	})
	if err := errors.Join(shown, d.close()); err != nil {
		return fmt.Errorf("run the window: %w", err)
	}
	return nil
}

// windowDir is where the window keeps its own small files.
func windowDir(d dirs.Dirs) string { return filepath.Join(d.Data, "window") }

// desk is core, which opens while the window already shows itself.
type desk struct {
	dirs    dirs.Dirs
	version string
	prompts fs.FS
	models  []models.Option
	opened  chan struct{}
	core    *core.Core // after opened
	err     error      // after opened

	mu     sync.Mutex
	probed map[string]media.ProbeInfo // by path
	videos map[string]audit.Video     // by digest
	books  map[string]*texts.Book     // by set and text
	asking *core.Answers              // made when the first question comes
	copies sync.Mutex                 // one playback copy at a time

	stale atomic.Bool  // models have come, gone or been chosen since core looked
	using sync.RWMutex // held while core works with its models
}

func begin(ctx context.Context, o Options) *desk {
	d := &desk{
		dirs: o.Dirs, version: o.Version, prompts: o.Prompts, models: o.Models, opened: make(chan struct{}),
		probed: map[string]media.ProbeInfo{}, videos: map[string]audit.Video{}, books: map[string]*texts.Book{},
	}
	go func() {
		defer close(d.opened)
		if d.core, d.err = core.Open(ctx, core.Options{Dirs: o.Dirs, Version: o.Version, Models: o.Models}); d.err == nil {
			d.err = d.core.CloseInterrupted(ctx)
		}
	}()
	return d
}

func (d *desk) parts() app.Parts {
	return app.Parts{
		Auditor: d, Prober: d, Archive: d, Record: d, Pictures: d, Exporter: d, Inspector: d, Switch: d, Namer: d, Comparer: d, Corrector: d, Keeper: d,
		Queue: d.queue, Asker: d, Rulebook: d, Importer: d, Approver: d, Equipment: d, Hinter: d,
	}
}

// ready waits until core is open.
func (d *desk) ready(ctx context.Context) (*core.Core, error) {
	select {
	case <-d.opened:
		return d.core, d.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *desk) close() error {
	<-d.opened
	if d.core == nil {
		return nil
	}
	return d.core.Close()
}

// queue implements app.QueueFunc.
func (d *desk) queue(ctx context.Context) (*batch.Queue, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	return &batch.Queue{Store: c.Store, Dirs: d.dirs}, nil
}

// Audit implements app.Auditor.
func (d *desk) Audit(ctx context.Context, req app.Request, observe pipeline.Observer) (audit.Result, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return audit.Result{}, err
	}
	release, err := d.hold(ctx, c)
	if err != nil {
		return audit.Result{}, err
	}
	defer release()
	r, err := c.Audit(ctx, core.JobOf(store.Job{Input: req.Path, Title: req.Title}, batch.Request{
		Facts: req.Facts, AsOf: req.AsOf, Language: req.Language, NoLLM: req.NoLLM, Fresh: req.Fresh, Admit: req.Admit,
	}), observe)
	if err != nil {
		return audit.Result{}, err
	}
	return *r, nil
}

// Probe implements app.Prober. A transcript has no picture, and the length of
// its last line.
func (d *desk) Probe(ctx context.Context, path string) (audit.Video, error) {
	if !media.IsTranscript(path) {
		v, info, err := media.Probe(ctx, path)
		if err != nil {
			return audit.Video{}, err
		}
		d.remember(info)
		return v, nil
	}
	segments, err := media.ReadSubtitles(path, audit.Speech)
	if err != nil {
		return audit.Video{}, err
	}
	v := audit.Video{Path: path}
	for _, s := range segments {
		v.DurationMS = max(v.DurationMS, s.EndMS)
	}
	return v, nil
}
