package checking_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A file that was deleted and came back is opened in a server that may have missed it. A server
// that even then has it in no package is restarted; one that has it is not.
func TestFileThatComesBack(t *testing.T) {
	t.Parallel()
	for _, missing := range []bool{false, true} {
		journal := filepath.Join(t.TempDir(), "journal")
		script := lsptest.Script{ID: "gopher", JournalFile: journal}
		if missing {
			script.Rules = []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.ReplyError(0, "no package metadata for file lib.toy", ""))}
		}
		d := script.Definition(t)
		d.Quirks = append(d.Quirks, registry.OpenReturned)
		s := openBeside(t, lsptest.Project, d)
		lib := s.Read("lib.toy")
		s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		s.Remove("lib.toy")
		s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		s.Write("lib.toy", lib)
		if now := s.Check(api.CheckRequest{Files: []string{"main.toy"}}); now.Verdict != "clean" {
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

// If more files come back than are opened at once, as when branches are switched, the rest are
// checked nevertheless.
func TestManyFilesThatComeBack(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "gopher", JournalFile: journal, Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/hover", 70, lsptest.ReplyError(0, "no package metadata for file", "")),
	}}
	d := script.Definition(t)
	d.Quirks = append(d.Quirks, registry.OpenReturned)
	s := openBeside(t, lsptest.Project, d)
	const many = 70
	name := func(i int) string { return fmt.Sprintf("more%d.toy", i) }
	for i := range many {
		s.Write(name(i), "")
	}
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	for i := range many {
		s.Remove(name(i))
	}
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	for i := range many {
		s.Write(name(i), "")
	}
	if now := s.Check(api.CheckRequest{Files: []string{"main.toy"}}); now.Verdict != "clean" {
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

// Files that others changed together are all shown again to a server that reads other files from
// disk; otherwise it would judge each with the cached old texts of the others. If only one file
// changed, it is shown only that.
func TestFilesThatChangeTogether(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "reader", JournalFile: journal}
	d := script.Definition(t)
	d.Languages = []registry.Language{{ID: "cpp", Patterns: []string{".cc"}}} // of which text tells who uses what
	d.Diagnostics.Outside = registry.OutsideReopen
	d.Quirks = append(d.Quirks, registry.ReadsSaved)
	s := enginetest.Open(t, "\n-- toy.root --\n-- a.cc --\ndef helper\n-- b.cc --\ndef other\n", registry.Table{d})
	files := []string{"a.cc", "b.cc"}
	s.Check(api.CheckRequest{Files: files})
	opened := func(changed ...string) (names []string) {
		seen := len(lsptest.ReadJournal(t, journal))
		for _, name := range changed {
			s.Write(name, s.Read(name)+"\n")
		}
		s.Check(api.CheckRequest{Files: changed})
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

// When others move a file, its findings move with it: it is recognized by its text, even if git
// reports no move, and nothing in it is new.
func TestMovedTextKeepsItsErrors(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Write("main.toy", "use helper\nuse something_missing\n")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	text := s.Read("main.toy")
	s.Remove("main.toy")
	s.Write("moved.toy", text)
	found := s.Check(api.CheckRequest{Files: []string{"main.toy", "moved.toy"}})
	if at := slices.IndexFunc(found.Files, func(f result.File) bool { return f.Path == "moved.toy" }); at < 0 || enginetest.HasNew(found.Files[at]) || len(found.Files[at].Diagnostics) == 0 {
		t.Errorf("%+v", found)
	}
}

// A server that does not find a file of an inner package or project again when that comes back is
// restarted, but not for any other file.
func TestPackageFileThatComesBack(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	script := lsptest.Script{ID: "linker", JournalFile: journal}
	d := script.Definition(t)
	d.Quirks = append(d.Quirks, registry.AnewReturned)
	s := enginetest.Open(t, lsptest.Project+"-- pack/package.json --\n{}\n-- pack/src/inner.toy --\ndef inner\n-- part/tsconfig.json --\n{}\n-- part/more.toy --\ndef more\n", registry.Table{d})
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	var starts []int
	for _, name := range []string{"lib.toy", "pack/src/inner.toy", "part/more.toy"} {
		text := s.Read(name)
		s.Remove(name)
		s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		s.Write(name, text)
		s.Check(api.CheckRequest{Files: []string{"main.toy"}})
		n := 0
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Method == "initialize" {
				n++
			}
		}
		starts = append(starts, n)
	}
	if diff := cmp.Diff([]int{1, 2, 3}, starts); diff != "" {
		t.Error(diff)
	}
}

// An error that only contains another name because others renamed something is the same error.
func TestRenamedOutside(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Write("main.toy", "use helper\nuse missing\n")
	s.Check(api.CheckRequest{Files: []string{"main.toy"}})
	s.Write("main.toy", "use helper\nuse missed\n")
	if found := s.Check(api.CheckRequest{Files: []string{"main.toy"}}); enginetest.HasNew(found.Files[0]) || len(found.Files[0].Fixed) > 0 || len(found.Files[0].Diagnostics) != 1 {
		t.Errorf("%+v", found)
	}
}
