package app

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"veristream/backend/audit"
)

// downloads brings models one after the other. What has not come yet is kept in
// a file, so that closing the window, or a crash, loses nothing: the parts that
// have come stay on the disk, and the next start goes on.
type downloads struct {
	equipment Equipment
	prefs     *prefs
	emit      func(event string, data any)

	mu   sync.Mutex
	all  []*download
	wake chan struct{}
}

type download struct {
	Download
	cancel context.CancelFunc // set while it runs
}

// kept is how a download stands in the file.
type kept struct {
	Name   string `json:"name"`
	Paused bool   `json:"paused,omitempty"`
}

const downloadsFile = "downloads.json"

func newDownloads(e Equipment, p *prefs, emit func(string, any)) *downloads {
	return &downloads{equipment: e, prefs: p, emit: emit, wake: make(chan struct{}, 1)}
}

// resume puts back what had not come when the program ended.
func (d *downloads) resume() error {
	var have []kept
	if err := d.prefs.load(downloadsFile, &have); err != nil {
		return fmt.Errorf("read the downloads: %w", err)
	}
	d.mu.Lock()
	for _, k := range have {
		state := DownloadWaits
		if k.Paused {
			state = DownloadPaused
		}
		d.all = append(d.all, &download{Download: Download{Name: k.Name, State: state}})
	}
	d.mu.Unlock()
	d.stir()
	return nil
}

// stir lets work look for the next one.
func (d *downloads) stir() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// list gives every download as it stands.
func (d *downloads) list() []Download {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]Download, 0, len(d.all))
	for _, one := range d.all {
		out = append(out, one.Download)
	}
	return out
}

func (d *downloads) find(name string) *download {
	i := slices.IndexFunc(d.all, func(o *download) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return d.all[i]
}

func (d *downloads) running(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	one := d.find(name)
	return one != nil && one.State == DownloadRuns
}

// add queues models; one that failed or was paused goes on.
func (d *downloads) add(names []string) error {
	d.mu.Lock()
	for _, name := range names {
		one := d.find(name)
		switch {
		case one == nil:
			d.all = append(d.all, &download{Download: Download{Name: name, State: DownloadWaits}})
		case one.State != DownloadRuns:
			one.State, one.Problem = DownloadWaits, nil
		}
	}
	d.mu.Unlock()
	d.stir()
	return d.changed()
}

func (d *downloads) pause(name string) error {
	d.mu.Lock()
	one := d.find(name)
	if one == nil {
		d.mu.Unlock()
		return audit.Errorf(audit.CodeUsage, "%s is not being downloaded.", name)
	}
	if one.State == DownloadWaits || one.State == DownloadRuns {
		one.State = DownloadPaused
	}
	if one.cancel != nil {
		one.cancel()
	}
	d.mu.Unlock()
	return d.changed()
}

func (d *downloads) forget(name string) error {
	d.mu.Lock()
	if one := d.find(name); one != nil {
		if one.cancel != nil {
			one.cancel()
		}
		d.all = slices.DeleteFunc(d.all, func(o *download) bool { return o == one })
	}
	d.mu.Unlock()
	return d.changed()
}

// changed keeps what has not come and tells of all.
func (d *downloads) changed() error {
	d.mu.Lock()
	have := []kept{}
	for _, one := range d.all {
		if one.State != DownloadDone {
			have = append(have, kept{Name: one.Name, Paused: one.State == DownloadPaused})
		}
	}
	d.mu.Unlock()
	d.emit(EventDownloads, d.list())
	return d.prefs.save(downloadsFile, have)
}

// work brings one model after the other until ctx ends.
func (d *downloads) work(ctx context.Context) {
	for {
		one := d.next()
		if one == nil {
			select {
			case <-ctx.Done():
				return
			case <-d.wake:
			}
			continue
		}
		d.bring(ctx, one)
		if ctx.Err() != nil {
			return
		}
	}
}

func (d *downloads) next() *download {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.all, func(o *download) bool { return o.State == DownloadWaits })
	if i < 0 {
		return nil
	}
	return d.all[i]
}

func (d *downloads) bring(parent context.Context, one *download) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	d.mu.Lock()
	if one.State != DownloadWaits {
		d.mu.Unlock()
		return
	}
	one.State, one.cancel, one.Problem = DownloadRuns, cancel, nil
	d.mu.Unlock()
	d.emit(EventDownloads, d.list())

	var last time.Time
	err := d.equipment.PullModel(ctx, one.Name, func(p ModelProgress) {
		d.mu.Lock()
		moved := p.Stage != one.Progress.Stage || time.Since(last) >= tick
		one.Progress = p
		if moved {
			last = time.Now()
		}
		d.mu.Unlock()
		if moved {
			d.emit(EventDownloads, d.list())
		}
	})
	d.mu.Lock()
	one.cancel = nil
	switch {
	case err == nil:
		one.State = DownloadDone
	case parent.Err() != nil:
		one.State = DownloadWaits // the program ends; the next start goes on
	case one.State == DownloadPaused:
	default:
		one.State, one.Problem = DownloadFailed, ProblemOf(err)
	}
	d.mu.Unlock()
	if err := d.changed(); err != nil {
		d.mu.Lock()
		one.Problem = ProblemOf(err)
		d.mu.Unlock()
	}
	if err == nil {
		d.emit(EventModels, nil)
	}
}
