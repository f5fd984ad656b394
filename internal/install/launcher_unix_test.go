//go:build !windows

package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// A server whose package has no program of its own gets one of ours, in a folder that npm did not
// make, and is found by it.
func TestLauncherOfOurs(t *testing.T) {
	s := openShop(t)
	s.pins = []registry.Pin{{
		ID: "toy", Kind: registry.FromNPM, Packages: []string{toyPackage + "@1.0.0"}, Programs: []registry.PinnedProgram{{Name: "jdtls", File: "bin/jdtls"}},
	}}
	installed := s.install("toy")
	path, _ := s.Find("jdtls")
	if want := filepath.Join(installed.Folder, "bin", "jdtls"); path != want {
		t.Fatalf("found at %q, want %q", path, want)
	}
	got, err := os.ReadFile(path)
	info, failed := os.Stat(path)
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	want, err := builtin.ReadFile("launchers/jdtls")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, -want +got:\n%s", info.Mode(), diff)
	}
}
