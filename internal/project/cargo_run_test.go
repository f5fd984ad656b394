package project

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Cargo compiles nothing whose dependencies or build script fail: about the files of what it did not compile it said nothing,
// which is not the same as that nothing is wrong with them.
func TestWhatCargoDidNotCheck(t *testing.T) {
	const workspace = `-- Cargo.toml --
[workspace]
members = ["base", "middle", "app", "apart"]
[workspace.dependencies]
middle = { path = "middle" }
-- base/Cargo.toml --
[package]
name = "base"
-- base/build.rs --
fn main() {}
-- base/src/lib.rs --
mod util;
-- base/src/util.rs --
-- middle/Cargo.toml --
[package]
name = "my-middle"
[dependencies]
base = { path = "../base" }
serde = "1"
-- middle/src/lib.rs --
-- app/Cargo.toml --
[package]
name = "app"
[dependencies]
middle.workspace = true
[dev-dependencies]
apart = { path = "../apart" }
[[bin]]
name = "extra"
path = "extra/start.rs"
required-features = ["more"]
-- app/src/main.rs --
mod both;
mod only;
-- app/src/lib.rs --
mod both;
-- app/src/both.rs --
-- app/src/only/deep.rs --
-- app/extra/start.rs --
-- app/tests/one.rs --
mod common;
-- app/tests/two.rs --
-- app/tests/common/mod.rs --
-- apart/Cargo.toml --
[package]
name = "apart"
build = false
-- apart/src/lib.rs --
-- loose/a.rs --
`
	root := lsptest.Workspace(t, workspace)
	base := []string{"build-script-build (custom-build)", "base (lib)", "base (lib)"}
	middle := append(base, "my_middle (rlib, cdylib)", "my_middle (rlib, cdylib)")
	apart := append(middle, "apart (lib)", "apart (lib)")
	all := append(apart, "app (lib)", "app (lib)", "app (bin)", "app (bin)", "one (test)", "two (test)")
	const byBase = "cargo did not check crate app because its dependency base does not compile"
	for name, c := range map[string]struct {
		untold                    bool
		compiled, scripts, broken []string
		file, want                string
	}{
		"all was compiled":                           {compiled: all, file: "app/src/main.rs"},
		"a file of no package":                       {file: "loose/a.rs"},
		"the crate has errors itself":                {compiled: base[:1], broken: []string{"base/src/util.rs"}, file: "base/src/lib.rs"},
		"a dependency of a dependency has":           {compiled: base[:1], broken: []string{"base/src/util.rs"}, file: "app/src/lib.rs", want: byBase},
		"the same where cargo does not tell":         {untold: true, broken: []string{"base/src/util.rs"}, file: "app/src/lib.rs", want: byBase},
		"no errors where cargo does not tell":        {untold: true, file: "app/src/lib.rs"},
		"errors of a dependant":                      {compiled: apart, broken: []string{"app/src/lib.rs"}, file: "middle/src/lib.rs"},
		"errors in a test do not stop others":        {compiled: all[:len(all)-1], broken: []string{"app/tests/two.rs"}, file: "app/tests/one.rs"},
		"the tests of a library with errors":         {compiled: apart, broken: []string{"app/src/lib.rs"}, file: "app/tests/two.rs", want: "cargo did not check test two of crate app because the library of its package does not compile"},
		"a module of what has errors, and of others": {compiled: apart, broken: []string{"app/src/lib.rs"}, file: "app/src/both.rs", want: "cargo did not check crate app because the library of its package does not compile"},
		"a module of what was compiled":              {compiled: all, file: "app/src/only/deep.rs"},
		"a module of tests":                          {compiled: all, file: "app/tests/common/mod.rs"},
		"what only tests need has errors":            {compiled: append(middle, "app (lib)", "app (bin)"), broken: []string{"apart/src/lib.rs"}, file: "app/src/lib.rs", want: "cargo did not check the tests in crate app because their dependency apart does not compile"},
		"the build script fails":                     {compiled: apart[:1], scripts: []string{"base"}, file: "base/src/util.rs", want: "cargo did not check crate base because its build script fails"},
		"the failing build script itself":            {compiled: apart[:1], scripts: []string{"base"}, file: "base/build.rs", want: "cargo did not check crate base because its build script fails"},
		"the build script of a dependency fails":     {compiled: apart[:1], scripts: []string{"base"}, file: "middle/src/lib.rs", want: "cargo did not check crate my-middle because its dependency base has a build script that fails"},
		"the build script of a library fails":        {scripts: []string{"openssl-sys"}, file: "apart/src/lib.rs", want: "cargo did not check crate apart; the build script of openssl-sys fails"},
		"the build script does not compile":          {broken: []string{"base/build.rs"}, file: "base/src/lib.rs", want: "cargo did not check crate base because its build script does not compile"},
		"a program that needs features":              {compiled: all, file: "app/extra/start.rs", want: "cargo did not check bin extra of crate app: it needs the features more"},
		"nothing is known of why":                    {file: "apart/src/lib.rs", want: "cargo did not check crate apart; see what `cargo check` says"},
	} {
		t.Run(name, func(t *testing.T) {
			var broken []string
			for _, file := range c.broken {
				broken = append(broken, filepath.Join(root, filepath.FromSlash(file)))
			}
			run := NewCargoRun(!c.untold, c.compiled, c.scripts, broken)
			if got := run.Unjudged(filepath.Join(root, filepath.FromSlash(c.file))); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Where a crate was not compiled, it is not known what an edit of the crates that it depends on did to it.
func TestWhatCargoLeftOutBeside(t *testing.T) {
	root := lsptest.Workspace(t, `-- Cargo.toml --
[workspace]
members = ["crates/*"]
exclude = ["crates/apart"]
-- crates/apart/Cargo.toml --
[package]
name = "apart"
[dependencies]
base = { path = "../base" }
-- crates/apart/src/lib.rs --
-- crates/base/Cargo.toml --
[package]
name = "base"
-- crates/base/src/lib.rs --
-- crates/app/Cargo.toml --
[package]
name = "app"
[dependencies]
base = { path = "../base" }
[[bin]]
name = "more"
path = "more.rs"
required-features = ["more"]
-- crates/app/more.rs --
-- crates/app/src/lib.rs --
`)
	base, app := filepath.Join(root, "crates/base/src/lib.rs"), filepath.Join(root, "crates/app/src/lib.rs")
	broken := NewCargoRun(true, nil, nil, []string{base})
	if got := broken.LeftOutBeside(base); got != "cargo did not check crate app because its dependency base does not compile" {
		t.Errorf("beside base: %q", got)
	}
	if got := broken.LeftOutBeside(app); got != "" {
		t.Errorf("beside app: %q", got)
	}
	if got := NewCargoRun(true, []string{"base (lib)", "base (lib)", "app (lib)", "app (lib)"}, nil, nil).LeftOutBeside(base); got != "" {
		t.Errorf("all compiled: %q", got)
	}
}
