// Package store keeps answers in a database on disk, and what is known of the texts of files. It knows nothing of
// servers: whoever asks says which world, a digest of all that decides an answer, an answer belongs to.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite" // registers the driver "sqlite"
)

// Version is the version of the schema. A database with another one is made anew, and an artefact with another one is
// refused.
const Version = 2

// answersTable holds one answer for each question and world; see [Row].
const answersTable = `CREATE TABLE answers (
	question TEXT NOT NULL, world TEXT NOT NULL,
	file TEXT NOT NULL, hash TEXT NOT NULL, symbol TEXT NOT NULL, line INTEGER NOT NULL, character INTEGER NOT NULL,
	declaration INTEGER NOT NULL, searched INTEGER NOT NULL, server TEXT NOT NULL, locations BLOB NOT NULL,
	asked INTEGER NOT NULL, used INTEGER NOT NULL, imported INTEGER NOT NULL, seal TEXT NOT NULL,
	PRIMARY KEY (question, world)
) WITHOUT ROWID`

// filesTable holds what is known of the texts of files; see [Stat].
const filesTable = `CREATE TABLE files (
	path TEXT NOT NULL PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, change INTEGER NOT NULL,
	hash TEXT NOT NULL, special INTEGER NOT NULL
) WITHOUT ROWID`

const schema = answersTable + ";\n" + filesTable + ";\n" + indexesTable + ";\n" + indexedTable + ";\n" + oddTable +
	";\nCREATE INDEX answers_used ON answers (used);\nCREATE INDEX answers_file ON answers (file)"

// busyTimeout is how long one process waits for another one that writes.
const busyTimeout = 5 * time.Second

// MaxBytes bounds the size of a database: the answers that nobody asked for the longest are removed before it is larger.
const MaxBytes = 256 << 20

// A Store is one database. A nil *Store has no answers and keeps none. It is safe for concurrent use, also by several
// processes. Nothing is opened before it is used; whoever made it closes it.
type Store struct {
	path string
	most int64
	note func(text string)

	mu     sync.Mutex
	db     *sql.DB
	failed error // why it is not used any more
	anew   bool  // it was made anew once
	closed bool
}

// New returns the store in the file at a path, which is made when something is first kept. note is called, at most a
// few times, with why the store is of no use; it must not wait.
func New(path string, note func(text string)) *Store {
	return &Store{path: path, most: MaxBytes, note: note}
}

// Path returns the file of the database, "" of a nil store.
func (s *Store) Path() string {
	if s == nil {
		return ""
	}
	return s.path
}

// errNothingKept says that there is no database yet.
var errNothingKept = errors.New("nothing is kept yet")

// errClosed says that the store was closed.
var errClosed = errors.New("it is closed")

// open returns the database. With make it makes one where there is none.
func (s *Store) open(ctx context.Context, make bool) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, errClosed
	case s.failed != nil:
		return nil, s.failed
	case s.db != nil:
		return s.db, nil
	}
	if _, err := os.Lstat(s.path); err != nil && !make {
		return nil, errNothingKept
	}
	db, err := s.openLocked(ctx)
	if isDamaged(err) && !s.anew {
		s.anew = true
		if err = s.putAsideLocked(err); err == nil {
			db, err = s.openLocked(ctx)
		}
	}
	if err != nil {
		if ctx.Err() == nil { // else the next call may succeed
			s.failLocked(err)
		}
		return nil, err
	}
	s.db = db
	return db, nil
}

func (s *Store) openLocked(ctx context.Context) (*sql.DB, error) {
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	// Where others of this system may read the folder, they shall not read the file either.
	if f, err := os.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
		if err := f.Close(); err != nil {
			return nil, err
		}
	} else if info, err := os.Lstat(s.path); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", s.path)
	}
	db, err := sql.Open("sqlite", source(s.path, "_txlock=immediate",
		pragma("busy_timeout", fmt.Sprint(busyTimeout.Milliseconds())), pragma("journal_mode", "WAL"), pragma("synchronous", "NORMAL"),
		pragma("trusted_schema", "OFF"), pragma("cell_size_check", "ON")))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2)
	if err = prepare(ctx, db); err != nil {
		_ = db.Close() // it is of no use
		return nil, err
	}
	return db, nil
}

// prepare makes the tables where there are none, or others.
func prepare(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version == Version {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	// Another process may have been faster.
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version == Version {
		return err
	}
	if version != 0 {
		return fmt.Errorf("%w: its schema has version %d", errDamaged, version)
	}
	if _, err := tx.ExecContext(ctx, schema+fmt.Sprintf(";\nPRAGMA user_version = %d", Version)); err != nil {
		return err
	}
	return tx.Commit()
}

// source names a database to the driver.
func source(path string, options ...string) string {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	return name.String() + "?" + strings.Join(options, "&")
}

func pragma(name, value string) string { return "_pragma=" + url.QueryEscape(name+"("+value+")") }

// errDamaged says that a database cannot be used as it is.
var errDamaged = errors.New("the database is damaged")

// isDamaged reports whether a database cannot be used as it is, and a new one in its place can.
func isDamaged(err error) bool {
	const corrupt, notADatabase = 11, 26 // SQLITE_CORRUPT and SQLITE_NOTADB
	var failed *sqlite.Error
	return errors.Is(err, errDamaged) || errors.As(err, &failed) && (failed.Code()&0xff == corrupt || failed.Code()&0xff == notADatabase)
}

// putAsideLocked moves a damaged database away. The one that was put aside before is replaced.
func (s *Store) putAsideLocked(why error) error {
	s.note(fmt.Sprintf("%s is put aside: %v", s.path, why))
	for _, more := range []string{"-wal", "-shm"} {
		if err := os.Remove(s.path + more); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(s.path, s.path+".damaged")
}

// failLocked ends the use of the database.
func (s *Store) failLocked(why error) {
	s.failed = why
	s.note(fmt.Sprintf("%s is not used: %v", s.path, why))
}

// failing takes the end of an access: if the database is damaged it is put aside, and the next access makes it anew.
func (s *Store) failing(err error) error {
	if !isDamaged(err) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil || s.closed {
		return err
	}
	_ = s.db.Close() // it is of no use
	s.db = nil
	if s.anew {
		s.failLocked(err)
		return err
	}
	s.anew = true
	if aside := s.putAsideLocked(err); aside != nil {
		s.failLocked(aside)
	}
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db = nil
	return db.Close()
}
