package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/render"
)

const cargoProject = `
-- Cargo.toml --
[workspace]
members = ["core", "app"]
resolver = "2"
-- core/Cargo.toml --
[package]
name = "kernel"
version = "0.1.0"
edition = "2021"
-- core/src/lib.rs --
pub fn load() -> u32 { 1 }
-- app/Cargo.toml --
[package]
name = "app"
version = "0.1.0"
edition = "2021"

[dependencies]
kernel = { path = "../core" }
-- app/src/main.rs --
fn main() { println!("{}", kernel::load()); }
-- app/src/loose.rs --
pub fn loose() -> u32 { 1 }
`

// What a change of Cargo.toml breaks is said, by an edit and by a check of what others
// wrote, with its name and without, though no server judges the file itself; so is what
// the way back mends.
func TestManifestBreaksProject(t *testing.T) {
	s := openReal(t, cargoProject, "rust-analyzer")
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-qm", "one")
	const name = "app/Cargo.toml"
	whole := s.read(name)
	broken := strings.Replace(whole, `kernel = { path = "../core" }`, "", 1)
	says := func(files []render.File, fixed bool) bool {
		return slices.ContainsFunc(files, func(f render.File) bool {
			return f.Path == "app/src/main.rs" && (fixed && len(f.Fixed) > 0 || !fixed && hasNew(f))
		})
	}
	for _, step := range []struct {
		text, verdict string
		fixed         bool
	}{{broken, "new_errors", false}, {whole, "clean", true}} {
		done := do(t, s, EditFiles, EditRequest{Edits: []FileEdit{{File: name, Content: &step.text}}, Writing: Writing{Limits: Limits{TimeoutMS: 60_000}}})
		if done.Verdict != step.verdict || !says(done.Others, step.fixed) {
			t.Errorf("edit: %s\n%+v", done.Brief(), done)
		}
	}
	for _, names := range [][]string{{name}, nil} {
		s.write(name, broken)
		if result := s.check(CheckRequest{Files: names, TimeoutMS: 60_000}); result.Verdict != "new_errors" || !says(result.Others, false) {
			t.Errorf("check %q: %s\n%+v", names, result.Brief(), result)
		}
		s.write(name, whole)
		if result := s.check(CheckRequest{Files: []string{name}, TimeoutMS: 60_000}); result.Verdict != "clean" || !says(result.Others, true) {
			t.Errorf("check %q, mended: %s\n%+v", names, result.Brief(), result)
		}
	}
}

// A file that is in no crate is not known, and keeps nobody from knowing what is wrong
// with others: what was wrong with them before, too.
func TestFileInNoCrate(t *testing.T) {
	s := openReal(t, cargoProject, "rust-analyzer")
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-qm", "one")
	s.check(CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	s.write("app/src/loose.rs", "pub fn loose() {}\n")
	loose := s.check(CheckRequest{Files: []string{"app/src/loose.rs"}, TimeoutMS: 60_000})
	if len(loose.Files) != 1 || len(loose.Files[0].Servers) != 1 || loose.Files[0].Servers[0].Reason != "the file is in no crate" {
		t.Errorf("in no crate: %s\n%+v", loose.Brief(), loose)
	}
	s.write("core/src/lib.rs", "pub fn load(_: u32) -> u32 { 1 }\n")
	result := s.check(CheckRequest{Files: []string{"core/src/lib.rs"}, TimeoutMS: 60_000})
	want := render.File{Path: "app/src/main.rs", Baseline: "session"}
	if len(result.Others) != 1 || result.Others[0].Path != want.Path || result.Others[0].Baseline != want.Baseline || !hasNew(result.Others[0]) {
		t.Errorf("after it: %s\n%+v", result.Brief(), result)
	}
	if len(result.Files) != 1 || result.Files[0].Baseline != "session" {
		t.Errorf("what was wrong in a file that cargo had judged is known: %+v", result.Files)
	}
	s.write("app/src/main.rs", "mod loose;\n\nfn main() { println!(\"{}\", kernel::load(loose::loose())); }\n")
	result = s.check(CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	if len(result.Files) != 1 || !hasNew(result.Files[0]) && len(result.Others) == 0 {
		t.Errorf("in a crate now: %s\n%+v", result.Brief(), result)
	}
}
