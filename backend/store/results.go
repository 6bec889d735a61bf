package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"veristream/backend/audit"
)

// SaveVideo keeps what is known of a video.
func (s *Store) SaveVideo(ctx context.Context, v audit.Video) error {
	text, err := json.Marshal(v)
	if err != nil {
		return s.fail(ctx, "save video", err)
	}
	return s.tx(ctx, "save video", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO videos (sha256, json, created_at) VALUES (?, ?, ?)
			ON CONFLICT DO UPDATE SET json = excluded.json`, v.SHA256, string(text), s.now().UnixMilli())
		return err
	})
}

// Video gives what is known of a video.
func (s *Store) Video(ctx context.Context, sha256 string) (v audit.Video, err error) {
	ok, err := s.readJSON(ctx, "read video", &v, `SELECT json FROM videos WHERE sha256 = ?`, sha256)
	if err == nil && !ok {
		err = s.fail(ctx, "read video "+sha256, ErrNotFound)
	}
	return v, err
}

// ReplaceSegments writes an audit's segments, in the order given.
func (s *Store) ReplaceSegments(ctx context.Context, auditID string, segments []audit.Segment) error {
	return s.tx(ctx, "save segments", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM segments WHERE audit_id = ?`, auditID); err != nil {
			return err
		}
		return insertSegments(ctx, tx, auditID, 0, segments)
	})
}

// AppendSegments adds segments behind those that an audit has, so that a
// transcript can be read while it is made.
func (s *Store) AppendSegments(ctx context.Context, auditID string, segments ...audit.Segment) error {
	return s.tx(ctx, "save segments", func(tx *sql.Tx) error {
		var next int
		row := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq) + 1, 0) FROM segments WHERE audit_id = ?`, auditID)
		if err := row.Scan(&next); err != nil {
			return err
		}
		return insertSegments(ctx, tx, auditID, next, segments)
	})
}

func insertSegments(ctx context.Context, tx *sql.Tx, auditID string, from int, segments []audit.Segment) error {
	for i, seg := range segments {
		text, err := json.Marshal(seg)
		if err != nil {
			return fmt.Errorf("write segment %s: %w", seg.ID, err)
		}
		if _, err := tx.ExecContext(ctx,
			`INSERT INTO segments (audit_id, seq, id, source, start_ms, end_ms, text, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			auditID, from+i, seg.ID, seg.Source, seg.StartMS, seg.EndMS, seg.Text, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// Segments gives an audit's segments in their order.
func (s *Store) Segments(ctx context.Context, auditID string) ([]audit.Segment, error) {
	return queryAll(ctx, s, "read segments", scanJSON[audit.Segment],
		`SELECT json FROM segments WHERE audit_id = ? ORDER BY seq`, auditID)
}

// SaveResult keeps the result of an audit whole, with its segments and
// findings as rows of their own, and marks the audit as done. The audit must
// have been created. Decisions carried over from the audit that it was compared
// with become its own in the same step, so that no crash can part them.
func (s *Store) SaveResult(ctx context.Context, r *audit.Result, carried ...audit.Decision) error {
	text, err := json.Marshal(r)
	if err != nil {
		return s.fail(ctx, "save result", err)
	}
	return s.tx(ctx, "save the result of audit "+r.ID, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx,
			`UPDATE audits SET result = ?, state = ?, error = '', updated_at = ? WHERE id = ?`,
			string(text), StateDone, s.now().UnixMilli(), r.ID)); err != nil {
			return err
		}
		for _, stmt := range []string{`DELETE FROM segments WHERE audit_id = ?`, `DELETE FROM findings WHERE audit_id = ?`} {
			if _, err := tx.ExecContext(ctx, stmt, r.ID); err != nil {
				return err
			}
		}
		if err := insertSegments(ctx, tx, r.ID, 0, r.Segments); err != nil {
			return err
		}
		for i, f := range r.Findings {
			row, err := json.Marshal(f)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx,
				`INSERT INTO findings (audit_id, seq, id, category, citation, severity, status, start_ms, json)
				 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				r.ID, i, f.ID, f.Category, f.Citation, f.Severity, f.Status, f.StartMS, string(row)); err != nil {
				return err
			}
		}
		sum, err := audit.Digest(text)
		if err != nil {
			return err
		}
		if err := s.appendEvent(ctx, tx, audit.EventDone, r.ID, map[string]any{"findings": len(r.Findings), "result_sha256": sum}); err != nil {
			return err
		}
		return s.compared(ctx, tx, r, sum, carried)
	})
}

// compared writes into the record with which audit a result was compared, what
// came of it, and each decision that was carried over.
func (s *Store) compared(ctx context.Context, tx *sql.Tx, r *audit.Result, sum string, carried []audit.Decision) error {
	if r.Since == nil {
		return nil
	}
	if err := s.appendEvent(ctx, tx, audit.EventCompared, r.ID, map[string]any{
		"result_sha256": sum, "with": r.Since.AuditID, "found": r.Since.Found,
		"new": len(r.Since.New), "carried": len(r.Since.Carried), "resolved": len(r.Since.Resolved), "decisions": len(carried),
	}); err != nil {
		return err
	}
	for _, d := range carried {
		if err := insertDecision(ctx, tx, r.ID, d); err != nil {
			return err
		}
		if err := s.appendEvent(ctx, tx, audit.EventCarried, r.ID, d); err != nil {
			return err
		}
	}
	return nil
}

// SaveSince replaces what a finished audit is compared with, with the decisions
// that follow from it.
func (s *Store) SaveSince(ctx context.Context, r *audit.Result, carried []audit.Decision) error {
	text, err := json.Marshal(r)
	if err != nil {
		return s.fail(ctx, "save comparison", err)
	}
	return s.tx(ctx, "save the comparison of audit "+r.ID, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx, `UPDATE audits SET result = ?, updated_at = ? WHERE id = ? AND result IS NOT NULL`,
			string(text), s.now().UnixMilli(), r.ID)); err != nil {
			return err
		}
		sum, err := audit.Digest(text)
		if err != nil {
			return err
		}
		return s.compared(ctx, tx, r, sum, carried)
	})
}

func insertDecision(ctx context.Context, tx *sql.Tx, auditID string, d audit.Decision) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO decisions (audit_id, finding_id, json, at) VALUES (?, ?, ?, ?)`,
		auditID, d.FindingID, string(text), d.At.UnixMilli())
	return err
}

// Result gives the result of an audit; ErrNotFound while it has none.
func (s *Store) Result(ctx context.Context, auditID string) (*audit.Result, error) {
	var r audit.Result
	ok, err := s.readJSON(ctx, "read the result of audit "+auditID, &r,
		`SELECT result FROM audits WHERE id = ? AND result IS NOT NULL`, auditID)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, s.fail(ctx, "read the result of audit "+auditID, ErrNotFound)
	}
	return &r, nil
}

// ResultJSON gives the result of an audit as it was written, whatever version
// wrote it; ErrNotFound while it has none.
func (s *Store) ResultJSON(ctx context.Context, auditID string) (json.RawMessage, error) {
	var raw json.RawMessage
	ok, err := s.readJSON(ctx, "read the result of audit "+auditID, &raw,
		`SELECT result FROM audits WHERE id = ? AND result IS NOT NULL`, auditID)
	if err == nil && !ok {
		err = s.fail(ctx, "read the result of audit "+auditID, ErrNotFound)
	}
	return raw, err
}

// Findings gives an audit's findings in the order of its result.
func (s *Store) Findings(ctx context.Context, auditID string) ([]audit.Finding, error) {
	return queryAll(ctx, s, "read findings", scanJSON[audit.Finding],
		`SELECT json FROM findings WHERE audit_id = ? ORDER BY seq`, auditID)
}

// SaveDecision adds a decision to an audit's record. It fills in the time
// where it is zero, and when it returns the decision is on the disk.
func (s *Store) SaveDecision(ctx context.Context, auditID string, d audit.Decision) error {
	if d.At.IsZero() {
		d.At = s.now().UTC()
	}
	return s.tx(ctx, "save decision", func(tx *sql.Tx) error {
		var there bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM findings WHERE audit_id = ? AND id = ?)`,
			auditID, d.FindingID).Scan(&there); err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("finding %s of audit %s: %w", d.FindingID, auditID, ErrNotFound)
		}
		if err := insertDecision(ctx, tx, auditID, d); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, audit.EventDecision, auditID, d)
	})
}

// Decisions gives every decision of an audit, the oldest first; the last one
// about a finding counts.
func (s *Store) Decisions(ctx context.Context, auditID string) ([]audit.Decision, error) {
	return queryAll(ctx, s, "read decisions", scanJSON[audit.Decision],
		`SELECT json FROM decisions WHERE audit_id = ? ORDER BY seq`, auditID)
}
