package overlay

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// An outline is asked for in advance of the server for code alone, and only if that has the file open
// with the very text.
func TestWhoIsAskedAhead(t *testing.T) {
	linter := lsptest.Script{ID: "lint"}.Definition(t)
	linter.Role = registry.DiagnosticsOnly
	texts, w := openTexts(t, lsptest.Script{}.Definition(t), linter)
	path := filepath.Join(w.Root(), "main.toy")
	ahead := func(text string) bool { return texts.OutlineAhead(path, "main.toy", []byte(text)) }
	got := map[string]bool{"no server runs": ahead("use helper\n")}
	for _, c := range w.Candidates(path) {
		s, err := w.Server(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		id := c.Definition.ID
		got[id+" has it closed"] = ahead("use helper\n")
		if _, err := s.Sync(path, []byte("use helper\n")); err != nil {
			t.Fatal(err)
		}
		got[id+" has it open"] = ahead("use helper\n")
		got[id+" has another text"] = ahead("use other\n")
		if _, err := s.CloseDocument(path); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]bool{
		"no server runs":    false,
		"toy has it closed": false, "toy has it open": true, "toy has another text": false,
		"lint has it closed": false, "lint has it open": false, "lint has another text": false,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
