package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
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
