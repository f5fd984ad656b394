//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// rustup runs in the present folder, whose toolchain is meant; aside of a checkout that nobody trusts, it runs in the folder that
// is named for that.
func TestRustupRunsAside(t *testing.T) {
	bin, checkout, home := t.TempDir(), t.TempDir(), t.TempDir()
	said := filepath.Join(bin, "said")
	lsptest.WriteFile(t, filepath.Join(bin, "rustup"), "#!/bin/sh\n/bin/pwd -P > "+said+"\n")
	if err := os.Chmod(filepath.Join(bin, "rustup"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Chdir(checkout)
	store := &Store{pins: []registry.Pin{{ID: "one", Kind: registry.FromRustup, Packages: []string{"one"}, Programs: []registry.PinnedProgram{{Name: "one"}}}}}
	var got []string
	for _, s := range []*Store{store, store.Aside(home)} {
		if _, err := s.Install(t.Context(), os.Environ(), "one"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(said)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(string(text)))
	}
	var want []string
	for _, dir := range []string{checkout, home} {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, real)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
