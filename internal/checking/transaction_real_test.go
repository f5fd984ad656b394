package checking_test

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
	"github.com/lspine/lspine/internal/enginetest"
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

// apply_if_clean writes what breaks nothing and only shows the rest; afterwards the servers see the
// disk again, and so does every caller.
func TestApplyIfClean(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goModule, "gopls")
	ifClean := func(f api.FileEdit) result.Edit {
		t.Helper()
		return enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{f}, Writing: api.Writing{Mode: "apply_if_clean"}})
	}
	bad := ifClean(enginetest.Replacing("a.go", "A() int", "A(x int) int"))
	enginetest.ExpectBroken(t, bad, []string{"b.go: not enough arguments"})
	if bad.Applied || strings.Contains(s.Read("a.go"), "x int") || !strings.HasPrefix(bad.Summary, "Not applied") || !strings.Contains(bad.Diff, "+func A(x int)") {
		t.Errorf("%s\n%s", render.Brief(&bad), s.Read("a.go"))
	}
	if known := enginetest.Do(t, s, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) != 0 {
		t.Errorf("errors of a preview are left: %+v", known.Files)
	}
	if now := s.Check(api.CheckRequest{Files: []string{"b.go", "a.go"}}); now.Verdict != "clean" {
		t.Errorf("after the preview: %+v", now)
	}
	if good := ifClean(enginetest.Replacing("a.go", "return 1", "return 2")); !good.Applied || good.Verdict != "clean" || !strings.Contains(s.Read("a.go"), "return 2") {
		t.Errorf("%s\n%s", render.Brief(&good), s.Read("a.go"))
	}
	if again := ifClean(enginetest.Writing("new.go", "package m\n\nfunc A() {}\n")); again.Applied {
		t.Errorf("a second A was written: %s", render.Brief(&again))
	}
	if now := s.Check(api.CheckRequest{Files: []string{"a.go"}}); now.Verdict != "clean" {
		t.Errorf("a file that was never written is seen: %+v", now)
	}
}

// When files cannot be written, servers see them as they are on disk, in each mode,
// although they were shown the new texts.
func TestWhatCannotBeWrittenIsNotSeen(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"gopls", "clangd"} {
		for _, mode := range []string{"apply", "apply_if_clean"} {
			t.Run(server+" "+mode, func(t *testing.T) {
				archive, file, old, text := goModule, "a.go", "return 1", "return 1 + 1"
				if server == "clangd" {
					archive, file = "-- compile_flags.txt --\n-Wall\n-- a.c --\nint a(void) { return 1; }\n", "a.c"
				}
				s := enginetest.OpenReal(t, archive, server)
				if mode == "apply" { // what breaks nothing is not written, and does not mend what follows
					text = `return "x"`
				}
				s = s.Reopen(func(o *enginetest.Options) { o.State = filepath.Join(s.Folder, "journal") })
				s.Check(api.CheckRequest{Files: []string{file}})
				s.Write("journal", "no folder")
				_, err := api.EditFiles.Do(t.Context(), s.Engine, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing(file, old, text)}, Writing: api.Writing{Mode: mode}})
				if err == nil || strings.Contains(s.Read(file), text) {
					t.Fatalf("written: %v", err)
				}
				for _, server := range s.Workspace().Running() {
					if _, seen, open := server.Document(filepath.Join(s.Folder, file)); open && string(seen) != s.Read(file) {
						t.Errorf("seen: %s", seen)
					}
				}
				if now := s.Check(api.CheckRequest{Files: []string{file}}); now.Verdict != "clean" {
					t.Errorf("now %+v", now)
				}
			})
		}
	}
}

// What could not be judged is not clean, and apply_if_clean does not write it: here, a file that is
// shown to no server.
func TestDoubtIsNotClean(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	answer := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
		Edits: []api.FileEdit{enginetest.Replacing("main.toy", "use helper", "use helper\n"), enginetest.Writing("lib.toy", "def helper\n"+strings.Repeat("#", 3<<20))}, Writing: api.Writing{Mode: "apply_if_clean"},
	})
	if answer.Applied || answer.Verdict != "unknown" || !strings.Contains(render.Brief(&answer), "over the limit") || !strings.Contains(answer.Summary, "not known to be clean") {
		t.Errorf("binary: %s\n%+v", render.Brief(&answer), answer)
	}
}

// If the caller goes away during the search for what an edit breaks, nothing is left behind: no
// staged file, and no lock.
func TestEditGivenUp(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/documentSymbol", 1, lsptest.Hang())}}, lsptest.Project)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	edit := api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("lib.toy", "def other\n")}}
	if _, err := api.EditFiles.Do(ctx, s.Engine, edit); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("given up: %v", err)
	}
	entries, err := os.ReadDir(s.Folder)
	if err != nil || len(entries) != 3 || s.Read("lib.toy") != "def helper\n" {
		t.Errorf("%v %v %q", entries, err, s.Read("lib.toy"))
	}
	if result := enginetest.Do(t, s, api.EditFiles, edit); !result.Applied {
		t.Errorf("the next one: %s", render.Brief(&result))
	}
}

// Errors that come back again and again are reported as needing a person's attention, from the
// third time on; resolved ones are forgotten.
func TestEscalation(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goModule, "gopls")
	rounds := func(text string, want int) {
		t.Helper()
		result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("a.go", "package m\n\nfunc A() int { return "+text+" }\n")}})
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
	t.Parallel()
	s := enginetest.OpenReal(t, goModule, "gopls")
	s.Write("a.go", "package m\n\nvar a int = \"x\"\n\nfunc A() int { return 1 }\n")
	s.Write("b.go", "package m\n\nvar b int = \"x\"\n\nfunc B() int { return A() }\n")
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("a.go", "package m\n", "package m\n\n// more\n")}})
	if result.Verdict != "baseline_error" || result.Files[0].Older != 1 || len(result.Others) != 0 {
		t.Errorf("%s: %+v", render.Brief(&result), result)
	}
	result = enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("a.go", "A() int", "A(n int) int")}})
	enginetest.ExpectBroken(t, result, []string{"b.go: not enough arguments"})
	if result.Others[0].Older != 1 {
		t.Errorf("%+v", result.Others[0])
	}
}

// Of two edits at the same time, each is made completely, and each is judged for what it did.
func TestEditsAtOnce(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, goModule, "gopls")
	enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("a.go", "return 1", "return 0")}})
	var both sync.WaitGroup
	results := make([]result.Edit, 2)
	failures := make([]error, 2)
	for i, f := range []api.FileEdit{enginetest.Replacing("a.go", "return 0", `return "a"`), enginetest.Replacing("b.go", "return A()", `return "b" + C`)} {
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
	t.Parallel()
	s := enginetest.OpenReal(t, `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["."]}
-- a.ts --
export interface Box { size: number }
export const wrong: Box = { size: "x", more: 1 };
-- b.ts --
import { Box } from "./a";
export function take(b: Box) { return b.missing; }
`, "typescript")
	result := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "a.ts Box"}, NewName: "Crate"})
	if strings.Contains(render.Brief(&result), "ERROR") || result.Verdict != "baseline_error" || !strings.Contains(s.Read("b.ts"), "b: Crate") {
		t.Errorf("%s\n%+v", render.Brief(&result), result)
	}
}
