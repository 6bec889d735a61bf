package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"veristream/backend/audit"
)

// fail says what was being done, and turns SQLite's codes into a sentence that
// says what the user can do.
func (s *Store) fail(ctx context.Context, doing string, err error) error {
	var known *audit.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.As(err, &known), errors.Is(err, ErrNotFound):
		return fmt.Errorf("%s: %w", doing, err)
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("%s: %w", doing, ErrNotFound)
	}
	if sentence := s.sentence(err); sentence != "" {
		return fmt.Errorf("%s: %w", doing, audit.Wrap(err, audit.CodeStorage, "%s", sentence))
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (s *Store) sentence(err error) string {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return ""
	}
	switch e.Code {
	case sqlite3.ErrFull:
		return fmt.Sprintf("The disk that holds %s is full. Nothing was lost; free some space and try again.", s.path)
	case sqlite3.ErrIoErr:
		return fmt.Sprintf("The disk failed while %s was read or written (full, removed or damaged). Nothing that was saved is lost.", s.path)
	case sqlite3.ErrReadonly, sqlite3.ErrPerm:
		return fmt.Sprintf("The database %s cannot be written to. Check its permissions, or set VERISTREAM_HOME to another folder.", s.path)
	case sqlite3.ErrCantOpen:
		return fmt.Sprintf("The database %s cannot be opened. Check its permissions, or set VERISTREAM_HOME to another folder.", s.path)
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return fmt.Sprintf("The database %s is damaged. Put it back from a copy, or move it away and VeriStream begins a new one.", s.path)
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fmt.Sprintf("Another process has been writing to %s for a long time. Try again when it has finished.", s.path)
	case sqlite3.ErrNomem:
		return "There is not enough memory for the database."
	}
	return ""
}
