package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Location is a range in a file. Lines and characters count from 0, characters are UTF-16 code units.
type Location struct {
	// File is relative to the root, with slashes.
	File string `json:"f"`
	// Range is the line and character of its start, then those of its end.
	Range [4]uint32 `json:"r"`
}

// A Row is one answer.
type Row struct {
	// Question says what was asked, in a normal form; World is the digest of all that decides the answer.
	Question, World string
	// File declares or uses the symbol that was asked about, at Line and Character; it is relative to the root, with
	// slashes. Hash is the SHA-256 of its text, in hexadecimal digits.
	File, Hash      string
	Symbol          string
	Line, Character uint32
	// Declaration says that the declaration counts as a use.
	Declaration bool
	// Searched says that the symbol was searched for in the whole workspace.
	Searched bool
	// Server is the name and version of the server that answered.
	Server    string
	Locations []Location
	// Asked is when it was asked, to the second.
	Asked time.Time
	// Imported says that it comes from an artefact.
	Imported bool
}

// worldsKept bounds the answers that are kept for one question, each in another world.
const worldsKept = 16

// seal returns a digest of all of an answer.
func (r *Row) seal(locations []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q %q %d %d %t %t %q %d %t %d\n", r.Question, r.World, r.File, r.Hash, r.Symbol, r.Line, r.Character,
		r.Declaration, r.Searched, r.Server, r.Asked.Unix(), r.Imported, len(locations))
	sum.Write(locations)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// columns are those of a row, in the order of scan.
const columns = "question, world, file, hash, symbol, line, character, declaration, searched, server, locations, asked, imported, seal"

// scan reads a row. What its seal does not fit is an error that wraps errDamaged.
func scan(rows *sql.Rows) (r Row, err error) {
	var locations []byte
	var asked int64
	var seal string
	if err := rows.Scan(&r.Question, &r.World, &r.File, &r.Hash, &r.Symbol, &r.Line, &r.Character, &r.Declaration, &r.Searched, &r.Server,
		&locations, &asked, &r.Imported, &seal); err != nil {
		return r, err
	}
	r.Asked = time.Unix(asked, 0)
	if seal != r.seal(locations) {
		return r, fmt.Errorf("%w: an answer is not what was kept", errDamaged)
	}
	return r, json.Unmarshal(locations, &r.Locations)
}

// Find returns the answers to a question, in whichever world, the latest first.
func (s *Store) Find(ctx context.Context, question string) (found []Row, err error) {
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
	found, err = query(ctx, db, "SELECT "+columns+" FROM answers WHERE question = ? ORDER BY asked DESC", question)
	return found, s.failing(err)
}

func query(ctx context.Context, db *sql.DB, text string, arguments ...any) (found []Row, err error) {
	rows, err := db.QueryContext(ctx, text, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r)
	}
	return found, rows.Err()
}

// Keep keeps answers, and what is known of files, at once: all or nothing. It replaces the answers to the same questions
// in the same worlds, and removes the ones that nobody asked for the longest where there are too many.
func (s *Store) Keep(ctx context.Context, answers []Row, files map[string]Stat, gone []string) error {
	if s == nil || len(answers)+len(files)+len(gone) == 0 {
		return nil
	}
	db, err := s.open(ctx, true)
	if err != nil {
		return err
	}
	return s.failing(s.keep(ctx, db, answers, files, gone))
}

func (s *Store) keep(ctx context.Context, db *sql.DB, answers []Row, files map[string]Stat, gone []string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if err := putAnswers(ctx, tx, answers); err != nil {
		return err
	}
	if err := putFiles(ctx, tx, files, gone); err != nil {
		return err
	}
	if err := s.shrink(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

func putAnswers(ctx context.Context, tx *sql.Tx, answers []Row) error {
	now := time.Now().UnixNano()
	for i := range answers {
		r := &answers[i]
		locations, err := json.Marshal(r.Locations)
		if err != nil {
			return err
		}
		or := "REPLACE"
		if r.Imported { // what we found out ourselves counts more
			or = "IGNORE"
		}
		if _, err := tx.ExecContext(ctx, "INSERT OR "+or+" INTO answers ("+columns+", used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			r.Question, r.World, r.File, r.Hash, r.Symbol, r.Line, r.Character, r.Declaration, r.Searched, r.Server,
			locations, r.Asked.Unix(), r.Imported, r.seal(locations), now); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE question = ?1 AND world NOT IN (
			SELECT world FROM answers WHERE question = ?1 ORDER BY used DESC, asked DESC, world = ?2 DESC LIMIT ?3)`, r.Question, r.World, worldsKept); err != nil {
			return err
		}
	}
	return nil
}

// shrink removes the answers that nobody asked for the longest, until there is room.
func (s *Store) shrink(ctx context.Context, tx *sql.Tx) error {
	for range 64 { // each time a part of them
		var size, pages, free int64
		if err := errors.Join(tx.QueryRowContext(ctx, "PRAGMA page_size").Scan(&size), tx.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages),
			tx.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free)); err != nil {
			return err
		}
		if (pages-free)*size <= s.most {
			return nil
		}
		removed, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE used <= (
			SELECT used FROM answers ORDER BY used LIMIT 1 OFFSET (SELECT count(*) / 4 FROM answers))`)
		if err != nil {
			return err
		}
		if n, err := removed.RowsAffected(); err != nil || n == 0 {
			_, err := tx.ExecContext(ctx, "DELETE FROM files") // the rest is of files, and of indexes, which have their own bound
			return err
		}
	}
	return nil
}

// Used notes that an answer was given.
func (s *Store) Used(ctx context.Context, question, world string) error {
	if s == nil {
		return nil
	}
	db, err := s.open(ctx, false)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "UPDATE answers SET used = ? WHERE question = ? AND world = ?", time.Now().UnixNano(), question, world)
	return s.failing(err)
}

// Evict removes the answers about symbols of a file.
func (s *Store) Evict(ctx context.Context, file string) error {
	if s == nil {
		return nil
	}
	db, err := s.open(ctx, false)
	if errors.Is(err, errNothingKept) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "DELETE FROM answers WHERE file = ?", file)
	return s.failing(err)
}
