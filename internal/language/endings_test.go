package language

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a header declares may be defined in a file with one of the endings of C and C++ that no header
// has; other files have no such counterpart.
func TestFilesThatDefineWhatAHeaderDeclares(t *testing.T) {
	want := []string{".cc", ".cpp", ".cxx", ".c"}
	for file, want := range map[string][]string{"a.h": want, "a.hpp": want, "a.cpp": nil, "a.go": nil, "a": nil} {
		if diff := cmp.Diff(want, SourceEndings(file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

// A file with an ending of a language is of that language.
func TestEndingsLeadToTheirLanguage(t *testing.T) {
	for i := range languages {
		for _, ending := range Endings(languages[i].ID) {
			if !Is("file"+ending, languages[i].ID) {
				t.Errorf("file%s is no file of %s", ending, languages[i].ID)
			}
		}
	}
}

// The words of a language are no names in it, and may be names in another; where none are listed,
// every word may be one.
func TestWordsAreNoNames(t *testing.T) {
	type holds struct{ Keyword, Foreign, Name, Nothing bool }
	for file, words := range map[string]struct{ keyword, foreign string }{
		"a.go": {"fallthrough", "class"}, "a.rs": {"impl", "class"}, "a.py": {"lambda", "func"}, "a.ts": {"interface", "def"},
		"a.cpp": {"constexpr", "def"}, "a.java": {"synchronized", "def"},
	} {
		set := Of(file).Keywords
		got := holds{set.Has(words.keyword), set.Has(words.foreign), set.Has("someName"), set.Has("")}
		if diff := cmp.Diff(holds{Keyword: true}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	if (*Words)(nil).Has("class") {
		t.Error("no set has a word")
	}
}
