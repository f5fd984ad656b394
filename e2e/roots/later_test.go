package roots

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A project that is touched later is judged as well as the first one, by the same
// process, and one that nobody touches and that needs none of them is not loaded.
func TestTouchedLater(t *testing.T) {
	for _, s := range readShapes(t, "testdata/*.txt") {
		for _, server := range s.servers {
			t.Run(s.name+"/"+server, func(t *testing.T) {
				t.Parallel()
				lsptest.Require(t, server)
				w := plant(t, s, server)
				w.copyTo(t, "later")
				w.copyTo(t, "never")
				w.expect(t, s.changed, "")
				w.loaded(t)
				later := inCopy("later", s.changed)
				w.user = inCopy("later", s.user)
				w.expect(t, w.user, "")
				w.loaded(t)
				result := w.edit(t, api.FileEdit{File: later, OldText: &s.good, NewText: &s.bad})
				w.compare(t, "the edit", result, "new_errors", s.wrong, "")
				w.expect(t, s.user, "")
				result = w.edit(t, api.FileEdit{File: later, OldText: &s.bad, NewText: &s.good})
				w.compare(t, "its undoing", result, "clean", "", s.wrong)
				for _, running := range w.engine.Workspace().Running() {
					for _, folder := range running.Folders() {
						if slices.Contains(ancestors(folder), filepath.Join(w.root, "never")) {
							t.Errorf("%s is a folder of the server", folder)
						}
					}
				}
				if d, _ := registry.Builtin().Get(server); d.Sharing != registry.Connected {
					w.oneProcess(t)
				}
			})
		}
	}
}

// loaded wants that the servers have loaded all of their projects, and say so.
func (w *planted) loaded(t *testing.T) {
	t.Helper()
	for _, running := range w.engine.Workspace().Running() {
		lsptest.Eventually(t, time.Minute, running.Loaded, "%s has loaded its projects", running.Definition().ID)
	}
}

func ancestors(path string) (all []string) {
	for ; path != filepath.Dir(path); path = filepath.Dir(path) {
		all = append(all, path)
	}
	return all
}

// copyTo plants the shape once more, in a folder and with other names of the projects.
func (w *planted) copyTo(t *testing.T, folder string) {
	t.Helper()
	for name, text := range w.files {
		text = strings.ReplaceAll(text, "$ROOT", filepath.Join(w.root, folder))
		lsptest.WriteFile(t, filepath.Join(w.root, inCopy(folder, name)), renamed(folder, text))
	}
}

// inCopy returns the name that a file has in a copy.
func inCopy(folder, name string) string { return filepath.Join(folder, renamed(folder, name)) }

// renamed gives the projects in a text other names.
func renamed(folder, text string) string {
	return strings.NewReplacer("jdt.core", "jdt.core", "core", folder+"core", "app", folder+"app", "tools", folder+"tools").Replace(text)
}
