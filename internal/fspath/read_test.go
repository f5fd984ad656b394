package fspath_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
)

// A file that grows while it is read, an empty one, one behind a link: each is read to its end.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "short": "a", "long": strings.Repeat("text ", 1<<20)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := fspath.Read(path); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := fspath.Read(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("one that is not there: %v", err)
	}
	if _, err := fspath.Read(dir); !errors.Is(err, syscall.EISDIR) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder: %v", err)
	}
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, fspath.MaxRead+1); err != nil {
		t.Fatal(err)
	}
	if _, err := fspath.Read(large); !errors.Is(err, fspath.ErrTooLarge) {
		t.Errorf("a large one: %v", err)
	}
	if err := os.Truncate(large, 3); err != nil {
		t.Fatal(err)
	}
	if got, err := fspath.Read(large); err != nil || !bytes.Equal(got, []byte{0, 0, 0}) {
		t.Errorf("%q, %v", got, err)
	}
}
