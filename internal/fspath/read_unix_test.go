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

// There is no file where nothing is, where a folder is, and below a file.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"file", "folder/file"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"to a file": "file", "to a folder": "folder", "to nothing": "gone"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]struct{ missing, read bool }{
		"file":        {false, false},
		"folder":      {true, true},
		"folder/file": {false, false},
		"folder/gone": {true, true},
		"file/file":   {true, true},
		"gone":        {true, true},
		"gone/file":   {true, true},
		"to a file":   {false, false},
		"to a folder": {true, true},
		"to nothing":  {false, true}, // the link is there
	} {
		path := filepath.Join(dir, name)
		if got := fspath.Missing(path); got != want.missing {
			t.Errorf("%s is missing: %v", name, got)
		}
		if _, err := fspath.Read(path); fspath.IsMissing(err) != want.read {
			t.Errorf("%s cannot be read: %v", name, err)
		}
	}
}
