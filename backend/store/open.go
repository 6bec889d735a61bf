package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"
	"github.com/mattn/go-sqlite3"

	"veristream/backend/audit"
)

// ErrNotFound says that a thing that was asked for by its id is not there.
var ErrNotFound = errors.New("not found")

// Store is an open database. It may be used by many goroutines.
type Store struct {
	path  string
	write *sql.DB // one connection: writers queue here and not in SQLite
	read  *sql.DB
	now   func() time.Time
	// opened is when the connections were made, for the events' own clock.
	opened  time.Time
	words   commonWords
	repeats repeats
}

// mapped is the driver of connections that read the file through a mapping of
// its pages: a search by vectors reads every one of the index, and copying them
// into each connection's own cache is most of what that costs.
const mapped = "sqlite3_mapped"

// mapBytes is how much of a file is mapped; the rest is read as usual.
const mapBytes = 1 << 30

// readers is how many connections read at the same time. Each maps the file for
// itself, and the system counts a page as memory of this process once for each
// that has read it.
const readers = 3

// register makes every new connection of this process know the vector table,
// and names the driver that maps the file.
var register = sync.OnceFunc(func() {
	vec.Auto()
	sql.Register(mapped, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		if _, err := c.Exec(fmt.Sprintf("PRAGMA mmap_size = %d", mapBytes), nil); err != nil {
			return fmt.Errorf("map the database: %w", err)
		}
		return nil
	}})
})

// Open opens the database at path, makes it if there is none, and brings it to
// this version's schema.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := connect(path)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, latest()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect makes the connections and leaves the schema as it is.
func connect(path string) (*Store, error) {
	register()
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the database's path: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder of the database %s cannot be made.", abs)
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return nil, audit.Errorf(audit.CodeStorage, "%s is a folder, not a database.", abs)
	}
	if err := begin(abs); err != nil {
		return nil, err
	}
	s := &Store{path: abs, now: time.Now, opened: time.Now()}
	if s.write, err = sql.Open("sqlite3", dsn(abs, "_txlock=immediate")); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sql.Open(mapped, dsn(abs, "_query_only=1")); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), s.write.Close())
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	return s, nil
}

// pageSize is that of a new database. A search by vectors reads the whole
// index; with SQLite's default of 4096 bytes it takes twice as long.
const pageSize = 32768

// begin gives a new database its page size, which cannot be changed once the
// journal is a write-ahead log. What is wrong with a file is told when it is
// opened.
func begin(path string) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	db, err := sql.Open("sqlite3", uri(path)+"?_busy_timeout=10000")
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	db.SetMaxOpenConns(1)
	_, _ = db.ExecContext(context.Background(), fmt.Sprintf("PRAGMA page_size = %d; PRAGMA journal_mode = WAL", pageSize))
	if err := db.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// dsn spells a path as a URI, which may hold any character, with what every
// connection sets.
func dsn(path, more string) string {
	return uri(path) + "?_busy_timeout=10000&_foreign_keys=1&_journal_mode=WAL&_synchronous=FULL&_cache_size=-16000&" + more
}

func uri(path string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	return u.String()
}

// Path gives the database's file.
func (s *Store) Path() string { return s.path }

// Close closes the database.
func (s *Store) Close() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// tx runs f in one transaction for writing: all of it happens or none.
func (s *Store) tx(ctx context.Context, doing string, f func(tx *sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.fail(ctx, doing, err)
	}
	defer tx.Rollback() // after a commit it does nothing, after a failure the failure is told
	if err := f(tx); err != nil {
		return s.fail(ctx, doing, err)
	}
	if err := tx.Commit(); err != nil {
		return s.fail(ctx, doing, err)
	}
	return nil
}
