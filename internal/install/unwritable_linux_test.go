package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What was installed is removed also where its folders may not be written, as those of a Go
// module cache are.
func TestRemoveWhatMayNotBeWritten(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "server")
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "module", "inner"), 0o755), os.WriteFile(filepath.Join(dir, "module", "inner", "a"), nil, 0o444)); err != nil {
		t.Fatal(err)
	}
	root := os.Geteuid() == 0 // as tests run in containers; then they are nobody here
	for at := filepath.Join(dir, "module", "inner"); len(at) >= len(home); at = filepath.Dir(at) {
		mode := os.FileMode(0o555)
		if at == home {
			mode = 0o755
		}
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		if root {
			if err := os.Chown(at, lsptest.Nobody, lsptest.Nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(filepath.Dir(home), 0o755); err != nil { // of t.TempDir
		t.Fatal(err)
	}
	lsptest.AsNobody(t, func() {
		if err := removeAll(dir); err != nil {
			t.Error(err)
		}
	})
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}
