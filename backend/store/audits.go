package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"veristream/backend/audit"
)

// State is where an audit stands.
type State string

// The states of an audit.
const (
	StateNew       State = "new"
	StateRunning   State = "running"
	StateDone      State = "done"
	StateFailed    State = "failed"
	StateCancelled State = "cancelled"
)

// Audit is the record of one audit, without its result.
type Audit struct {
	ID          string      `json:"id"`
	VideoSHA256 string      `json:"video_sha256"`
	Title       string      `json:"title"`
	Path        string      `json:"path"`
	Address     string      `json:"address,omitempty"` // where on the network it came from
	Facts       audit.Facts `json:"facts"`
	AsOf        string      `json:"as_of"`
	State       State       `json:"state"`
	Error       string      `json:"error,omitempty"`
	Created     time.Time   `json:"created"`
	Updated     time.Time   `json:"updated"`
	Deleted     *time.Time  `json:"deleted,omitempty"`
	Counts      Counts      `json:"counts"`
}

// Counts tell how many findings an audit has, and how many a person has
// decided: those whose last decision is not "reopen".
type Counts struct {
	Findings int `json:"findings"`
	High     int `json:"high"`
	Medium   int `json:"medium"`
	Low      int `json:"low"`
	Decided  int `json:"decided"`
}

// AuditFilter narrows a list of audits. Empty fields do not narrow.
type AuditFilter struct {
	Text        string // in the title or the path
	State       State
	VideoSHA256 string
	Deleted     bool // list the deleted ones instead
	Limit       int  // 0: all
	Offset      int
}

// NewID makes an id that sorts by time and cannot be guessed.
func NewID(now time.Time) string {
	return now.UTC().Format("20060102-150405-") + strings.ToLower(rand.Text()[:8])
}

// CreateAudit begins the record of an audit and gives it with its id and times
// filled in.
func (s *Store) CreateAudit(ctx context.Context, a Audit) (Audit, error) {
	a.Created = s.now().UTC().Truncate(time.Millisecond)
	a.Updated = a.Created
	if a.ID == "" {
		a.ID = NewID(a.Created)
	}
	if a.State == "" {
		a.State = StateNew
	}
	facts, err := json.Marshal(a.Facts)
	if err != nil {
		return Audit{}, s.fail(ctx, "create audit", err)
	}
	err = s.tx(ctx, "create audit", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO audits (id, video_sha256, title, path, address, facts, as_of, state, error, created_at, updated_at)
			 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			a.ID, a.VideoSHA256, a.Title, a.Path, a.Address, string(facts), a.AsOf, a.State, a.Error,
			a.Created.UnixMilli(), a.Updated.UnixMilli())
		if err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "audit begun", a.ID, map[string]any{"file": filepath.Base(a.Path), "facts": a.Facts, "as_of": a.AsOf})
	})
	return a, err
}

// UpdateAudit writes the fields of a record that may change: everything but
// its id, its creation and its counts.
func (s *Store) UpdateAudit(ctx context.Context, a Audit) error {
	facts, err := json.Marshal(a.Facts)
	if err != nil {
		return s.fail(ctx, "update audit", err)
	}
	return s.tx(ctx, "update audit "+a.ID, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx,
			`UPDATE audits SET video_sha256 = ?, title = ?, path = ?, address = ?, facts = ?, as_of = ?, state = ?, error = ?, updated_at = ?
			 WHERE id = ?`,
			a.VideoSHA256, a.Title, a.Path, a.Address, string(facts), a.AsOf, a.State, a.Error, s.now().UnixMilli(), a.ID)); err != nil {
			return err
		}
		switch a.State {
		case StateFailed:
			return s.appendEvent(ctx, tx, "audit failed", a.ID, map[string]string{"error": a.Error})
		case StateCancelled:
			return s.appendEvent(ctx, tx, "audit cancelled", a.ID, nil)
		}
		return nil
	})
}

const selectAudits = `
SELECT a.id, a.video_sha256, a.title, a.path, a.address, a.facts, a.as_of, a.state, a.error, a.created_at, a.updated_at, a.deleted_at,
       count(f.id), coalesce(sum(f.severity = 'high'), 0), coalesce(sum(f.severity = 'medium'), 0), coalesce(sum(f.severity = 'low'), 0),
       (SELECT count(*) FROM (
            SELECT d.finding_id, d.json ->> 'action' AS action, max(d.seq)
            FROM decisions d
            WHERE d.audit_id = a.id AND d.json ->> 'action' IN ('accept', 'dismiss', 'reopen')
              AND d.finding_id IN (SELECT id FROM findings WHERE audit_id = a.id)
            GROUP BY d.finding_id) WHERE action <> 'reopen')
FROM audits a LEFT JOIN findings f ON f.audit_id = a.id`

func scanAudit(rows *sql.Rows) (Audit, error) {
	var (
		a                Audit
		facts            string
		created, updated int64
		deleted          sql.NullInt64
	)
	err := rows.Scan(&a.ID, &a.VideoSHA256, &a.Title, &a.Path, &a.Address, &facts, &a.AsOf, &a.State, &a.Error, &created, &updated, &deleted,
		&a.Counts.Findings, &a.Counts.High, &a.Counts.Medium, &a.Counts.Low, &a.Counts.Decided)
	if err != nil {
		return Audit{}, err
	}
	a.Created, a.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	if deleted.Valid {
		t := time.UnixMilli(deleted.Int64).UTC()
		a.Deleted = &t
	}
	return a, json.Unmarshal([]byte(facts), &a.Facts)
}

// Audit gives the record of one audit.
func (s *Store) Audit(ctx context.Context, id string) (Audit, error) {
	found, err := queryAll(ctx, s, "read audit "+id, scanAudit, selectAudits+` WHERE a.id = ? GROUP BY a.id`, id)
	if err != nil {
		return Audit{}, err
	}
	if len(found) == 0 {
		return Audit{}, s.fail(ctx, "read audit "+id, ErrNotFound)
	}
	return found[0], nil
}

// ListAudits lists audits, the newest first.
func (s *Store) ListAudits(ctx context.Context, f AuditFilter) ([]Audit, error) {
	where, args := []string{"a.deleted_at IS NULL"}, []any{}
	if f.Deleted {
		where[0] = "a.deleted_at IS NOT NULL"
	}
	if f.State != "" {
		where, args = append(where, "a.state = ?"), append(args, f.State)
	}
	if f.VideoSHA256 != "" {
		where, args = append(where, "a.video_sha256 = ?"), append(args, f.VideoSHA256)
	}
	if f.Text != "" {
		where = append(where, "(instr(lower(a.title), lower(?)) > 0 OR instr(lower(a.path), lower(?)) > 0)")
		args = append(args, f.Text, f.Text)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	return queryAll(ctx, s, "list audits", scanAudit,
		selectAudits+" WHERE "+strings.Join(where, " AND ")+" GROUP BY a.id ORDER BY a.created_at DESC, a.id DESC LIMIT ? OFFSET ?",
		append(args, limit, f.Offset)...)
}

// DeleteAudit hides an audit. RestoreAudit brings it back until PurgeAudits
// removes it for good.
func (s *Store) DeleteAudit(ctx context.Context, id string) error {
	return s.tx(ctx, "delete audit "+id, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx, `UPDATE audits SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL`,
			s.now().UnixMilli(), id)); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "audit deleted", id, nil)
	})
}

// RestoreAudit brings back an audit that was deleted.
func (s *Store) RestoreAudit(ctx context.Context, id string) error {
	return s.tx(ctx, "restore audit "+id, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx, `UPDATE audits SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL`, id)); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "audit restored", id, nil)
	})
}

// PurgeAudits removes for good what was deleted before a time: the audits, and
// whatever stages made of a video that no other audit uses.
func (s *Store) PurgeAudits(ctx context.Context, before time.Time) (n int, err error) {
	err = s.tx(ctx, "purge deleted audits", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM audits WHERE deleted_at < ?`, before.UnixMilli())
		if err != nil {
			return err
		}
		rows, err := res.RowsAffected()
		if err != nil || rows == 0 {
			return err
		}
		n = int(rows)
		for _, stmt := range []string{
			`DELETE FROM stages WHERE content IN (SELECT sha256 FROM videos)
			 AND content NOT IN (SELECT video_sha256 FROM audits)`,
			`DELETE FROM videos WHERE sha256 NOT IN (SELECT video_sha256 FROM audits)`,
		} {
			if _, err := tx.ExecContext(ctx, stmt); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// changeOne turns a statement that changed nothing into ErrNotFound.
func changeOne(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return ErrNotFound
}
