package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"veristream/backend/audit"
)

// applicationID marks our files ("VSTR"), so that another program's database
// is not taken for ours (SQLite's documentation, "Database File Format", 1.3.13).
const applicationID = 0x56535452

//go:embed migrations/*.sql
var migrations embed.FS

// latest gives the number of the newest migration.
func latest() int {
	names, _ := fs.Glob(migrations, "migrations/*.sql")
	return len(names)
}

// migrate brings the database up to version `to`, in one transaction, so that
// a crash leaves either schema whole and a second process waits.
func (s *Store) migrate(ctx context.Context, to int) error {
	return s.tx(ctx, "bring the database up to date", func(tx *sql.Tx) error {
		version, err := s.checkOurs(ctx, tx)
		if err != nil {
			return err
		}
		if version > to {
			return audit.Errorf(audit.CodeStorage,
				"The database %s was written by a newer VeriStream (schema %d, this one knows %d). Update VeriStream.",
				s.path, version, to)
		}
		if version == to {
			return nil
		}
		names, err := fs.Glob(migrations, "migrations/*.sql")
		if err != nil {
			return fmt.Errorf("list migrations: %w", err)
		}
		for i, name := range names[version:to] {
			if n, err := strconv.Atoi(path.Base(name)[:4]); err != nil || n != version+i+1 {
				return fmt.Errorf("migration %s is out of order", name)
			}
			stmts, err := migrations.ReadFile(name)
			if err != nil {
				return fmt.Errorf("read migration: %w", err)
			}
			if _, err := tx.ExecContext(ctx, string(stmts)); err != nil {
				return fmt.Errorf("apply %s: %w", path.Base(name), err)
			}
		}
		if version > 0 && version < facetsFrom && to >= facetsFrom {
			if err := indexWordsAgain(ctx, tx); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", to, applicationID))
		return err
	})
}

// facetsFrom is the version from which the full-text index has facets.
const facetsFrom = 7

// indexWordsAgain fills an empty full-text index from the passages.
func indexWordsAgain(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, `SELECT id, parent_id, ord, json FROM passages WHERE indexed = 1`)
	if err != nil {
		return err
	}
	defer rows.Close()
	w, err := newPassageWriter(ctx, tx)
	if err != nil {
		return err
	}
	defer w.close()
	for rows.Next() {
		p, err := scanPassage(rows)
		if err != nil {
			return err
		}
		if err := w.indexWords(ctx, p.ID, p); err != nil {
			return err
		}
	}
	return rows.Err()
}

// checkOurs gives the schema's version, and refuses another program's file.
func (s *Store) checkOurs(ctx context.Context, tx *sql.Tx) (version int, err error) {
	var app, tables int
	row := tx.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`)
	if err := row.Scan(&version, &app, &tables); err != nil {
		return 0, err
	}
	if tables > 0 && app != applicationID {
		return 0, audit.Errorf(audit.CodeStorage, "%s is a database of another program.", s.path)
	}
	return version, nil
}
