// Package batch owns the queue of audits: what is added to it, whose turn it is,
// what becomes of a job that fails or whose process dies, and the folders whose
// new files are queued. The queue lies in the database, so that the command line
// and the window work through the same one, also at once.
package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// Request is what an audit is to be made with, besides its input.
type Request struct {
	Facts    *audit.Facts `json:"facts,omitempty"`
	AsOf     string       `json:"as_of,omitempty"`
	Language string       `json:"language,omitempty"`
	NoLLM    bool         `json:"no_llm,omitempty"`
	Fresh    bool         `json:"fresh,omitempty"`
	// Admit fetches what is over the limits of size and duration too.
	Admit bool `json:"admit,omitempty"`
}

// Queue is the list of audits to make and of those that it made.
type Queue struct {
	Store *store.Store
	Dirs  dirs.Dirs
}

// Passed is an input that was not queued, and why.
type Passed struct {
	Input string `json:"input"`
	Why   string `json:"why"`
}

// Add queues files, addresses, and the recordings in folders, one row each. An
// input that waits, works or is done already is passed over; one that failed
// or was cancelled waits again. What cannot be queued stops nothing.
func (q *Queue) Add(ctx context.Context, inputs []string, r Request, priority int) (added []store.Job, passed []Passed, err error) {
	request, err := encode(r)
	if err != nil {
		return nil, nil, err
	}
	have, err := q.byInput(ctx)
	if err != nil {
		return nil, nil, err
	}
	var jobs []store.Job
	pass := func(input, why string) { passed = append(passed, Passed{input, why}) }
	for _, given := range inputs {
		found, err := Expand(given)
		if err != nil {
			pass(given, audit.SentenceOf(err))
			continue
		}
		for _, input := range found {
			old, known := have[input]
			switch {
			case known && old.State == store.JobDone:
				pass(input, "It is in the queue and done; retry it to audit it again.")
			case known && (old.State == store.JobFailed || old.State == store.JobCancelled):
				if err := q.again(ctx, old, request); err != nil {
					return added, passed, err
				}
				added = append(added, old)
			case known:
				pass(input, "It is in the queue already.")
			default:
				have[input] = store.Job{State: store.JobQueued} // twice in one call is once
				jobs = append(jobs, store.Job{Input: input, Title: TitleOf(input), Request: request, Priority: priority})
			}
		}
	}
	jobs, err = q.Store.AddJobs(ctx, jobs...)
	return append(added, jobs...), passed, err
}

// Start queues one input with its title, whatever the queue did with it before:
// a row of it that has ended gives way.
func (q *Queue) Start(ctx context.Context, input, title string, r Request) (store.Job, error) {
	request, err := encode(r)
	if err != nil {
		return store.Job{}, err
	}
	have, err := q.Store.Jobs(ctx)
	if err != nil {
		return store.Job{}, err
	}
	for _, j := range have {
		if j.Input == input && j.State != store.JobQueued && j.State != store.JobWorking {
			if err := q.Remove(ctx, j.ID); err != nil {
				return store.Job{}, err
			}
		}
	}
	jobs, err := q.Store.AddJobs(ctx, store.Job{Input: input, Title: title, Request: request})
	if err != nil {
		return store.Job{}, err
	}
	return jobs[0], nil
}

// Retry queues a job that has ended again. admit lifts the limits of what is
// fetched from now on.
func (q *Queue) Retry(ctx context.Context, id string, admit bool) error {
	j, err := q.find(ctx, id)
	if err != nil {
		return err
	}
	if j.State == store.JobQueued || j.State == store.JobWorking {
		return nil
	}
	r, err := RequestOf(j)
	if err != nil {
		return err
	}
	r.Admit = r.Admit || admit
	request, err := encode(r)
	if err != nil {
		return err
	}
	return q.again(ctx, j, request)
}

func (q *Queue) again(ctx context.Context, j store.Job, request json.RawMessage) error {
	from := j.State
	j.State, j.Request, j.Problem, j.Cut = store.JobQueued, request, nil, 0
	_, err := q.Store.SetJob(ctx, j, from)
	return err
}

// Cancel stops a job: one that waits at once, one that works in whatever
// process it does, which looks at its row every second.
func (q *Queue) Cancel(ctx context.Context, id string) error {
	j, err := q.find(ctx, id)
	if err != nil {
		return err
	}
	for _, from := range []store.JobState{store.JobQueued, store.JobWorking} {
		j.State = store.JobCancelled
		if ok, err := q.Store.SetJob(ctx, j, from); err != nil || ok {
			return err
		}
	}
	return nil
}

// Remove takes a job off the list. The audit that it made stays in the library.
func (q *Queue) Remove(ctx context.Context, id string) error {
	err := q.Store.RemoveJob(ctx, id)
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if _, err := q.find(ctx, id); err != nil {
		return err
	}
	return audit.Errorf(audit.CodeUsage, "This audit is in work. Cancel it first.")
}

// Clear takes the jobs off the list that have come to an end, those that failed
// excepted, and gives their number.
func (q *Queue) Clear(ctx context.Context) (n int, err error) {
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return 0, err
	}
	for _, j := range jobs {
		if j.State != store.JobDone && j.State != store.JobCancelled {
			continue
		}
		if err := q.Store.RemoveJob(ctx, j.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return n, err
		}
		n++
	}
	return n, nil
}

// Move puts a job that waits before another one that waits, or at the end.
func (q *Queue) Move(ctx context.Context, id, before string) error {
	err := q.Store.MoveJob(ctx, id, before)
	if errors.Is(err, store.ErrNotFound) {
		return audit.Errorf(audit.CodeUsage, "Only audits that wait can be moved.")
	}
	return err
}

// Prioritise gives a job a priority; the higher the sooner.
func (q *Queue) Prioritise(ctx context.Context, id string, priority int) error {
	if _, err := q.find(ctx, id); err != nil {
		return err
	}
	return q.Store.SetPriority(ctx, id, priority)
}

// Find gives the job of an id, or of the beginning or end of one that no other
// job shares.
func (q *Queue) Find(ctx context.Context, part string) (store.Job, error) {
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return store.Job{}, err
	}
	var found []store.Job
	for _, j := range jobs {
		if j.ID == part {
			return j, nil
		}
		if part != "" && (strings.HasPrefix(j.ID, part) || strings.HasSuffix(j.ID, part) || j.Input == part) {
			found = append(found, j)
		}
	}
	switch len(found) {
	case 0:
		return store.Job{}, notThere(part)
	case 1:
		return found[0], nil
	}
	return store.Job{}, audit.Errorf(audit.CodeUsage, "%d jobs of the queue fit %s. Give more of the id.", len(found), part)
}

func (q *Queue) find(ctx context.Context, id string) (store.Job, error) {
	j, err := q.Store.Job(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return j, notThere(id)
	}
	return j, err
}

func notThere(id string) error {
	return audit.Errorf(audit.CodeUsage, "There is no job %s in the queue. Run: veristream batch list", id)
}

func (q *Queue) byInput(ctx context.Context) (map[string]store.Job, error) {
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]store.Job{}
	for _, j := range jobs {
		if _, ok := out[j.Input]; !ok { // the first is the one that matters most
			out[j.Input] = j
		}
	}
	return out, nil
}

// RequestOf reads what a job was queued with.
func RequestOf(j store.Job) (r Request, err error) {
	if err := json.Unmarshal(j.Request, &r); err != nil {
		return r, audit.Wrap(err, audit.CodeStorage, "The queue's row of %s cannot be read. Remove it and add it again.", j.Title)
	}
	return r, nil
}

func encode(r Request) (json.RawMessage, error) {
	if r.Facts != nil {
		if err := r.Facts.Validate(); err != nil {
			return nil, fmt.Errorf("check the facts: %w", err)
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	return text, nil
}

// TitleOf names an input until its audit knows better.
func TitleOf(input string) string {
	if media.IsURL(input) {
		return input
	}
	base := filepath.Base(input)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
