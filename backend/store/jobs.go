package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"veristream/backend/audit"
)

// JobState is where a job of the queue stands.
type JobState string

// The states of a job.
const (
	JobQueued    JobState = "queued"
	JobWorking   JobState = "working"
	JobDone      JobState = "done"
	JobFailed    JobState = "failed"
	JobCancelled JobState = "cancelled"
)

// Job is one audit that the queue is to make, or has made.
type Job struct {
	ID       string          `json:"id"`
	Input    string          `json:"input"`
	Title    string          `json:"title"`
	Request  json.RawMessage `json:"request,omitempty"`
	Priority int             `json:"priority"` // the higher the sooner
	State    JobState        `json:"state"`
	Cut      int             `json:"cut,omitempty"` // how often its process ended before it did
	AuditID  string          `json:"audit_id,omitempty"`
	Problem  *JobProblem     `json:"problem,omitempty"`
	Created  time.Time       `json:"created"`
	Updated  time.Time       `json:"updated"`
	Risk     Counts          `json:"risk"` // of its audit
}

// JobProblem is why a job failed, as a person reads it.
type JobProblem struct {
	Code     string         `json:"code"`
	Sentence string         `json:"sentence"`
	Said     *audit.Message `json:"said,omitempty"` // the sentence for other languages
	Details  string         `json:"details,omitempty"`
	Why      string         `json:"why,omitempty"` // what an answer would settle: limit or list
}

// AddJobs puts jobs at the end of the queue, each behind those of its priority.
func (s *Store) AddJobs(ctx context.Context, jobs ...Job) ([]Job, error) {
	err := s.tx(ctx, "queue audits", func(tx *sql.Tx) error {
		for i := range jobs {
			if err := s.addJob(ctx, tx, &jobs[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return jobs, err
}

func (s *Store) addJob(ctx context.Context, tx *sql.Tx, j *Job) error {
	j.Created = s.now().UTC().Truncate(time.Millisecond)
	j.Updated, j.State = j.Created, JobQueued
	if j.ID == "" {
		j.ID = NewID(j.Created)
	}
	if len(j.Request) == 0 {
		j.Request = json.RawMessage("{}")
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO jobs (id, input, title, request, priority, place, state, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM jobs), ?, ?, ?)`,
		j.ID, j.Input, j.Title, string(j.Request), j.Priority, j.State, j.Created.UnixMilli(), j.Updated.UnixMilli())
	return err
}

// selectJobs lists jobs with the counts of their audits. What works stands
// first, then what waits in the order in which its turn comes, then what failed,
// then what is done with the greatest risk first.
const selectJobs = `
SELECT j.id, j.input, j.title, j.request, j.priority, j.state, j.cut, j.audit_id, j.problem, j.created_at, j.updated_at,
       count(f.id), coalesce(sum(f.severity = 'high'), 0) AS high, coalesce(sum(f.severity = 'medium'), 0) AS medium,
       coalesce(sum(f.severity = 'low'), 0) AS low
FROM jobs j LEFT JOIN findings f ON f.audit_id = j.audit_id`

const orderJobs = `
GROUP BY j.id
ORDER BY CASE j.state WHEN 'working' THEN 0 WHEN 'queued' THEN 1 WHEN 'failed' THEN 2 WHEN 'done' THEN 3 ELSE 4 END,
         CASE WHEN j.state = 'queued' THEN -j.priority END, CASE WHEN j.state = 'queued' THEN j.place END,
         CASE WHEN j.state = 'done' THEN -high END, CASE WHEN j.state = 'done' THEN -medium END,
         CASE WHEN j.state = 'done' THEN -low END, j.place`

func scanJob(rows *sql.Rows) (j Job, err error) {
	var request, problem string
	var created, updated int64
	if err := rows.Scan(&j.ID, &j.Input, &j.Title, &request, &j.Priority, &j.State, &j.Cut, &j.AuditID, &problem, &created, &updated,
		&j.Risk.Findings, &j.Risk.High, &j.Risk.Medium, &j.Risk.Low); err != nil {
		return j, err
	}
	j.Request = json.RawMessage(request)
	j.Created, j.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	if problem != "" {
		err = json.Unmarshal([]byte(problem), &j.Problem)
	}
	return j, err
}

// Jobs lists the queue.
func (s *Store) Jobs(ctx context.Context) ([]Job, error) {
	return queryAll(ctx, s, "list the queue", scanJob, selectJobs+orderJobs)
}

// Job gives one job.
func (s *Store) Job(ctx context.Context, id string) (Job, error) {
	found, err := queryAll(ctx, s, "read job "+id, scanJob, selectJobs+` WHERE j.id = ?`+orderJobs, id)
	if err == nil && len(found) == 0 {
		err = s.fail(ctx, "read job "+id, ErrNotFound)
	}
	if err != nil {
		return Job{}, err
	}
	return found[0], nil
}

// SetJob moves a job from one state to another with what came of it. ok is
// false where it is not in that state any more: another process was faster.
func (s *Store) SetJob(ctx context.Context, j Job, from JobState) (ok bool, err error) {
	problem := ""
	if j.Problem != nil {
		text, err := json.Marshal(j.Problem)
		if err != nil {
			return false, s.fail(ctx, "change job", err)
		}
		problem = string(text)
	}
	err = s.tx(ctx, "change job "+j.ID, func(tx *sql.Tx) error {
		err := changeOne(tx.ExecContext(ctx, `UPDATE jobs SET title = ?, request = ?, state = ?, cut = ?, audit_id = ?, problem = ?, updated_at = ?
			WHERE id = ? AND state = ?`,
			j.Title, string(j.Request), j.State, j.Cut, j.AuditID, problem, s.now().UnixMilli(), j.ID, from))
		ok = err == nil
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	})
	return ok, err
}

// SetPriority gives a job another priority.
func (s *Store) SetPriority(ctx context.Context, id string, priority int) error {
	return s.tx(ctx, "change the priority of job "+id, func(tx *sql.Tx) error {
		return changeOne(tx.ExecContext(ctx, `UPDATE jobs SET priority = ?, updated_at = ? WHERE id = ?`, priority, s.now().UnixMilli(), id))
	})
}

// MoveJob puts a job that waits just before another one, or at the end of the
// queue where before is empty. It takes the priority of its new neighbour, else
// it would not stay where it was put.
func (s *Store) MoveJob(ctx context.Context, id, before string) error {
	return s.tx(ctx, "move job "+id, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT id, priority FROM jobs WHERE state = ? ORDER BY priority DESC, place`, JobQueued)
		if err != nil {
			return err
		}
		defer rows.Close()
		type waiting struct {
			id       string
			priority int
		}
		var all []waiting
		for rows.Next() {
			var w waiting
			if err := rows.Scan(&w.id, &w.priority); err != nil {
				return err
			}
			all = append(all, w)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		at := func(id string) int { return slices.IndexFunc(all, func(w waiting) bool { return w.id == id }) }
		from := at(id)
		if from < 0 || (before != "" && at(before) < 0) {
			return ErrNotFound
		}
		if id == before {
			return nil
		}
		moved := all[from]
		all = slices.Delete(all, from, from+1)
		to := len(all)
		switch {
		case before != "":
			to = at(before)
			moved.priority = all[to].priority
		case to > 0:
			moved.priority = all[to-1].priority
		}
		all = slices.Insert(all, to, moved)
		// Places of jobs that do not wait mean nothing but their age: they stay.
		for i, w := range all {
			if _, err := tx.ExecContext(ctx, `UPDATE jobs SET priority = ?, place = ? WHERE id = ?`, w.priority, i+1, w.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// RemoveJob takes a job off the list unless it works. Its audit stays.
func (s *Store) RemoveJob(ctx context.Context, id string) error {
	return s.tx(ctx, "remove job "+id, func(tx *sql.Tx) error {
		return changeOne(tx.ExecContext(ctx, `DELETE FROM jobs WHERE id = ? AND state <> ?`, id, JobWorking))
	})
}

// Watch is a folder whose new files are queued.
type Watch struct {
	Folder  string          `json:"folder"`
	Request json.RawMessage `json:"request,omitempty"`
}

// SetWatch watches a folder from now on, or with another request.
func (s *Store) SetWatch(ctx context.Context, w Watch) error {
	if len(w.Request) == 0 {
		w.Request = json.RawMessage("{}")
	}
	return s.tx(ctx, "watch "+w.Folder, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO watched (folder, request, created_at) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET request = excluded.request`, w.Folder, string(w.Request), s.now().UnixMilli())
		return err
	})
}

// RemoveWatch watches a folder no more.
func (s *Store) RemoveWatch(ctx context.Context, folder string) error {
	return s.tx(ctx, "watch "+folder+" no more", func(tx *sql.Tx) error {
		return changeOne(tx.ExecContext(ctx, `DELETE FROM watched WHERE folder = ?`, folder))
	})
}

// Watches lists the folders that are watched.
func (s *Store) Watches(ctx context.Context) ([]Watch, error) {
	return queryAll(ctx, s, "list the watched folders", func(rows *sql.Rows) (w Watch, err error) {
		var request string
		err = rows.Scan(&w.Folder, &request)
		w.Request = json.RawMessage(request)
		return w, err
	}, `SELECT folder, request FROM watched ORDER BY folder`)
}

// AddSeen queues a file from a watched folder unless its content was queued
// from one before, or was audited; both in one step, so that two processes that
// watch one folder queue it once.
func (s *Store) AddSeen(ctx context.Context, sha256 string, j Job) (added bool, err error) {
	err = s.tx(ctx, "queue "+j.Input, func(tx *sql.Tx) error {
		var known bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seen WHERE sha256 = ?1)
			OR EXISTS (SELECT 1 FROM audits WHERE video_sha256 = ?1 AND state = ?2 AND deleted_at IS NULL)`,
			sha256, StateDone).Scan(&known); err != nil || known {
			return err
		}
		// One that was queued by hand is read when its turn comes.
		var waits bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM jobs WHERE input = ? AND state IN (?, ?))`,
			j.Input, JobQueued, JobWorking).Scan(&waits); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO seen (sha256, path, created_at) VALUES (?, ?, ?)`,
			sha256, j.Input, s.now().UnixMilli()); err != nil {
			return err
		}
		if waits {
			return nil
		}
		added = true
		return s.addJob(ctx, tx, &j)
	})
	return added, err
}
