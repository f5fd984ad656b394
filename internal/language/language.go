// Package language holds what differs from language to language, as data: which files are of a
// language, how it marks comments, blocks, imports and tests, and what builds, tests and documents
// it. Rooms ask for a property, and know no language by its name or by its ending.
package language

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// A Language is what rooms need to know of one. The zero one is any that is not listed.
type Language struct {
	// IDs are those of LSP; the first is that of most of its files.
	IDs []string
	// Endings of its files' names.
	Endings []string

	// HashComments says that a comment begins with #; else it is // or /*.
	HashComments bool
	// Indented says that blocks are told by their indentation, and not by braces.
	Indented bool
	// Lifetimes says that an apostrophe need not begin a character.
	Lifetimes bool
	// Gap is what formatters leave between outermost declarations besides the end of the line;
	// "" is one empty line.
	Gap string
	// Imports are the statements that import names; nil if that is not known.
	Imports *lazyregexp.Regexp
	// Least is what a file must hold to be one without an error, nil if it may be empty.
	Least *lazyregexp.Regexp

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

	// Formatters are usual tools where the server does not format; %s is the file.
	Formatters string
	// Undocumented says that there is no tool for documentation by name.
	Undocumented bool
	// C says that its sources can be those of C that files of Go bring in.
	C bool
}

// The languages that rooms have a room's worth of knowledge of beside this data: who loads
// their files, or which of their files are built.
const (
	Go   = "go"
	Rust = "rust"
)

// Of returns the language of a file by its ending.
func Of(file string) Language {
	ending := filepath.Ext(file)
	for i := range languages {
		if slices.Contains(languages[i].Endings, ending) {
			return languages[i]
		}
	}
	return Language{TestFolders: true}
}

// Is reports whether a file is of a language, by its id.
func Is(file, id string) bool { return slices.Contains(Of(file).IDs, id) }

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

// Undocumented reports whether a language, by its id, has no tool for documentation by name.
func Undocumented(id string) bool {
	return slices.ContainsFunc(languages, func(l Language) bool { return l.Undocumented && slices.Contains(l.IDs, id) })
}

// Names are the ids and the endings of all languages.
func Names() (names []string) {
	for _, l := range languages {
		names = append(append(names, l.IDs...), l.Endings...)
	}
	return names
}
