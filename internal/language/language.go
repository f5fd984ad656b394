// Package language holds what differs from language to language, as data: which files are of a
// language, how it marks comments, strings, blocks, imports and tests, which files set its projects
// up, and what builds, tests and documents it. Rooms ask for a property, and know no language by its
// name or by the ending of a file. All of it is constant, and safe for concurrent use.
package language

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Language is what rooms need to know of one. The zero one is any that is not listed.
type Language struct {
	// ID is that of LSP, "" for files that are no document of their own.
	ID ID
	// Endings of its files' names, with their dots.
	Endings []string
	// Headers are those of Endings whose files are there to be brought in by others; nil if the
	// language does not tell them apart.
	Headers []string
	// Family are the languages whose files bring in each other, TestFamily those whose files test
	// each other; 0 if nothing is known beyond the file's own ending.
	Family, TestFamily Family

	// Lexis tells code from comments and strings; nil if that is not known.
	Lexis *Lexis
	// Keywords are words that are never names; nil if they are not known.
	Keywords *Words
	// Contextual are words that are names, unless they stand before the name of a declaration; nil if there are none.
	Contextual *Words
	// Reserved are words that no declaration can have as its name; nil if they are not known, or servers refuse them. FreeMembers says that
	// members can.
	Reserved    *Words
	FreeMembers bool
	// HashComments says that a comment begins with #; else it is // or /*.
	HashComments bool
	// Indented says that blocks are told by their indentation, and not by braces.
	Indented bool
	// Lifetimes says that an apostrophe need not begin a character.
	Lifetimes bool
	// Result is where the type of a function's result is written.
	Result ResultType
	// Gap is what formatters leave between outermost declarations besides the end of the line;
	// "" is one empty line.
	Gap string
	// Imports are the statements that import names; nil if that is not known.
	Imports *Statement
	// Aliases are the statements in which a name that is brought in, or given to others, gets another one by the word as.
	Aliases []*Statement
	// Parts is how a file names another one that is compiled as a part of it, by its name without the ending, or that of its folder,
	// in the first group; nil if files are no parts of others.
	Parts *lazyregexp.Regexp
	// Least is what a file must hold to be one without an error, with what comes before that and may decide where it is a
	// part, such as Go's build constraints; nil if it may be empty.
	Least *lazyregexp.Regexp
	// Compiled says that scripts are made of its files: they were written by somebody.
	Compiled bool

	// Clause is how a file names its package, where that may stand before its symbols instead of
	// its own name; nil where its own name does.
	Clause *lazyregexp.Regexp
	// FolderNames are names of files, without their ending, that stand for their folder.
	FolderNames []string

	// TestPrefixes, TestSuffixes and TestNames tell tests by the name of the file without its
	// ending, beside what holds for all languages.
	TestPrefixes, TestSuffixes, TestNames []string
	// TestFolders says that what stands in a folder of tests is one.
	TestFolders bool
	// TestFunctions are what the names of tests in a file begin with; nil if any function can be
	// one.
	TestFunctions []string
	// Tests is what only a file with tests has; nil if that is not known.
	Tests *lazyregexp.Regexp
	// Fixtures marks the declarations that tests name without bringing them in; nil if none do.
	Fixtures *lazyregexp.Regexp
	// TestMark is how a file says that it holds its own tests, in one of the modules TestModules;
	// "" if none does.
	TestMark    string
	TestModules []string

	// Formatters are usual tools where the server does not format; %s is the file.
	Formatters string
	// Undocumented says that there is no tool for documentation by name.
	Undocumented bool
	// C says that it is C or C++: its sources can be those that files of Go bring in.
	C bool
}

// Of returns the language of a file by its ending.
func Of(file string) Language {
	if l := byEnding()[filepath.Ext(file)]; l != nil {
		return *l
	}
	return Language{TestFolders: true}
}

// byEnding has the languages by the endings of their files.
var byEnding = sync.OnceValue(func() map[string]*Language {
	all := make(map[string]*Language)
	for i := range languages {
		for _, ending := range languages[i].Endings {
			all[ending] = &languages[i]
		}
	}
	return all
})

// Is reports whether a file is of a language, by its id.
func Is(file string, id ID) bool { return Of(file).ID == id }

// Endings are those of the files of a language, with their dots; nil if it is not listed.
func Endings(id ID) []string {
	for i := range languages {
		if languages[i].ID == id {
			return languages[i].Endings
		}
	}
	return nil
}

// IsFragment reports whether a file is one that only others make sense of, by including it, so that no server judges it by
// itself: a list of macros, say.
func IsFragment(file string) bool {
	l := Of(file)
	return l.ID == "" && l.Family != 0
}

// IsHeader reports whether a file is there to be brought in by others, by its ending.
func IsHeader(file string) bool { return slices.Contains(Of(file).Headers, filepath.Ext(file)) }

// SourceEndings are the endings of the files that may define what a header declares; nil if a file is
// no header.
func SourceEndings(header string) (endings []string) {
	if !IsHeader(header) {
		return nil
	}
	for _, ending := range slices.Concat(Endings(CPP), Endings(C)) {
		if !IsHeader(ending) {
			endings = append(endings, ending)
		}
	}
	return endings
}

// IsTest reports whether a slash-separated path is that of a test by the naming rules of its
// language, or stands in a folder of tests.
func IsTest(file string) bool {
	base := path.Base(file)
	l := Of(base)
	stem := strings.TrimSuffix(base, path.Ext(base))
	has := func(list []string, is func(s, part string) bool) bool {
		return slices.ContainsFunc(list, func(part string) bool { return is(stem, part) })
	}
	switch {
	case has([]string{"_test", ".test", ".spec", "-test", "_spec", "_unittest"}, strings.HasSuffix),
		has(l.TestPrefixes, strings.HasPrefix), has(l.TestSuffixes, strings.HasSuffix), slices.Contains(l.TestNames, stem):
		return true
	case !l.TestFolders:
		return false
	}
	folders := strings.Split(path.Dir(file), "/")
	return slices.ContainsFunc(folders, func(folder string) bool {
		return slices.Contains([]string{"test", "tests", "__tests__", "spec", "testing"}, folder)
	})
}

// HoldsTests reports whether a text in the language of a file has tests. One of a language of which
// that is not known has.
func HoldsTests(file string, text []byte) bool {
	tests := Of(file).Tests
	return tests == nil || tests.Match(text)
}

// LayerFolders are the names of folders that tell code from tests, and say nothing of what is in
// them.
var LayerFolders = []string{"src", "lib", "main", "test", "tests", "__tests__", "spec", "specs", "testing", "unit", "java", "kotlin", "include"}

// Undocumented reports whether a language has no tool for documentation by name.
func Undocumented(id ID) bool {
	return slices.ContainsFunc(languages, func(l Language) bool { return l.Undocumented && l.ID == id })
}

// Names are what languages are known by: their ids, the endings of their files, and the names of
// the files that set their projects up.
func Names() (names []string) {
	names = slices.Clone(projectFiles)
	for _, l := range languages {
		if l.ID != "" {
			names = append(names, string(l.ID))
		}
		names = append(names, l.Endings...)
	}
	return names
}
