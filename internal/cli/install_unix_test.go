//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// In a checkout that nobody trusts, rustup runs in the user's home: in the checkout, a file would tell it which toolchain is meant. In a
// trusted one it runs there.
func TestInstallInACheckoutOfAStranger(t *testing.T) {
	s, home := newBareShop(t, "-- rust-toolchain.toml --\n[toolchain]\npath = \"mine\"\n")
	bin := t.TempDir()
	said := filepath.Join(bin, "said")
	lsptest.WriteFile(t, filepath.Join(bin, "rustup"), "#!/bin/sh\n/bin/pwd -P > "+said+"\n")
	if err := os.Chmod(filepath.Join(bin, "rustup"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	environ := append(homeIn(home), "PATH="+bin)
	s.change = func(streams *Streams) { streams.Environ = environ }
	t.Chdir(s.root)
	var got []string
	install := func() {
		t.Helper()
		if got := s.run("install", "rust-analyzer"); got.code != exitClean {
			t.Fatalf("%+v", got)
		}
		text, err := os.ReadFile(said)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(string(text)))
	}
	install()
	environ = append(environ, "LSPINE_TRUSTED_ROOTS="+s.root)
	install()
	var want []string
	for _, dir := range []string{home, s.root} {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, real)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := folderAside([]string{"HOME=relative"}); got != "/" {
		t.Errorf("without a home: %s", got)
	}
}
