package store

import (
	"context"
	"database/sql"
	"errors"
)

// A Stat says which text a file had when it looked a certain way from outside.
type Stat struct {
	Size int64
	// Modified is the time of its last modification, in nanoseconds since 1970; Change tells states apart that are
	// otherwise equal, see [fspath.Change].
	Modified int64
	Change   uint64
	// Hash is the SHA-256 of its text, in hexadecimal digits.
	Hash string
	// Special says that something in the text makes it depend on more than the files of the workspace.
	Special bool
}

// Files returns what is known of files, by their paths relative to the root.
func (s *Store) Files(ctx context.Context) (files map[string]Stat, err error) {
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
	files, err = readFiles(ctx, db)
	return files, s.failing(err)
}

func readFiles(ctx context.Context, db *sql.DB) (files map[string]Stat, err error) {
	rows, err := db.QueryContext(ctx, "SELECT path, size, modified, change, hash, special FROM files")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	files = make(map[string]Stat)
	for rows.Next() {
		var path string
		var f Stat
		var change int64
		if err := rows.Scan(&path, &f.Size, &f.Modified, &change, &f.Hash, &f.Special); err != nil {
			return nil, err
		}
		f.Change = uint64(change)
		files[path] = f
	}
	return files, rows.Err()
}

func putFiles(ctx context.Context, tx *sql.Tx, files map[string]Stat, gone []string) error {
	if len(files) > 0 {
		put, err := tx.PrepareContext(ctx, "INSERT OR REPLACE INTO files (path, size, modified, change, hash, special) VALUES (?, ?, ?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer func() { _ = put.Close() }() // the transaction ends it, too
		for path, f := range files {
			if _, err := put.ExecContext(ctx, path, f.Size, f.Modified, int64(f.Change), f.Hash, f.Special); err != nil {
				return err
			}
		}
	}
	for _, path := range gone {
		if _, err := tx.ExecContext(ctx, "DELETE FROM files WHERE path = ?", path); err != nil {
			return err
		}
	}
	return nil
}
