package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"veristream/backend/audit"
)

// SaveCorrection adds a correction of a video's transcript, made while an audit
// of it was open.
func (s *Store) SaveCorrection(ctx context.Context, sha256, auditID string, c audit.Correction) error {
	if c.At.IsZero() {
		c.At = s.now().UTC()
	}
	text, err := json.Marshal(c)
	if err != nil {
		return s.fail(ctx, "save correction", err)
	}
	return s.tx(ctx, "save correction", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO corrections (sha256, json, at) VALUES (?, ?, ?)`, sha256, string(text), c.At.UnixMilli()); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, audit.EventCorrected, auditID, c)
	})
}

// Corrections gives the corrections of a video's transcript, the oldest first.
func (s *Store) Corrections(ctx context.Context, sha256 string) ([]audit.Correction, error) {
	return queryAll(ctx, s, "read corrections", scanJSON[audit.Correction], `SELECT json FROM corrections WHERE sha256 = ? ORDER BY seq`, sha256)
}
