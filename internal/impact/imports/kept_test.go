package imports

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A logged forest says which files changed since a mark, as a watched disk does.
type logged struct {
	files map[string]string
	paths []string
	log   []string
	reads atomic.Int64
}

func (l *logged) write(path, text string) {
	l.files[path] = text
	l.log = append(l.log, path)
}

func (l *logged) tree() Tree {
	return Tree{
		Paths: func() []string { return l.paths },
		Read: func(path string) ([]byte, error) {
			l.reads.Add(1)
			return []byte(l.files[path]), nil
		},
		Stamp: func(path string) (Stamp, bool) {
			n := int64(0)
			for i, changed := range l.log {
				if changed == path {
					n = int64(i + 1)
				}
			}
			return Stamp{Size: int64(len(l.files[path])), Modified: n}, true
		},
		Touched: func(mark uint64) ([]string, uint64, bool) {
			now := uint64(len(l.log)) + 1
			if mark == 0 || mark > now {
				return nil, now, false
			}
			return slices.Clone(l.log[mark-1:]), now, true
		},
	}
}

// However files change between searches, each finds what the first search of another
// reader would find, and reads only what changed.
func TestGraphsKept(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for language, write := range map[string]func(imports, declares int) string{
		".ts": func(i, d int) string {
			return fmt.Sprintf("import { f%d } from './m%d';\nexport function f%d(): number { return f%[1]d(); }\n", i, i, d)
		},
		".py": func(i, d int) string {
			return fmt.Sprintf("from m%d import f%d\n\ndef f%d() -> int:\n    return f%[1]d()\n", i, i, d)
		},
	} {
		const n = 12
		l := &logged{files: map[string]string{here("/r/package.json"): "{}", here("/r/x/package.json"): "{}"}}
		name := func(i int) string { return here(fmt.Sprintf("/r/m%d%s", i, language)) }
		for i := range n {
			l.files[name(i)] = write(random.IntN(n), i)
		}
		for path := range l.files {
			l.paths = append(l.paths, path)
		}
		slices.Sort(l.paths)
		var r Reader
		for step := range 60 {
			switch i := random.IntN(n); random.IntN(5) {
			case 0: // imports something else
				l.write(name(i), write(random.IntN(n), i))
			case 1: // is only longer
				l.write(name(i), l.files[name(i)]+"\n")
			case 2:
				l.write(here("/r/package.json"), fmt.Sprintf(`{"name": "p%d"}`, step))
			case 3: // another list
				l.paths = slices.Clone(l.paths)
			}
			target := random.IntN(n)
			text := []byte(l.files[name(target)])
			change := []Change{{Path: name(target), Before: text, After: text, Names: []string{fmt.Sprintf("f%d", target)}}}
			want, _ := new(Reader).Search(l.tree()).Reach(change)
			got, _ := r.Search(l.tree()).Reach(change)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, step %d (-want +got):\n%s", language, step, diff)
			}
		}
		l.paths = slices.Clone(l.paths)
		none := []Change{{Path: name(0), Names: []string{"none"}}}
		r.Search(l.tree()).Reach(none)
		stamps := 0
		tree := l.tree()
		stamp := tree.Stamp
		tree.Stamp = func(path string) (Stamp, bool) {
			stamps++
			return stamp(path)
		}
		l.write(name(1), l.files[name(1)]+"\n")
		r.Search(tree).Reach(none)
		if configs := 2; stamps > 1+configs {
			t.Errorf("%s: after one change %d files are looked at", language, stamps)
		}
	}
}

// A file whose state says nothing is read each time, also if nobody says that it changed.
func TestGraphsKeptOfRestlessFiles(t *testing.T) {
	a, b, c := here("/r/a.py"), here("/r/b.py"), here("/r/c.py")
	l := &logged{files: map[string]string{a: "import b\n", b: "f = 1\n", c: ""}, paths: []string{a, b, c}}
	tree := l.tree()
	tree.Stamp = func(path string) (Stamp, bool) { return Stamp{}, path != c }
	var r Reader
	gone := []Change{{Path: b, All: true}}
	for _, step := range []struct {
		text string
		want []Reached
	}{{"", []Reached{{a, 1}}}, {"import b\n", []Reached{{a, 1}, {c, 1}}}, {"", []Reached{{a, 1}}}} {
		l.files[c] = step.text
		got, _ := r.Search(tree).Reach(gone)
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", step.text, diff)
		}
	}
}

// A file that could not be read brings in nobody knows what, and is read again by the next search; one that was read
// is not, as long as it stays as it was.
func TestUnreadFilesAreReadAgain(t *testing.T) {
	user, lib := here("/r/user.ts"), here("/r/lib.ts")
	l := &logged{paths: []string{lib, user}, files: map[string]string{user: "import { f } from './lib';\nf();\n", lib: "export function f(): void {}\n"}}
	tree, locked := l.tree(), true
	read := tree.Read
	tree.Read = func(path string) ([]byte, error) {
		if path == user && locked {
			return nil, errors.New("locked")
		}
		return read(path)
	}
	var r Reader
	reached := func() (paths []string) {
		text := []byte(l.files[lib])
		found, _ := r.Search(tree).Reach([]Change{{Path: lib, Before: text, After: text, Names: []string{"f"}}})
		for _, f := range found {
			paths = append(paths, f.Path)
		}
		return paths
	}
	if got := reached(); len(got) > 0 {
		t.Errorf("while it is locked: %q", got)
	}
	locked = false
	if diff := cmp.Diff([]string{user}, reached()); diff != "" {
		t.Errorf("when it can be read (-want +got):\n%s", diff)
	}
	l.reads.Store(0)
	if diff := cmp.Diff([]string{user}, reached()); diff != "" {
		t.Errorf("once more (-want +got):\n%s", diff)
	}
	if n := l.reads.Load(); n > 1 { // the user's text, for what it mentions
		t.Errorf("nothing changed, and %d files are read", n)
	}
}

// Of more files than are read it is said that not all were found.
func TestTooManyFilesToRead(t *testing.T) {
	const most = 200
	for n, want := range map[int]bool{most: true, most + 1: false} {
		paths := make([]string, n)
		for i := range paths {
			paths[i] = here(fmt.Sprintf("/r/m%05d.py", i))
		}
		tree := Tree{
			Paths: func() []string { return paths }, Read: func(string) ([]byte, error) { return nil, nil },
			Stamp: func(string) (Stamp, bool) { return Stamp{}, true },
		}
		r := Reader{mostFiles: most}
		if reached, complete := r.Search(tree).Reach([]Change{{Path: paths[0], All: true}}); complete != want || len(reached) > 0 {
			t.Errorf("of %d files %d are reached, and that is said to be all: %t", n, len(reached), complete)
		}
	}
}

// When nobody waits for a search any more, it reads no more files, says that not all were found, and keeps nothing of it for the next one.
func TestNobodyWaitsForASearch(t *testing.T) {
	user, lib := here("/r/user.ts"), here("/r/lib.ts")
	l := &logged{paths: []string{lib, user}, files: map[string]string{user: "import { f } from './lib';\nf();\n", lib: "export function f(): void {}\n"}}
	tree, left := l.tree(), true
	tree.Ended = func() bool { return left }
	var r Reader
	search := func() (reached []Reached, complete bool) {
		text := []byte(l.files[lib])
		return r.Search(tree).Reach([]Change{{Path: lib, Before: text, After: text, Names: []string{"f"}}})
	}
	if reached, complete := search(); len(reached) > 0 || complete || l.reads.Load() > 0 {
		t.Errorf("after the end %v are reached, and that is said to be all: %t; %d files were read", reached, complete, l.reads.Load())
	}
	left = false
	if reached, complete := search(); len(reached) != 1 || reached[0].Path != user || !complete {
		t.Errorf("then %v are reached, and that is said to be all: %t", reached, complete)
	}
}
