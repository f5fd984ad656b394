package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An ending and an id are of one language each, so that the order of the table means nothing.
func TestNamesAreUnique(t *testing.T) {
	names := Names()
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); !slices.Equal(unique, names) {
		t.Errorf("some stand twice: %q", names)
	}
}

// A file's language is told by its ending, and of any other file nothing is known but that it may
// stand in a folder of tests.
func TestLanguagesOfFiles(t *testing.T) {
	for file, want := range map[string]ID{
		"a.go": Go, "a/b.rs": Rust, "a.py": Python, "a.pyi": Python, "a.d.ts": TypeScript, "a.tsx": TypeScriptReact, "a.jsx": JavaScriptReact,
		"a.h": CPP, "a.c": C, "a.m": ObjectiveC, "A.java": Java, "a.yml": "yaml", "a.inl": "",
	} {
		if got := Of(file).ID; got != want || !Is(file, want) || Is(file, "cobol") {
			t.Errorf("%s is of %s, want %s", file, got, want)
		}
	}
	for _, file := range []string{"go", "a.GO", "a.cob", ".", ""} {
		if diff := cmp.Diff(Language{TestFolders: true}, Of(file)); diff != "" || Is(file, Go) {
			t.Errorf("%q (-want +got):\n%s", file, diff)
		}
	}
}

// The endings of a language are those of its files.
func TestEndingsOfALanguage(t *testing.T) {
	for id, want := range map[ID][]string{Go: {".go"}, Python: {".py", ".pyi"}, "cobol": nil} {
		if diff := cmp.Diff(want, Endings(id)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", id, diff)
		}
	}
}

// What is a test is told by the name of the file and the folders around it, as each language has
// it.
func TestTests(t *testing.T) {
	for file, want := range map[string]bool{
		"a_test.go": true, "a_tests.go": false, "tests/a.go": false, "test_a.go": false, "a.test.ts": true, "a.spec.js": true, "a-test.rb": true,
		"a_spec.rb": true, "a_unittest.cc": true, "test_a.py": true, "conftest.py": true, "a/conftest.ts": false, "contest.py": false,
		"ATest.java": true, "ATests.kt": true, "TestA.cs": true, "Attest.java": false, "ATest.ts": false,
		"tests/a.rs": true, "a/__tests__/b.ts": true, "spec/a.rb": true, "testing/a.c": true, "a/test/b.unknown": true, "latest/a.rs": false, "a.rs": false,
	} {
		if got := IsTest(file); got != want {
			t.Errorf("%s: %t", file, got)
		}
	}
}

// Files bring in and test those of their family, which may have other endings; a component or a
// dialect is brought in, and tests only its like.
func TestFamilies(t *testing.T) {
	type families struct{ Brings, Tests Family }
	got := make(map[string]families)
	want := map[string]families{
		"a.go": {Brings: GoFamily}, "a.py": {PythonFamily, PythonFamily}, "a.pyi": {PythonFamily, PythonFamily},
		"a.ts": {ScriptFamily, ScriptFamily}, "a.jsx": {ScriptFamily, ScriptFamily}, "a.vue": {Brings: ScriptFamily}, "a.astro": {Brings: ScriptFamily},
		"a.c": {NativeFamily, NativeFamily}, "a.hxx": {NativeFamily, NativeFamily}, "a.inl": {Brings: NativeFamily}, "a.mm": {Brings: NativeFamily},
		"A.java": {JVMFamily, JVMFamily}, "A.kt": {JVMFamily, JVMFamily}, "A.scala": {}, "a.rs": {}, "a.rb": {}, "a": {},
	}
	for file := range want {
		got[file] = families{Of(file).Family, Of(file).TestFamily}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file of one circle of languages never uses one of another, but Go uses C; where nothing is known of a language, it
// may.
func TestFilesThatNeverUseEachOther(t *testing.T) {
	got := make(map[string]bool)
	want := map[string]bool{
		"a.go b.py": true, "a.py b.go": true, "a.ts b.java": true, "a.c b.go": true, "a.go b.java": true,
		"a.go b.go": false, "a.ts b.vue": false, "a.java b.kt": false, "a.go b.c": false, "a.go b.h": false, "a.go b.rs": true, "a.rs b.py": true, "a.ts b.json": false, "a b.go": false,
	}
	for pair := range want {
		file, other, _ := strings.Cut(pair, " ")
		got[pair] = NeverUses(file, other)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Headers, declarations of types, what scripts are made of and what holds comments for a type
// checker are told by the endings of files.
func TestKindsOfFiles(t *testing.T) {
	type kind struct{ Header, Declaration, Compiled, Comments bool }
	got := make(map[string]kind)
	want := map[string]kind{
		"a.h": {Header: true}, "a.hxx": {Header: true}, "a.cc": {}, "a.c": {}, "a.inl": {}, "a.go": {},
		"a.d.ts": {Declaration: true, Compiled: true}, "a.d.mts": {Declaration: true, Compiled: true}, "d.ts": {Compiled: true},
		"a.tsx": {Compiled: true}, "a.vue": {Compiled: true}, "a.js": {Comments: true}, "a.jsx": {Comments: true},
	}
	for file := range want {
		l := Of(file)
		comments := l.Lexis != nil && l.Lexis.Meaning != nil && l.Lexis.Meaning.MatchString("/** @type {string} */")
		got[file] = kind{IsHeader(file), IsDeclaration(file), l.Compiled, comments}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The ending that is left out of an import is the longest.
func TestModuleEndings(t *testing.T) {
	for i, ending := range ModuleEndings {
		for _, later := range ModuleEndings[i+1:] {
			if strings.HasSuffix(later, ending) {
				t.Errorf("%s comes before %s", ending, later)
			}
		}
	}
}

// A file configures the sources of one family or of none, by its whole name; what sets a project
// up is known by its ending.
func TestConfiguration(t *testing.T) {
	for file, want := range map[string]Family{
		"a/package.json": ScriptFamily, "tsconfig.json": ScriptFamily, "tsconfig.build.json": ScriptFamily, "jsconfig.json": ScriptFamily,
		"pyproject.toml": PythonFamily, "a/pyrightconfig.json": PythonFamily, ".clangd": NativeFamily, "compile_commands.json": NativeFamily,
		"go.mod": 0, "my.tsconfig.json": 0, "package.json5": 0, "tsconfig.ts": 0, "": 0,
	} {
		if got := Configured(file); got != want {
			t.Errorf("%s configures %d, want %d", file, got, want)
		}
	}
	for file, want := range map[string]bool{"go.mod": true, "a/x.yml": true, ".clangd": true, "a.go": false, "Makefile": false} {
		if got := SetsUp(file); got != want {
			t.Errorf("%s sets up: %t", file, got)
		}
	}
}

// Of a language without a tool that knows its names hover is the documentation; of one that is
// not listed nothing is known.
func TestUndocumented(t *testing.T) {
	for id, want := range map[ID]bool{TypeScriptReact: true, JavaScript: true, Vue: true, Astro: false, Go: false, Python: false, "cobol": false} {
		if got := Undocumented(id); got != want {
			t.Errorf("%s: %t", id, got)
		}
	}
}

// What a project needs is said once for each language, with a way to get it wherever one is; a
// way that helps anywhere comes last, as nothing behind it is reached.
func TestNeedsOfProjects(t *testing.T) {
	known := make(map[ID]bool)
	for _, n := range Needs {
		for _, id := range n.Languages {
			if known[id] || !slices.Contains(Names(), string(id)) {
				t.Errorf("%s is there twice, or nowhere else", id)
			}
			known[id] = true
		}
		if len(n.Markers) == 0 || n.Lost == "" {
			t.Errorf("%+v", n)
		}
	}
	ways := [][]Way{PackageManagers}
	for _, n := range Needs {
		ways = append(ways, n.Ways)
	}
	for _, list := range ways {
		for i, w := range list {
			if last := i == len(list)-1; (w.Beside == "") != last || w.Next == "" {
				t.Errorf("%+v is number %d of %d", w, i+1, len(list))
			}
		}
	}
}

// What is said to be built as another language, and what has a manual, is the id of a language
// that is known; tools and markers are named.
func TestToolsAreOfLanguages(t *testing.T) {
	names := Names()
	for id, as := range BuiltAs {
		known := slices.ContainsFunc(Builds, func(b Build) bool { return b.Language == as })
		if !known || !slices.Contains(names, string(id)) || slices.ContainsFunc(Builds, func(b Build) bool { return b.Language == id }) {
			t.Errorf("%s is built as %s", id, as)
		}
	}
	for _, b := range Builds {
		if !slices.Contains(names, string(b.Language)) || b.Marker == "" || len(b.Build) == 0 || len(b.Test) == 0 || b.Parts != (b.Language == Go) {
			t.Errorf("%+v", b)
		}
	}
	for id, m := range Manuals {
		if Undocumented(id) || !slices.Contains(names, string(id)) || m.Names == nil || len(m.Command) == 0 {
			t.Errorf("%s: %+v", id, m)
		}
	}
}

// Python has several names on Windows, its launcher first, and its own elsewhere; other programs have one everywhere.
func TestCommandNames(t *testing.T) {
	got := [][]string{CommandNames("python3", true), CommandNames("python3", false), CommandNames("go", true), CommandNames("python", true)}
	if diff := cmp.Diff([][]string{{"py", "python", "python3"}, {"python3"}, {"go"}, {"python"}}, got); diff != "" {
		t.Error(diff)
	}
}
