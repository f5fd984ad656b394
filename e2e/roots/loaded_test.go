package roots

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

// A server is known to have loaded all of its projects, those that came later, too.
func TestAllProjectsAreLoaded(t *testing.T) {
	for _, s := range readShapes(t, "testdata/*.txt") {
		for _, server := range s.servers {
			t.Run(s.name+"/"+server, func(t *testing.T) {
				lsptest.Require(t, server)
				w := plant(t, s, server)
				w.copyTo(t, "later")
				for _, name := range []string{s.changed, inCopy("later", s.changed)} {
					w.expect(t, filepath.ToSlash(name), "")
					for _, running := range w.engine.Workspace().Running() {
						lsptest.Eventually(t, 30*time.Second, running.Loaded, "the projects are loaded")
					}
				}
			})
		}
	}
}
