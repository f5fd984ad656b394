package config

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder is trusted if it is named, or lies below one that is, by whatever name; a
// neighbour whose name begins alike is not.
func TestTrusts(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	for _, dir := range []string{"a/b", "ab", "c"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(home, "c"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	s := Settings{TrustedRoots: []string{filepath.Join(home, "gone"), "~/a", filepath.Join(home, "link")}}
	for dir, want := range map[string]bool{"a": true, "a/b": true, "ab": false, "": false, "c": true} {
		if got := s.Trusts(filepath.Join(home, dir)); got != want {
			t.Errorf("%q is trusted: %v", dir, got)
		}
	}
	if (&Settings{}).Trusts(home) {
		t.Error("a folder is trusted although none is named")
	}
}
