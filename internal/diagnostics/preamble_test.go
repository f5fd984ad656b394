package diagnostics

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that judges a new text by what the old one included is made to look at it
// anew, and only then; the first publish for such a version is not its word.
func TestChangedDirectivesReopen(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		opened              int
		want                string
	}{
		{"another include", "#include \"a.h\"\nx\n", "#include \"b.h\"\nx\n", 2, "fresh 3: after includes"},
		{"a macro that ends earlier", "#define F(x) \\\n  if (x) \\\n  {}\ny\n", "#define F(x) \\\n// a comment\n  if (x) \\\n  {}\ny\n", 2, "fresh 3: after includes"},
		{"a rest of a macro", "#include \"a.h\"\nint i;\n#define F \\\n  1\n", "#include \"a.h\"\nint i;\n#define F \\\n  2\n", 2, "fresh 3: after includes"},
		{"an include that is a comment now", "/*\n*/\n#include \"a.h\"\nx\n", "/*\n#include \"a.h\"\n*/\nx\n", 2, "fresh 3: after includes"},
		{"a comment after the first line of code", "/* 1 */\n#include \"a.h\"\nx\n// y\n", "/* 1 */\n#include \"a.h\"\nx\n// z\n", 1, "fresh 2: at once"},
		{"another line", "#include \"a.h\"\nx\n", "#include \"a.h\"\ny\n", 1, "fresh 2: at once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				d := only(registry.Versioned)
				d.Outside = registry.OutsideReopen
				f := newFake(collector, d)
				f.shown = func(path string, version int32) {
					later(10*ms, func() {
						f.push(path, version, map[int32]string{1: "first", 2: "at once", 3: "after includes"}[version])
					})
				}
				check(t, collector, f.file("/w/a.cc", c.before))
				a, _ := check(t, collector, f.file("/w/a.cc", c.after))
				expect(t, said(a), c.want)
				if f.opened != c.opened {
					t.Errorf("opened %d times, want %d", f.opened, c.opened)
				}
			})
		})
	}
}

// A text that comes after a change of what it includes, in the same check or an
// earlier one, is not judged by the includes as they were; the file's own save is
// no such change.
func TestChangedIncludesReopen(t *testing.T) {
	inBubble(t, func(t *testing.T, collector *Collector) {
		d := only(registry.Versioned)
		d.Outside, d.NeedsSave = registry.OutsideReopen, true
		f := newFake(collector, d)
		f.shown = func(path string, version int32) { later(10*ms, func() { f.push(path, version) }) }
		root := t.TempDir()
		show := func(name, text string, opened int) {
			t.Helper()
			path := filepath.Join(root, name)
			lsptest.WriteFile(t, path, text)
			before := f.opened
			check(t, collector, f.file(path, text))
			if got := f.opened - before; got != opened {
				t.Errorf("%s as %q: opened %d times, want %d", name, text, got, opened)
			}
		}
		show("a.h", "int f();", 1)
		show("a.cc", "f();", 1)
		show("a.cc", "f( );", 0)
		show("a.cc", "f(  );", 0)
		show("a.h", "int f(int);", 1) // itself, as the save of a.cc came since
		show("a.cc", "f(1);", 1)
		show("a.cc", "f(2);", 0)
		f.disturb()
		show("a.cc", "f(3);", 1)
	})
}

// While a document is closed whose text is not on disk, the server has another text for those that include
// it: nothing that was judged meanwhile is an answer, and every file is judged by all of the texts.
func TestNothingIsJudgedByADocumentThatIsClosed(t *testing.T) {
	inBubble(t, func(t *testing.T, collector *Collector) {
		d := only(registry.Versioned)
		d.Outside = registry.OutsideReopen
		f := newFake(collector, d)
		type build struct {
			path  string
			wrong bool
		}
		var mu sync.Mutex
		var builds []*build
		f.shown = func(path string, version int32) {
			mu.Lock()
			defer mu.Unlock()
			for _, b := range builds { // they began before this text was shown, or while it was not
				b.wrong = b.wrong || b.path != path
			}
			f.outside[path]++
			b := &build{path: path}
			builds = append(builds, b)
			later(10*ms, func() {
				mu.Lock()
				defer mu.Unlock()
				builds = slices.DeleteFunc(builds, func(o *build) bool { return o == b })
				if b.wrong {
					f.push(path, version, "judged by another text")
				} else {
					f.push(path, version)
				}
			})
		}
		var files []File
		for _, name := range []string{"/w/a.cc", "/w/b.cc", "/w/c.h"} {
			files = append(files, f.file(name, "x\n"))
		}
		report, err := collector.Check(t.Context(), Request{Files: files})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range report.Files {
			if a := r.Answers[0]; a.Freshness != Fresh || len(a.Items) > 0 {
				t.Errorf("%s: %s", r.Path, said(a))
			}
		}
	})
}
