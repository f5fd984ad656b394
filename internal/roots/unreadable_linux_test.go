package roots

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// In a folder that may be entered but not listed, markers are found by their names.
func TestMarkersInAFolderThatCannotBeListed(t *testing.T) {
	f := open(t, "-- a/go.mod --\n", Options{Servers: registry.Builtin(), LookPath: found})
	folder := filepath.Join(f.opts.Root, "a")
	for path, mode := range map[string]os.FileMode{filepath.Dir(f.opts.Root): 0o755, folder: 0o311} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	lsptest.AsNobody(t, func() {
		if got := chosen(f, "a/x.go"); got != "gopls a go.mod" {
			t.Errorf("%q", got)
		}
	})
}
