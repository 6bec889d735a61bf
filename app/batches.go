package app

import (
	"context"
	"errors"
	"fmt"

	"veristream/app/batch"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// BatchService is the queue of audits: many at once, their order, what became of
// each, and the folders whose new files are queued.
type BatchService struct {
	ctx   context.Context
	runs  *runs
	shell Shell
}

// Job is an audit of the queue as a row.
type Job struct {
	ID       string   `json:"id"`
	Input    string   `json:"input"` // a path or an address
	Title    string   `json:"title"`
	State    RunState `json:"state"`
	Priority int      `json:"priority"`
	AuditID  string   `json:"audit_id,omitempty"`
	Problem  *Problem `json:"problem,omitempty"`
	High     int      `json:"high"`
	Medium   int      `json:"medium"`
	Low      int      `json:"low"`
	Findings int      `json:"findings"`
	// Limit says that it failed because it is over the limits of what is fetched
	// without being asked, List that its address is a list of videos.
	Limit bool `json:"limit,omitempty"`
	List  bool `json:"list,omitempty"`
}

// Batch is the queue with the folders that are watched for it.
type Batch struct {
	Jobs    []Job    `json:"jobs"`
	Watched []string `json:"watched"`
}

// NewBatch asks for many audits at once.
type NewBatch struct {
	Inputs []string     `json:"inputs"` // files, folders, addresses
	Facts  *audit.Facts `json:"facts,omitempty"`
	AsOf   string       `json:"as_of,omitempty"`
	Admit  bool         `json:"admit,omitempty"`
}

// Queued tells what came of adding many.
type Queued struct {
	Added  int       `json:"added"`
	Passed []NotDone `json:"passed"`
}

// NotDone is an input that was not queued, and why.
type NotDone struct {
	Input string `json:"input"`
	Why   string `json:"why"`
}

// List gives the queue: what works, what waits in its order, what failed, and
// what is done with the greatest risk first.
func (s *BatchService) List() (Batch, error) {
	out := Batch{Jobs: []Job{}, Watched: []string{}}
	err := s.with("read the queue", func(q *batch.Queue) error {
		jobs, err := q.Store.Jobs(s.ctx)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			row := Job{
				ID: j.ID, Input: j.Input, Title: j.Title, State: RunState(j.State), Priority: j.Priority, AuditID: j.AuditID,
				Problem: problemOfJob(j), High: j.Risk.High, Medium: j.Risk.Medium, Low: j.Risk.Low, Findings: j.Risk.Findings,
			}
			if j.Problem != nil {
				row.Limit, row.List = j.Problem.Why == batch.WhyLimit, j.Problem.Why == batch.WhyList
			}
			out.Jobs = append(out.Jobs, row)
		}
		watches, err := q.Store.Watches(s.ctx)
		for _, w := range watches {
			out.Watched = append(out.Watched, w.Folder)
		}
		return err
	})
	return out, err
}

// Add queues files, folders and addresses.
func (s *BatchService) Add(n NewBatch) (Queued, error) {
	out := Queued{Passed: []NotDone{}}
	err := s.change("queue the audits", func(q *batch.Queue) error {
		added, passed, err := q.Add(s.ctx, n.Inputs, batch.Request{Facts: n.Facts, AsOf: n.AsOf, Admit: n.Admit}, 0)
		out.Added = len(added)
		for _, p := range passed {
			out.Passed = append(out.Passed, NotDone(p))
		}
		return err
	})
	return out, err
}

// ChooseFolder asks the user for a folder; empty when the user thinks better of it.
func (s *BatchService) ChooseFolder(title string) (string, error) {
	path, err := s.shell.OpenFolder(title)
	if err != nil {
		return "", fmt.Errorf("ask for a folder: %w", err)
	}
	return path, nil
}

// Move puts a job that waits before another one, or at the end.
func (s *BatchService) Move(id, before string) error {
	return s.change("move the audit", func(q *batch.Queue) error { return q.Move(s.ctx, id, before) })
}

// Prioritise gives a job a priority; the higher the sooner.
func (s *BatchService) Prioritise(id string, priority int) error {
	return s.change("change the priority", func(q *batch.Queue) error { return q.Prioritise(s.ctx, id, priority) })
}

// Retry queues a job again; admit fetches what is over the limits too.
func (s *BatchService) Retry(id string, admit bool) error {
	return s.change("queue the audit again", func(q *batch.Queue) error { return q.Retry(s.ctx, id, admit) })
}

// Replace queues the chosen videos of a list in the place of the list's job.
func (s *BatchService) Replace(id string, inputs []string) (Queued, error) {
	out := Queued{Passed: []NotDone{}}
	err := s.change("queue the videos", func(q *batch.Queue) error {
		j, err := q.Store.Job(s.ctx, id)
		if err != nil {
			return err
		}
		r, err := batch.RequestOf(j)
		if err != nil {
			return err
		}
		added, passed, err := q.Add(s.ctx, inputs, r, j.Priority)
		if err != nil {
			return err
		}
		out.Added = len(added)
		for _, p := range passed {
			out.Passed = append(out.Passed, NotDone(p))
		}
		return q.Remove(s.ctx, id)
	})
	return out, err
}

// Cancel stops a job, or takes it out of those that wait.
func (s *BatchService) Cancel(id string) error { return s.runs.stop(id) }

// Remove takes a job off the list. Its audit stays in the library.
func (s *BatchService) Remove(id string) error {
	return s.change("take the audit off the list", func(q *batch.Queue) error { return q.Remove(s.ctx, id) })
}

// Clear takes off the list what is done or cancelled.
func (s *BatchService) Clear() error {
	return s.change("clear the list", func(q *batch.Queue) error {
		_, err := q.Clear(s.ctx)
		return err
	})
}

// Watch queues what comes into a folder from now on.
func (s *BatchService) Watch(folder string, facts *audit.Facts) error {
	return s.change("watch the folder", func(q *batch.Queue) error {
		_, err := q.Watch(s.ctx, folder, batch.Request{Facts: facts})
		return err
	})
}

// Unwatch leaves a folder alone from now on.
func (s *BatchService) Unwatch(folder string) error {
	return s.change("watch the folder no more", func(q *batch.Queue) error { return q.Unwatch(s.ctx, folder) })
}

func (s *BatchService) with(doing string, f func(*batch.Queue) error) error {
	q, err := s.runs.queue()
	if err == nil {
		err = f(q)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = audit.Errorf(audit.CodeUsage, "This audit is not in the queue any more.")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

func (s *BatchService) change(doing string, f func(*batch.Queue) error) error {
	if err := s.with(doing, f); err != nil {
		return err
	}
	s.shell.Emit(EventQueue, nil)
	return s.runs.changed()
}
