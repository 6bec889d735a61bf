package batch

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"veristream/app/files"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// maxCut is how often a job may take its process down with it before it is
// given up, so that one video that kills the program does not do so for ever.
const maxCut = 3

// Taken is a job in the hands of this process. End must follow.
type Taken struct {
	Job     store.Job
	Request Request
	queue   *Queue
	release func()
}

// Take gives the job whose turn it is, or nil where none waits. Jobs whose
// process is gone wait again first.
func (q *Queue) Take(ctx context.Context) (*Taken, error) {
	if err := q.recover(ctx); err != nil {
		return nil, err
	}
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	for _, j := range jobs {
		if j.State != store.JobQueued {
			continue
		}
		release, err := q.hold(j.ID)
		if errors.Is(err, unix.EWOULDBLOCK) {
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := RequestOf(j)
		if err != nil {
			j.State, j.Problem = store.JobFailed, problemOf(err)
			_, err := q.Store.SetJob(ctx, j, store.JobQueued)
			release()
			if err != nil {
				return nil, err
			}
			continue
		}
		j.State = store.JobWorking
		ok, err := q.Store.SetJob(ctx, j, store.JobQueued)
		if err == nil && ok {
			return &Taken{Job: j, Request: r, queue: q, release: release}, nil
		}
		release()
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// Watch gives a context that ends when the job's row says that it is not to go
// on: somebody cancelled it, perhaps from another process.
func (t *Taken) Watch(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			j, err := t.queue.Store.Job(ctx, t.Job.ID)
			if errors.Is(err, store.ErrNotFound) || (err == nil && j.State != store.JobWorking) {
				cancel()
			}
		}
	}()
	return ctx, cancel
}

// End writes how the job ended. closing says that the program ends and not the
// job: then it waits again.
func (t *Taken) End(ctx context.Context, result *audit.Result, err error, closing bool) error {
	defer t.release()
	j := t.Job
	switch {
	case err == nil:
		j.State, j.AuditID, j.Problem, j.Cut = store.JobDone, result.ID, nil, 0
		if result.Video.Title != "" {
			j.Title = result.Video.Title
		}
	case closing:
		j.State = store.JobQueued
	case audit.CodeOf(err) == audit.CodeCancelled:
		j.State = store.JobCancelled
	default:
		j.State, j.Problem = store.JobFailed, problemOf(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second) // the job's own context may be over
	defer cancel()
	_, saveErr := t.queue.Store.SetJob(ctx, j, store.JobWorking) // of one cancelled from elsewhere the row stays
	t.Job = j
	return saveErr
}

// Why a job failed that a person's answer lets go on.
const (
	WhyLimit = "limit" // retry it and admit it
	WhyList  = "list"  // choose which of its videos
)

func problemOf(err error) *store.JobProblem {
	p := &store.JobProblem{Code: string(audit.CodeOf(err)), Sentence: audit.SentenceOf(err), Details: audit.DetailsOf(err)}
	if said := audit.SaidOf(err); said.Key != "" {
		p.Said = &said
	}
	switch {
	case errors.Is(err, media.ErrLimit):
		p.Why = WhyLimit
	case errors.Is(err, media.ErrList):
		p.Why = WhyList
	}
	return p
}

// recover lets jobs wait again whose process ended before they did.
func (q *Queue) recover(ctx context.Context) error {
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if j.State != store.JobWorking {
			continue
		}
		release, err := q.hold(j.ID)
		if errors.Is(err, unix.EWOULDBLOCK) {
			continue // its process lives
		}
		if err != nil {
			return err
		}
		if j.Cut++; j.Cut >= maxCut {
			j.State = store.JobFailed
			j.Problem = problemOf(audit.Errorf(audit.CodeInternal,
				"VeriStream ended %d times while it worked on this. Retry it alone, and look into the log.", maxCut))
		} else {
			j.State = store.JobQueued
		}
		_, err = q.Store.SetJob(ctx, j, store.JobWorking)
		release()
		if err != nil {
			return err
		}
	}
	return nil
}

// hold marks a job as this process's, until release is called or the process
// ends.
func (q *Queue) hold(id string) (release func(), err error) {
	return files.Hold(filepath.Join(q.Dirs.Running(), "job-"+id+".lock"))
}
