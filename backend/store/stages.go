package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Key names what a stage made: from which content, with which parameters and
// with which model. A run that has the same key needs not do it again.
type Key struct {
	Content string // hash of what went in
	Stage   string
	Params  string // hash of the parameters
	Model   string // hash or id of the model; empty where there is none
}

// StageResult gives what a stage made earlier; ok is false when it has not.
func (s *Store) StageResult(ctx context.Context, key Key) (result json.RawMessage, ok bool, err error) {
	var text string
	err = s.read.QueryRowContext(ctx,
		`SELECT json FROM stages WHERE content = ? AND stage = ? AND params = ? AND model = ?`,
		key.Content, key.Stage, key.Params, key.Model).Scan(&text)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, s.fail(ctx, "read the result of stage "+key.Stage, err)
	}
	return json.RawMessage(text), true, nil
}

// SaveStage keeps what a stage made.
func (s *Store) SaveStage(ctx context.Context, key Key, result json.RawMessage) error {
	return s.tx(ctx, "save the result of stage "+key.Stage, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO stages (content, stage, params, model, json, created_at) VALUES (?, ?, ?, ?, ?, ?)
			 ON CONFLICT DO UPDATE SET json = excluded.json, created_at = excluded.created_at`,
			key.Content, key.Stage, key.Params, key.Model, string(result), s.now().UnixMilli())
		return err
	})
}

// DropStages forgets what was made of some content, for a run that starts
// afresh. It gives the number of results that it forgot.
func (s *Store) DropStages(ctx context.Context, content string) (n int, err error) {
	err = s.tx(ctx, "forget stage results", func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM stages WHERE content = ?`, content)
		if err != nil {
			return err
		}
		rows, err := res.RowsAffected()
		n = int(rows)
		return err
	})
	return n, err
}
