package checking

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
)

// What changes beside a change and cannot matter to it makes no committed error new: files of languages that only others read, with a
// server or without one, data that nobody brings in, the version of a package. What can matter makes it honestly unknown.
func TestCommittedErrorsStayOlder(t *testing.T) {
	const archive = `
-- m.py --
def f(a: int) -> int:
    return a
-- n.py --
from m import f

f(1)
z: int = "committed"
-- pyproject.toml --
[project]
name = "p"
version = "1.0"
-- web/tsconfig.json --
{"compilerOptions": {"strict": true}}
-- web/package.json --
{"name": "web", "version": "1.0.0"}
-- web/data.json --
{"a": 1}
-- web/a.ts --
export function f(a: number) { return a }
-- web/b.ts --
import { f } from "./a"

f(1)
export const z: number = "committed"
-- web/style.css --
a { color: red }
-- go.mod --
module m

go 1.24
-- main.go --
package main

import _ "embed"

//go:embed web/style.css
var style string

func main() { println(style) }
`
	type counted struct {
		New, Older int
		Unknown    bool
	}
	python := map[string]string{"m.py": "def f(a: str) -> str:\n    return a\n"}
	script := map[string]string{"web/a.ts": "export function f(a: string) { return a }\n"}
	one := counted{New: 1, Older: 1}
	for name, c := range map[string]struct {
		changed, besides map[string]string // "" removes a file
		want             counted
	}{
		"nothing":                             {python, nil, one},
		"a file of a language without server": {python, map[string]string{"new.lua": "x\n", "new.kt": "x\n", "new.proto": "x\n"}, one},
		"a style sheet":                       {python, map[string]string{"web/style.css": "b { color: blue }\n"}, one},
		"data of another language":            {python, map[string]string{"web/data.json": "{\"a\": 2}\n"}, one},
		"the version of a package of Python":  {python, map[string]string{"pyproject.toml": "[project]\nname = \"p\"\nversion = \"1.1\"\n"}, one},
		"the version of a package of scripts": {script, map[string]string{"web/package.json": "{\"name\": \"web\", \"version\": \"1.0.1\"}\n"}, one},
		"a module of Python, for scripts":     {script, map[string]string{"m.py": "def f(a: int) -> int:\n    return a + 1\n"}, one},
		"a file that Go embeds, for Python":   {python, map[string]string{"web/style.css": ""}, counted{New: 1, Unknown: true}},
		"a file that Go embeds, alone":        {nil, map[string]string{"web/style.css": ""}, counted{New: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := enginetest.OpenReal(t, archive, "pyright", "typescript-language-server", "gopls")
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			for _, files := range []map[string]string{c.changed, c.besides} {
				for file, text := range files {
					if text == "" {
						s.Remove(file)
					} else {
						s.Write(file, text)
					}
				}
			}
			for range 2 {
				answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Baseline: api.BaselineHead, TimeoutMS: 240_000, CountOlder: true})
				if err != nil {
					t.Fatal(err)
				}
				got := counted{Older: answer.OlderElsewhere, Unknown: answer.Verdict == "unknown" || len(answer.Unknown) > 0}
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					for _, d := range f.Diagnostics {
						if d.New {
							got.New++
						} else {
							got.Older++
						}
					}
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// A draft of data that scripts import is judged in these: one that changes its type is not clean, and is not applied if that is to be so.
func TestDraftOfImportedData(t *testing.T) {
	const archive = "-- tsconfig.json --\n{\"compilerOptions\": {\"strict\": true, \"resolveJsonModule\": true, \"module\": \"esnext\", \"moduleResolution\": \"bundler\"}}\n" +
		"-- src/en.json --\n{\"title\": \"x\"}\n-- src/a.ts --\nimport en from \"./en.json\";\nexport const t: string = en.title;\n"
	for _, server := range []string{"typescript", "typescript-language-server"} {
		t.Run(server, func(t *testing.T) {
			s := enginetest.OpenReal(t, archive, server)
			text := "{\"titel\": \"x\"}\n"
			says := func(mode string) []string {
				answer := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "src/en.json", Content: &text}}, Writing: api.Writing{Mode: mode}})
				return append([]string{mode, answer.Verdict, s.Read("src/en.json")}, answer.Unknown...)
			}
			want := [][]string{
				{"preview", "new_errors", "{\"title\": \"x\"}\n"},
				{"apply_if_clean", "new_errors", "{\"title\": \"x\"}\n"},
			}
			if diff := cmp.Diff(want, [][]string{says("preview"), says("apply_if_clean")}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A fragment that only others include, such as a list of macros, is judged in these, in whatever form the question comes; what it
// broke is never older.
func TestFragmentsAreJudgedInTheirUsers(t *testing.T) {
	for _, name := range []string{"list.def", "list.inc"} {
		t.Run(name, func(t *testing.T) {
			archive := "-- compile_flags.txt --\n-Wall\n-- m.cpp --\nenum E {\n#define X(a) a,\n#include \"" + name + "\"\n#undef X\n};\nint main() { return B; }\n-- " + name + " --\nX(A) X(B)\n"
			s := enginetest.OpenReal(t, archive, "clangd")
			s.Git("init", "-q")
			s.Git("add", "-A")
			s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
			check := func(files ...string) []string {
				answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: files, Baseline: api.BaselineHead, TimeoutMS: 240_000})
				if err != nil {
					t.Fatal(err)
				}
				found := []string{answer.Verdict}
				for _, f := range slices.Concat(answer.Files, answer.Others) {
					for _, d := range f.Diagnostics {
						if found = append(found, f.Path+": "+d.Message); !d.New {
							found = append(found, "older")
						}
					}
				}
				return found
			}
			broken := []string{"new_errors", "m.cpp: Use of undeclared identifier 'B'"}
			for range 2 {
				s.Write(name, "X(A) X(C)\n")
				for _, files := range [][]string{nil, {name}, {"m.cpp"}, {"."}} {
					if diff := cmp.Diff(broken, check(files...)); diff != "" {
						t.Errorf("broken, %v (-want +got):\n%s", files, diff)
					}
				}
				s.Write(name, "X(A) X(B)\n")
				for _, files := range [][]string{nil, {name}, {"m.cpp"}, {"."}} {
					if diff := cmp.Diff([]string{"clean"}, check(files...)); diff != "" {
						t.Errorf("as it was, %v (-want +got):\n%s", files, diff)
					}
				}
			}
		})
	}
}
