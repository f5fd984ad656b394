package store_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/refcache/store"
)

// writeUntilKilled is the variable that makes this program a process that keeps answers in a database: one for each line that
// it is sent, and when there are no more lines as fast as it can, until it is killed.
const writeUntilKilled = "STORE_TEST_WRITES_INTO"

func TestMain(m *testing.M) {
	if path := os.Getenv(writeUntilKilled); path != "" {
		writeAsSent(path)
	}
	os.Exit(m.Run())
}

func writeAsSent(path string) {
	s := store.New(path, func(text string) { fmt.Println("unusable:", text) })
	lines := bufio.NewScanner(os.Stdin)
	for i := 0; ; i++ {
		lines.Scan()
		if err := s.Keep(context.Background(), []store.Row{answer(fmt.Sprint("written ", i%50), i)}, nil, nil); err != nil {
			fmt.Println("failed:", err)
			return
		}
		fmt.Println("kept", i)
	}
}

// hash is a SHA-256 in hexadecimal digits, of a number.
func hash(n int) string { return fmt.Sprintf("%064x", n) }

// answer is an answer to a question in a world.
func answer(question string, world int) store.Row {
	return store.Row{
		Question: fmt.Sprintf("{%q: 1}", question), World: hash(world), File: "a/b.go", Hash: hash(7), Symbol: "Load", Line: 4, Character: 6, Declaration: true,
		Server: "gopls v1.2.3", Locations: []store.Location{{File: "c.go", Range: [4]uint32{1, 2, 1, 6}}}, Asked: time.Unix(1_700_000_000, 0),
	}
}

// open returns the store in a new folder, which is usable unless said is written to.
func open(t *testing.T) (s *store.Store, said *strings.Builder) {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "cache", "refs.db"))
}

func openAt(t *testing.T, path string) (s *store.Store, said *strings.Builder) {
	t.Helper()
	said = new(strings.Builder)
	s = store.New(path, func(text string) { said.WriteString(text + "\n") })
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, said
}

func keep(t *testing.T, s *store.Store, rows ...store.Row) {
	t.Helper()
	if err := s.Keep(context.Background(), rows, nil, nil); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, s *store.Store, question string) []store.Row {
	t.Helper()
	rows, err := s.Find(context.Background(), fmt.Sprintf("{%q: 1}", question))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// What was kept is found by the next process, as it was, and nothing else is. The database is its user's alone, and waits for other
// processes.
//
// Requirement: CACHE-1, CACHE-2.
func TestWhatIsKeptIsFound(t *testing.T) {
	s, said := open(t)
	if rows := find(t, s, "a"); len(rows) > 0 {
		t.Errorf("nothing was kept, and %v is found", rows)
	}
	if _, err := os.Stat(s.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a question made a database: %v", err)
	}
	first, other, second := answer("a", 1), answer("b", 1), answer("a", 2)
	second.Asked, second.Locations = first.Asked.Add(time.Minute), []store.Location{}
	files := map[string]store.Stat{"a/b.go": {Size: 12, Modified: -5, Change: 1<<64 - 1, Hash: hash(7), Special: true}, "c.go": {Hash: hash(8)}}
	if err := s.Keep(context.Background(), []store.Row{first, other, second}, files, nil); err != nil {
		t.Fatal(err)
	}
	again, _ := openAt(t, s.Path())
	if diff := cmp.Diff([]store.Row{second, first}, find(t, again, "a")); diff != "" {
		t.Error(diff)
	}
	if known, err := again.Files(context.Background()); err != nil || !cmp.Equal(files, known) {
		t.Errorf("%v: %s", err, cmp.Diff(files, known))
	}
	if err := again.Keep(context.Background(), nil, nil, []string{"c.go"}); err != nil {
		t.Fatal(err)
	}
	if known, err := s.Files(context.Background()); err != nil || len(known) != 1 {
		t.Errorf("%v: %v", err, known)
	}
	if err := s.Evict(context.Background(), "a/b.go"); err != nil || len(find(t, s, "a"))+len(find(t, s, "b")) > 0 {
		t.Errorf("%v: answers about the file are left", err)
	}
	if lsptest.HasModes() {
		for path, want := range map[string]os.FileMode{s.Path(): 0o600, filepath.Dir(s.Path()): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	if said.Len() > 0 {
		t.Errorf("it said %q", said)
	}
}

// A question has the answers of as many worlds as are kept, those that were asked for last; and a database that is full loses the
// answers that nobody asked for the longest, and keeps the new ones.
func TestOldAnswersMakeRoom(t *testing.T) {
	s, _ := open(t)
	for i := range store.WorldsKept + 3 {
		row := answer("a", i)
		row.Asked = row.Asked.Add(time.Duration(i) * time.Second)
		keep(t, s, row)
	}
	rows := find(t, s, "a")
	if len(rows) != store.WorldsKept || rows[0].World != hash(store.WorldsKept+2) {
		t.Errorf("%d answers are kept, the latest of %s", len(rows), rows[0].World)
	}
	s.Bound(1 << 20)
	large := make([]store.Location, 3_000)
	for i := range large {
		large[i] = store.Location{File: fmt.Sprintf("folder/%d.go", i), Range: [4]uint32{1, 2, 3, 4}}
	}
	for i := range 30 {
		row := answer(fmt.Sprint("large ", i), 1)
		row.Locations = large
		keep(t, s, row)
		if len(find(t, s, fmt.Sprint("large ", i))) != 1 {
			t.Errorf("the answer that was kept last, %d, is gone", i)
		}
	}
	if len(find(t, s, "large 0")) > 0 {
		t.Error("the oldest of 30 answers is still there")
	}
}

// No store, and one that cannot be used, has no answers and keeps none, and says so once. It never fails in another way.
//
// Requirement: CACHE-4.
func TestStoreThatCannotBeUsed(t *testing.T) {
	var none *store.Store
	ctx := context.Background()
	rows, err := none.Find(ctx, "{}")
	files, errFiles := none.Files(ctx)
	if err := errors.Join(err, errFiles, none.Keep(ctx, []store.Row{answer("a", 1)}, nil, nil), none.Used(ctx, "", ""), none.Evict(ctx, "a"), none.Close()); err != nil || rows != nil || files != nil || none.Path() != "" {
		t.Errorf("%v, %v, %v", rows, files, err)
	}
	for name, make := range map[string]func(t *testing.T) string{
		"a file is in the way of its folder": func(t *testing.T) string {
			file := filepath.Join(t.TempDir(), "file")
			lsptest.WriteFile(t, file, "")
			return filepath.Join(file, "refs.db")
		},
		"a folder is in its place": func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "refs.db")
			lsptest.WriteFile(t, filepath.Join(path, "file"), "")
			return path
		},
		"it is not to be written": func(t *testing.T) string {
			if os.Getuid() == 0 {
				t.Log("root may write everything: a link leads nowhere instead")
				path := filepath.Join(t.TempDir(), "refs.db")
				if err := os.Symlink(filepath.Join(path, "nowhere"), path); err != nil {
					t.Fatal(err)
				}
				return path
			}
			folder := t.TempDir()
			if err := os.Chmod(folder, 0o500); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(folder, "refs.db")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, said := openAt(t, make(t))
			for range 3 {
				if err := s.Keep(ctx, []store.Row{answer("a", 1)}, nil, nil); err == nil {
					t.Error("it was kept")
				}
				if rows, _ := s.Find(ctx, `{"a": 1}`); len(rows) > 0 {
					t.Errorf("it has %v", rows)
				}
			}
			if n := strings.Count(said.String(), "\n"); n != 1 {
				t.Errorf("it said %q", said)
			}
		})
	}
}

// A database that is damaged, or of another version, is put aside, and a new one is used from then on.
func TestDamagedDatabase(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"no database": func(t *testing.T, path string) { lsptest.WriteFile(t, path, strings.Repeat("no database\n", 1000)) },
		"half of one": func(t *testing.T, path string) {
			if err := os.Truncate(path, 4096); err != nil {
				t.Fatal(err)
			}
		},
		"another version": func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copy(text[60:], []byte{0, 0, 0, 9}) // where SQLite has user_version
			lsptest.WriteFile(t, path, string(text))
		},
		"another text in an answer": func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := bytes.ReplaceAll(text, []byte("gopls v1.2.3"), []byte("gopls v9.9.9"))
			if bytes.Equal(text, changed) {
				t.Fatal("there is no such text")
			}
			lsptest.WriteFile(t, path, string(changed))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "refs.db")
			first := store.New(path, func(string) {})
			keep(t, first, answer("a", 1))
			if err := first.Close(); err != nil { // which empties the log beside it
				t.Fatal(err)
			}
			damage(t, path)
			s, said := openAt(t, path)
			if rows, _ := s.Find(context.Background(), `{"a": 1}`); len(rows) > 0 {
				t.Errorf("it has %v", rows)
			}
			keep(t, s, answer("b", 1))
			if rows := find(t, s, "b"); len(rows) != 1 {
				t.Errorf("the new one has %v", rows)
			}
			if _, err := os.Stat(path + ".damaged"); err != nil || !strings.Contains(said.String(), "put aside") {
				t.Errorf("%v; it said %q", err, said)
			}
		})
	}
}

// Several processes use one database at a time, and one of them is killed while it writes. What was kept is there, whole, and
// nobody notices anything.
func TestSeveralProcesses(t *testing.T) {
	s, said := open(t)
	keep(t, s, answer("mine", 1))
	for range 3 {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), writeUntilKilled+"="+s.Path())
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		heard := bufio.NewScanner(out)
		hear := func(n int) {
			if !heard.Scan() || heard.Text() != fmt.Sprint("kept ", n) {
				t.Fatalf("the other process: %q, %v", heard.Text(), heard.Err())
			}
		}
		for i := range 20 {
			if _, err := io.WriteString(in, "one\n"); err != nil {
				t.Fatal(err)
			}
			var writers sync.WaitGroup
			for w := range 2 {
				writers.Go(func() {
					if err := s.Keep(context.Background(), []store.Row{answer(fmt.Sprint(w, " ", i), i)}, nil, nil); err != nil {
						t.Error(err)
					}
				})
			}
			hear(i)
			writers.Wait()
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			hear(20 + i)
		}
		if err := command.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = command.Wait() // it was killed
	}
	for w := range 2 {
		for i := range 20 {
			if diff := cmp.Diff([]store.Row{answer(fmt.Sprint(w, " ", i), i)}, find(t, s, fmt.Sprint(w, " ", i))); diff != "" {
				t.Error(diff)
			}
		}
	}
	if len(find(t, s, "mine")) != 1 || len(find(t, s, "written 7")) == 0 || said.Len() > 0 {
		t.Errorf("answers are missing; it said %q", said)
	}
}
