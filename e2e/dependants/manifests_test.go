package dependants

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
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
	for range 2 { // the first one makes Cargo.lock, which makes another workspace folder
		s.Check(api.CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	}
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
	if len(answer.Files) != 1 || answer.Files[0].Baseline != "head" {
		t.Errorf("what was wrong in a file that cargo had judged is known: %+v", answer.Files)
	}
	s.Write("app/src/main.rs", "mod loose;\n\nfn main() { println!(\"{}\", kernel::load(loose::loose())); }\n")
	answer = s.Check(api.CheckRequest{Files: []string{"app/src/main.rs"}, TimeoutMS: 60_000})
	if len(answer.Files) != 1 || !enginetest.HasNew(answer.Files[0]) && len(answer.Others) == 0 {
		t.Errorf("in a crate now: %s\n%+v", render.Brief(&answer), answer)
	}
}

// mavenProject ends in its pom.xml, which needs [lsptest.MavenPlugins].
const mavenProject = `
-- src/main/java/app/Log.java --
package app;

import org.slf4j.helpers.MessageFormatter;

public class Log {
    public static String line(String text) { return MessageFormatter.format("{}", text).getMessage(); }
}
-- src/main/java/app/App.java --
package app;

public class App {
    public static String hello() { return Log.line("hello"); }
}
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.example</groupId>
  <artifactId>app</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>1.7.32</version></dependency>
  </dependencies>
`

// What a change of pom.xml breaks is said, by an edit and by a check, and what mends it as well: jdtls
// goes on with the project as it was, and what it keeps from one start to the next is as old as its
// end. A pom.xml that is no XML breaks no file: nothing is known then.
func TestBuildFileBreaksProject(t *testing.T) {
	t.Setenv("JDK_JAVA_OPTIONS", lsptest.MavenHome(t, t.TempDir()))
	s := enginetest.OpenReal(t, mavenProject+lsptest.MavenPlugins, "jdtls")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	const name, app, log = "pom.xml", "src/main/java/app/App.java", "src/main/java/app/Log.java"
	whole := s.Read(name)
	before, rest, _ := strings.Cut(whole, "    <dependency>")
	_, after, _ := strings.Cut(rest, "</dependency>\n")
	broken := before + after
	check := func(s *enginetest.Shop, want string, files ...string) {
		t.Helper()
		if r := s.Check(api.CheckRequest{Files: files, TimeoutMS: 100_000}); r.Verdict != want {
			t.Errorf("%s, want %s: %s\n%+v", r.Verdict, want, render.Brief(&r), r)
		}
	}
	check(s, "clean", app)
	for _, step := range []struct {
		text, verdict string
		breaks        bool
	}{{broken, "new_errors", true}, {whole, "clean", false}} {
		done := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: name, Content: &step.text}}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 100_000}}})
		if done.Verdict != step.verdict || step.breaks != slices.ContainsFunc(done.Others, func(f result.File) bool { return f.Path == log && enginetest.HasNew(f) }) {
			t.Errorf("edit: %s\n%+v", render.Brief(&done), done)
		}
	}
	s.Write(name, broken)
	check(s, "new_errors") // what git says has changed
	s.Write(name, whole)
	check(s, "clean", log)
	s.Write(name, whole+"</project>\n")
	check(s, "unknown", app)
	s.Write(name, whole)
	check(s, "clean", app)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Write(name, broken)
	if err := os.Chtimes(filepath.Join(s.Folder, name), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	later := s.Reopen(func(o *enginetest.Options) { o.StateFolder = s.Options.StateFolder })
	if r := later.Check(api.CheckRequest{Files: []string{log}, TimeoutMS: 100_000}); len(r.Files) != 1 || len(r.Files[0].Diagnostics) != 2 {
		t.Errorf("with what the server kept: %s\n%+v", render.Brief(&r), r.Files)
	}
}
