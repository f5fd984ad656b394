//go:build !windows

package fspath_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
)

// A device is not read, and nobody waits for who writes into a pipe.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	device, pipe := filepath.Join(dir, "go.mod"), filepath.Join(dir, "package.json")
	if err := os.Symlink("/dev/zero", device); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{device, pipe} {
		if text, err := fspath.Read(path); !errors.Is(err, fspath.ErrNotRegular) {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
		if _, err := fspath.Open(path); !errors.Is(err, fspath.ErrNotRegular) {
			t.Errorf("%s opened: %v", path, err)
		}
	}
}
