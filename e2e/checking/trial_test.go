package checking

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// crate begins an archive of Rust.
const crate = `
-- Cargo.toml --
[package]
name = "m"
version = "0.1.0"
edition = "2021"
`

// In Rust, apply_if_clean writes what cargo has nothing against, and leaves alone what
// only the borrow checker finds; afterwards cargo finds nothing of it.
func TestIfCleanInRust(t *testing.T) {
	s := enginetest.OpenReal(t, crate+`-- src/lib.rs --
pub mod app;
-- src/app.rs --
pub fn longest(words: Vec<String>) -> usize {
    let first = words.len();
    first
}
`, "rust-analyzer")
	text := s.Read("src/app.rs")
	if now := s.Check(api.CheckRequest{Files: []string{"src/app.rs"}, TimeoutMS: 120_000}); now.Verdict != "clean" {
		t.Fatalf("before: %+v", now)
	}
	slow := api.Writing{Mode: api.ApplyIfClean, Limits: api.Limits{TimeoutMS: 120_000}}
	bad := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Writing: slow, Edits: []api.FileEdit{
		enginetest.Replacing("src/app.rs", "    first\n", "    drop(words);\n    first + words.len()\n"), enginetest.Writing("src/more.rs", "pub fn more() {}\n"),
		enginetest.Replacing("src/lib.rs", "pub mod app;\n", "pub mod app;\npub mod more;\n"),
	}})
	if bad.Applied || bad.Verdict != "new_errors" || !strings.Contains(render.Brief(&bad), "borrow of moved value") || s.Read("src/app.rs") != text || s.Read("src/lib.rs") != "pub mod app;\n" {
		t.Errorf("%s\n%+v", render.Brief(&bad), bad)
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "src", "more.rs")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("src/more.rs: %v", err)
	}
	if now := s.Check(api.CheckRequest{Files: []string{"src/app.rs", "src/lib.rs"}, TimeoutMS: 120_000}); now.Verdict != "clean" || len(now.Others) > 0 {
		t.Errorf("after: %+v", now)
	}
	good := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Writing: slow, Edits: []api.FileEdit{enginetest.Replacing("src/app.rs", "words.len()", "words.len() + 1")}})
	if !good.Applied || good.Verdict != "clean" || !strings.Contains(s.Read("src/app.rs"), "+ 1") {
		t.Errorf("%s\n%+v", render.Brief(&good), good)
	}
	if now := s.Check(api.CheckRequest{Files: []string{"src/app.rs", "src/lib.rs"}, TimeoutMS: 120_000}); now.Verdict != "clean" {
		t.Errorf("after the second: %+v", now)
	}
}

// The first edit of a session that breaks a Rust file says so: cargo, which has just
// looked at the file from before, must see by its time that it is another.
func TestFirstEditInRust(t *testing.T) {
	s := enginetest.OpenReal(t, crate+`-- src/lib.rs --
pub fn one() -> i32 {
    1
}
`, "rust-analyzer")
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
		Writing: api.Writing{Limits: api.Limits{TimeoutMS: 120_000}},
		Edits:   []api.FileEdit{enginetest.Replacing("src/lib.rs", "    1\n", "    \"one\"\n")},
	})
	if result.Verdict != "new_errors" || !strings.Contains(render.Brief(&result), "mismatched types") {
		t.Errorf("%s\n%+v", render.Brief(&result), result)
	}
}

// An edit of Rust and Go at once is written only if neither breaks: what gopls judges
// before it is on disk, and cargo on trial, and each knows the old text afterwards.
func TestIfCleanInTwoLanguages(t *testing.T) {
	s := enginetest.OpenReal(t, crate+`-- src/lib.rs --
pub fn longest(words: Vec<String>) -> usize {
    words.len()
}
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

func Sum(a, b int) int { return a + b }
-- app/app.go --
package app

import "m/lib"

func Use() int { return lib.Sum(1, 2) }
`, "rust-analyzer", "gopls")
	slow := api.Limits{TimeoutMS: 120_000}
	files := []string{"src/lib.rs", "lib/lib.go", "app/app.go"}
	texts := func() (all string) {
		for _, name := range files {
			all += s.Read(name)
		}
		return all
	}
	fineRust, badRust := enginetest.Replacing("src/lib.rs", "words.len()", "words.len() + 1"), enginetest.Replacing("src/lib.rs", "words.len()", "drop(words);\n    words.len()")
	fineGo, badGo := enginetest.Replacing("lib/lib.go", "a + b", "b + a"), enginetest.Replacing("lib/lib.go", "a, b int", "a, b, c int")
	for _, step := range []struct {
		name  string
		edits []api.FileEdit
		says  string // "" if it is written
	}{
		{"Go breaks another file", []api.FileEdit{fineRust, badGo}, "not enough arguments"},
		{"only the borrow checker minds", []api.FileEdit{badRust, fineGo}, "borrow of moved value"},
		{"both break", []api.FileEdit{badGo, badRust}, "not enough arguments"},
		{"nothing breaks", []api.FileEdit{fineRust, fineGo}, ""},
	} {
		before := texts()
		result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Writing: api.Writing{Mode: api.ApplyIfClean, Limits: slow}, Edits: step.edits})
		written := step.says == ""
		if result.Applied != written || !strings.Contains(render.Brief(&result), step.says) || (texts() != before) != written {
			t.Errorf("%s: applied %v\n%s\n%+v", step.name, result.Applied, render.Brief(&result), result)
		}
		if now := s.Check(api.CheckRequest{Files: files, TimeoutMS: 120_000}); now.Verdict != "clean" || len(now.Others) > 0 {
			t.Errorf("after %s: %+v", step.name, now)
		}
	}
}
