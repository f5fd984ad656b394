package checking

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
)

// Cargo compiles no crate whose dependency or build script fails. Nothing is wrong with its files as far as cargo has said, but
// that is not known to be all: the answer says why, each time, and until cargo has compiled the crate again.
func TestWhatCargoDoesNotCompile(t *testing.T) {
	const app, whole = "app/src/main.rs", "pub fn one() -> i32 {\n    1\n}\n"
	s := enginetest.OpenReal(t, `-- Cargo.toml --
[workspace]
resolver = "2"
members = ["base", "app", "apart"]
-- Cargo.lock --
version = 4

[[package]]
name = "apart"
version = "0.1.0"

[[package]]
name = "app"
version = "0.1.0"
dependencies = ["base"]

[[package]]
name = "base"
version = "0.1.0"
-- base/Cargo.toml --
[package]
name = "base"
version = "0.1.0"
edition = "2021"
build = "make.rs"
-- base/make.rs --
fn main() {}
-- base/src/lib.rs --
`+whole+`-- base/tests/of.rs --
#[test]
fn is_one() {
    assert_eq!(base::one(), 1);
}
-- app/Cargo.toml --
[package]
name = "app"
version = "0.1.0"
edition = "2021"

[dependencies]
base = { path = "../base" }
-- app/src/main.rs --
fn main() {
    println!("{}", base::one());
}
-- apart/Cargo.toml --
[package]
name = "apart"
version = "0.1.0"
edition = "2021"
-- apart/src/lib.rs --
pub fn apart() {}
`, "rust-analyzer")
	write := func(name, text string) {
		lsptest.WriteFile(t, filepath.Join(s.Root(), filepath.FromSlash(name)), text)
	}
	type want struct{ verdict, says string }
	clean := want{verdict: "clean"}
	for _, step := range []struct {
		name       string
		file, text string
		app, apart want
		base       want
	}{
		{"all compiles", "base/src/lib.rs", whole, clean, clean, clean},
		{
			"base has an error", "base/src/lib.rs", whole + "\npub fn two() -> &'static str {\n    2\n}\n",
			want{"unknown", "cargo did not check crate app because its dependency base does not compile"},
			clean,
			want{"new_errors", "mismatched types"},
		},
		{
			"app uses a moved value besides", app, "fn main() {\n    let v = vec![base::one()];\n    drop(v);\n    drop(v);\n}\n",
			want{"unknown", "cargo did not check crate app because its dependency base does not compile"},
			clean,
			want{"new_errors", "mismatched types"},
		},
		{"base is mended", "base/src/lib.rs", whole, want{"new_errors", "use of moved value"}, clean, clean},
		{"app is mended", app, "fn main() {\n    println!(\"{}\", base::one());\n}\n", clean, clean, clean},
		{"a test of base is broken", "base/tests/of.rs", "#[test]\nfn is_one() {\n    base::none();\n}\n", clean, clean, clean},
		{
			"the build script fails", "base/make.rs", "fn main() {\n    std::process::exit(3);\n}\n",
			want{"unknown", "cargo did not check crate app because its dependency base has a build script that fails"},
			clean,
			want{"unknown", "cargo did not check crate base because its build script fails"},
		},
		{"the build script is mended", "base/make.rs", "fn main() {}\n", clean, clean, clean},
	} {
		write(step.file, step.text)
		for range 2 { // the second time, cargo has nothing to compile anew
			for file, want := range map[string]want{app: step.app, "apart/src/lib.rs": step.apart, "base/src/lib.rs": step.base} {
				answer := s.Check(api.CheckRequest{Files: []string{file}, TimeoutMS: 120_000})
				// What was told once is no longer new.
				text, verdict := render.Brief(&answer), strings.Replace(string(answer.Files[0].Verdict), "baseline_error", "new_errors", 1)
				if verdict != want.verdict || !strings.Contains(text, want.says) {
					t.Errorf("%s: %s is %s, want %s, %s\n%s", step.name, file, verdict, want.verdict, want.says, text)
				}
			}
		}
	}
}

// What cargo cannot even name as a crate it does not compile, and says so without a place in a file.
func TestTargetsThatCargoCannotCompile(t *testing.T) {
	s := enginetest.OpenReal(t, crate+`-- src/lib.rs --
pub fn one() {}
-- tests/with space.rs --
fn main() {
    let x: i32 = "a";
}
`, "rust-analyzer")
	answer := s.Check(api.CheckRequest{Files: []string{"tests/with space.rs"}, TimeoutMS: 120_000})
	if text := render.Brief(&answer); answer.Verdict == "clean" || !strings.Contains(text, "cargo did not check test with space of crate") && len(answer.Files[0].Diagnostics) == 0 {
		t.Errorf("%s\n%s", answer.Verdict, text)
	}
}
