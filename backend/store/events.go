package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os/user"
	"sync"
	"time"

	"veristream/backend/audit"
)

// account is the user of the computer, who is named in every entry.
var account = sync.OnceValue(func() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
})

// AppendEvent adds an entry to the log.
func (s *Store) AppendEvent(ctx context.Context, kind, subject string, data any) error {
	return s.tx(ctx, "write the event log", func(tx *sql.Tx) error {
		return s.appendEvent(ctx, tx, kind, subject, data)
	})
}

func (s *Store) appendEvent(ctx context.Context, tx *sql.Tx, kind, subject string, data any) error {
	text, err := json.Marshal(data)
	if err == nil {
		text, err = audit.CanonicalJSON(text)
	}
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	e := audit.Event{Kind: kind, Subject: subject, By: account(), Data: text}
	err = tx.QueryRowContext(ctx, `SELECT hash FROM events ORDER BY seq DESC LIMIT 1`).Scan(&e.Prev)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	now := s.now()
	mono := now.Sub(s.opened).Milliseconds()
	e.At, e.Mono = time.UnixMilli(now.UnixMilli()), &mono
	if e.Hash, err = e.Sum(); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO events (at, kind, subject, json, prev, hash, author, mono) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.At.UnixMilli(), kind, subject, string(text), e.Prev, e.Hash, e.By, mono)
	return err
}

// Events gives the entries after one, the oldest first; limit 0 gives all.
func (s *Store) Events(ctx context.Context, after int64, limit int) ([]audit.Event, error) {
	if limit <= 0 {
		limit = -1
	}
	return queryAll(ctx, s, "read the event log", scanEvent, selectEvents+`WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit)
}

// EventsOf gives the last entries of a kind, the newest first.
func (s *Store) EventsOf(ctx context.Context, kind string, limit int) ([]audit.Event, error) {
	return queryAll(ctx, s, "read the event log", scanEvent, selectEvents+`WHERE kind = ? ORDER BY seq DESC LIMIT ?`, kind, limit)
}

const selectEvents = `SELECT seq, at, kind, subject, json, prev, hash, author, mono FROM events `

func scanEvent(rows *sql.Rows) (e audit.Event, err error) {
	var at int64
	var data string
	var mono sql.NullInt64
	err = rows.Scan(&e.Seq, &at, &e.Kind, &e.Subject, &data, &e.Prev, &e.Hash, &e.By, &mono)
	e.At, e.Data = time.UnixMilli(at).UTC(), json.RawMessage(data)
	if mono.Valid {
		e.Mono = &mono.Int64
	}
	return e, err
}

// SignedAudits gives the audits of which a report was signed after their last
// decision.
func (s *Store) SignedAudits(ctx context.Context) (map[string]bool, error) {
	ids, err := queryAll(ctx, s, "look for signed reports", func(rows *sql.Rows) (id string, err error) {
		err = rows.Scan(&id)
		return id, err
	}, `SELECT subject FROM events WHERE kind IN (?1, ?2, ?3, ?4, ?5) AND subject <> '' GROUP BY subject
		HAVING coalesce(max(seq) FILTER (WHERE kind = ?1), 0) > coalesce(max(seq) FILTER (WHERE kind <> ?1), 0)`,
		audit.EventSigned, audit.EventDecision, audit.EventCarried, audit.EventDone, audit.EventCompared)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return out, nil
}

// VerifyEvents walks the whole log and says where its chain breaks.
func (s *Store) VerifyEvents(ctx context.Context) error {
	events, err := s.Events(ctx, 0, 0)
	if err != nil {
		return err
	}
	at, err := audit.CheckEvents(events)
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The event log of %s was changed at entry %d.", s.path, at)
	}
	if at != 0 {
		return audit.Errorf(audit.CodeStorage, "The event log of %s was changed at entry %d.", s.path, at)
	}
	return nil
}
