package dependants

import (
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
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
	s := enginetest.OpenReal(t, cargoProject, "rust-analyzer")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	const name = "app/Cargo.toml"
	whole := s.Read(name)
	broken := strings.Replace(whole, `kernel = { path = "../core" }`, "", 1)
	says := func(files []result.File, fixed bool) bool {
		return slices.ContainsFunc(files, func(f result.File) bool {
			return f.Path == "app/src/main.rs" && (fixed && len(f.Fixed) > 0 || !fixed && enginetest.HasNew(f))
		})
	}
	for _, step := range []struct {
		text, verdict string
		fixed         bool
	}{{broken, "new_errors", false}, {whole, "clean", true}} {
		done := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: name, Content: &step.text}}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}})
		if done.Verdict != step.verdict || !says(done.Others, step.fixed) {
			t.Errorf("edit: %s\n%+v", render.Brief(&done), done)
		}
	}
	for _, names := range [][]string{{name}, nil} {
		s.Write(name, broken)
		if result := s.Check(api.CheckRequest{Files: names, TimeoutMS: 60_000}); result.Verdict != "new_errors" || !says(result.Others, false) {
			t.Errorf("check %q: %s\n%+v", names, render.Brief(&result), result)
		}
		s.Write(name, whole)
		if result := s.Check(api.CheckRequest{Files: []string{name}, TimeoutMS: 60_000}); result.Verdict != "clean" || !says(result.Others, true) {
			t.Errorf("check %q, mended: %s\n%+v", names, render.Brief(&result), result)
		}
	}
}

// A file that is in no crate is not known, and keeps nobody from knowing what is wrong
// with others: what was wrong with them before, too.
func TestFileInNoCrate(t *testing.T) {
	s := enginetest.OpenReal(t, cargoProject, "rust-analyzer")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Check(api.CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	s.Write("app/src/loose.rs", "pub fn loose() {}\n")
	loose := s.Check(api.CheckRequest{Files: []string{"app/src/loose.rs"}, TimeoutMS: 60_000})
	if len(loose.Files) != 1 || len(loose.Files[0].Servers) != 1 || loose.Files[0].Servers[0].Reason != "the file is in no crate" {
		t.Errorf("in no crate: %s\n%+v", render.Brief(&loose), loose)
	}
	s.Write("core/src/lib.rs", "pub fn load(_: u32) -> u32 { 1 }\n")
	answer := s.Check(api.CheckRequest{Files: []string{"core/src/lib.rs"}, TimeoutMS: 60_000})
	want := result.File{Path: "app/src/main.rs", Baseline: "session"}
	if len(answer.Others) != 1 || answer.Others[0].Path != want.Path || answer.Others[0].Baseline != want.Baseline || !enginetest.HasNew(answer.Others[0]) {
		t.Errorf("after it: %s\n%+v", render.Brief(&answer), answer)
	}
	if len(answer.Files) != 1 || answer.Files[0].Baseline != "session" {
		t.Errorf("what was wrong in a file that cargo had judged is known: %+v", answer.Files)
	}
	s.Write("app/src/main.rs", "mod loose;\n\nfn main() { println!(\"{}\", kernel::load(loose::loose())); }\n")
	answer = s.Check(api.CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	if len(answer.Files) != 1 || !enginetest.HasNew(answer.Files[0]) && len(answer.Others) == 0 {
		t.Errorf("in a crate now: %s\n%+v", render.Brief(&answer), answer)
	}
}
