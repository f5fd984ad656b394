//go:build unix

package lsp

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// Of what a server would read without end it is not told that it came or changed, only that it is gone.
func TestWhatIsReadWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("file"), nil, 0o600), os.Mkdir(at("folder"), 0o700), syscall.Mkfifo(at("pipe"), 0o600),
		os.Symlink("/dev/zero", at("zero")), os.Symlink("pipe", at("to pipe")), os.Symlink("file", at("to file")), os.Symlink("itself", at("itself")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := make(map[string]bool)
	for _, name := range []string{"file", "folder", "pipe", "zero", "to pipe", "to file", "itself", "gone"} {
		got[name] = endless(protocol.Created, at(name))
		if endless(protocol.Changed, at(name)) != got[name] || endless(protocol.Deleted, at(name)) {
			t.Errorf("%s: it depends on what happened to it", name)
		}
	}
	want := map[string]bool{"file": false, "folder": false, "pipe": true, "zero": true, "to pipe": true, "to file": false, "itself": false, "gone": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
