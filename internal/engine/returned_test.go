package engine

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A file that went and came back is opened in a server that may have missed it, and a
// server that has it in no package even then is started anew; one that has it goes on.
func TestFileThatComesBack(t *testing.T) {
	for _, missing := range []bool{false, true} {
		journal := filepath.Join(t.TempDir(), "journal")
		script := lsptest.Script{ID: "gopher", JournalFile: journal}
		if missing {
			script.Rules = []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.ReplyError(0, "no package metadata for file lib.toy", ""))}
		}
		d := script.Definition(t)
		d.Quirks = append(d.Quirks, registry.OpenReturned)
		s := openBeside(t, project, d)
		lib := s.read("lib.toy")
		s.check(api.CheckRequest{Files: []string{"main.toy"}})
		s.remove("lib.toy")
		s.check(api.CheckRequest{Files: []string{"main.toy"}})
		s.write("lib.toy", lib)
		if now := s.check(api.CheckRequest{Files: []string{"main.toy"}}); now.Verdict != "clean" {
			t.Errorf("missing %v: %s", missing, now.Verdict)
		}
		var heard []string
		for _, e := range lsptest.ReadJournal(t, journal) {
			if slices.Contains([]string{"initialize", "textDocument/hover"}, e.Method) {
				heard = append(heard, e.Method)
			}
		}
		starts := len(slices.DeleteFunc(slices.Clone(heard), func(m string) bool { return m != "initialize" }))
		if want := 1 + map[bool]int{true: 1}[missing]; starts != want || !slices.Contains(heard, "textDocument/hover") {
			t.Errorf("missing %v: the server heard %q", missing, heard)
		}
	}
}

// Of more files than are opened at once, as a change of branches brings them back, the
// rest are asked about all the same.
func TestManyFilesThatComeBack(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "gopher", JournalFile: journal, Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/hover", 70, lsptest.ReplyError(0, "no package metadata for file", "")),
	}}
	d := script.Definition(t)
	d.Quirks = append(d.Quirks, registry.OpenReturned)
	s := openBeside(t, project, d)
	const many = 70
	name := func(i int) string { return fmt.Sprintf("more%d.toy", i) }
	for i := range many {
		s.write(name(i), "")
	}
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	for i := range many {
		s.remove(name(i))
	}
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	for i := range many {
		s.write(name(i), "")
	}
	if now := s.check(api.CheckRequest{Files: []string{"main.toy"}}); now.Verdict != "clean" {
		t.Errorf("%+v", now)
	}
	starts := 0
	for _, e := range lsptest.ReadJournal(t, journal) {
		if e.Method == "initialize" {
			starts++
		}
	}
	if starts != 2 {
		t.Errorf("started %d times, want 2: the last file is missing", starts)
	}
}

// Files that changed together outside are all shown anew to a server that reads other files
// from disk: judged by what it kept of them, each would be judged beside the others as they
// were. One that changed alone is shown its change.
func TestFilesThatChangeTogether(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "reader", JournalFile: journal}
	d := script.Definition(t)
	d.Languages = []registry.Language{{ID: "cpp", Patterns: []string{".cc"}}} // of which text tells who uses what
	d.Diagnostics.Outside = registry.OutsideReopen
	d.Quirks = append(d.Quirks, registry.ReadsSaved)
	s := openDefined(t, d, "\n-- toy.root --\n-- a.cc --\ndef helper\n-- b.cc --\ndef other\n")
	files := []string{"a.cc", "b.cc"}
	s.check(api.CheckRequest{Files: files})
	opened := func(changed ...string) (names []string) {
		seen := len(lsptest.ReadJournal(t, journal))
		for _, name := range changed {
			s.write(name, s.read(name)+"\n")
		}
		s.check(api.CheckRequest{Files: changed})
		for _, e := range lsptest.ReadJournal(t, journal)[seen:] {
			if e.Method == "textDocument/didOpen" {
				names = append(names, regexp.MustCompile(`\w+\.cc`).FindString(string(e.Params)))
			}
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff([]string(nil), opened("a.cc")); diff != "" {
		t.Error("one alone:", diff)
	}
	if diff := cmp.Diff(files, opened(files...)); diff != "" {
		t.Error("two:", diff)
	}
}

// What was found wrong in a file moves with it, when others move it: known by its text, also
// where git tells of no move, it is nothing new.
func TestMovedTextKeepsItsErrors(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	s.write("main.toy", "use helper\nuse something_missing\n")
	if found := s.check(api.CheckRequest{Files: []string{"main.toy"}}); found.Verdict != "new_errors" {
		t.Fatalf("%+v", found)
	}
	text := s.read("main.toy")
	s.remove("main.toy")
	s.write("moved.toy", text)
	found := s.check(api.CheckRequest{Files: []string{"main.toy", "moved.toy"}})
	if at := slices.IndexFunc(found.Files, func(f result.File) bool { return f.Path == "moved.toy" }); at < 0 || hasNew(found.Files[at]) || len(found.Files[at].Diagnostics) == 0 {
		t.Errorf("%+v", found)
	}
}

// What was wrong in a dependant is no part of an answer that leaves that out: the change may
// have mended it.
func TestDependantsBeyondTheLimitAreNotAsTheyWere(t *testing.T) {
	s := openShop(t, lsptest.Script{Mode: lsptest.Pull}, project+"-- more.toy --\nuse helper\n")
	s.opts.Config.Settings.MaxDependants = 1
	s.check(api.CheckRequest{Files: []string{"lib.toy", "main.toy", "more.toy"}})
	s.write("lib.toy", "def other\n")
	if broken := s.check(api.CheckRequest{Files: []string{"lib.toy", "main.toy", "more.toy"}}); len(broken.Files) != 3 || !hasNew(broken.Files[2]) {
		t.Fatalf("%+v", broken)
	}
	s.write("lib.toy", "def helper\n")
	mended := s.check(api.CheckRequest{Files: []string{"lib.toy"}})
	if slices.ContainsFunc(mended.Others, func(f result.File) bool { return len(f.Diagnostics) > 0 }) || mended.Verdict != "unknown" {
		t.Errorf("%s: %+v", mended.Verdict, mended)
	}
}

// A server that does not find a file of an inner package again, when that comes back, is
// started anew, and not for any other.
func TestPackageFileThatComesBack(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "linker", JournalFile: journal}
	d := script.Definition(t)
	d.Quirks = append(d.Quirks, registry.AnewReturned)
	s := openDefined(t, d, project+"-- pack/package.json --\n{}\n-- pack/src/inner.toy --\ndef inner\n")
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	var starts []int
	for _, name := range []string{"lib.toy", "pack/src/inner.toy"} {
		text := s.read(name)
		s.remove(name)
		s.check(api.CheckRequest{Files: []string{"main.toy"}})
		s.write(name, text)
		s.check(api.CheckRequest{Files: []string{"main.toy"}})
		n := 0
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Method == "initialize" {
				n++
			}
		}
		starts = append(starts, n)
	}
	if diff := cmp.Diff([]int{1, 2}, starts); diff != "" {
		t.Error(diff)
	}
}

// An error that only names another because others renamed that is the same error.
func TestRenamedOutside(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	s.write("main.toy", "use helper\nuse missing\n")
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	s.write("main.toy", "use helper\nuse missed\n")
	if found := s.check(api.CheckRequest{Files: []string{"main.toy"}}); hasNew(found.Files[0]) || len(found.Files[0].Fixed) > 0 || len(found.Files[0].Diagnostics) != 1 {
		t.Errorf("%+v", found)
	}
}
