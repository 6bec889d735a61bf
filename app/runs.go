package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/app/batch"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/store"
)

// tick is the least time between two updates of one run, lookAgain that between
// two looks at the queue: the command line may have changed it.
const (
	tick      = 100 * time.Millisecond
	lookAgain = time.Second
)

// runs makes the audits of the queue one after another and tells how they go.
// The queue lies in the database, so that closing the window, or a crash, loses
// none of them; what is kept here is how the runs of this session go.
type runs struct {
	ctx     context.Context // ends with the program
	auditor Auditor
	open    QueueFunc
	prefs   *prefs
	emit    func(event string, data any)
	pending []NewAudit // of an earlier version; only work's goroutine uses it once the program runs

	mu    sync.Mutex
	order []*run
	jobs  []store.Job // as they were last told
	wake  chan struct{}
}

// run is one job of the queue, as far as this session knows of it. Its fields
// are guarded by the mutex of runs.
type run struct {
	view    Run
	started time.Time
	cancel  context.CancelFunc // set while it works here
	sentSeg int                // how many segments and findings were sent
	sentFnd int
	changed bool
}

// queueFile is where earlier versions kept what had not ended.
const queueFile = "queue.json"

func newRuns(ctx context.Context, auditor Auditor, open QueueFunc, p *prefs, emit func(string, any)) *runs {
	return &runs{ctx: ctx, auditor: auditor, open: open, prefs: p, emit: emit, wake: make(chan struct{}, 1)}
}

// queue gives the queue, once the database is open.
func (q *runs) queue() (*batch.Queue, error) {
	b, err := q.open(q.ctx)
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return b, nil
}

// old reads what an earlier version had not ended; it is queued when the
// database is open.
func (q *runs) old() error {
	if err := q.prefs.load(queueFile, &q.pending); err != nil {
		return fmt.Errorf("read the queue of an earlier version: %w", err)
	}
	return nil
}

// takeOver queues what an earlier version had not ended.
func (q *runs) takeOver() {
	for len(q.pending) > 0 {
		if _, err := q.add(q.pending[0]); err != nil {
			return // the file stays as it is, for the next start
		}
		q.pending = q.pending[1:]
		if err := q.prefs.save(queueFile, q.pending); err != nil {
			return
		}
	}
}

// add queues a request and gives the run's id.
func (q *runs) add(req NewAudit) (string, error) {
	if req.Title == "" {
		req.Title = titleOf(req.Path)
	}
	b, err := q.queue()
	if err != nil {
		return "", err
	}
	j, err := b.Start(q.ctx, req.Path, req.Title, req.batch())
	if err != nil {
		return "", err
	}
	return j.ID, q.changed()
}

// batch gives the request as the queue keeps it.
func (req NewAudit) batch() batch.Request {
	facts := req.Facts.WithDefaults()
	return batch.Request{Facts: &facts, AsOf: req.AsOf, Fresh: req.Fresh, Admit: req.Admit}
}

// changed looks at the queue again and sees to it that work goes on.
func (q *runs) changed() error {
	err := q.sync()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	q.flush()
	return err
}

// sync takes in how the queue stands. Jobs that ended before this session are no
// runs of it.
func (q *runs) sync() error {
	b, err := q.queue()
	if err != nil {
		return err
	}
	jobs, err := b.Store.Jobs(q.ctx)
	if err != nil {
		return err
	}
	q.mu.Lock()
	known := map[string]*run{}
	for _, r := range q.order {
		known[r.view.ID] = r
	}
	var order []*run
	for _, j := range jobs {
		r, ok := known[j.ID]
		delete(known, j.ID)
		ended := j.State != store.JobQueued && j.State != store.JobWorking
		switch {
		case !ok && ended:
			continue
		case !ok:
			r = newRun(j)
		case r.cancel == nil && RunState(j.State) != r.view.State:
			if j.State == store.JobQueued { // it begins anew
				again := newRun(j)
				again.view.Title = r.view.Title
				r = again
			}
			r.view.State, r.view.AuditID, r.view.Problem, r.changed = RunState(j.State), j.AuditID, problemOfJob(j), true
		}
		order = append(order, r)
	}
	for _, r := range q.order {
		if _, gone := known[r.view.ID]; gone && r.cancel != nil {
			order = append(order, r) // it is on its way out
		}
	}
	q.order = order
	same := slices.EqualFunc(q.jobs, jobs, func(a, b store.Job) bool {
		return a.ID == b.ID && a.State == b.State && a.Priority == b.Priority && a.Title == b.Title && a.Risk == b.Risk
	})
	q.jobs = jobs
	q.mu.Unlock()
	if !same {
		q.emit(EventQueue, nil)
	}
	return nil
}

func newRun(j store.Job) *run {
	r := &run{view: Run{
		ID: j.ID, Path: j.Input, Title: j.Title, Facts: audit.Facts{}.WithDefaults(), State: RunState(j.State), Stages: freshStages(),
		Segments: []audit.Segment{}, Findings: []audit.Finding{}, AuditID: j.AuditID, Problem: problemOfJob(j),
	}, changed: true}
	if req, err := batch.RequestOf(j); err == nil && req.Facts != nil {
		r.view.Facts = req.Facts.WithDefaults()
	}
	return r
}

func problemOfJob(j store.Job) *Problem {
	if j.Problem == nil {
		return nil
	}
	return &Problem{Code: audit.Code(j.Problem.Code), Sentence: j.Problem.Sentence, Said: j.Problem.Said, Details: j.Problem.Details}
}

// work makes the audits of the queue until ctx ends, and looks at the watched
// folders.
func (q *runs) work(ctx context.Context) {
	b, err := q.queue()
	if err != nil {
		return // what opens the database tells it, at the first call that needs it
	}
	q.takeOver()
	watching := sync.WaitGroup{}
	defer watching.Wait()
	watching.Go(func() { _ = (&batch.Watcher{Queue: b}).Run(ctx) }) // a trouble with the database is told by the queue
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	done := make(chan struct{}, 1)
	busy, looked := false, time.Time{}
	for {
		if time.Since(looked) >= lookAgain {
			looked = time.Now()
			_ = q.sync() // the next look may do better; whoever asks for the queue is told
		}
		if !busy {
			if t := q.take(b); t != nil {
				busy = true
				go func() {
					q.do(ctx, t)
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
			busy, looked = false, time.Time{}
		case <-q.wake:
			looked = time.Time{}
		case <-ticker.C:
		}
		q.flush()
	}
}

// take takes the next job, where one waits.
func (q *runs) take(b *batch.Queue) *batch.Taken {
	q.mu.Lock()
	waits := slices.ContainsFunc(q.jobs, func(j store.Job) bool { return j.State == store.JobQueued })
	q.mu.Unlock()
	if !waits {
		return nil
	}
	t, err := b.Take(q.ctx)
	if err != nil {
		return nil // tried again with the next look
	}
	return t
}

func (q *runs) do(parent context.Context, t *batch.Taken) {
	ctx, cancel := t.Watch(parent)
	defer cancel()
	q.mu.Lock()
	i := slices.IndexFunc(q.order, func(r *run) bool { return r.view.ID == t.Job.ID })
	if i < 0 {
		q.order = append(q.order, newRun(t.Job))
		i = len(q.order) - 1
	}
	r := q.order[i]
	r.view.State, r.started, r.cancel, r.changed = RunWorking, time.Now(), cancel, true
	q.mu.Unlock()

	result, err := q.auditor.Audit(ctx, Request{
		Path: t.Job.Input, Title: t.Job.Title, Facts: t.Request.Facts, AsOf: t.Request.AsOf, Language: t.Request.Language,
		NoLLM: t.Request.NoLLM, Fresh: t.Request.Fresh, Admit: t.Request.Admit,
	}, func(e pipeline.Event) { q.observe(r, e) })

	saved := t.End(parent, &result, err, parent.Err() != nil) // closed, it goes on next time
	q.mu.Lock()
	r.cancel, r.changed = nil, true
	r.view.Elapsed, r.view.Left = time.Since(r.started).Milliseconds(), 0
	switch {
	case err == nil:
		r.view.State, r.view.AuditID, r.view.Share = RunDone, result.ID, 1
	case parent.Err() != nil:
		q.mu.Unlock()
		return
	case audit.CodeOf(err) == audit.CodeCancelled:
		r.view.State = RunCancelled
	default:
		r.view.State, r.view.Problem = RunFailed, ProblemOf(err)
	}
	if saved != nil {
		r.view.Problem = ProblemOf(saved)
	}
	q.mu.Unlock()
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
		if v.Title != "" && r.view.Title == batch.TitleOf(r.view.Path) {
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
	b, err := q.queue()
	if err != nil {
		return err
	}
	if err := b.Cancel(q.ctx, id); err != nil {
		return err
	}
	q.mu.Lock()
	for _, r := range q.order {
		if r.view.ID == id && r.cancel != nil {
			r.cancel() // at once, not when its row is looked at
		}
	}
	q.mu.Unlock()
	return q.changed()
}

// drop forgets a run that has ended.
func (q *runs) drop(id string) error {
	b, err := q.queue()
	if err == nil {
		err = b.Remove(q.ctx, id)
	}
	if err != nil && audit.CodeOf(err) != audit.CodeUsage { // gone already, or at work again
		return err
	}
	return q.changed()
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
