package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"veristream/backend/audit"
)

// ReplaceText installs an official text with its paragraphs and passages, in
// one step: a search sees the old text or the new one, never a part.
func (s *Store) ReplaceText(ctx context.Context, t audit.Text, rules []audit.Rule, passages []audit.Passage) error {
	text, err := json.Marshal(t)
	if err != nil {
		return s.fail(ctx, "install text", err)
	}
	return s.tx(ctx, "install text "+t.ID, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM rules WHERE text_id = ?`, t.ID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO texts (id, part, as_of, sha256, json, imported_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET part = excluded.part, as_of = excluded.as_of, sha256 = excluded.sha256,
				json = excluded.json, imported_at = excluded.imported_at`,
			t.ID, t.Part, t.AsOf, t.SHA256, string(text), s.now().UnixMilli()); err != nil {
			return err
		}
		ins, err := tx.PrepareContext(ctx, `INSERT INTO rules (text_id, ord, citation, parent, json) VALUES (?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		defer ins.Close()
		for i, r := range rules {
			row, err := json.Marshal(r)
			if err != nil {
				return err
			}
			parent, _ := r.Citation.Parent()
			if _, err := ins.ExecContext(ctx, t.ID, i, r.Citation.String(), parent.String(), string(row)); err != nil {
				return err
			}
		}
		if _, err := s.replacePassages(ctx, tx, audit.CorpusRules, t.ID, passages); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "text installed", t.ID, map[string]string{"sha256": t.SHA256, "as_of": t.AsOf, "origin": t.Origin})
	})
}

// RemoveText removes an official text with its paragraphs and passages.
func (s *Store) RemoveText(ctx context.Context, id string) error {
	return s.tx(ctx, "remove text "+id, func(tx *sql.Tx) error {
		if err := changeOne(tx.ExecContext(ctx, `DELETE FROM texts WHERE id = ?`, id)); err != nil {
			return err
		}
		if _, err := s.replacePassages(ctx, tx, audit.CorpusRules, id, nil); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "text removed", id, nil)
	})
}

// Texts lists the installed official texts by part and date.
func (s *Store) Texts(ctx context.Context) ([]audit.Text, error) {
	return queryAll(ctx, s, "list texts", scanJSON[audit.Text], `SELECT json FROM texts ORDER BY part, as_of`)
}

// inForce picks, of each part's texts, the one in force on a date: the latest
// that is not later, else the earliest. The others are given as superseded.
func inForce(texts []audit.Text, asOf string, today time.Time) (current, superseded []string) {
	if asOf == "" {
		asOf = today.Format(time.DateOnly)
	}
	best := map[string]audit.Text{}
	for _, t := range texts { // by part and date, see Texts
		if _, ok := best[t.Part]; !ok || t.AsOf <= asOf {
			best[t.Part] = t
		}
	}
	for _, t := range texts {
		if best[t.Part].ID == t.ID {
			current = append(current, t.ID)
		} else {
			superseded = append(superseded, t.ID)
		}
	}
	return current, superseded
}

// Rule gives a paragraph of the official text in force on a date (empty:
// today); ErrNotFound where no installed text has it.
func (s *Store) Rule(ctx context.Context, c audit.Citation, asOf string) (audit.Rule, error) {
	found, err := s.rules(ctx, "citation", c, asOf)
	if err != nil {
		return audit.Rule{}, err
	}
	if len(found) == 0 {
		return audit.Rule{}, s.fail(ctx, "read rule "+c.String(), ErrNotFound)
	}
	return found[0], nil
}

// Children gives the paragraphs one level below, in their order.
func (s *Store) Children(ctx context.Context, c audit.Citation, asOf string) ([]audit.Rule, error) {
	return s.rules(ctx, "parent", c, asOf)
}

// TextRules gives every paragraph of one installed text, in order.
func (s *Store) TextRules(ctx context.Context, textID string) ([]audit.Rule, error) {
	return queryAll(ctx, s, "read rules of "+textID, scanJSON[audit.Rule],
		`SELECT json FROM rules WHERE text_id = ? ORDER BY ord`, textID)
}

// CountRules counts the paragraphs of each installed text, by its id.
func (s *Store) CountRules(ctx context.Context) (map[string]int, error) {
	out := map[string]int{}
	_, err := queryAll(ctx, s, "count rules", func(rows *sql.Rows) (struct{}, error) {
		var id string
		var n int
		err := rows.Scan(&id, &n)
		out[id] = n
		return struct{}{}, err
	}, `SELECT text_id, count(*) FROM rules GROUP BY text_id`)
	return out, err
}

func (s *Store) rules(ctx context.Context, column string, c audit.Citation, asOf string) ([]audit.Rule, error) {
	texts, err := s.Texts(ctx)
	if err != nil {
		return nil, err
	}
	current, _ := inForce(texts, asOf, s.now())
	list, args := in(current)
	return queryAll(ctx, s, "read rule "+c.String(), scanJSON[audit.Rule],
		`SELECT json FROM rules WHERE `+column+` = ? AND text_id IN `+list+` ORDER BY text_id, ord`,
		append([]any{c.String()}, args...)...)
}

// ReplaceCards writes the cards of one source, in the order given.
func (s *Store) ReplaceCards(ctx context.Context, source string, cards []audit.Card) error {
	return s.tx(ctx, "save cards of "+source, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM cards WHERE source = ?`, source); err != nil {
			return err
		}
		for i, c := range cards {
			row, err := json.Marshal(c)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO cards (source, ord, citation, json) VALUES (?, ?, ?, ?)`,
				source, i, c.Citation, string(row)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Cards gives all cards, by source and order.
func (s *Store) Cards(ctx context.Context) ([]audit.Card, error) {
	return queryAll(ctx, s, "read cards", scanJSON[audit.Card], `SELECT json FROM cards ORDER BY source, ord`)
}
