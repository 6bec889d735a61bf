package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// tick is the least time between two updates of one run.
const tick = 100 * time.Millisecond

// runs is the queue: one audit works, the others wait their turn. Requests
// that have not ended are kept in a file, so that closing the window, or a
// crash, loses none of them.
type runs struct {
	auditor Auditor
	prefs   *prefs
	emit    func(event string, data any)

	mu     sync.Mutex
	order  []*run
	nextID int
	wake   chan struct{}
}

// run is one entry of the queue. Its fields are guarded by the queue's mutex.
type run struct {
	view    Run
	request NewAudit
	started time.Time
	cancel  context.CancelFunc // set while it works
	sentSeg int                // how many segments and findings were sent
	sentFnd int
	changed bool
}

const queueFile = "queue.json"

func newRuns(auditor Auditor, p *prefs, emit func(string, any)) *runs {
	return &runs{auditor: auditor, prefs: p, emit: emit, wake: make(chan struct{}, 1)}
}

// resume puts back what had not ended when the program did.
func (q *runs) resume() error {
	var pending []NewAudit
	if err := q.prefs.load(queueFile, &pending); err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	for _, req := range pending {
		if _, err := q.add(req); err != nil {
			return err
		}
	}
	return nil
}

// add queues a request and gives the run's id.
func (q *runs) add(req NewAudit) (string, error) {
	if req.Title == "" {
		req.Title = titleOf(req.Path)
	}
	q.mu.Lock()
	q.nextID++
	r := &run{request: req, view: Run{
		ID: fmt.Sprintf("run-%d", q.nextID), Path: req.Path, Title: req.Title,
		Facts: req.Facts.WithDefaults(), State: RunQueued, Stages: freshStages(),
		Segments: []audit.Segment{}, Findings: []audit.Finding{},
	}, changed: true}
	q.order = append(q.order, r)
	q.mu.Unlock()

	select {
	case q.wake <- struct{}{}:
	default:
	}
	q.flush()
	return r.view.ID, q.keep()
}

// keep writes the requests that have not ended.
func (q *runs) keep() error {
	q.mu.Lock()
	pending := []NewAudit{}
	for _, r := range q.order {
		if r.view.State == RunQueued || r.view.State == RunWorking {
			pending = append(pending, r.request)
		}
	}
	q.mu.Unlock()
	return q.prefs.save(queueFile, pending)
}

// work runs the queue until ctx ends.
func (q *runs) work(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	done := make(chan struct{}, 1)
	busy := false
	for {
		if !busy {
			if r := q.next(); r != nil {
				busy = true
				go func() {
					q.do(ctx, r)
					done <- struct{}{}
				}()
			}
		}
		select {
		case <-ctx.Done():
			if busy {
				<-done
			}
			return
		case <-done:
			busy = false
			q.flush()
		case <-q.wake:
		case <-ticker.C:
			q.flush()
		}
	}
}

// next gives the oldest run that waits.
func (q *runs) next() *run {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.order {
		if r.view.State == RunQueued {
			return r
		}
	}
	return nil
}

func (q *runs) do(parent context.Context, r *run) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	q.mu.Lock()
	if r.view.State != RunQueued { // cancelled meanwhile
		q.mu.Unlock()
		return
	}
	r.view.State, r.started, r.cancel, r.changed = RunWorking, time.Now(), cancel, true
	req := Request{Path: r.request.Path, Facts: r.request.Facts, AsOf: r.request.AsOf, Fresh: r.request.Fresh}
	q.mu.Unlock()

	result, err := q.auditor.Audit(ctx, req, func(e pipeline.Event) { q.observe(r, e) })

	q.mu.Lock()
	r.cancel = nil
	r.changed = true
	r.view.Elapsed = time.Since(r.started).Milliseconds()
	r.view.Left = 0
	switch {
	case err == nil:
		r.view.State, r.view.AuditID, r.view.Share = RunDone, result.ID, 1
	case parent.Err() != nil:
		// The program ends: the request stays in the queue file and goes on
		// next time.
		q.mu.Unlock()
		return
	case audit.CodeOf(err) == audit.CodeCancelled:
		r.view.State = RunCancelled
	default:
		r.view.State, r.view.Problem = RunFailed, ProblemOf(err)
	}
	q.mu.Unlock()
	if err := q.keep(); err != nil {
		q.mu.Lock()
		r.view.Problem = ProblemOf(err)
		q.mu.Unlock()
	}
	q.flush()
	q.emit(EventLibrary, nil)
}

// observe takes in what a stage tells. It is called from many goroutines.
func (q *runs) observe(r *run, e pipeline.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case e.Progress != nil:
		i := slices.IndexFunc(r.view.Stages, func(p pipeline.Progress) bool { return p.Stage == e.Progress.Stage })
		if i < 0 {
			r.view.Stages = append(r.view.Stages, *e.Progress)
		} else {
			r.view.Stages[i] = *e.Progress
		}
	case e.Segment != nil:
		r.view.Segments = append(r.view.Segments, *e.Segment)
	case e.Finding != nil:
		r.view.Findings = append(r.view.Findings, *e.Finding)
	case e.Video != nil:
		v := *e.Video
		r.view.Video = &v
		if v.Title != "" && r.request.Title == titleOf(r.request.Path) {
			r.view.Title = v.Title
		}
	}
	r.changed = true
}

// flush sends an update for every run that changed, or whose clock runs.
func (q *runs) flush() {
	q.mu.Lock()
	var updates []RunUpdate
	for _, r := range q.order {
		if r.view.State == RunWorking {
			if now := time.Since(r.started).Milliseconds(); now/1000 != r.view.Elapsed/1000 {
				r.view.Elapsed, r.changed = now, true
			}
			r.view.Share = max(r.view.Share, shareOf(r.view.Stages)) // a bar never goes back
			r.view.Left = leftOf(r.view.Stages).Milliseconds()
		}
		if !r.changed {
			continue
		}
		updates = append(updates, RunUpdate{
			ID: r.view.ID, State: r.view.State, Stages: slices.Clone(r.view.Stages), Video: r.view.Video,
			SegmentsFrom: r.sentSeg, Segments: append([]audit.Segment{}, r.view.Segments[r.sentSeg:]...),
			FindingsFrom: r.sentFnd, Findings: append([]audit.Finding{}, r.view.Findings[r.sentFnd:]...),
			Share: r.view.Share, Elapsed: r.view.Elapsed, Left: r.view.Left,
			AuditID: r.view.AuditID, Problem: r.view.Problem,
		})
		r.sentSeg, r.sentFnd, r.changed = len(r.view.Segments), len(r.view.Findings), false
	}
	q.mu.Unlock()
	for _, u := range updates {
		q.emit(EventRun, u)
	}
}

// list gives every run as it stands.
func (q *runs) list() []Run {
	q.mu.Lock()
	defer q.mu.Unlock()
	views := make([]Run, 0, len(q.order))
	for _, r := range q.order {
		v := r.view
		v.Stages = slices.Clone(v.Stages)
		v.Segments = slices.Clone(v.Segments)
		v.Findings = slices.Clone(v.Findings)
		views = append(views, v)
	}
	return views
}

// stop cancels a run that works, and takes one that waits out of the queue.
func (q *runs) stop(id string) error {
	q.mu.Lock()
	i := slices.IndexFunc(q.order, func(r *run) bool { return r.view.ID == id })
	if i < 0 {
		q.mu.Unlock()
		return audit.Errorf(audit.CodeUsage, "This audit is not in the queue any more.")
	}
	r := q.order[i]
	switch {
	case r.cancel != nil:
		r.cancel()
	case r.view.State == RunQueued:
		r.view.State, r.changed = RunCancelled, true
	}
	q.mu.Unlock()
	q.flush()
	return q.keep()
}

// drop forgets a run that has ended.
func (q *runs) drop(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.order = slices.DeleteFunc(q.order, func(r *run) bool {
		return r.view.ID == id && r.view.State != RunQueued && r.view.State != RunWorking
	})
}

// busy counts the runs that have not ended.
func (q *runs) busy() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for _, r := range q.order {
		if r.view.State == RunQueued || r.view.State == RunWorking {
			n++
		}
	}
	return n
}

func titleOf(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
