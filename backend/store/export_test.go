package store

import (
	"context"
	"fmt"
	"time"

	"github.com/mattn/go-sqlite3"

	"veristream/backend/audit"
)

// OpenAt makes a database as an earlier version left it.
func OpenAt(ctx context.Context, path string, version int) error {
	s, err := connect(path)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.migrate(ctx, version)
}

// Latest is the number of the newest migration.
func Latest() int { return latest() }

// SetVersion writes another schema number.
func (s *Store) SetVersion(ctx context.Context, version int) error {
	_, err := s.write.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}

// LimitPages makes the database full at its present size.
func (s *Store) LimitPages(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, "PRAGMA max_page_count = 1")
	return err
}

// ForbidWriting makes every write fail as on a read-only disk.
func (s *Store) ForbidWriting(ctx context.Context) error {
	_, err := s.write.ExecContext(ctx, "PRAGMA query_only = 1")
	return err
}

// SetClock replaces the clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// Exec runs any statement, as somebody who tampers with the file would.
func (s *Store) Exec(ctx context.Context, stmt string, args ...any) error {
	_, err := s.write.ExecContext(ctx, stmt, args...)
	return err
}

// Sentence gives the sentence for one of SQLite's codes.
func (s *Store) Sentence(code int) string {
	return s.sentence(sqlite3.Error{Code: sqlite3.ErrNo(code)})
}

// CiteToken is citeToken.
func CiteToken(c audit.Citation) string { return citeToken(c) }
