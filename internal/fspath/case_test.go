package fspath_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// Whether case counts in a folder is what its entries show; names without letters show nothing, and neither does a
// folder that is not there.
func TestFoldersWhereCaseCounts(t *testing.T) {
	dir := t.TempDir()
	if got := fspath.FoldsCase(filepath.Join(dir, "nowhere")); got != fspath.Here.FoldsCase {
		t.Errorf("of no folder: %t", got)
	}
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("1.2")
	if got := fspath.FoldsCase(dir); got != fspath.Here.FoldsCase {
		t.Errorf("without letters: %t", got)
	}
	write("a.Go")
	_, err := os.Stat(filepath.Join(dir, "A.gO"))
	if got := fspath.FoldsCase(dir); got != (err == nil) {
		t.Errorf("with letters: %t, but %v", got, err)
	}
	if err != nil { // both names are files of their own
		write("A.gO")
		if fspath.FoldsCase(dir) {
			t.Error("two files are taken for one")
		}
		if err := os.Remove(filepath.Join(dir, "A.gO")); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(dir, "a.Go"), filepath.Join(dir, "A.gO")); err != nil {
			lsptest.Skip(t, "no hard links here: "+err.Error())
		}
		if !fspath.FoldsCase(dir) {
			t.Error("one file under both names is not taken for one")
		}
	}
}
