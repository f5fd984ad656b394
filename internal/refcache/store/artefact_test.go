package store_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/refcache/store"
)

func all(*store.Row) bool { return true }

// Answers that are exported can be imported elsewhere, and say then that they were; what is known of the files of a machine is not
// exported, and an old file is replaced.
//
// Requirement: CACHE-5, CACHE-6.
func TestExportAndImport(t *testing.T) {
	ctx := context.Background()
	from, _ := open(t)
	file := filepath.Join(t.TempDir(), "refs.db.gz")
	if _, err := from.Export(ctx, file); !errors.Is(err, store.ErrNothingToExport) {
		t.Errorf("without an answer: %v", err)
	}
	files := map[string]store.Stat{"a/secret name.go": {Hash: hash(7)}}
	if err := from.Keep(ctx, []store.Row{answer("a", 1), answer("b", 2)}, files, nil); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, file, "an old one")
	if n, err := from.Export(ctx, file); n != 2 || err != nil {
		t.Fatalf("%d answers: %v", n, err)
	}
	if database := unpacked(t, file); !bytes.HasPrefix(database, []byte("SQLite format 3\x00")) || bytes.Contains(database, []byte("secret name")) {
		t.Error("it is no database, or has more in it than answers")
	}
	to, _ := open(t)
	keep(t, to, answer("mine", 1))
	read, kept, err := to.Import(ctx, file, func(r *store.Row) bool { return r.World == hash(2) })
	if read != 2 || kept != 1 || err != nil {
		t.Fatalf("%d of %d: %v", kept, read, err)
	}
	want := answer("b", 2)
	want.Imported = true
	if diff := cmp.Diff([]store.Row{want}, find(t, to, "b")); diff != "" {
		t.Error(diff)
	}
	if len(find(t, to, "a")) > 0 || len(find(t, to, "mine")) != 1 {
		t.Error("an answer came that was not accepted, or its own is gone")
	}
	for _, folder := range []string{filepath.Dir(from.Path()), filepath.Dir(to.Path()), filepath.Dir(file)} {
		left, err := filepath.Glob(filepath.Join(folder, "*port*"))
		if hidden, _ := filepath.Glob(filepath.Join(folder, ".lspine*")); err != nil || len(left)+len(hidden) > 0 {
			t.Errorf("left behind: %v, %v, %v", left, hidden, err)
		}
	}
}

// unpacked returns what an artefact holds.
func unpacked(t *testing.T, file string) []byte {
	t.Helper()
	packed, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	from, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// pack writes an artefact that holds a text, many times over.
func pack(t *testing.T, text []byte, times int) string {
	t.Helper()
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	for range times {
		if _, err := to.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "artefact.gz")
	lsptest.WriteFile(t, file, packed.String())
	return file
}

// made returns an artefact of a database that these statements made, after those of a real one.
func made(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range append([]string{store.Schema, fmt.Sprintf("PRAGMA user_version = %d", store.Version)}, statements...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, text, 1)
}

// forged returns an artefact that has one answer, whose seal is right.
func forged(t *testing.T, change func(*store.Row)) string {
	t.Helper()
	s, _ := open(t)
	row := answer("a", 1)
	change(&row)
	keep(t, s, row)
	file := filepath.Join(t.TempDir(), "forged.gz")
	if _, err := s.Export(context.Background(), file); err != nil {
		t.Fatal(err)
	}
	return file
}

// Whatever a stranger makes of an artefact: it is refused as a whole, with the reason, nothing of it is kept, and it takes neither
// memory nor disk for long.
//
// Requirement: CACHE-6.
func TestArtefactsOfStrangers(t *testing.T) {
	store.BoundArtefacts(t, 2_000, 8<<20)
	sound := forged(t, func(*store.Row) {})
	text := unpacked(t, sound)
	inRange := func(r [4]uint32) func(*store.Row) {
		return func(row *store.Row) { row.Locations = append(row.Locations, store.Location{File: "c.go", Range: r}) }
	}
	inFile := func(name string) func(*store.Row) {
		return func(row *store.Row) { row.Locations = append(row.Locations, store.Location{File: name}) }
	}
	many := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO answers SELECT '{' || i || '}', '', '', '', '', 0, 0, 0, 0, '', '[]', 0, 0, 0, '' FROM n`
	for name, c := range map[string]struct{ file, want string }{
		"not compressed":           {writeFile(t, text), "not compressed"},
		"cut":                      {writeFile(t, packedOf(t, sound)[:len(packedOf(t, sound))/2]), "cannot be unpacked"},
		"empty":                    {writeFile(t, nil), "not compressed"},
		"nothing in it":            {pack(t, nil, 1), "no database"},
		"no database":              {pack(t, []byte("#!/bin/sh\nexit 0\n\n\n"), 1), "no database"},
		"half a database":          {pack(t, text[:len(text)/2], 1), "it "},
		"damaged":                  {pack(t, damaged(text), 1), "it "},
		"a bomb":                   {pack(t, append([]byte("SQLite format 3\x00"), make([]byte, 1<<20)...), 20), "larger than"},
		"another version":          {made(t, "PRAGMA user_version = 77"), "version 77"},
		"a trigger":                {made(t, "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM files; END"), `a trigger "t"`},
		"a view":                   {made(t, "CREATE VIEW v AS SELECT 1"), `a view "v"`},
		"a view for a table":       {made(t, "DROP TABLE answers", "CREATE VIEW answers AS SELECT 1"), `a view "answers"`},
		"another table":            {made(t, "CREATE TABLE t (a)"), `a table "t"`},
		"a column that is made":    {made(t, "ALTER TABLE answers ADD COLUMN more AS (abs(line))"), `a table "answers"`},
		"too many answers":         {made(t, many), "more than 2000 answers"},
		"another seal":             {made(t, "INSERT INTO answers VALUES ('{}', '', '', '', '', 0, 0, 0, 0, '', '[]', 0, 0, 0, 'x')"), "not what was kept"},
		"a path out of the root":   {forged(t, inFile("../c.go")), `"../c.go"`},
		"a path within and out":    {forged(t, inFile("a/../../c.go")), "no file of the workspace"},
		"an absolute path":         {forged(t, inFile("/etc/passwd")), `"/etc/passwd"`},
		"a path of another system": {forged(t, inFile(`..\c.go`)), "no file of the workspace"},
		"a drive":                  {forged(t, inFile("C:/c.go")), "no file of the workspace"},
		"a device":                 {forged(t, func(r *store.Row) { r.File = "" }), "no file of the workspace"},
		"a hash that is none":      {forged(t, func(r *store.Row) { r.Hash = "zz" }), "a hash is none"},
		"a world that is none":     {forged(t, func(r *store.Row) { r.World = "" }), "a hash is none"},
		"a name of two lines":      {forged(t, func(r *store.Row) { r.Symbol = "a\nb" }), "the name"},
		"no question":              {forged(t, func(r *store.Row) { r.Question = "what?" }), "its question"},
		"a position of no file":    {forged(t, inRange([4]uint32{1 << 31, 0, 1 << 31, 0})), "a position is none"},
		"a range backwards":        {forged(t, inRange([4]uint32{4, 0, 3, 0})), "before it begins"},
	} {
		t.Run(name, func(t *testing.T) {
			s, said := open(t)
			keep(t, s, answer("mine", 1))
			read, kept, err := s.Import(context.Background(), c.file, all)
			var refused *store.ArtefactError
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.want) || kept > 0 {
				t.Errorf("%d of %d are kept; %v, want %q", kept, read, err, c.want)
			}
			if rows := find(t, s, "a"); len(rows) > 0 || len(find(t, s, "mine")) != 1 || said.Len() > 0 {
				t.Errorf("it has %v, and said %q", rows, said)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(s.Path()), "import-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	s, _ := open(t)
	if read, kept, err := s.Import(context.Background(), sound, all); read != 1 || kept != 1 || err != nil {
		t.Errorf("of the sound one %d of %d are kept: %v", kept, read, err)
	}
}

// An import that its caller gives up keeps nothing, and does not blame the artefact.
func TestImportThatIsGivenUp(t *testing.T) {
	file := forged(t, func(*store.Row) {})
	s, _ := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, kept, err := s.Import(ctx, file, func(*store.Row) bool { cancel(); return true })
	if !errors.Is(err, context.Canceled) || kept > 1 || len(find(t, s, "a")) > 0 {
		t.Errorf("%d are kept: %v", kept, err)
	}
}

func packedOf(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t *testing.T, text []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "artefact.gz")
	lsptest.WriteFile(t, file, string(text))
	return file
}

// damaged returns a database whose second page is noise.
func damaged(text []byte) []byte {
	noise := bytes.Clone(text)
	for i := 4096; i < 8192; i++ {
		noise[i] = byte(i * 7)
	}
	return noise
}
