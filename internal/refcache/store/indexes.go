package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// An Index is an index of the workspace that somebody made, as it was taken over.
type Index struct {
	// Number names it for people, from 1.
	Number int64
	// Source is where it was read from, Tool the name and version of what made it, Commit the id of the commit that its documents
	// were compared with, "" if with none.
	Source, Tool, Commit string
	Imported             time.Time
	// Documents counts the files with occurrences.
	Documents int
}

// An IndexedFile is a file as an index knows it.
type IndexedFile struct {
	// Path is relative to the root, with slashes; Hash is the SHA-256 of its text, in hexadecimal digits.
	Path, Hash string
	// Document is what the index says of the file, nil if nothing.
	Document []byte
}

// indexesTable holds one row for each index, indexedTable one for each file that an index knows, oddTable the symbols about which
// an index is not believed.
const (
	indexesTable = `CREATE TABLE indexes (
	number INTEGER NOT NULL PRIMARY KEY, source TEXT NOT NULL, tool TEXT NOT NULL, revision TEXT NOT NULL, imported INTEGER NOT NULL,
	documents INTEGER NOT NULL
)`
	indexedTable = `CREATE TABLE indexed (
	number INTEGER NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, document BLOB, seal TEXT NOT NULL,
	PRIMARY KEY (number, path)
) WITHOUT ROWID`
	oddTable = `CREATE TABLE odd (
	number INTEGER NOT NULL, symbol TEXT NOT NULL,
	PRIMARY KEY (number, symbol)
) WITHOUT ROWID`
)

// indexesKept bounds the indexes of a workspace: of more, the oldest are removed.
const indexesKept = 8

// seal returns a digest of a file as an index knows it.
func (f *IndexedFile) seal() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %d\n", f.Path, f.Hash, len(f.Document))
	sum.Write(f.Document)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// AddIndex adds an index, all or nothing. It takes the place of one from the same source, and of the oldest ones if there are too many.
// odd are the symbols about which it is not believed.
func (s *Store) AddIndex(ctx context.Context, index Index, files []IndexedFile, odd []string) error {
	if s == nil {
		return errClosed
	}
	db, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	return s.failing(addIndex(ctx, db, index, files, odd))
}

func addIndex(ctx context.Context, db *sql.DB, index Index, files []IndexedFile, odd []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	var number int64
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(number), 0) + 1 FROM indexes").Scan(&number); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM indexes WHERE source = ?", index.Source); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO indexes (number, source, tool, revision, imported, documents) VALUES (?, ?, ?, ?, ?, ?)",
		number, index.Source, index.Tool, index.Commit, index.Imported.Unix(), index.Documents); err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO indexed (number, path, hash, document, seal) VALUES (?, ?, ?, ?, ?)",
			number, f.Path, f.Hash, f.Document, f.seal()); err != nil {
			return err
		}
	}
	for _, symbol := range odd {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO odd (number, symbol) VALUES (?, ?)", number, symbol); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM indexes WHERE number <= ?", number-indexesKept); err != nil {
		return err
	}
	if err := dropRest(ctx, tx); err != nil {
		return err
	}
	if err := shrinkIndexes(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// MaxIndexes bounds the bytes of all documents of indexes together.
const MaxIndexes = MaxBytes / 2

// shrinkIndexes removes the oldest indexes until the others fit.
func shrinkIndexes(ctx context.Context, tx *sql.Tx) error {
	for range indexesKept {
		var size int64
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(sum(length(document)), 0) FROM indexed").Scan(&size); err != nil || size <= MaxIndexes {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM indexes WHERE number = (SELECT min(number) FROM indexes)"); err != nil {
			return err
		}
		if err := dropRest(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// dropRest removes what belongs to no index.
func dropRest(ctx context.Context, tx *sql.Tx) error {
	for _, table := range []string{"indexed", "odd"} {
		if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE number NOT IN (SELECT number FROM indexes)"); err != nil {
			return err
		}
	}
	return nil
}

// Indexes returns the indexes that were added, the latest first.
func (s *Store) Indexes(ctx context.Context) (indexes []Index, err error) {
	if s == nil {
		return nil, nil
	}
	db, err := s.open(ctx, false)
	if errors.Is(err, errNothingKept) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	indexes, err = readIndexes(ctx, db)
	return indexes, s.failing(err)
}

func readIndexes(ctx context.Context, db *sql.DB) (indexes []Index, err error) {
	rows, err := db.QueryContext(ctx, "SELECT number, source, tool, revision, imported, documents FROM indexes ORDER BY number DESC")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var i Index
		var imported int64
		if err := rows.Scan(&i.Number, &i.Source, &i.Tool, &i.Commit, &imported, &i.Documents); err != nil {
			return nil, err
		}
		i.Imported = time.Unix(imported, 0)
		indexes = append(indexes, i)
	}
	return indexes, rows.Err()
}

// RemoveIndex removes an index, false if there is none of this number.
func (s *Store) RemoveIndex(ctx context.Context, number int64) (removed bool, err error) {
	if s == nil {
		return false, nil
	}
	db, err := s.open(ctx, false)
	if errors.Is(err, errNothingKept) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	removed, err = removeIndex(ctx, db, number)
	return removed, s.failing(err)
}

func removeIndex(ctx context.Context, db *sql.DB, number int64) (removed bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	result, err := tx.ExecContext(ctx, "DELETE FROM indexes WHERE number = ?", number)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, err
	}
	if err := dropRest(ctx, tx); err != nil {
		return false, err
	}
	return n > 0, tx.Commit()
}

// Hashes returns the hashes of the files that an index knows, by their paths.
func (s *Store) Hashes(ctx context.Context, number int64) (hashes map[string]string, err error) {
	db, err := s.open(ctx, false)
	if err != nil {
		return nil, err
	}
	hashes, err = readHashes(ctx, db, number)
	return hashes, s.failing(err)
}

func readHashes(ctx context.Context, db *sql.DB, number int64) (hashes map[string]string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT path, hash FROM indexed WHERE number = ?", number)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	hashes = make(map[string]string)
	for rows.Next() {
		var path, hash string
		if err := rows.Scan(&path, &hash); err != nil {
			return nil, err
		}
		hashes[path] = hash
	}
	return hashes, rows.Err()
}

// Indexed returns what an index knows of a file; its Document is nil if that is nothing.
func (s *Store) Indexed(ctx context.Context, number int64, path string) (IndexedFile, error) {
	f := IndexedFile{Path: path}
	db, err := s.open(ctx, false)
	if err != nil {
		return f, err
	}
	var seal string
	row := db.QueryRowContext(ctx, "SELECT hash, document, seal FROM indexed WHERE number = ? AND path = ?", number, path)
	err = row.Scan(&f.Hash, &f.Document, &seal)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return f, nil
	case err == nil && seal != f.seal():
		err = fmt.Errorf("%w: an index is not what was kept", errDamaged)
	}
	return f, s.failing(err)
}

// IsOdd reports whether an index is not believed about a symbol.
func (s *Store) IsOdd(ctx context.Context, number int64, symbol string) (odd bool, err error) {
	db, err := s.open(ctx, false)
	if err != nil {
		return true, err
	}
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM odd WHERE number = ? AND symbol = ?)", number, symbol).Scan(&odd)
	return odd, s.failing(err)
}
