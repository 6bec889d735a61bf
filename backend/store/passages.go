package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"veristream/backend/audit"
)

// MetaRole with RoleParent marks a passage that is read and never searched:
// its children are found in its place.
const (
	MetaRole   = "role"
	RoleParent = "parent"
)

// ReplacePassages writes the passages of one source. It does nothing, and says
// so, when they are the ones that are there already. A passage whose text is
// unchanged keeps its vectors. IDs in the input are local to the call: a
// ParentID names the ID that its parent has in the same list.
func (s *Store) ReplacePassages(ctx context.Context, corpus, source string, passages []audit.Passage) (changed bool, err error) {
	sum, err := sourceSum(passages)
	if err != nil {
		return false, s.fail(ctx, "save passages of "+source, err)
	}
	var have string
	err = s.read.QueryRowContext(ctx, `SELECT sha256 FROM sources WHERE corpus = ? AND source = ?`, corpus, source).Scan(&have)
	if err == nil && have == sum {
		return false, nil // decided without the write lock: this is the way of every start
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, s.fail(ctx, "save passages of "+source, err)
	}
	err = s.tx(ctx, "save passages of "+source, func(tx *sql.Tx) error {
		changed, err = s.replacePassages(ctx, tx, corpus, source, passages)
		return err
	})
	return changed, err
}

// Sources lists what is indexed in a corpus, with the hash of each source.
func (s *Store) Sources(ctx context.Context, corpus string) (map[string]string, error) {
	out := map[string]string{}
	_, err := queryAll(ctx, s, "list sources", func(rows *sql.Rows) (struct{}, error) {
		var source, sum string
		err := rows.Scan(&source, &sum)
		out[source] = sum
		return struct{}{}, err
	}, `SELECT source, sha256 FROM sources WHERE corpus = ?`, corpus)
	return out, err
}

func sourceSum(passages []audit.Passage) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(passages); err != nil {
		return "", fmt.Errorf("hash passages: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// passageSum is over what is embedded: as long as it stays, vectors stay.
func passageSum(p audit.Passage) string {
	sum := sha256.Sum256([]byte(p.Text() + "\x00" + p.Extra))
	return hex.EncodeToString(sum[:])
}

func (s *Store) replacePassages(ctx context.Context, tx *sql.Tx, corpus, source string, passages []audit.Passage) (changed bool, err error) {
	sum, err := sourceSum(passages)
	if err != nil {
		return false, err
	}
	var have string
	err = tx.QueryRowContext(ctx, `SELECT sha256 FROM sources WHERE corpus = ? AND source = ?`, corpus, source).Scan(&have)
	if err == nil && have == sum {
		return false, nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	old, err := oldPassages(ctx, tx, corpus, source)
	if err != nil {
		return false, err
	}
	w, err := newPassageWriter(ctx, tx)
	if err != nil {
		return false, err
	}
	defer w.close()
	ids := map[int64]int64{} // local id -> row id
	for i, p := range passages {
		p.Corpus, p.Source, p.ParentID = corpus, source, ids[p.ParentID]
		if p.SHA256 == "" {
			p.SHA256 = passageSum(p)
		}
		local := p.ID
		if p.ID, err = w.put(ctx, p, i, old); err != nil {
			return false, err
		}
		if local != 0 {
			ids[local] = p.ID
		}
	}
	for _, rows := range old {
		for _, row := range rows {
			if err := w.remove(ctx, row.id); err != nil {
				return false, err
			}
		}
	}
	if len(passages) == 0 {
		_, err = tx.ExecContext(ctx, `DELETE FROM sources WHERE corpus = ? AND source = ?`, corpus, source)
		return true, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO sources (corpus, source, sha256) VALUES (?, ?, ?)
		ON CONFLICT DO UPDATE SET sha256 = excluded.sha256`, corpus, source, sum)
	return true, err
}

// oldRow is a passage that was there before.
type oldRow struct {
	id   int64
	json string
}

// oldPassages gives a source's passages by the sum of their text.
func oldPassages(ctx context.Context, tx *sql.Tx, corpus, source string) (map[string][]oldRow, error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, sha256, json FROM passages WHERE corpus = ? AND source = ? ORDER BY ord`, corpus, source)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string][]oldRow{}
	for rows.Next() {
		var row oldRow
		var sum string
		if err := rows.Scan(&row.id, &sum, &row.json); err != nil {
			return nil, err
		}
		out[sum] = append(out[sum], row)
	}
	return out, rows.Err()
}

// passageWriter holds the statements that write one passage to all its tables.
type passageWriter struct {
	tx                           *sql.Tx
	vectors                      bool // the vectors' index is there
	insert, update, place, drop  *sql.Stmt
	fts, dropFTS, cite, dropCite *sql.Stmt
	meta, dropMeta               *sql.Stmt
}

func newPassageWriter(ctx context.Context, tx *sql.Tx) (*passageWriter, error) {
	w := &passageWriter{tx: tx}
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'vectors_vec')`).Scan(&w.vectors); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.insert, `INSERT INTO passages (corpus, source, regulator, kind, citation, parent_id, ord, sha256, json, indexed)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&w.update, `UPDATE passages SET regulator = ?, kind = ?, citation = ?, parent_id = ?, ord = ?, json = ?, indexed = ? WHERE id = ?`},
		{&w.place, `UPDATE passages SET parent_id = ?, ord = ? WHERE id = ?`},
		{&w.drop, `DELETE FROM passages WHERE id = ?`},
		{&w.fts, `INSERT INTO passages_fts (rowid, header, body, extra, cites, facets) VALUES (?, ?, ?, ?, ?, ?)`},
		{&w.dropFTS, `DELETE FROM passages_fts WHERE rowid = ?`},
		{&w.cite, `INSERT INTO passage_citations (citation, own, passage_id) VALUES (?, ?, ?)`},
		{&w.dropCite, `DELETE FROM passage_citations WHERE passage_id = ?`},
		{&w.meta, `INSERT OR IGNORE INTO passage_meta (key, value, passage_id) VALUES (?, ?, ?)`},
		{&w.dropMeta, `DELETE FROM passage_meta WHERE passage_id = ?`},
	} {
		stmt, err := tx.PrepareContext(ctx, p.text)
		if err != nil {
			w.close()
			return nil, err
		}
		*p.stmt = stmt
	}
	return w, nil
}

func (w *passageWriter) close() {
	for _, stmt := range []*sql.Stmt{
		w.insert, w.update, w.place, w.drop, w.fts, w.dropFTS, w.cite, w.dropCite, w.meta, w.dropMeta,
	} {
		if stmt != nil {
			stmt.Close()
		}
	}
}

// put writes a passage, over the row of an old one with the same text where
// there is one, which it takes out of old.
func (w *passageWriter) put(ctx context.Context, p audit.Passage, ord int, old map[string][]oldRow) (int64, error) {
	parent := p.ParentID
	p.ID, p.ParentID = 0, 0
	text, err := json.Marshal(p)
	if err != nil {
		return 0, fmt.Errorf("write passage: %w", err)
	}
	sum := passageSum(p)
	indexed := p.Meta[MetaRole] != RoleParent
	if same := old[sum]; len(same) > 0 {
		row := same[0]
		old[sum] = same[1:]
		if row.json == string(text) {
			_, err := w.place.ExecContext(ctx, parent, ord, row.id)
			return row.id, err
		}
		if _, err := w.update.ExecContext(ctx, p.Regulator, p.Kind, p.Citation, parent, ord, string(text), indexed, row.id); err != nil {
			return 0, err
		}
		for _, stmt := range []*sql.Stmt{w.dropFTS, w.dropCite, w.dropMeta} {
			if _, err := stmt.ExecContext(ctx, row.id); err != nil {
				return 0, err
			}
		}
		return row.id, w.index(ctx, row.id, p, indexed)
	}
	res, err := w.insert.ExecContext(ctx, p.Corpus, p.Source, p.Regulator, p.Kind, p.Citation, parent, ord, sum, string(text), indexed)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	return id, w.index(ctx, id, p, indexed)
}

func (w *passageWriter) index(ctx context.Context, id int64, p audit.Passage, indexed bool) error {
	for _, c := range paragraphs(p) {
		if _, err := w.cite.ExecContext(ctx, c.citation.String(), c.own, id); err != nil {
			return err
		}
	}
	for key, value := range p.Meta {
		if _, err := w.meta.ExecContext(ctx, key, value, id); err != nil {
			return err
		}
	}
	if !indexed {
		return nil
	}
	return w.indexWords(ctx, id, p)
}

// indexWords writes a passage into the full-text index.
func (w *passageWriter) indexWords(ctx context.Context, id int64, p audit.Passage) error {
	var cites []string
	for _, c := range paragraphs(p) {
		cites = append(cites, citeToken(c.citation))
	}
	facets := append([]string{
		facetToken(facetCorpus, p.Corpus), facetToken(facetKind, string(p.Kind)), facetToken(facetRegulator, p.Regulator),
	}, cites...)
	_, err := w.fts.ExecContext(ctx, id, p.Header, p.Body, p.Extra, strings.Join(cites, " "), strings.Join(facets, " "))
	return err
}

func (w *passageWriter) remove(ctx context.Context, id int64) error {
	if w.vectors {
		if err := dropVectors(ctx, w.tx, id); err != nil {
			return err
		}
	}
	for _, stmt := range []*sql.Stmt{w.dropFTS, w.drop} {
		if _, err := stmt.ExecContext(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Passages gives passages by id, in the order asked; one that is gone is left
// out.
func (s *Store) Passages(ctx context.Context, ids []int64) ([]audit.Passage, error) {
	list, args := in(ids)
	found, err := queryAll(ctx, s, "read passages", scanPassage, `SELECT id, parent_id, ord, json FROM passages WHERE id IN `+list, args...)
	if err != nil {
		return nil, err
	}
	at := map[int64]audit.Passage{}
	for _, p := range found {
		at[p.ID] = p
	}
	var out []audit.Passage
	for _, id := range ids {
		if p, ok := at[id]; ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// Citations gives the paragraphs of passages, where they have one.
func (s *Store) Citations(ctx context.Context, ids []int64) (map[int64]string, error) {
	list, args := in(ids)
	out := map[int64]string{}
	_, err := queryAll(ctx, s, "read citations", func(rows *sql.Rows) (struct{}, error) {
		var id int64
		var citation string
		err := rows.Scan(&id, &citation)
		if citation != "" {
			out[id] = citation
		}
		return struct{}{}, err
	}, `SELECT id, citation FROM passages WHERE id IN `+list, args...)
	return out, err
}

// HeldCitations gives every paragraph that passages of some corpora hold.
func (s *Store) HeldCitations(ctx context.Context, corpora ...string) (map[string]bool, error) {
	list, args := in(corpora)
	out := map[string]bool{}
	_, err := queryAll(ctx, s, "list paragraphs", func(rows *sql.Rows) (struct{}, error) {
		var citation string
		err := rows.Scan(&citation)
		out[citation] = true
		return struct{}{}, err
	}, `SELECT DISTINCT c.citation FROM passage_citations c JOIN passages p ON p.id = c.passage_id
		WHERE c.own = 1 AND p.corpus IN `+list, args...)
	return out, err
}

// SourcePassages gives every passage of one source, in order.
func (s *Store) SourcePassages(ctx context.Context, corpus, source string) ([]audit.Passage, error) {
	return queryAll(ctx, s, "read passages of "+source, scanPassage,
		`SELECT id, parent_id, ord, json FROM passages WHERE corpus = ? AND source = ? ORDER BY ord`, corpus, source)
}

func scanPassage(rows *sql.Rows) (audit.Passage, error) { return scanPassageWith(rows) }

// scanPassageWith reads a passage, and what the query selects after it.
func scanPassageWith(rows *sql.Rows, more ...any) (p audit.Passage, err error) {
	var text string
	var id, parent int64
	var ord int
	if err := rows.Scan(append([]any{&id, &parent, &ord, &text}, more...)...); err != nil {
		return p, err
	}
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return p, err
	}
	p.ID, p.ParentID, p.Order = id, parent, ord
	return p, nil
}

// in makes a list of placeholders for values.
func in[T any](values []T) (list string, args []any) {
	for _, v := range values {
		args = append(args, v)
	}
	return "(" + strings.TrimSuffix(strings.Repeat("?,", len(values)), ",") + ")", args
}
