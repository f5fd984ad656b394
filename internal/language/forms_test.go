package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// matches tells the texts in which a form is found, in their order.
func matches(form *lazyregexp.Regexp, texts []string) (found []string) {
	for _, text := range texts {
		if form.MatchString(text) {
			found = append(found, text)
		}
	}
	return found
}

// Only what is a name, with its path, reaches a tool for documentation: no option, no other argument and no file.
func TestNamesThatMayBeAsked(t *testing.T) {
	texts := []string{
		"fmt", "net/http", "fmt.Println", "a_b", "_x", "é.ü2", "gopkg.in/yaml.v3", "x/my-mod", "a/~b", "a1", "os.path",
		"", "-h", "--help", ".", "./x", "/x", "a//b", "a..b", "a/", "a.", "1a", "a b", "a\n-b", "a\n", "a;b", "a$b", `a\b`, "a/../b", "a@v1", "a-", "a/-b",
	}
	for id, want := range map[ID][]string{
		Go:     {"fmt", "net/http", "fmt.Println", "a_b", "_x", "é.ü2", "gopkg.in/yaml.v3", "x/my-mod", "a1", "os.path"},
		Python: {"fmt", "fmt.Println", "a_b", "_x", "é.ü2", "a1", "os.path"},
	} {
		if diff := cmp.Diff(want, matches(Manuals[id].Names, texts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
}

// A project of Python asks for packages if the file that could name some does.
func TestFilesThatAskForPackages(t *testing.T) {
	asks := map[string]struct{ yes, no []string }{
		Requirements: {
			[]string{"requests", "# tools\n  black==1\n", "\n9p"},
			[]string{"", "# none\n", "-r other.txt\n", "\n\n", "  # requests"},
		},
		PyProject: {
			[]string{
				"[project]\ndependencies = [\"a\"]\n", "dependencies=['a']", "dev-dependencies = [\n  \"a\",\n]", "[tool.poetry.dependencies]\n", "[tool.poetry.group.dev.dependencies]\n",
				"[tool.poetry.dev-dependencies]", "[dependency-groups]\n",
			},
			[]string{"", "[project]\nname = \"a\"\n", "dependencies = []\n", "dynamic = [\"dependencies\"]\n", "# dependencies = [\"a\"]", "[tool.other.dependencies]\n", " [dependency-groups]", "dependencies = [\n]"},
		},
		SetupPy:  {[]string{"setup(install_requires=['a'])"}, []string{"setup()", ""}},
		SetupCfg: {[]string{"[options]\ninstall_requires =\n  a\n"}, []string{"[options]\n", ""}},
	}
	for _, e := range Environments {
		c, known := asks[e.Beside]
		if known != (e.Asks != nil) {
			t.Errorf("%s: whether it asks is known: %t", e.Beside, known)
		}
		if e.Asks == nil {
			continue
		}
		if diff := cmp.Diff(c.yes, matches(e.Asks, slices.Concat(c.yes, c.no))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.Beside, diff)
		}
		delete(asks, e.Beside)
	}
	if len(asks) > 0 {
		t.Errorf("nobody looks at %v", asks)
	}
}

// A comment means something to a type checker if it addresses one; in JavaScript each that could tell a type does.
func TestCommentsThatMeanSomething(t *testing.T) {
	texts := []string{
		"# type: int", "#type:ignore", "#  pyright : basic", "# mypy: strict", "# a type: int", "# typed: x", "# noqa", "x # type: int",
		"// @ts-ignore", "/* @ts-nocheck */", `/// <reference path="a" />`, "/** @jsx h */", "/** @type {string} */", "// a", "//// <x", "// /// <x", "/* a */",
	}
	for file, want := range map[string][]string{
		"a.py":  {"# type: int", "#type:ignore", "#  pyright : basic", "# mypy: strict"},
		"a.ts":  {"// @ts-ignore", "/* @ts-nocheck */", `/// <reference path="a" />`, "/** @jsx h */"},
		"a.js":  {"// @ts-ignore", "/* @ts-nocheck */", `/// <reference path="a" />`, "/** @jsx h */", "/** @type {string} */"},
		"a.vue": {"// @ts-ignore", "/* @ts-nocheck */", `/// <reference path="a" />`, "/** @jsx h */"},
	} {
		if diff := cmp.Diff(want, matches(Of(file).Lexis.Meaning, texts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	for _, file := range []string{"a.c", "a.cpp", "a.m"} {
		if Of(file).Lexis.Meaning != nil {
			t.Errorf("a comment of %s means something", file)
		}
	}
}

// A file of Go names its package at the start of a line, and without that it is none yet.
func TestClausesOfPackages(t *testing.T) {
	l := Of("a.go")
	texts := []string{"package a", "// x\n\npackage b // c\n", "/*\n*/\npackage\tc\n", "", "package", "package \n", " package a", "// package a", "packages a", "package \"a\""}
	if diff := cmp.Diff(texts[:3], matches(l.Least, texts)); diff != "" {
		t.Errorf("what holds one (-want +got):\n%s", diff)
	}
	const ignored = "//go:build ignore\n\n/* A\ntool. */\npackage main"
	if got := string(l.Least.Find([]byte(ignored + "\n\nfunc main() {}\n"))); got != ignored {
		t.Errorf("of a file that no build includes: %q", got)
	}
	var names []string
	for _, text := range texts[:3] {
		names = append(names, string(l.Clause.FindSubmatch([]byte(text))[1]))
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	for _, file := range []string{"a.py", "a.rs", "a.ts", "a.c", "a.unknown"} {
		if l := Of(file); l.Least != nil || l.Clause != nil {
			t.Errorf("%s needs something", file)
		}
	}
}

// Imports are found with all their names, over several lines where the language has that, and nothing that only looks like one.
func TestImportsOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       []string
	}{
		"Python": {
			"a.py", "import os, sys # c\nfrom . import a\nfrom b.c import (\n  d,\n  e,\n)\n  import f\nimportant = 1\nfrom a importer\nx = 'import'\n# import g\nfrom h import *\r\n",
			[]string{"import os, sys # c", "from . import a", "from b.c import (\n  d,\n  e,\n)", "  import f", "from h import *\r"},
		},
		"a script": {
			"a.ts", "import 'a';\nimport b from \"b\";\nimport {\n  c,\n  d as e,\n} from './c'\nimport type { F } from 'f';\nexport * from 'g';\nimports('h');\nconst i = import('i');\n  import * as j from 'j'\nimport('k');\nimport l = require('l');\n",
			[]string{"import 'a'", "import b from \"b\"", "import {\n  c,\n  d as e,\n} from './c'", "import type { F } from 'f'", "  import * as j from 'j'", "import('k'", "import l = require('l'"},
		},
		"a component": {"a.vue", "<script>\nimport a from './a.vue'\n</script>\n", []string{"import a from './a.vue'"}},
		"nothing":     {"a.py", "", nil},
	} {
		var got []string
		for _, at := range Of(c.file).Imports.FindAll([]byte(c.text)) {
			got = append(got, c.text[at[0]:at[1]])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A name that a file of declarations has is told by all of its ending, wherever it stands.
func TestFilesOfDeclarations(t *testing.T) {
	for file, want := range map[string]bool{
		"a/b.d.ts": true, "b.d.cts": true, "b.d.mts": true, ".d.ts": true, "a.d.ts/b.ts": false, "d.ts": false, "b.d.tsx": false, "b.D.TS": false, "": false, "bd.ts": false,
	} {
		if got := IsDeclaration(file); got != want {
			t.Errorf("%s: %t", file, got)
		}
	}
}

// Where a resolver or an import may leave out an ending, it is one of a script, of a component or of data.
func TestEndingsThatAreLeftOut(t *testing.T) {
	for _, ending := range slices.Concat(ModuleEndings, ResolvedEndings) {
		if l := Of("a" + ending); l.Family != ScriptFamily && ending != ".json" || !strings.HasPrefix(ending, ".") {
			t.Errorf("%s is of %s", ending, l.ID)
		}
	}
	for _, ending := range ModuleEndings {
		if !slices.Contains(ResolvedEndings, ending) {
			t.Errorf("%s is never tried", ending)
		}
	}
}
