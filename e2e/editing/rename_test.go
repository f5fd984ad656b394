package editing

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/editing"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// naming are projects in which three files and a test use Load, beside characters
// that each encoding counts differently.
var naming = []struct {
	server, archive, at string
	test                string // the file that exclude_globs leave out
	uses                map[string]int
}{
	{"gopls", goNames, "lib/lib.go Load", "lib/lib_test.go", map[string]int{"app/app.go": 2, "lib/lib.go": 2, "lib/lib_test.go": 1}},
	{"typescript", scriptNames, "src/lib.ts Load", "src/lib_test.ts", map[string]int{"src/app.ts": 3, "src/lib.ts": 1, "src/lib_test.ts": 2}},
	{"typescript-language-server", scriptNames, "src/lib.ts Load", "src/lib_test.ts", map[string]int{"src/app.ts": 3, "src/lib.ts": 1, "src/lib_test.ts": 2}},
	{"pyright", pythonNames, "lib.py Load", "lib_test.py", map[string]int{"pkg/app.py": 3, "lib.py": 1, "lib_test.py": 2}},
	{"clangd", cNames, "lib.h Load", "lib_test.cc", map[string]int{"app.cc": 2, "lib.cc": 1, "lib.h": 1, "lib_test.cc": 1}},
}

func openNaming(t *testing.T, server, archive string) *enginetest.Shop {
	s := enginetest.OpenReal(t, archive, server)
	if server == "clangd" {
		var entries []string
		for _, name := range []string{"lib.cc", "app.cc", "lib_test.cc"} {
			entries = append(entries, `{"directory":"`+s.Folder+`","command":"c++ -I. -c `+name+`","file":"`+name+`"}`)
		}
		s.Write("compile_commands.json", "["+strings.Join(entries, ",")+"]")
	}
	return s
}

// A rename reaches every file, opened or not; a preview of it writes nothing; what
// globs exclude is left alone and said, and the error that this makes is reported.
//
// Requirement: AGENT-10.
func TestRenameEverywhere(t *testing.T) {
	for _, c := range naming {
		t.Run(c.server, func(t *testing.T) {
			s := openNaming(t, c.server, c.archive)
			texts := make(map[string]string)
			for name := range c.uses {
				texts[name] = s.Read(name)
			}
			prepared := enginetest.Do(t, s, api.PrepareRename, api.PrepareRenameRequest{Selector: api.Selector{At: c.at}})
			if prepared.Placeholder != "Load" || prepared.EndColumn != prepared.Column+4 {
				t.Errorf("prepared: %+v", prepared)
			}
			req := api.RenameRequest{Selector: api.Selector{At: c.at}, NewName: "Fetch", Writing: api.Writing{Mode: "preview"}}
			preview := enginetest.Do(t, s, api.Rename, req)
			if preview.Applied || !strings.Contains(preview.Diff, "Fetch") {
				t.Errorf("preview: %s", render.Brief(&preview))
			}
			renamed(t, preview, c.uses)
			for name, text := range texts {
				if s.Read(name) != text {
					t.Errorf("the preview wrote %s", name)
				}
			}
			req.ExcludeGlobs, req.Mode = []string{"**/*_test.*"}, ""
			partly := enginetest.Do(t, s, api.Rename, req)
			if note := strings.Join(partly.Notes, "\n"); !strings.Contains(note, "left out by exclude_globs: "+several(c.uses[c.test], "place")+" in 1 file ("+c.test) {
				t.Errorf("notes: %s", note)
			}
			if s.Read(c.test) != texts[c.test] || strings.Contains(s.Read(anyOther(c.uses, c.test)), "Load(") {
				t.Errorf("%s:\n%s", c.test, s.Read(c.test))
			}
			if len(partly.Others) != 1 || partly.Others[0].Path != c.test || partly.Verdict != "new_errors" {
				t.Errorf("broke: %s", render.Brief(&partly))
			}
			s = openNaming(t, c.server, c.archive)
			req.ExcludeGlobs = nil
			whole := enginetest.Do(t, s, api.Rename, req)
			renamed(t, whole, c.uses)
			if !whole.Applied || whole.Verdict == "new_errors" || len(whole.Others) > 0 && len(whole.Others[0].Diagnostics) > 0 {
				t.Errorf("all: %s", render.Brief(&whole))
			}
			for name, text := range texts {
				if want := renamedText(text); s.Read(name) != want {
					t.Errorf("%s is\n%s\nwant\n%s", name, s.Read(name), want)
				}
			}
		})
	}
}

// renamedText replaces what is code: the comment of a Go function, too.
func renamedText(text string) string {
	return strings.NewReplacer(`"Load"`, `"Load"`, "TestLoad", "TestLoad", "Load", "Fetch").Replace(text)
}

func anyOther(uses map[string]int, test string) string {
	for name := range uses {
		if name != test {
			return name
		}
	}
	return ""
}

// renamed compares the summary and the counts of a rename.
func renamed(t *testing.T, result result.Edit, uses map[string]int) {
	t.Helper()
	total := 0
	for _, n := range uses {
		total += n
	}
	if want := "Load to Fetch: " + several(total, "place") + " in " + several(len(uses), "file"); !strings.Contains(result.Summary, want) {
		t.Errorf("%s\nwant %s", result.Summary, want)
	}
	for _, change := range result.Changes {
		if change.Replacements != uses[change.Path] {
			t.Errorf("%s: %d replacements, want %d", change.Path, change.Replacements, uses[change.Path])
		}
	}
}

// Files that are not built here are renamed as well.
func TestRenameOfWhatIsNotBuilt(t *testing.T) {
	s := enginetest.OpenReal(t, goNames+"-- lib/lib_windows.go --\npackage lib\n\nvar loaded = Load()\n-- app/doc.go --\npackage app\n\n// Loader is no Loading.\n", "gopls")
	done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib/lib.go Load"}, NewName: "Fetch"})
	renamed(t, done, map[string]int{"app/app.go": 2, "lib/lib.go": 2, "lib/lib_test.go": 1, "lib/lib_windows.go": 1})
	if text := s.Read("lib/lib_windows.go"); text != "package lib\n\nvar loaded = Fetch()\n" || len(done.Notes) > 0 {
		t.Errorf("notes %q:\n%s", done.Notes, text)
	}
}

// What cannot be renamed is refused with the reason, before anything is written:
// by us for the name, by the server for the symbol and for conflicts.
func TestRefusedRenames(t *testing.T) {
	s := enginetest.OpenReal(t, goNames, "gopls")
	for name, c := range map[string]struct{ at, to, reason string }{
		"a blank":         {"lib/lib.go Load", "Fetch It", "it has a blank"},
		"a sign":          {"lib/lib.go Load", "Fetch-It", "it has '-'"},
		"a digit":         {"lib/lib.go Load", "2nd", "begins with a digit"},
		"nothing":         {"lib/lib.go Load", "", "it is missing"},
		"the same":        {"lib/lib.go Load", "Load", "it is called Load already"},
		"a conflict":      {"lib/lib.go Load", "name", "conflicts with"},
		"a keyword":       {"lib/lib.go Load", "func", "func"},
		"somebody else's": {"lib/lib_test.go:5 T", "U", "outside"},
	} {
		_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: c.at}, NewName: c.to})
		if err == nil || !strings.Contains(err.Error(), c.reason) || restate.Hint(err) == "" {
			t.Errorf("%s: %v (%s), want %s", name, err, restate.Hint(err), c.reason)
		}
	}
	var outside *lsp.NotRenameableError
	_, err := api.PrepareRename.Do(t.Context(), s.Engine, api.PrepareRenameRequest{Selector: api.Selector{At: "lib/lib.go:4:20"}})
	if !errors.As(err, &outside) && err == nil {
		t.Errorf("a type of the language: %v", err)
	}
	_, err = api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "lib/lib.go Load"}, NewName: "Fetch", ExcludeGlobs: []string{"**"}})
	if err == nil || !strings.Contains(err.Error(), "they leave out all: 5 places in 3 files") {
		t.Errorf("all excluded: %v", err)
	}
	if _, err = api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{NewName: "x", ExcludeGlobs: []string{"[a"}}); err == nil || !strings.Contains(err.Error(), "is no glob") {
		t.Errorf("a glob: %v", err)
	}
	if text := s.Read("lib/lib.go"); !strings.Contains(text, "func Load()") {
		t.Errorf("it was written:\n%s", text)
	}
}

// Where a server knows only open files, those are opened that include the declaration. A rename that would miss
// others is refused with their names; files without the name are no obstacle.
func TestRenameOfHalfTheProject(t *testing.T) {
	s := enginetest.OpenReal(t, cNames+"-- declares.cc --\nint Load(int a);\nint other() { return Load(3); }\n", "clangd") // no compile_commands.json
	var half *editing.HalfKnownError
	_, err := api.Rename.Do(t.Context(), s.Engine, api.RenameRequest{Selector: api.Selector{At: "lib.h Load"}, NewName: "Fetch"})
	if !errors.As(err, &half) || strings.Join(half.Files, ", ") != "declares.cc" {
		t.Errorf("%v", err)
	}
	if s.Read("lib.h") != "#pragma once\nint Load(int a);\n" {
		t.Errorf("it was written:\n%s", s.Read("lib.h"))
	}
	s.Remove("declares.cc")
	whole := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "lib.h Load"}, NewName: "Fetch"})
	renamed(t, whole, map[string]int{"app.cc": 2, "lib.cc": 1, "lib.h": 1, "lib_test.cc": 1})
	done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "app.cc:2 text"}, NewName: "words"})
	if !strings.Contains(s.Read("app.cc"), "*words = ") {
		t.Error(render.Brief(&done))
	}
}

// A file moves with what imports it; where a server does not say what must follow,
// that is said, and the file moves only if that breaks nothing.
func TestRenameOfAFile(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, scriptNames, server)
			enginetest.Do(t, s, api.Definition, api.DefinitionRequest{Selector: api.Selector{At: "src/lib.ts Load"}})
			req := api.RenameRequest{Selector: api.Selector{File: "src/lib.ts"}, NewPath: "src/core/base.ts", Writing: api.Writing{Mode: "preview"}}
			if preview := enginetest.Do(t, s, api.Rename, req); preview.Applied || !strings.Contains(preview.Diff, "./core/base") {
				t.Errorf("preview: %s", render.Brief(&preview))
			}
			req.Mode, req.ExcludeGlobs = "", []string{"src/lib_test.ts"}
			done := enginetest.Do(t, s, api.Rename, req)
			if !strings.Contains(s.Read("src/app.ts"), `"./core/base"`) || !strings.Contains(s.Read("src/lib_test.ts"), `"./lib"`) {
				t.Errorf("%s\n%s", s.Read("src/app.ts"), s.Read("src/lib_test.ts"))
			}
			if !strings.Contains(s.Read("src/core/base.ts"), "function Load") || s.Exists("src/lib.ts") {
				t.Error("it did not move")
			}
			if len(done.Others) != 1 || done.Others[0].Path != "src/lib_test.ts" {
				t.Errorf("broke: %s", render.Brief(&done))
			}
			used := enginetest.Do(t, s, api.References, api.ReferencesRequest{Selector: api.Selector{At: "src/core/base.ts Load"}})
			if used.Total != 3 {
				t.Errorf("afterwards: %s", render.Brief(&used))
			}
		})
	}
	t.Run("gopls", func(t *testing.T) {
		s := enginetest.OpenReal(t, goNames, "gopls")
		refused := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{File: "lib/lib.go"}, NewPath: "app/"})
		if refused.Applied || !s.Exists("lib/lib.go") || s.Exists("app/lib.go") || !strings.Contains(strings.Join(refused.Notes, ", "), "only the file is renamed") || refused.Verdict != "new_errors" {
			t.Error(render.Brief(&refused))
		}
		done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{File: "lib/lib.go"}, NewPath: "lib/other.go"})
		if !done.Applied || s.Exists("lib/lib.go") || !s.Exists("lib/other.go") || done.Verdict != "clean" {
			t.Error(render.Brief(&done))
		}
		if err := os.Symlink("lib", filepath.Join(s.Folder, "linked")); err != nil {
			t.Fatal(err)
		}
		for name, req := range map[string]api.RenameRequest{
			"a link":        {Selector: api.Selector{File: "linked"}, NewPath: "other"},
			"nothing there": {Selector: api.Selector{File: "lib/none.go"}, NewPath: "a.go"},
			"outside":       {Selector: api.Selector{File: "lib/other.go"}, NewPath: "../a.go"},
			"something":     {Selector: api.Selector{File: "lib/other.go"}, NewPath: "app/app.go"},
			"into itself":   {Selector: api.Selector{File: "lib"}, NewPath: "lib/lib"},
			"a folder":      {Selector: api.Selector{File: "lib"}, NewPath: "app"},
			"the same":      {Selector: api.Selector{File: "lib/other.go"}, NewPath: "lib/other.go"},
			"a symbol":      {Selector: api.Selector{File: "lib/other.go", Symbol: "Load"}, NewPath: "a.go"},
			"both":          {Selector: api.Selector{File: "lib/other.go"}, NewName: "x", NewPath: "a.go"},
		} {
			if _, err := api.Rename.Do(t.Context(), s.Engine, req); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}

// What names a file in a string that is no import follows: what tests replace, and the manifest; and so
// does what the file itself names by its place. Strings that only look like it stay.
func TestRenameOfAFileThatStringsName(t *testing.T) {
	const archive = `
-- package.json --
{
  "name": "m",
  "main": "src/lib.js", "types": "./src/lib.ts",
  "exports": {".": {"types": "./src/lib.ts"}, "./other": "./src/other.ts"}
}
-- tsconfig.json --
{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]}}
-- globals.d.ts --
declare const jest: { mock(s: string, f?: () => unknown): void; requireActual<T>(s: string): T }
-- src/lib.ts --
jest.mock("./other")
export const lib = 1
-- src/other.ts --
export const other = "./lib"
-- test/lib.test.ts --
import { lib } from "../src/lib"
jest.mock("../src/lib", () => ({ ...jest.requireActual<object>('../src/lib.js'), lib }))
jest.mock("../src/library")
console.log("../src/lib")
`
	want := map[string]string{
		"package.json": `{
  "name": "m",
  "main": "src/lib.js", "types": "./core/base.ts",
  "exports": {".": {"types": "./core/base.ts"}, "./other": "./src/other.ts"}
}
`,
		"core/base.ts": "jest.mock(\"../src/other\")\nexport const lib = 1\n",
		"src/other.ts": "export const other = \"./lib\"\n",
		"test/lib.test.ts": `import { lib } from "../core/base"
jest.mock("../core/base", () => ({ ...jest.requireActual<object>('../core/base.js'), lib }))
jest.mock("../src/library")
console.log("../src/lib")
`,
	}
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, archive, server)
			done := enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{File: "src/lib.ts"}, NewPath: "core/base.ts"})
			got := make(map[string]string)
			for name := range want {
				got[name] = s.Read(name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n(-want +got):\n%s", render.Brief(&done), diff)
			}
		})
	}
}

// A file that is imported moves with what imports it, or not at all where nobody says what must follow.
func TestRenameOfAFileInEachLanguage(t *testing.T) {
	for _, c := range []struct {
		server, archive, from, to string
		moves                     bool
	}{
		{"pyright", "-- pyproject.toml --\n[tool.pyright]\n-- pkg/__init__.py --\n-- pkg/util.py --\ndef f() -> int: return 1\n-- main.py --\nfrom pkg.util import f\nf()\n", "pkg/util.py", "pkg/tools.py", false},
		{"clangd", "-- compile_flags.txt --\n-std=c++17\n-- a.h --\nint f();\n-- main.cpp --\n#include \"a.h\"\nint main() { return f(); }\n", "a.h", "b.h", false},
		{"jdtls", `
-- .project --
<projectDescription><name>m</name>
<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>
<natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>
-- .classpath --
<classpath><classpathentry kind="src" path="src"/>
<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>
-- src/ex/util/A.java --
package ex.util;

public class A { public static int f() { return 1; } }
-- src/ex/B.java --
package ex;

import ex.util.A;

class B { int g() { return A.f(); } }
`, "src/ex/util/A.java", "src/ex/A.java", true},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			s := enginetest.OpenReal(t, c.archive, c.server)
			req := api.RenameRequest{Selector: api.Selector{File: c.from}, NewPath: c.to, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 60_000}}}
			done := enginetest.Do(t, s, api.Rename, req)
			if done.Applied != c.moves || s.Exists(c.to) != c.moves || s.Exists(c.from) == c.moves || (done.Verdict == "clean") != c.moves {
				t.Error(render.Brief(&done))
			}
		})
	}
}

// In a text with a byte order mark and \r\n the first line is renamed where it is,
// and the rest of the text stays as it is.
func TestRenameBesideAMark(t *testing.T) {
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, strings.Replace(scriptNames, "export function", "\ufeffexport function", 1), server)
			s.Write("src/app.ts", "\ufeffimport { Load } from './lib'; Load();\r\n/* é😀 */ Load();\r\n")
			enginetest.Do(t, s, api.Rename, api.RenameRequest{Selector: api.Selector{At: "src/lib.ts Load"}, NewName: "Fetch"})
			if got := s.Read("src/app.ts"); got != "\ufeffimport { Fetch } from './lib'; Fetch();\r\n/* é😀 */ Fetch();\r\n" {
				t.Errorf("%q", got)
			}
			if got := s.Read("src/lib.ts"); !strings.HasPrefix(got, "\ufeffexport function Fetch()") {
				t.Errorf("%q", got)
			}
		})
	}
}

const goNames = `
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

// Load loads.
func Load() string { return "é😀" + name() }

func name() string { return "Load" }
-- lib/lib_test.go --
package lib

import "testing"

func TestLoad(t *testing.T) { _ = Load() }
-- app/app.go --
package app

import "m/lib"

func Use() string { return lib.Load() + lib.Load() }
`

const scriptNames = `
-- tsconfig.json --
{"compilerOptions": {"strict": true, "module": "esnext", "moduleResolution": "bundler"}, "include": ["src"]}
-- src/lib.ts --
export function Load(): string {
  return "é😀";
}
-- src/lib_test.ts --
import { Load } from "./lib";
Load();
-- src/app.ts --
import { Load } from "./lib";
console.log("é😀" + Load(), Load());
`

const pythonNames = `
-- pyrightconfig.json --
{}
-- lib.py --
def Load() -> str:
    return "é😀"
-- lib_test.py --
from lib import Load

Load()
-- pkg/app.py --
from lib import Load

print("é😀" + Load(), Load())
`

const cNames = `
-- lib.h --
#pragma once
int Load(int a);
-- lib.cc --
#include "lib.h"
int Load(int a) { return a; }
-- lib_test.cc --
#include "lib.h"
int test() { return Load(1); }
-- app.cc --
#include "lib.h"
const char *text = "é😀"; int use() { return Load(1) + Load(2); }
`

// several counts things as summaries do.
func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
