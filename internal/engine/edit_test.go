package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

const goModule = `
-- go.mod --
module m

go 1.24
-- a.go --
package m

func A() int { return 1 }
-- b.go --
package m

func B() int { return A() }
-- e.go --
package m
-- notes.txt --
nobody knows
`

func writing(file, content string) api.FileEdit { return api.FileEdit{File: file, Content: &content} }

// Edits of every kind, over several files, are made all or none, and are judged
// together: what is broken between two of them is not reported.
func TestEditsOfEveryKind(t *testing.T) {
	s := openReal(t, goModule, "gopls")
	line := api.Span{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 7}
	text := "Somebody"
	result := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{
		{Patch: "--- a/a.go\n+++ b/a.go\n@@ -3 +3 @@\n-func A() int { return 1 }\n+func A() string { return \"1\" }\n", ExpectHash: ""},
		replacing("b.go", "int", "string"),
		{File: "notes.txt", Range: &line, NewText: &text, ExpectHash: edit.Hash([]byte(s.read("notes.txt")))},
		writing("sub/c.go", "package sub\n\nvar C int = \"x\"\n"),
		{File: "b.go", RenameTo: "d.go"},
		{WorkspaceEdit: []byte(`{"changes":{"` + "file://" + s.root + `/e.go":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"// e\n"}]}}`)},
	}})
	if !result.Applied || len(result.Changes) != 5 || len(result.Others) != 0 {
		t.Errorf("%+v", result)
	}
	if got := s.read("notes.txt"); !strings.HasPrefix(got, "Somebody knows") {
		t.Error(got)
	}
	if got := s.read("d.go"); !strings.Contains(got, "B() string") {
		t.Error(got)
	}
	if got := s.read("e.go"); got != "// e\npackage m\n" {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(s.root, "b.go")); !os.IsNotExist(err) {
		t.Error("b.go is still there")
	}
	brief := render.Brief(&result)
	if strings.Count(brief, "ERROR") != 1 || !strings.Contains(brief, `<diagnostics file="sub/c.go">`) {
		t.Error(brief)
	}
	broken := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "a.go", Delete: true}}})
	broke(t, broken, []string{"d.go: undefined: A"})
	mended := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{writing("a.go", "package m\n\nfunc A() string { return \"\" }\n")}})
	if len(mended.Others) != 1 || len(mended.Others[0].Fixed) != 1 || mended.Changes[0].Hash != edit.Hash([]byte(s.read("a.go"))) {
		t.Errorf("%+v", mended)
	}
}

// What cannot be meant, or is not what the caller saw, is refused with a way out,
// and nothing is written.
func TestEditRefuses(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	before := s.read("main.toy")
	text, none := "x", ""
	for _, c := range []struct {
		edits []api.FileEdit
		is    func(error) bool
		want  string
	}{
		{nil, is[*api.ArgumentError], "it is empty"},
		{[]api.FileEdit{{File: "main.toy"}}, is[*api.ArgumentError], "says no change"},
		{[]api.FileEdit{{File: "main.toy", Content: &text, Delete: true}}, is[*api.ArgumentError], "several changes: content, delete"},
		{[]api.FileEdit{{Content: &text}}, is[*api.ArgumentError], "edits[0].file"},
		{[]api.FileEdit{{File: "main.toy", OldText: &text}}, is[*api.ArgumentError], "edits[0].new_text"},
		{[]api.FileEdit{{File: "main.toy", Range: &api.Span{StartLine: 2, StartColumn: 1, EndLine: 1, EndColumn: 1}, NewText: &text}}, is[*api.ArgumentError], "ends before"},
		{[]api.FileEdit{replacing("main.toy", "use helpr", "use other")}, is[*edit.NoMatchError], "use helper"},
		{[]api.FileEdit{replacing("main.toy", "e", "f")}, is[*edit.AmbiguousMatchError], "3 times"},
		{[]api.FileEdit{replacing("main.toy", none, "f")}, is[*edit.InvalidEditError], ""},
		{[]api.FileEdit{replacing("nain.toy", "use", "f")}, is[*edit.NotFoundError], "main.toy"},
		{[]api.FileEdit{writing("../out.toy", "x")}, is[*edit.OutsideError], "outside"},
		{[]api.FileEdit{writing(".git/config", "x")}, is[*edit.ProtectedError], ".git"},
		{[]api.FileEdit{{File: "main.toy", Content: &text, ExpectHash: "0123456789abcdef"}}, is[*edit.StaleError], "changed since"},
		{[]api.FileEdit{writing("main.toy", before)}, is[*edit.NothingToChangeError], "nothing"},
		{[]api.FileEdit{writing("lib.toy", "def other\n"), {Patch: "not a patch"}}, is[*edit.PatchError], "patch"},
		{[]api.FileEdit{{WorkspaceEdit: []byte(`[]`)}}, is[*api.ArgumentError], "workspace_edit"},
	} {
		_, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: c.edits})
		if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %T %v", c.edits, err, err)
		}
	}
	if _, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{writing("main.toy", "x")}, Writing: api.Writing{Mode: "try"}}); !is[*api.ArgumentError](err) {
		t.Errorf("mode: %v", err)
	}
	if s.read("main.toy") != before || s.read("lib.toy") != "def helper\n" {
		t.Error("something was written")
	}
}

// apply_if_clean writes what breaks nothing and shows the rest; afterwards the
// servers see the disk again, and so does everybody who asks.
func TestApplyIfClean(t *testing.T) {
	s := openReal(t, goModule, "gopls")
	ifClean := func(f api.FileEdit) result.Edit {
		t.Helper()
		return do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{f}, Writing: api.Writing{Mode: "apply_if_clean"}})
	}
	bad := ifClean(replacing("a.go", "A() int", "A(x int) int"))
	broke(t, bad, []string{"b.go: not enough arguments"})
	if bad.Applied || strings.Contains(s.read("a.go"), "x int") || !strings.HasPrefix(bad.Summary, "Not applied") || !strings.Contains(bad.Diff, "+func A(x int)") {
		t.Errorf("%s\n%s", render.Brief(&bad), s.read("a.go"))
	}
	if known := do(t, s, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) != 0 {
		t.Errorf("errors of a preview are left: %+v", known.Files)
	}
	if now := s.check(api.CheckRequest{Files: []string{"b.go", "a.go"}}); now.Verdict != "clean" {
		t.Errorf("after the preview: %+v", now)
	}
	if good := ifClean(replacing("a.go", "return 1", "return 2")); !good.Applied || good.Verdict != "clean" || !strings.Contains(s.read("a.go"), "return 2") {
		t.Errorf("%s\n%s", render.Brief(&good), s.read("a.go"))
	}
	if again := ifClean(writing("new.go", "package m\n\nfunc A() {}\n")); again.Applied {
		t.Errorf("a second A was written: %s", render.Brief(&again))
	}
	if now := s.check(api.CheckRequest{Files: []string{"a.go"}}); now.Verdict != "clean" {
		t.Errorf("a file that was never written is seen: %+v", now)
	}
}

// When files cannot be written, servers see them as they are on disk, in each mode,
// although they were shown the new texts.
func TestWhatCannotBeWrittenIsNotSeen(t *testing.T) {
	for _, server := range []string{"gopls", "clangd"} {
		for _, mode := range []string{"apply", "apply_if_clean"} {
			t.Run(server+" "+mode, func(t *testing.T) {
				archive, file, old, text := goModule, "a.go", "return 1", "return 1 + 1"
				if server == "clangd" {
					archive, file = "-- compile_flags.txt --\n-Wall\n-- a.c --\nint a(void) { return 1; }\n", "a.c"
				}
				s := openReal(t, archive, server)
				if mode == "apply" { // what breaks nothing is not written, and does not mend what follows
					text = `return "x"`
				}
				s.journalIn(filepath.Join(s.root, "journal", "edits"))
				s.check(api.CheckRequest{Files: []string{file}})
				s.write("journal", "no folder")
				_, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{replacing(file, old, text)}, Writing: api.Writing{Mode: mode}})
				if err == nil || strings.Contains(s.read(file), text) {
					t.Fatalf("written: %v", err)
				}
				for _, server := range s.workspace.Running() {
					if _, seen, open := server.Document(filepath.Join(s.root, file)); open && string(seen) != s.read(file) {
						t.Errorf("seen: %s", seen)
					}
				}
				if now := s.check(api.CheckRequest{Files: []string{file}}); now.Verdict != "clean" {
					t.Errorf("now %+v", now)
				}
			})
		}
	}
}

// What could not be judged is not clean, and apply_if_clean does not write it: here a file
// that no server is shown.
func TestDoubtIsNotClean(t *testing.T) {
	s := openShop(t, lsptest.Script{}, project)
	answer := do(t, s, api.EditFiles, api.EditRequest{
		Edits: []api.FileEdit{replacing("main.toy", "use helper", "use helper\n"), writing("lib.toy", "def helper\n"+strings.Repeat("#", 3<<20))}, Writing: api.Writing{Mode: "apply_if_clean"},
	})
	if answer.Applied || answer.Verdict != "unknown" || !strings.Contains(render.Brief(&answer), "over the limit") || !strings.Contains(answer.Summary, "not known to be clean") {
		t.Errorf("binary: %s\n%+v", render.Brief(&answer), answer)
	}
}

// Of a server that does not say what a file declares nobody can ask who uses that:
// what it has open is asked about, and its silence is no failure.
func TestServersWithoutSymbols(t *testing.T) {
	s := openShop(t, lsptest.Script{Capabilities: []byte(`{"documentSymbolProvider": false}`)}, project)
	s.check(api.CheckRequest{Files: []string{"main.toy"}})
	result := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{writing("lib.toy", "def other\n")}})
	if result.Verdict != "new_errors" || len(result.Unknown) > 0 || len(result.Others) != 1 || result.Others[0].Path != "main.toy" || result.Dependants.Found != 1 {
		t.Errorf("%s\n%+v", render.Brief(&result), result)
	}
	result = do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{writing("lib.toy", "def helper\n")}})
	if result.Verdict != "clean" || len(result.Unknown) > 0 {
		t.Errorf("mended: %s\n%+v", render.Brief(&result), result)
	}
}

// Who goes away while it is searched for what an edit breaks leaves nothing: no file
// beside the others, and nobody waits for the edit.
func TestEditGivenUp(t *testing.T) {
	s := openShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/documentSymbol", 1, lsptest.Hang())}}, project)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	edit := api.EditRequest{Edits: []api.FileEdit{writing("lib.toy", "def other\n")}}
	if _, err := api.EditFiles.Do(ctx, s.Engine, edit); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("given up: %v", err)
	}
	entries, err := os.ReadDir(s.root)
	if err != nil || len(entries) != 3 || s.read("lib.toy") != "def helper\n" {
		t.Errorf("%v %v %q", entries, err, s.read("lib.toy"))
	}
	if result := do(t, s, api.EditFiles, edit); !result.Applied {
		t.Errorf("the next one: %s", render.Brief(&result))
	}
}

// Errors that come back again and again are said to be worth a person's attention,
// from the third time on; resolved ones are forgotten.
func TestEscalation(t *testing.T) {
	s := openReal(t, goModule, "gopls")
	rounds := func(text string, want int) {
		t.Helper()
		result := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{writing("a.go", "package m\n\nfunc A() int { return "+text+" }\n")}})
		if result.Rounds != want || result.Escalate != (want > 2) || strings.Contains(render.Brief(&result), "operator") != (want > 2) {
			t.Errorf("%s: round %d, escalate %t, want round %d\n%s", text, result.Rounds, result.Escalate, want, render.Brief(&result))
		}
	}
	rounds(`"x"`, 1)
	rounds(`"y"`, 2) // the same error stays
	rounds(`undefined`, 3)
	rounds("5", 0)
	rounds(`"x"`, 1)
}

// Errors from before, in the file and elsewhere, are counted and not listed, also
// when the edit moves them.
func TestOldErrorsAreOld(t *testing.T) {
	s := openReal(t, goModule, "gopls")
	s.write("a.go", "package m\n\nvar a int = \"x\"\n\nfunc A() int { return 1 }\n")
	s.write("b.go", "package m\n\nvar b int = \"x\"\n\nfunc B() int { return A() }\n")
	result := do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{replacing("a.go", "package m\n", "package m\n\n// more\n")}})
	if result.Verdict != "baseline_error" || result.Files[0].Older != 1 || len(result.Others) != 0 {
		t.Errorf("%s: %+v", render.Brief(&result), result)
	}
	result = do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{replacing("a.go", "A() int", "A(n int) int")}})
	broke(t, result, []string{"b.go: not enough arguments"})
	if result.Others[0].Older != 1 {
		t.Errorf("%+v", result.Others[0])
	}
}

// Two edits at once: each is made whole, and each is judged for what it did.
func TestEditsAtOnce(t *testing.T) {
	s := openReal(t, goModule, "gopls")
	do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{replacing("a.go", "return 1", "return 0")}})
	var both sync.WaitGroup
	results := make([]result.Edit, 2)
	failures := make([]error, 2)
	for i, f := range []api.FileEdit{replacing("a.go", "return 0", `return "a"`), replacing("b.go", "return A()", `return "b" + C`)} {
		both.Go(func() {
			results[i], failures[i] = api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{f}})
		})
	}
	both.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`"a"`, "undefined: C"} {
		if brief := render.Brief(&results[i]); strings.Count(brief, "ERROR") != 1 || !strings.Contains(brief, want) {
			t.Errorf("%s", brief)
		}
	}
}

// An older error that names what a rename renames is no new one, in the file and in
// others.
func TestRenameMakesNoOldErrorNew(t *testing.T) {
	s := openReal(t, `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["."]}
-- a.ts --
export interface Box { size: number }
export const wrong: Box = { size: "x", more: 1 };
-- b.ts --
import { Box } from "./a";
export function take(b: Box) { return b.missing; }
`, "typescript")
	result := do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "a.ts Box"}, NewName: "Crate"})
	if strings.Contains(render.Brief(&result), "ERROR") || result.Verdict != "baseline_error" || !strings.Contains(s.read("b.ts"), "b: Crate") {
		t.Errorf("%s\n%+v", render.Brief(&result), result)
	}
}
