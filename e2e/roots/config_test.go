package roots

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// A change of the files that say which projects there are, and what each needs, counts
// at once, whoever makes it, and the roots are those of the files as they are now.
func TestConfiguration(t *testing.T) {
	for _, s := range readShapes(t, "testdata/config/*.txt") {
		for _, server := range s.servers {
			t.Run(s.name+"/"+server, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, server)
				w := plant(t, s, server)
				w.expect(t, s.user, "")
				result := w.edit(t, api.FileEdit{File: s.changed, OldText: &s.good, NewText: &s.bad})
				if result.Verdict == "clean" {
					t.Errorf("the edit is clean: %+v", result)
				}
				w.expect(t, s.user, s.wrong)
				w.edit(t, api.FileEdit{File: s.changed, OldText: &s.bad, NewText: &s.good})
				w.expect(t, s.user, "")
				w.changeOutside(t)
			})
		}
	}
}

// A go.work that comes makes one root of two, and none of them is left when it goes.
func TestGoWorkComesAndGoes(t *testing.T) {
	lsptest.Require(t, "gopls")
	for _, s := range readShapes(t, "testdata/config/go-work.txt") {
		text := s.files["go.work"]
		delete(s.files, "go.work")
		w := plant(t, s, "gopls")
		w.expect(t, s.user, s.wrong)
		w.expect(t, "core/core.go", "")
		for range 2 {
			w.edit(t, api.FileEdit{File: "go.work", Content: &text})
			w.expect(t, s.user, "")
			w.edit(t, api.FileEdit{File: "go.work", Delete: true})
			w.expect(t, s.user, s.wrong)
		}
		lsptest.WriteFile(t, filepath.Join(w.root, "go.work"), text)
		w.expect(t, s.user, "")
		if err := os.Remove(filepath.Join(w.root, "go.work")); err != nil {
			t.Fatal(err)
		}
		w.expect(t, s.user, s.wrong)
	}
}
