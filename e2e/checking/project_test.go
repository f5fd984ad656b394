package checking

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// seen is what a check told that depends on the version that judged.
type seen struct {
	Verdict, Server string
	Others          []string
}

func seenIn(r result.Check) seen {
	s := seen{Verdict: r.Verdict}
	for _, a := range r.Files[0].Servers {
		s.Server += a.Server
	}
	for _, o := range r.Others {
		s.Others = append(s.Others, o.Path)
	}
	return s
}

// A project is judged by the TypeScript that it has, where both servers are installed; and
// what a server thinks of its tsconfig.json is told for no file, in no run.
func TestTheProjectsTypeScriptJudges(t *testing.T) {
	// TypeScript 7 knows neither of these options any more.
	const files = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"baseUrl":".","module":"commonjs","moduleResolution":"node10"}}
-- a.ts --
export const a: number = 1;
-- b.ts --
import { a } from './a';
export const b = a;
-- broken.ts --
export const c: number = 'c';
`
	for version, server := range map[string]string{"5.9.3": "typescript-language-server", "7.0.2": "typescript"} {
		for range 3 {
			e := enginetest.OpenReal(t, files+"-- node_modules/typescript/package.json --\n{\"name\":\"typescript\",\"version\":\""+version+"\"}\n",
				"typescript", "typescript-language-server")
			for _, name := range []string{"a.ts", "b.ts", "broken.ts"} {
				want := seen{Verdict: "clean", Server: server}
				if name == "broken.ts" {
					want.Verdict = "new_errors"
				}
				got := seenIn(enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{name}, Baseline: "none"}))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("with %s, %s: %s", version, name, diff)
				}
			}
			if known := enginetest.Do(t, e, api.Diagnostics, api.DiagnosticsRequest{}); len(known.Files) != 1 || known.Files[0].Path != "broken.ts" {
				t.Errorf("with %s, known are %+v", version, known.Files)
			}
		}
	}
}

// What a project leaves out is broken by no edit and part of no folder that is checked;
// asked for by name it is judged, and said to be left out. What the project imports all the
// same is a part of it.
func TestFilesThatTheProjectLeavesOut(t *testing.T) {
	const (
		scripts = `
-- tsconfig.json --
{"compilerOptions":{"strict":true},"include":["src"]}
-- src/a.ts --
export const a = 1;
-- src/b.ts --
import { c } from '../more/c';
export const b: number = c;
-- more/c.ts --
import { a } from '../src/a';
export const c: number = a;
-- test/t.ts --
import { a } from '../src/a';
export const t: number = a;
`
		snakes = `
-- pyrightconfig.json --
{"exclude": ["test"]}
-- src/__init__.py --
-- src/a.py --
a = 1
-- src/b.py --
from src.a import a
b: int = a
-- more/c.py --
from src.a import a
c: int = a
-- test/t.py --
from src.a import a
t: int = a
`
	)
	for _, c := range []struct {
		id, files, changed, before, after, test string
		all, broken                             []string
		note                                    string
	}{
		{
			"typescript", scripts, "src/a.ts", "a = 1", "a = 'x'", "test/t.ts",
			[]string{"more/c.ts", "src/a.ts", "src/b.ts"},
			[]string{"more/c.ts"},
			"test/t.ts is no part of the project: tsconfig.json leaves it out, so its own tools do not check it",
		},
		{
			"typescript-language-server", scripts, "src/a.ts", "a = 1", "a = 'x'", "test/t.ts",
			[]string{"more/c.ts", "src/a.ts", "src/b.ts"},
			[]string{"more/c.ts"},
			"test/t.ts is no part of the project: tsconfig.json leaves it out, so its own tools do not check it",
		},
		{
			"pyright", snakes, "src/a.py", "a = 1", "a = 'x'", "test/t.py",
			[]string{"more/c.py", "src/__init__.py", "src/a.py", "src/b.py"},
			[]string{"more/c.py", "src/b.py"},
			"test/t.py is no part of the project: pyrightconfig.json leaves it out, so its own tools do not check it",
		},
	} {
		e := enginetest.OpenReal(t, c.files, c.id)
		all := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"."}, Baseline: "none"})
		if diff := cmp.Diff(enginetest.Answered{Files: c.all}, enginetest.AnsweredBy(all.Files, all.Others, all.Notes)); diff != "" {
			t.Errorf("%s, the folder: %s", c.id, diff)
		}
		edited := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: c.changed, OldText: &c.before, NewText: &c.after}}})
		if diff := cmp.Diff(enginetest.Answered{Files: []string{c.changed}, Others: c.broken}, enginetest.AnsweredBy(edited.Files, edited.Others, edited.Notes)); diff != "" {
			t.Errorf("%s, the edit: %s", c.id, diff)
		}
		if edited.Verdict != "new_errors" {
			t.Errorf("%s, the edit: %s", c.id, edited.Verdict)
		}
		for _, name := range []string{c.test, "test"} { // there is nothing else in the folder
			test := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{name}, Baseline: "none"})
			if diff := cmp.Diff([]string{c.note}, test.Notes); diff != "" || test.Verdict != "new_errors" || len(test.Files) != 1 {
				t.Errorf("%s, %s: %s %s %+v", c.id, name, diff, test.Verdict, test.Files)
			}
		}
	}
}

// An edit of the configuration breaks what it makes a part of the lsptest.Project, with all that is
// wrong there, and nothing that it leaves out, whatever the server says of that by itself.
func TestEditOfWhatBelongsToTheProject(t *testing.T) {
	const files = `
-- tsconfig.json --
{"compilerOptions":{"strict":true,"target":"es2022","types":[]},"include":["src"]}
-- src/a.ts --
export const a = 1;
-- test/t.ts --
import { a } from '../src/a';
export const t: string = a;
-- test/u.ts --
export const u: number = ((x) => x)(1);
`
	one, both := `"include":["src"]`, `"include":["src","test"]`
	for _, id := range []string{"typescript", "typescript-language-server"} {
		e := enginetest.OpenReal(t, files, id)
		wider := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "tsconfig.json", OldText: &one, NewText: &both}}})
		if diff := cmp.Diff([]string{"test/t.ts"}, enginetest.AnsweredBy(nil, wider.Others, nil).Others); diff != "" || wider.Verdict != "new_errors" {
			t.Errorf("%s, wider: %s %s %+v", id, wider.Verdict, diff, wider)
		}
		loose := `"strict":false,"target":"es5"`
		strict := `"strict":true,"target":"es2022"`
		narrower := enginetest.Do(t, e, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{
			{File: "tsconfig.json", OldText: &both, NewText: &one}, {File: "tsconfig.json", OldText: &strict, NewText: &loose},
		}})
		if len(narrower.Others) > 0 || narrower.Verdict == "new_errors" {
			t.Errorf("%s, narrower: %s", id, render.Brief(&narrower))
		}
	}
}

// The packages of a project are found where they are installed, and nothing of the project
// is run for that; its configuration counts.
func TestThePackagesOfAPythonProject(t *testing.T) {
	const (
		used   = "-- app/main.py --\nfrom installed import give\n\nn: int = give()\n"
		broken = "-- app/main.py --\nfrom installed import give\n\nn: str = give()\n"
		env    = "/pyvenv.cfg --\nhome = /usr/bin\n-- %[1]s/lib/python3.11/site-packages/installed/__init__.py --\ndef give() -> int: ...\n" +
			"-- %[1]s/lib/python3.11/site-packages/installed/py.typed --\n-- %[1]s/bin/python --\n#!/bin/sh\necho ran >>%[2]s\n"
	)
	for _, c := range []struct{ name, files, venv, verdict string }{
		{"none", used, "", "new_errors"},
		{".venv", used, ".venv", "clean"},
		{".venv, used wrongly", broken, ".venv", "new_errors"},
		{"venv in a package of a monorepo", "-- app/pyproject.toml --\n" + used, "app/venv", "clean"},
		{"strict", used + "-- app/other.py --\n-- pyrightconfig.json --\n{\"strict\": [\"app\"]}\n", ".venv", "clean"},
		{"strict, and untyped", used + "def f(x): return x\n-- pyrightconfig.json --\n{\"strict\": [\"app\"]}\n", ".venv", "new_errors"},
		{"not strict, and untyped", used + "def f(x): return x\n", ".venv", "clean"},
	} {
		ran := filepath.Join(t.TempDir(), "ran")
		files := c.files
		if c.venv != "" {
			files += "-- " + c.venv + fmt.Sprintf(env, c.venv, ran)
		}
		e := enginetest.OpenReal(t, files, "pyright").Distrusted()
		if c.venv != "" {
			if err := os.Chmod(filepath.Join(e.Folder, c.venv, "bin/python"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"app/main.py"}, Baseline: "none"}); r.Verdict != c.verdict {
			t.Errorf("%s: %s, want %s: %+v", c.name, r.Verdict, c.verdict, r.Files)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the interpreter of the project was run", c.name)
		}
	}
}

// Where the user trusts the workspace, its interpreter says what it finds, also what only code
// of the environment names; elsewhere nothing of the checkout is run, and packages are found
// where the environment keeps them.
func TestTheInterpreterOfATrustedProject(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		lsptest.Skip(t, "there is no python3")
	}
	const files = "-- app/main.py --\nfrom installed import give\nfrom named import take\n\ntake(give())\n-- elsewhere/named.py --\ndef take(n: int) -> None: ...\n"
	for _, id := range []string{"pyright", "pylsp"} {
		for _, trusted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, trusted: %t", id, trusted), func(t *testing.T) {
				e := enginetest.OpenReal(t, files, id)
				if out, err := exec.CommandContext(t.Context(), python, "-m", "venv", "--without-pip", filepath.Join(e.Folder, ".venv")).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				sites, _ := filepath.Glob(filepath.Join(e.Folder, ".venv/lib/python3*/site-packages"))
				if len(sites) != 1 {
					t.Fatalf("%q", sites)
				}
				site, err := filepath.Rel(e.Folder, sites[0])
				if err != nil {
					t.Fatal(err)
				}
				ran := filepath.Join(t.TempDir(), "ran")
				e.Write(filepath.Join(site, "installed/__init__.py"), "def give() -> int: ...\n")
				// What begins with import is run by the interpreter, and read by nobody else.
				e.Write(filepath.Join(site, "named.pth"), fmt.Sprintf("import sys; open(%q, 'a').close(); sys.path.append(%q)\n", ran, filepath.Join(e.Folder, "elsewhere")))
				want := []string{site + "/installed/__init__.py", "elsewhere/named.py"}
				if !trusted {
					e = e.Distrusted()
					want[1] = ""
				}
				if !trusted && id == "pylsp" { // it would run what the environment has
					want[0] = ""
				}
				got := make([]string, 2)
				for i, at := range []string{"app/main.py:1:23", "app/main.py:2:19"} {
					r, err := api.Definition.Do(t.Context(), e.Engine, api.DefinitionRequest{Selector: api.Selector{At: at}})
					if err == nil && len(r.Files) > 0 {
						got[i] = r.Files[0].Path
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
				if _, err := os.Stat(ran); (err == nil) != trusted {
					t.Errorf("the interpreter of the project was run: %t", err == nil)
				}
			})
		}
	}
}

const native = `
-- include/lib.h --
#pragma once
namespace lib {
int compute(int n);
class Box {
 public:
  explicit Box(int n);
  int area() const;
 private:
  int n_;
};
extern int total;
}
-- src/lib.cc --
#include "../include/lib.h"
namespace lib {
int total = 1;
int compute(int n) { return n + 1; }
Box::Box(int n) : n_(n) {}
int Box::area() const { return compute(n_); }
}
-- src/use.cc --
#include "../include/lib.h"
int use() { lib::Box b(2); return lib::compute(b.area()) + lib::total; }
#ifndef SHIP
#error not shipped
#endif
`

// A name of C++ leads to its definition, not to its declaration, whether clangd knows the
// files of the project or not.
func TestDefinitionsOfCByName(t *testing.T) {
	const database = `-- %scompile_commands.json --
[{"directory": "ROOT", "command": "c++ -DSHIP -c src/lib.cc", "file": "src/lib.cc"}, {"directory": "ROOT", "command": "c++ -DSHIP -c src/use.cc", "file": "src/use.cc"}]
`
	for _, where := range []string{"none", "", "build/", "out/"} {
		e := enginetest.OpenReal(t, native+"-- CMakeLists.txt --\n", "clangd")
		if where != "none" {
			e.Write(where+"compile_commands.json", strings.ReplaceAll(strings.TrimPrefix(fmt.Sprintf(database, where), "-- "+where+"compile_commands.json --\n"), "ROOT", e.Folder))
		}
		for _, c := range [][3]string{
			{"", "compute", "src/lib.cc:4"},
			{"", "Box::area", "src/lib.cc:6"},
			{"", "Box", "include/lib.h:4"},
			{"", "lib::total", "src/lib.cc:3"},
			{"", "use", "src/use.cc:2"},
			{"include/lib.h", "compute", "src/lib.cc:4"},
			{"include/lib.h", "Box::area", "src/lib.cc:6"},
			{"include/lib.h", "Box", "include/lib.h:4"},
			{"include/lib.h", "total", "src/lib.cc:3"},
			{"src/lib.cc", "compute", "src/lib.cc:4"},
			{"src/lib.cc", "Box::area", "src/lib.cc:6"},
			{"src/lib.cc", "total", "src/lib.cc:3"},
			{"src/use.cc", "use", "src/use.cc:2"},
		} {
			r := enginetest.Do(t, e, api.Definition, api.DefinitionRequest{Selector: api.Selector{File: c[0], Symbol: c[1]}})
			var got []string
			for _, f := range r.Files {
				for _, p := range f.Places {
					got = append(got, fmt.Sprintf("%s:%d", f.Path, p.Line))
				}
			}
			if diff := cmp.Diff([]string{c[2]}, got); diff != "" {
				t.Errorf("database %q, %s in %q: %s", where, c[1], c[0], diff)
			}
		}
	}
}

// The flags of a project count wherever they stand.
func TestTheFlagsOfACProject(t *testing.T) {
	for name, file := range map[string][2]string{
		"none":                 {"", ""},
		"compile_flags.txt":    {"compile_flags.txt", "-DSHIP\n"},
		".clangd":              {".clangd", "CompileFlags:\n  Add: [-DSHIP]\n"},
		"build":                {"build/compile_commands.json", ""},
		"cmake-build-debug":    {"cmake-build-debug/compile_commands.json", ""},
		"out, of an inner one": {"native/out/compile_commands.json", ""},
	} {
		folder, verdict := "", "clean"
		if name == "out, of an inner one" {
			folder = "native/"
		}
		e := enginetest.OpenReal(t, "-- "+folder+"CMakeLists.txt --\n"+strings.NewReplacer("-- src/", "-- "+folder+"src/", "-- include/", "-- "+folder+"include/").Replace(native), "clangd")
		switch text := file[1]; {
		case name == "none":
			verdict = "unknown" // the flags are guessed
		case text == "":
			e.Write(file[0], fmt.Sprintf(`[{"directory": %q, "command": "c++ -DSHIP -c src/use.cc", "file": "src/use.cc"}]`, filepath.Join(e.Folder, folder)))
		default:
			e.Write(file[0], text)
		}
		if r := enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{folder + "src/use.cc"}, Baseline: "none"}); r.Verdict != verdict {
			t.Errorf("%s: %s, want %s: %+v", name, r.Verdict, verdict, r.Files[0])
		}
	}
}

// jdtls leaves nothing of its own in a project of Maven.
func TestJavaLeavesNothingInTheProject(t *testing.T) {
	t.Setenv("JDK_JAVA_OPTIONS", "-Xshare:auto") // what the user has stays
	e := enginetest.OpenReal(t, `
-- pom.xml --
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>y</artifactId><version>1</version></project>
-- src/main/java/a/A.java --
package a; public class A { int x = 1; }
`, "jdtls")
	enginetest.Do(t, e, api.Check, api.CheckRequest{Files: []string{"src/main/java/a/A.java"}, Baseline: "none"})
	var names []string
	entries, err := os.ReadDir(e.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != "target" { // where Maven itself writes
			names = append(names, entry.Name())
		}
	}
	if diff := cmp.Diff([]string{"pom.xml", "src"}, names); diff != "" {
		t.Error(diff)
	}
}
