package language

import (
	"slices"
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
	for file, want := range map[string]string{
		"a.go": Go, "a/b.rs": Rust, "a.py": "python", "a.pyi": "python", "a.d.ts": "typescript", "a.jsx": "typescript",
		"a.h": "cpp", "A.java": "java", "a.yml": "ruby",
	} {
		if got := Of(file).IDs[0]; got != want || !Is(file, want) || Is(file, "cobol") {
			t.Errorf("%s is of %s, want %s", file, got, want)
		}
	}
	for _, file := range []string{"go", "a.GO", "a.cob", ".", ""} {
		if diff := cmp.Diff(Language{TestFolders: true}, Of(file)); diff != "" || Is(file, Go) {
			t.Errorf("%q (-want +got):\n%s", file, diff)
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

// Of a language without a tool that knows its names hover is the documentation; of one that is
// not listed nothing is known.
func TestUndocumented(t *testing.T) {
	for id, want := range map[string]bool{"typescriptreact": true, "javascript": true, Go: false, "python": false, "cobol": false} {
		if got := Undocumented(id); got != want {
			t.Errorf("%s: %t", id, got)
		}
	}
}

// What is said to be built as another language, and what has a manual, is the id of a language
// that is known; tools and markers are named.
func TestToolsAreOfLanguages(t *testing.T) {
	names := Names()
	for id, as := range BuiltAs {
		known := slices.ContainsFunc(Builds, func(b Build) bool { return b.Language == as })
		if !known || !slices.Contains(names, id) || slices.ContainsFunc(Builds, func(b Build) bool { return b.Language == id }) {
			t.Errorf("%s is built as %s", id, as)
		}
	}
	for _, b := range Builds {
		if !slices.Contains(names, b.Language) || b.Marker == "" || len(b.Build) == 0 || len(b.Test) == 0 || b.Parts != (b.Language == Go) {
			t.Errorf("%+v", b)
		}
	}
	for id, m := range Manuals {
		if Undocumented(id) || !slices.Contains(names, id) || m.Names == nil || len(m.Command) == 0 {
			t.Errorf("%s: %+v", id, m)
		}
	}
}
