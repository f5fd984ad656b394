package overlay

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/symbols"
)

// All questions of an access that keeps what it read are about one state of the disk: servers are
// shown the text that its caller has. One that does not sees each change.
func TestKeptTextsAreThoseThatServersAreShown(t *testing.T) {
	texts, w := openTexts(t, lsptest.Script{}.Definition(t))
	path := filepath.Join(w.Root(), "main.toy")
	read := func(a *Access) string {
		t.Helper()
		text, err := a.Text(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	keeps, sees := texts.View(w.Names(""), noLacks{}).Access(), texts.View(w.Names(""), noLacks{}).Access()
	defer keeps.Close()
	defer sees.Close()
	keeps.Keep()
	first := read(keeps)
	if first == "" || read(sees) != first {
		t.Fatalf("%q", first)
	}
	lsptest.WriteFile(t, path, "def changed\n")
	server, err := keeps.OpenServer(t.Context(), path, symbols.Definition)
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := server.Document(path)
	got := []string{read(keeps), string(shown), read(sees)}
	if diff := cmp.Diff([]string{first, first, "def changed\n"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var ids [][]string
	for _, a := range []*Access{keeps, sees} {
		ids = append(ids, idsOf(a.candidatesFor(path)))
	}
	if diff := cmp.Diff([][]string{{"toy"}, {"toy"}}, ids); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

func idsOf(candidates []roots.Candidate) (ids []string) {
	for _, c := range candidates {
		ids = append(ids, c.Definition.ID)
	}
	return ids
}
