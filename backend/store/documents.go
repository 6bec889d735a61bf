package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"veristream/backend/audit"
)

// ReplaceDocument imports a document with its passages in one step: a search
// sees the old one or the new one, never a part.
func (s *Store) ReplaceDocument(ctx context.Context, d audit.Document, passages []audit.Passage) error {
	text, err := json.Marshal(d)
	if err != nil {
		return s.fail(ctx, "import document", err)
	}
	return s.tx(ctx, "import document "+d.ID, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO documents (id, sha256, json, imported_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET sha256 = excluded.sha256, json = excluded.json, imported_at = excluded.imported_at`,
			d.ID, d.SHA256, string(text), s.now().UnixMilli()); err != nil {
			return err
		}
		if _, err := s.replacePassages(ctx, tx, audit.CorpusDocuments, d.ID, passages); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "document imported", d.ID, map[string]string{"sha256": d.SHA256, "origin": d.Origin})
	})
}

// RemoveDocument removes a document with its passages.
func (s *Store) RemoveDocument(ctx context.Context, id string) error {
	return s.tx(ctx, "remove document "+id, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx, `DELETE FROM documents WHERE id = ?`, id)); err != nil {
			return err
		}
		if _, err := s.replacePassages(ctx, tx, audit.CorpusDocuments, id, nil); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "document removed", id, nil)
	})
}

// Documents lists the imported documents by id.
func (s *Store) Documents(ctx context.Context) ([]audit.Document, error) {
	return queryAll(ctx, s, "list documents", scanJSON[audit.Document], `SELECT json FROM documents ORDER BY id`)
}
