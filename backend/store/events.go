package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"veristream/backend/audit"
)

// Event is an entry of the log. Hash is over the entry and the hash of the one
// before it, so that nothing can be taken out or changed unseen.
type Event struct {
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"`
	Kind    string          `json:"kind"`
	Subject string          `json:"subject"`
	Data    json.RawMessage `json:"data"`
	Prev    string          `json:"prev"`
	Hash    string          `json:"hash"`
}

// AppendEvent adds an entry to the log.
func (s *Store) AppendEvent(ctx context.Context, kind, subject string, data any) error {
	return s.tx(ctx, "write the event log", func(tx *sql.Tx) error {
		return s.appendEvent(ctx, tx, kind, subject, data)
	})
}

func (s *Store) appendEvent(ctx context.Context, tx *sql.Tx, kind, subject string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("write event: %w", err)
	}
	var prev string
	err = tx.QueryRowContext(ctx, `SELECT hash FROM events ORDER BY seq DESC LIMIT 1`).Scan(&prev)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	at := s.now().UnixMilli()
	_, err = tx.ExecContext(ctx, `INSERT INTO events (at, kind, subject, json, prev, hash) VALUES (?, ?, ?, ?, ?, ?)`,
		at, kind, subject, string(text), prev, eventHash(prev, at, kind, subject, string(text)))
	return err
}

// eventHash separates the parts by their lengths, so that no two entries are
// written alike.
func eventHash(prev string, at int64, kind, subject, data string) string {
	h := sha256.New()
	for _, part := range []string{prev, strconv.FormatInt(at, 10), kind, subject, data} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Events gives the entries after one, the oldest first; limit 0 gives all.
func (s *Store) Events(ctx context.Context, after int64, limit int) ([]Event, error) {
	if limit <= 0 {
		limit = -1
	}
	return queryAll(ctx, s, "read the event log", func(rows *sql.Rows) (e Event, err error) {
		var at int64
		var data string
		err = rows.Scan(&e.Seq, &at, &e.Kind, &e.Subject, &data, &e.Prev, &e.Hash)
		e.At, e.Data = time.UnixMilli(at).UTC(), json.RawMessage(data)
		return e, err
	}, `SELECT seq, at, kind, subject, json, prev, hash FROM events WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit)
}

// VerifyEvents walks the whole log and says where its chain breaks.
func (s *Store) VerifyEvents(ctx context.Context) error {
	events, err := s.Events(ctx, 0, 0)
	if err != nil {
		return err
	}
	prev := ""
	for _, e := range events {
		if e.Prev != prev || e.Hash != eventHash(prev, e.At.UnixMilli(), e.Kind, e.Subject, string(e.Data)) {
			return audit.Errorf(audit.CodeStorage, "The event log of %s was changed at entry %d.", s.path, e.Seq)
		}
		prev = e.Hash
	}
	return nil
}
