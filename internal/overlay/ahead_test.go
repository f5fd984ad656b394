package overlay_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

const outlinedFiles = `
-- toy.root --
-- main.toy --
use helper
def first
-- lib.toy --
def helper
`

// asked returns what the server heard, by method, of outlines and of changes.
func asked(t *testing.T, journal string) (methods []string) {
	t.Helper()
	for _, e := range lsptest.ReadJournal(t, journal) {
		switch e.Method {
		case "textDocument/documentSymbol", "textDocument/didChange", "textDocument/didOpen":
			methods = append(methods, e.Method[len("textDocument/"):])
		}
	}
	return methods
}

// After an edit the file's outline is asked for while nobody waits, so that the
// next edit of it asks nothing before its change is shown.
func TestOutlineIsAskedAhead(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	s := enginetest.OpenToy(t, lsptest.Script{JournalFile: journal}, outlinedFiles)
	for i, text := range []string{"use helper\ndef second\n", "use helper\ndef third\n", "use nobody\ndef third\n"} {
		result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: new(text)}}})
		if want := []string{"clean", "clean", "new_errors"}[i]; result.Verdict != want {
			t.Errorf("edit %d: %s, want %s", i, result.Verdict, want)
		}
		heard := 4 + 2*i // with the outline that is asked for ahead
		lsptest.Eventually(t, 20*time.Second, func() bool { return len(asked(t, journal)) >= heard }, "the outline is asked for")
	}
	want := []string{
		"didOpen", "documentSymbol", // what the file declares, before the first edit
		"didChange", "documentSymbol", "didChange", "documentSymbol", "didChange", "documentSymbol",
	}
	if got := asked(t, journal); !slices.Equal(got, want) {
		t.Errorf("the server heard %q, want %q", got, want)
	}
}

// An outline that was kept is not given for a text that others wrote since, nor
// after another file changed.
func TestOutlineThatIsKeptIsTrue(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	s := enginetest.OpenToy(t, lsptest.Script{JournalFile: journal}, outlinedFiles)
	names := func() (list []string) {
		for _, n := range enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "main.toy"}).Symbols {
			list = append(list, n.Name)
		}
		return list
	}
	first := names()
	if again := names(); !slices.Equal(first, []string{"first"}) || !slices.Equal(again, first) {
		t.Errorf("%q, then %q", first, again)
	}
	if got := asked(t, journal); len(got) != 2 {
		t.Errorf("asked again although nothing changed: %q", got)
	}
	s.Write("main.toy", "def other\n")
	if got := names(); !slices.Equal(got, []string{"other"}) {
		t.Errorf("%q after others changed the file", got)
	}
	s.Write("lib.toy", "def helper\ndef more\n")
	before := len(asked(t, journal))
	if got := names(); !slices.Equal(got, []string{"other"}) || len(asked(t, journal)) == before {
		t.Errorf("%q, not asked again after another file changed", got)
	}
}

// A server that never answers what is asked ahead keeps nobody from closing.
func TestOutlineAheadEnds(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/documentSymbol", 2, lsptest.Stall())}}, outlinedFiles)
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: new("use helper\n")}}})
	if result.Verdict != "clean" {
		t.Error(result.Verdict)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// That a text declares nothing is not kept: a server says so, too, that has not looked at it yet.
func TestEmptyOutlineIsNotKept(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/documentSymbol", 1, lsptest.Reply(`[]`))}}, outlinedFiles)
	var counts []int
	for range 2 {
		counts = append(counts, len(enginetest.Do(t, s, api.Outline, api.SymbolsRequest{File: "main.toy"}).Symbols))
	}
	if !slices.Equal(counts, []int{0, 1}) {
		t.Errorf("%d symbols", counts)
	}
}
