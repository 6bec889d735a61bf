package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// Setting reads the setting of a name into v; ok is false when it was never set.
func (s *Store) Setting(ctx context.Context, key string, v any) (ok bool, err error) {
	return s.readJSON(ctx, "read setting "+key, v, `SELECT json FROM settings WHERE key = ?`, key)
}

// SetSetting keeps a setting, and writes into the record that it changed.
func (s *Store) SetSetting(ctx context.Context, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return s.fail(ctx, "save setting "+key, err)
	}
	return s.tx(ctx, "save setting "+key, func(tx *sql.Tx) error {
		var before string
		err := tx.QueryRowContext(ctx, `SELECT json FROM settings WHERE key = ?`, key).Scan(&before)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if before == string(text) {
			return nil
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO settings (json, key) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json`,
			string(text), key); err != nil {
			return err
		}
		return s.appendEvent(ctx, tx, "setting changed", key, map[string]json.RawMessage{"value": text})
	})
}

// Profile reads a named set of facts or preferences into v.
func (s *Store) Profile(ctx context.Context, name string, v any) (ok bool, err error) {
	return s.readJSON(ctx, "read profile "+name, v, `SELECT json FROM profiles WHERE name = ?`, name)
}

// SaveProfile keeps a profile.
func (s *Store) SaveProfile(ctx context.Context, name string, v any) error {
	return s.writeJSON(ctx, "save profile "+name, v,
		`INSERT INTO profiles (json, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json`, name)
}

// DeleteProfile removes a profile.
func (s *Store) DeleteProfile(ctx context.Context, name string) error {
	return s.tx(ctx, "delete profile "+name, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM profiles WHERE name = ?`, name)
		return err
	})
}

// Profiles lists the names of the profiles.
func (s *Store) Profiles(ctx context.Context) ([]string, error) {
	return queryAll(ctx, s, "list profiles", func(rows *sql.Rows) (name string, err error) {
		err = rows.Scan(&name)
		return name, err
	}, `SELECT name FROM profiles ORDER BY name`)
}

func (s *Store) readJSON(ctx context.Context, doing string, v any, query string, args ...any) (bool, error) {
	var text string
	err := s.read.QueryRowContext(ctx, query, args...).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), v)
	}
	return err == nil, s.fail(ctx, doing, err)
}

func (s *Store) writeJSON(ctx context.Context, doing string, v any, query string, args ...any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return s.fail(ctx, doing, err)
	}
	return s.tx(ctx, doing, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, append([]any{string(text)}, args...)...)
		return err
	})
}

// queryAll reads every row of a query.
func queryAll[T any](ctx context.Context, s *Store, doing string, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.fail(ctx, doing, err)
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, s.fail(ctx, doing, err)
		}
		out = append(out, v)
	}
	return out, s.fail(ctx, doing, rows.Err())
}

// scanJSON makes a scanner for queries whose only column is a JSON text.
func scanJSON[T any](rows *sql.Rows) (v T, err error) {
	var text string
	if err := rows.Scan(&text); err != nil {
		return v, err
	}
	err = json.Unmarshal([]byte(text), &v)
	return v, err
}
