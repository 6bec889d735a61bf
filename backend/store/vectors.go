package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"sync"

	"veristream/backend/audit"
)

// vectorSetting is the setting that says whose vectors are in the index.
const vectorSetting = "vectors"

// vectorState says which embedder made the vectors, and how long they are.
type vectorState struct {
	Model string `json:"model"`
	Dim   int    `json:"dim"`
}

// PassagesWithoutVectors gives passages that this embedder has not embedded
// yet; with another embedder's vectors in the index, that is all of them.
func (s *Store) PassagesWithoutVectors(ctx context.Context, modelID string, limit int) ([]audit.Passage, error) {
	return queryAll(ctx, s, "find passages to embed", scanPassage,
		`SELECT id, parent_id, ord, json FROM passages WHERE indexed = 1 AND vector_model <> ? ORDER BY corpus, id LIMIT ?`, modelID, limit)
}

// CountWithoutVectors counts what PassagesWithoutVectors would give.
func (s *Store) CountWithoutVectors(ctx context.Context, modelID string) (n int, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM passages WHERE indexed = 1 AND vector_model <> ?`, modelID).Scan(&n)
	return n, s.fail(ctx, "count passages to embed", err)
}

// SaveVectors keeps vectors of passages, replacing those that the passages
// had. The first vectors of another embedder drop all that are there: those of
// two embedders never mix. A passage that has gone meanwhile is passed over.
func (s *Store) SaveVectors(ctx context.Context, modelID string, list []audit.PassageVectors) error {
	if len(list) == 0 {
		return nil
	}
	if len(list[0].Vectors) == 0 {
		return fmt.Errorf("save vectors: passage %d has none", list[0].PassageID)
	}
	want := vectorState{Model: modelID, Dim: len(list[0].Vectors[0])}
	return s.tx(ctx, "save vectors", func(tx *sql.Tx) error {
		if err := s.prepareVectors(ctx, tx, want); err != nil {
			return err
		}
		for _, v := range list {
			if err := saveVectors(ctx, tx, want, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// prepareVectors makes the index this embedder's, dropping another's vectors.
func (s *Store) prepareVectors(ctx context.Context, tx *sql.Tx, want vectorState) error {
	var have vectorState
	err := tx.QueryRowContext(ctx, `SELECT json ->> 'model', json ->> 'dim' FROM settings WHERE key = ?`, vectorSetting).Scan(&have.Model, &have.Dim)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if have == want {
		return nil
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`
		DROP TABLE IF EXISTS vectors_vec;
		DELETE FROM vectors;
		UPDATE passages SET vector_model = '' WHERE vector_model <> '';
		CREATE VIRTUAL TABLE vectors_vec USING vec0 (
			id INTEGER PRIMARY KEY,
			corpus TEXT PARTITION KEY,
			regulator TEXT,
			source INTEGER,
			kind INTEGER,
			embedding FLOAT[%d] DISTANCE_METRIC=L2
		)`, want.Dim))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO settings (key, json) VALUES (?, json_object('model', ?, 'dim', ?))
		ON CONFLICT DO UPDATE SET json = excluded.json`, vectorSetting, want.Model, want.Dim)
	return err
}

func saveVectors(ctx context.Context, tx *sql.Tx, want vectorState, v audit.PassageVectors) error {
	var corpus, regulator, source, kind string
	err := tx.QueryRowContext(ctx, `SELECT corpus, regulator, source, kind FROM passages WHERE id = ?`, v.PassageID).
		Scan(&corpus, &regulator, &source, &kind)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := dropVectors(ctx, tx, v.PassageID); err != nil {
		return err
	}
	for _, vector := range v.Vectors {
		if len(vector) != want.Dim {
			return fmt.Errorf("a vector of passage %d has %d values, not %d", v.PassageID, len(vector), want.Dim)
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO vectors (passage_id, embedding) VALUES (?, ?)`, v.PassageID, blob(vector))
		if err != nil {
			return err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO vectors_vec (id, corpus, regulator, source, kind, embedding) VALUES (?, ?, ?, ?, ?, ?)`,
			id, corpus, regulator, number(source), number(kind), blob(vector)); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE passages SET vector_model = ? WHERE id = ?`, want.Model, v.PassageID)
	return err
}

// dropVectors removes a passage's vectors from the index. vec0 finds a row by
// its number alone: with "id IN (…)" it walks them all.
func dropVectors(ctx context.Context, tx *sql.Tx, passageID int64) error {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM vectors WHERE passage_id = ?`, passageID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, id := range ids {
		for _, stmt := range []string{`DELETE FROM vectors_vec WHERE id = ?`, `DELETE FROM vectors WHERE id = ?`} {
			if _, err := tx.ExecContext(ctx, stmt, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// VectorModel gives the id of the embedder whose vectors are in the index;
// empty when there are none.
func (s *Store) VectorModel(ctx context.Context) (string, error) {
	var v vectorState
	_, err := s.Setting(ctx, vectorSetting, &v)
	return v.Model, err
}

// mostRows is the most that vec0 gives.
const mostRows = 4096

// SearchDense finds the passages nearest to a vector of the given embedder, by
// cosine. A passage counts once, by the nearest of its vectors. Vectors of
// another embedder in the index are refused: they must be made again.
func (s *Store) SearchDense(ctx context.Context, modelID string, vector []float32, f audit.Filter, k int) ([]audit.ScoredID, error) {
	var have vectorState
	ok, err := s.Setting(ctx, vectorSetting, &have)
	if err != nil || !ok || k <= 0 {
		return nil, err
	}
	if have.Model != modelID || have.Dim != len(vector) {
		return nil, s.fail(ctx, "search vectors", audit.Errorf(audit.CodeModel,
			"The index was made with the embedder %q and not with %q. It is made again when VeriStream next embeds the passages.", have.Model, modelID))
	}
	if few, err := s.few(ctx, f); few || err != nil {
		if err != nil {
			return nil, err
		}
		return s.compare(ctx, vector, f, k)
	}
	conds, args, err := s.whereVectors(ctx, f)
	if err != nil {
		return nil, err
	}
	corpora := f.Corpora
	if len(corpora) == 0 {
		corpora = []string{""} // all partitions at once
	}
	best := map[int64]float64{}
	for _, corpus := range corpora {
		if err := s.nearest(ctx, vector, corpus, conds, args, k, best); err != nil {
			return nil, err
		}
	}
	out := make([]audit.ScoredID, 0, len(best))
	for id, score := range best {
		out = append(out, audit.ScoredID{ID: id, Score: score})
	}
	slices.SortFunc(out, func(a, b audit.ScoredID) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(k, len(out))], nil
}

// fewPassages is up to how many are compared one by one, which is then faster
// than to walk the index.
const fewPassages = 500

// few says whether a filter names a few paragraphs.
func (s *Store) few(ctx context.Context, f audit.Filter) (bool, error) {
	if len(f.Within) == 0 {
		return false, nil
	}
	var names []string
	for _, c := range f.Within {
		names = append(names, c.String())
	}
	list, args := in(names)
	var n int
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM passage_citations WHERE citation IN `+list+` LIMIT ?)`,
		append(args, fewPassages+1)...).Scan(&n)
	return n <= fewPassages, s.fail(ctx, "count passages", err)
}

// compare finds the nearest of a few passages by comparing every one.
func (s *Store) compare(ctx context.Context, vector []float32, f audit.Filter, k int) ([]audit.ScoredID, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return nil, err
	}
	return queryAll(ctx, s, "compare vectors", scanNearest, `SELECT v.passage_id, min(vec_distance_L2(v.embedding, ?)) AS distance
		FROM passages p JOIN vectors v ON v.passage_id = p.id WHERE `+where+`
		GROUP BY v.passage_id ORDER BY distance, v.passage_id LIMIT ?`, append(append([]any{blob(vector)}, args...), k)...)
}

// scanNearest reads a passage and its distance, which it makes the cosine of
// vectors of unit length.
func scanNearest(rows *sql.Rows) (h audit.ScoredID, err error) {
	var distance float64
	err = rows.Scan(&h.ID, &distance)
	h.Score = 1 - distance*distance/2
	return h, err
}

// nearest adds the k nearest passages of a partition to best. A passage may
// have several vectors: while fewer than k come back, more rows are asked for.
func (s *Store) nearest(ctx context.Context, vector []float32, corpus, conds string, args []any, k int, best map[int64]float64) error {
	for rows := min(s.repeats.rows(corpus, k), mostRows); ; rows = min(3*rows, mostRows) {
		head := []any{blob(vector), rows}
		in := conds
		if corpus != "" {
			in, head = " AND corpus = ?"+conds, append(head, corpus)
		}
		found, err := queryAll(ctx, s, "search vectors", scanNearest, `SELECT v.passage_id, n.distance FROM
			(SELECT id, distance FROM vectors_vec WHERE embedding MATCH ? AND k = ?`+in+`) n
		JOIN vectors v ON v.id = n.id`, append(head, args...)...)
		if err != nil {
			return err
		}
		distinct := map[int64]bool{}
		needed := 0
		for i, h := range found {
			if len(distinct) < k {
				needed = i + 1
			}
			distinct[h.ID] = true
		}
		s.repeats.saw(corpus, needed, min(k, len(distinct)))
		if len(distinct) < k && len(found) == rows && rows < mostRows {
			continue
		}
		for _, h := range found {
			if score, ok := best[h.ID]; !ok || h.Score > score {
				best[h.ID] = h.Score
			}
		}
		return nil
	}
}

// repeats says for each partition how many rows of the vector index its nearest
// passages took lately. A row more costs a comparison with every vector there
// is, and asking again costs all of them.
type repeats struct {
	mu       sync.Mutex
	perFound map[string]float64 // by corpus
}

// Before anything is known of a partition, and how much each search counts.
const (
	repeatsAtFirst = 1.25
	repeatsWeight  = 0.1
)

// rows is how many rows to ask for, to have k passages.
func (r *repeats) rows(corpus string, k int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	per, ok := r.perFound[corpus]
	if !ok {
		per = repeatsAtFirst
	}
	if per < 1.01 { // one vector for each passage
		return k
	}
	return int(math.Ceil(per*float64(k))) + k/4
}

// saw notes that so many rows held so many passages.
func (r *repeats) saw(corpus string, rows, passages int) {
	if passages == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.perFound == nil {
		r.perFound = map[string]float64{}
	}
	seen := float64(rows) / float64(passages)
	if per, ok := r.perFound[corpus]; ok {
		seen = per + repeatsWeight*(seen-per)
	}
	r.perFound[corpus] = seen
}

// whereVectors writes a filter as conditions of a vector search. One regulator,
// a source and the kinds stand in the index itself, where they cost
// next to nothing; for anything else the rows are looked up first.
func (s *Store) whereVectors(ctx context.Context, f audit.Filter) (string, []any, error) {
	conds := ""
	var args []any
	texts, err := s.Texts(ctx)
	if err != nil {
		return "", nil, err
	}
	_, superseded := inForce(texts, f.AsOf, s.now())
	for _, id := range superseded {
		conds, args = conds+" AND source <> ?", append(args, number(id))
	}
	rest := f
	rest.Corpora = nil // SearchDense asks one partition after another
	if len(f.Regulators) == 1 {
		conds, args, rest.Regulators = conds+" AND regulator = ?", append(args, f.Regulators[0]), nil
	}
	if len(f.Sources) == 1 {
		conds, args, rest.Sources = conds+" AND source = ?", append(args, number(f.Sources[0])), nil
	}
	if len(f.Kinds) > 0 {
		var kinds []int64
		for _, k := range f.Kinds {
			kinds = append(kinds, number(string(k)))
		}
		list, more := in(kinds)
		conds, args, rest.Kinds = conds+" AND kind IN "+list, append(args, more...), nil
	}
	where, more := narrow(rest)
	if where == "" {
		return conds, args, nil
	}
	return conds + " AND id IN (SELECT v.id FROM passages p JOIN vectors v ON v.passage_id = p.id WHERE " + where + ")",
		append(args, more...), nil
}

// number stands for a name in the vector index, which compares numbers faster
// than texts.
func number(name string) int64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return int64(h.Sum64() >> 1)
}

// Cosines gives the cosine of each of these passages with a vector, by the
// nearest of the passage's vectors. A passage without vectors is left out.
func (s *Store) Cosines(ctx context.Context, modelID string, vector []float32, ids []int64) (map[int64]float64, error) {
	var have vectorState
	ok, err := s.Setting(ctx, vectorSetting, &have)
	if err != nil || !ok || have.Model != modelID || have.Dim != len(vector) || len(ids) == 0 {
		return nil, err
	}
	list, args := in(ids)
	found, err := queryAll(ctx, s, "compare vectors", scanNearest, `SELECT passage_id, min(vec_distance_L2(embedding, ?)) FROM vectors
		WHERE passage_id IN `+list+` GROUP BY passage_id`, append([]any{blob(vector)}, args...)...)
	out := map[int64]float64{}
	for _, h := range found {
		out[h.ID] = h.Score
	}
	return out, err
}

// blob writes a vector, brought to unit length, as sqlite-vec reads it:
// little-endian float32.
func blob(vector []float32) []byte {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	scale := 1.0
	if sum > 0 {
		scale = 1 / math.Sqrt(sum)
	}
	out := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(float64(x)*scale)))
	}
	return out
}
