package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// Bounds of an artefact. It may come from anybody.
const (
	maxPacked    = 64 << 20
	maxLocations = 8 << 20 // bytes of the locations of one answer
	maxWords     = 16 << 10
)

// maxRows and maxUnpacked bound the answers of an artefact, and its bytes when it is unpacked; tests set other values.
var (
	maxRows           = 200_000
	maxUnpacked int64 = MaxBytes
)

// ErrNothingToExport says that no answer is kept.
var ErrNothingToExport = errors.New("no answer is kept yet")

// An ArtefactError says why an artefact is refused.
type ArtefactError struct{ Reason string }

func (e *ArtefactError) Error() string { return e.Reason }

// refused returns an *[ArtefactError], unless ctx has ended: then it is not the artefact's fault.
func refused(ctx context.Context, format string, arguments ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &ArtefactError{fmt.Sprintf(format, arguments...)}
}

// Export writes all answers into a file, as a compressed database, and returns how many there are. What is known of
// files of this machine is not a part of it. An existing file is replaced at the end, or not at all. If there is none the
// error is ErrNothingToExport.
func (s *Store) Export(ctx context.Context, dest string) (answers int, err error) {
	if s == nil {
		return 0, ErrNothingToExport
	}
	db, err := s.open(ctx, false)
	if errors.Is(err, errNothingKept) {
		return 0, ErrNothingToExport
	}
	if err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(s.path), "export-*")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	compact := filepath.Join(folder, "refs.db")
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", compact); err != nil {
		return 0, s.failing(err)
	}
	if answers, err = reduce(ctx, compact); err != nil {
		return 0, err
	}
	if answers == 0 {
		return 0, ErrNothingToExport
	}
	return answers, pack(compact, dest)
}

// reduce removes what others have no use for from a copy of the database, and returns how many answers are left.
func reduce(ctx context.Context, file string) (answers int, err error) {
	db, err := sql.Open("sqlite", source(file, pragma("journal_mode", "OFF"), pragma("trusted_schema", "OFF")))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"DELETE FROM files", "DELETE FROM indexes", "DELETE FROM indexed", "DELETE FROM odd", "UPDATE answers SET used = 0", "VACUUM"} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return 0, err
		}
	}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM answers").Scan(&answers)
	return answers, err
}

// pack compresses a file into another one.
func pack(file, dest string) (err error) {
	from, err := fspath.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // nothing was written
	draft, err := os.CreateTemp(filepath.Dir(dest), ".lspine-export-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(draft.Name()) // nobody reads it
		}
	}()
	to := gzip.NewWriter(draft)
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close(), draft.Chmod(0o644), draft.Sync()); err != nil {
		return errors.Join(err, draft.Close())
	}
	if err := draft.Close(); err != nil {
		return err
	}
	return os.Rename(draft.Name(), dest)
}

// Import reads the answers of an artefact, and keeps those that accept returns true for, all or none. read is how many it
// has. It trusts nothing of the artefact: it is bounded, must be a whole database that has our tables and nothing else, and is only queried. If the
// artefact is refused the error is an *[ArtefactError].
func (s *Store) Import(ctx context.Context, src string, accept func(*Row) bool) (read, kept int, err error) {
	if s == nil {
		return 0, 0, errClosed
	}
	if _, err := s.open(ctx, true); err != nil {
		return 0, 0, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(s.path), "import-*")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	file := filepath.Join(folder, "refs.db")
	if err := unpack(ctx, src, file); err != nil {
		return 0, 0, err
	}
	rows, read, err := readArtefact(ctx, file, accept)
	if err != nil {
		return 0, 0, err
	}
	return read, len(rows), s.Keep(ctx, rows, nil, nil)
}

// begin is how every database of SQLite begins.
var begin = []byte("SQLite format 3\x00")

// unpack decompresses an artefact into a file.
func unpack(ctx context.Context, src, file string) (err error) {
	from, err := fspath.Open(src)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }() // nothing was written
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxPacked {
		return refused(ctx, "it has %d bytes, and at most %d are read", info.Size(), maxPacked)
	}
	packed, err := gzip.NewReader(io.LimitReader(from, maxPacked))
	if err != nil {
		return refused(ctx, "it is not compressed by gzip: %v", err)
	}
	to, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	first := make([]byte, len(begin))
	if _, err := io.ReadFull(packed, first); err != nil || !bytes.Equal(first, begin) {
		return refused(ctx, "it holds no database of SQLite")
	}
	if _, err := to.Write(first); err != nil {
		return err
	}
	n, err := io.Copy(to, &patient{ctx, io.LimitReader(packed, maxUnpacked+1)})
	if err == nil && n > maxUnpacked {
		return refused(ctx, "it is larger than %d bytes when it is unpacked", maxUnpacked)
	}
	var failed *os.PathError
	if err != nil && !errors.As(err, &failed) { // not of our own file
		return refused(ctx, "it cannot be unpacked: %v", err)
	}
	return err
}

const (
	// headOfExport is how much of a database is looked at for the tables in it, which it names at its beginning.
	headOfExport = 64 << 10
	// answersTableOfAll is how the table of answers begins in all versions.
	answersTableOfAll = "CREATE TABLE answers (\n\tquestion TEXT NOT NULL, world TEXT NOT NULL,"
)

// IsExport reports whether a file is one that Export wrote, of this version or another one: as far as that shows at its beginning.
func IsExport(path string) bool {
	from, err := fspath.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = from.Close() }() // nothing was written
	packed, err := gzip.NewReader(from)
	if err != nil {
		return false
	}
	head, err := io.ReadAll(io.LimitReader(packed, headOfExport))
	return err == nil && bytes.HasPrefix(head, begin) && bytes.Contains(head, []byte(answersTableOfAll))
}

// patient is a reader that ends with its context.
type patient struct {
	ctx  context.Context
	from io.Reader
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.from.Read(b)
}

// readArtefact returns the accepted answers of a database that somebody else made, and how many it has.
func readArtefact(ctx context.Context, file string, accept func(*Row) bool) (rows []Row, read int, err error) {
	db, err := sql.Open("sqlite", source(file, "mode=ro", "immutable=1", pragma("trusted_schema", "OFF"), pragma("query_only", "ON"), pragma("cell_size_check", "ON")))
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := checkArtefact(ctx, db); err != nil {
		return nil, 0, err
	}
	found, err := db.QueryContext(ctx, "SELECT "+columns+" FROM answers WHERE length(locations) <= ? AND length(question) <= ?", maxLocations, maxWords)
	if err != nil {
		return nil, 0, refused(ctx, "it cannot be read: %v", err)
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		read++
		r, err := scan(found)
		if err != nil {
			return nil, 0, refused(ctx, "answer %d: %v", read, err)
		}
		if reason := r.flaw(); reason != "" {
			return nil, 0, refused(ctx, "answer %d: %s", read, reason)
		}
		if r.Imported = true; accept(&r) {
			rows = append(rows, r)
		}
	}
	if err := found.Err(); err != nil {
		return nil, 0, refused(ctx, "it cannot be read: %v", err)
	}
	return rows, read, nil
}

// checkArtefact refuses a database that is damaged, has another schema, or has more in it than our tables: a trigger, a view or a
// column that is computed would run what its author wrote.
func checkArtefact(ctx context.Context, db *sql.DB) error {
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return refused(ctx, "it cannot be read: %v", err)
	}
	if version != Version {
		return refused(ctx, "its schema has version %d, and this lspine reads version %d", version, Version)
	}
	rows, err := db.QueryContext(ctx, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema LIMIT 100")
	if err != nil {
		return refused(ctx, "it cannot be read: %v", err)
	}
	ours := make(map[string]bool)
	for statement := range strings.SplitSeq(schema, ";") {
		ours[strings.TrimSpace(statement)] = true
	}
	var kind, name, text string
	for rows.Next() {
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return errors.Join(refused(ctx, "it cannot be read: %v", err), rows.Close())
		}
		if !ours[text] || kind != "table" && kind != "index" {
			return errors.Join(refused(ctx, "it has %s %q, which is not ours", article(kind), name), rows.Close())
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return refused(ctx, "it cannot be read: %v", err)
	}
	var answers int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM answers").Scan(&answers); err != nil {
		return refused(ctx, "it cannot be read: %v", err)
	}
	if answers > maxRows {
		return refused(ctx, "it has more than %d answers", maxRows)
	}
	var says string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&says); err != nil || says != "ok" {
		return refused(ctx, "it is damaged: %s", strings.TrimSpace(fmt.Sprint(says, " ", errText(err))))
	}
	return nil
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func article(kind string) string {
	if kind == "index" {
		return "an " + kind
	}
	return "a " + kind
}

// flaw says what of an answer cannot be true, "" if everything can.
func (r *Row) flaw() string {
	isHash := func(text string) bool {
		raw, err := hex.DecodeString(text)
		return err == nil && len(raw) == 32
	}
	switch {
	case !isHash(r.Hash) || !isHash(r.World):
		return "a hash is none"
	case !json.Valid([]byte(r.Question)):
		return "its question is none"
	case r.Symbol == "" || len(r.Symbol) > maxWords || len(r.Server) > maxWords || strings.ContainsAny(r.Symbol+r.Server, "\x00\n\r"):
		return "the name of a symbol or of a server is none"
	case !Inside(r.File):
		return fmt.Sprintf("%q is no file of the workspace", r.File)
	case !isSane(r.Line) || !isSane(r.Character):
		return "a position is none"
	}
	for _, l := range r.Locations {
		switch {
		case !Inside(l.File):
			return fmt.Sprintf("%q is no file of the workspace", l.File)
		case !isSane(l.Range[0]) || !isSane(l.Range[1]) || !isSane(l.Range[2]) || !isSane(l.Range[3]):
			return "a position is none"
		case l.Range[2] < l.Range[0] || l.Range[2] == l.Range[0] && l.Range[3] < l.Range[1]:
			return "a range ends before it begins"
		}
	}
	return ""
}

// Inside reports whether a path is in its normal form and stays inside of the folder that it is relative to, on every system.
func Inside(name string) bool {
	return name != "" && len(name) <= maxWords && path.Clean(name) == name && name != "." && !path.IsAbs(name) && name != ".." && !strings.HasPrefix(name, "../") &&
		!strings.ContainsAny(name, "\x00\\:") && filepath.IsLocal(filepath.FromSlash(name))
}

func isSane(n uint32) bool { return n < math.MaxInt32 }
