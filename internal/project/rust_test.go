package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A toolchain that a project asks for and rustup does not have is known without asking it.
func TestMissingRust(t *testing.T) {
	const have = "-- bin/rustup --\n-- bin/cargo --\n-- debian/cargo --\n-- rustup/toolchains/1.75.0-x86_64-unknown-linux-gnu/x --\n-- rustup/toolchains/mine/x --\n-- p/src/lib.rs --\n"
	for _, c := range []struct {
		files, cargo string
		environ      []string
		want         [2]string
	}{
		{"", "bin", nil, [2]string{}},
		{"-- p/rust-toolchain.toml --\n[toolchain]\nchannel = \"1.75.0\"\n", "bin", nil, [2]string{}},
		{"-- p/rust-toolchain.toml --\n[toolchain]\nchannel = \"1.75\"\n", "bin", nil, [2]string{"1.75", "p/rust-toolchain.toml"}},
		{"-- rust-toolchain --\nnightly-2020-01-01\n", "bin", nil, [2]string{"nightly-2020-01-01", "rust-toolchain"}},
		{"-- rust-toolchain --\nmine\n", "bin", nil, [2]string{}},
		{"-- rust-toolchain --\n[toolchain]\nchannel = \"beta\"\n", "bin", nil, [2]string{"beta", "rust-toolchain"}},
		{"-- rust-toolchain.toml --\n[toolchain]\ncomponents = [\"rustfmt\"]\n", "bin", nil, [2]string{}},
		{"-- rust-toolchain --\nbeta\n", "debian", nil, [2]string{}},
		{"-- rust-toolchain --\nbeta\n", "bin", []string{"RUSTUP_TOOLCHAIN=stable"}, [2]string{}},
		{"-- rust-toolchain --\nbeta\n", "bin", []string{"RUSTUP_HOME=/nowhere"}, [2]string{}},
	} {
		root := lsptest.Workspace(t, have+c.files)
		environ := append([]string{"RUSTUP_HOME=" + filepath.Join(root, "rustup")}, c.environ...)
		channel, file := MissingRust(filepath.Join(root, "p/src"), root, filepath.Join(root, c.cargo, "cargo"), environ)
		if file != "" {
			relative, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			file = filepath.ToSlash(relative)
		}
		if diff := cmp.Diff(c.want, [2]string{channel, file}); diff != "" {
			t.Errorf("%q, %s, %q: %s", c.files, c.cargo, c.environ, diff)
		}
	}
}
