package engine_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A server with a scope never hears of a file outside of it, whatever is done with that file: it is
// checked, edited, asked about, moved and changed by others. What is asked about the file says why
// nobody judges it.
func TestFilesOutsideOfAScopeNeverReachTheServer(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{Mode: lsptest.Pull, JournalFile: journal}.Definition(t)
	d.Within = []string{"src/**", "*.root"}
	s := enginetest.Open(t, `
-- toy.root --
-- src/main.toy --
use helper
-- src/lib.toy --
def helper
-- private/hidden.toy --
use helper
-- private/moved.toy --
def other
`, registry.Table{d})
	inside := s.Check(api.CheckRequest{Files: []string{"src/main.toy"}, TimeoutMS: 60_000})
	outside := s.Check(api.CheckRequest{Files: []string{"private/hidden.toy"}, TimeoutMS: 60_000})
	var reasons []string
	for _, f := range outside.Files {
		for _, a := range f.Servers {
			reasons = append(reasons, a.Reason)
		}
	}
	want := []string{result.Clean, result.LSPUnavailable, "the file is outside of the scope that the configuration gives it"}
	if diff := cmp.Diff(want, append([]string{inside.Verdict, outside.Verdict}, reasons...)); diff != "" {
		t.Error(diff)
	}
	for _, edit := range []api.FileEdit{
		enginetest.Writing("private/hidden.toy", "use nothing\n"), enginetest.Writing("private/new.toy", "def new\n"),
		{File: "private/moved.toy", RenameTo: "private/there.toy"},
		enginetest.Writing("src/lib.toy", "def another\n"),
	} {
		enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{edit}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}})
	}
	if _, err := api.References.Do(t.Context(), s, api.ReferencesRequest{Selector: api.Selector{File: "private/hidden.toy", Line: 1, Symbol: "nothing"}}); err == nil || !strings.Contains(err.Error(), "outside of the scope") {
		t.Errorf("references: %v", err)
	}
	s.Write("private/hidden.toy", "use helper again\n")
	s.Remove("private/new.toy")
	s.Write("src/lib.toy", "def helper\n")
	last := s.Check(api.CheckRequest{Files: []string{"src/main.toy", "src/lib.toy"}, TimeoutMS: 60_000})
	if last.Verdict != result.Clean {
		t.Errorf("at last: %+v", last)
	}
	heard := 0
	for _, e := range lsptest.ReadJournal(t, journal) {
		if bytes.Contains(e.Params, []byte("private/")) {
			t.Errorf("it heard of a file outside: %s %s", e.Method, e.Params)
		}
		if bytes.Contains(e.Params, []byte("src/lib.toy")) {
			heard++
		}
	}
	if heard == 0 {
		t.Error("it heard of no file inside either")
	}
}
