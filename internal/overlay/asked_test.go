package overlay

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/api"
)

// Whoever keeps an answer can tell that servers were shown other texts than those on disk since the question, also if they are not any more.
func TestChangesOfTexts(t *testing.T) {
	texts, w := openTexts(t)
	view := texts.View(w.Names(""), nil)
	path := filepath.Join(w.Root(), "main.toy")
	text := map[string][]byte{path: []byte("other")}
	for name, change := range map[string]func(){
		"opened":     func() { texts.give(path, []byte("other")) },
		"taken back": func() { texts.takeBack(path) },
		"closed": func() {
			if _, err := view.Close(t.Context(), api.FileRequest{File: "main.toy"}); err != nil {
				t.Fatal(err)
			}
		},
		"written": func() { texts.Expect(text)() },
		"held": func() {
			_, release := texts.Hold(text)
			release()
		},
	} {
		before := view.Changes()
		if change(); view.Changes() == before {
			t.Errorf("%s: nobody can tell", name)
		}
	}
}
