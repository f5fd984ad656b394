package impact

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/symbols"
)

// TestsByName returns those of the files, slash-separated paths below the root,
// that are tests of a file by the naming rules of its language; the nearest first.
func TestsByName(file string, files []string) []string {
	var found []string
	for _, candidate := range files {
		if candidate != file && sameFamily(file, candidate) && testsStem(file, candidate) && nearFile(file, candidate) {
			found = append(found, candidate)
		}
	}
	nearness := func(test string) int {
		n := 2 * shared(file, test)
		if path.Dir(test) == path.Dir(file) {
			n++
		}
		return n
	}
	slices.SortStableFunc(found, func(a, b string) int { return nearness(b) - nearness(a) })
	return found
}

// sameFamily reports whether files of the one's language test those of the other's, as .cc files
// test headers.
func sameFamily(a, b string) bool {
	family := language.Of(a).TestFamily
	return path.Ext(a) == path.Ext(b) || family != 0 && family == language.Of(b).TestFamily
}

// testsStem reports whether a name is that of a test of a file.
func testsStem(file, candidate string) bool {
	stem, test := stemOf(file), stemOf(candidate)
	if language.Is(file, language.Go) {
		return test == stem+"_test"
	}
	for _, suffix := range []string{"_test", "-test", ".test", ".spec", "_spec", "-spec", "_unittest", "_tests", "Test", "Tests", "IT"} {
		if test == stem+suffix {
			return true
		}
	}
	for _, prefix := range []string{"test_", "test-", "Test"} {
		if test == prefix+stem {
			return true
		}
	}
	return test == stem && len(stripped(candidate)) < len(folders(candidate)) && symbols.IsTest(candidate)
}

func stemOf(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

func folders(file string) []string {
	dir := path.Dir(file)
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// stripped returns the folders of a file without those that only tell code from tests.
func stripped(file string) []string {
	return slices.DeleteFunc(folders(file), func(name string) bool { return slices.Contains(language.LayerFolders, name) })
}

// nearFile reports whether a test stands where those of a file do: in its folder,
// in a tree of tests with the same folders, or in a folder of tests for all that
// is below.
func nearFile(file, test string) bool {
	if path.Dir(file) == path.Dir(test) {
		return true
	}
	of, by := stripped(file), stripped(test)
	if slices.Equal(of, by) {
		return true
	}
	inTests := len(by) < len(folders(test))
	return inTests && len(by) < len(of) && (slices.Equal(of[:len(by)], by) || slices.Equal(of[len(of)-len(by):], by))
}

// shared counts the folders that two files begin with.
func shared(a, b string) (n int) {
	x, y := folders(a), folders(b)
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

// HasInlineTests reports whether a file holds its own tests.
func HasInlineTests(file string, text []byte) bool {
	mark := language.Of(file).TestMark
	return mark != "" && bytes.Contains(text, []byte(mark))
}

// A TestFile is a file with tests that use a subject, also by way of what supports tests.
type TestFile struct {
	// Path is absolute; Functions are the tests in it, as far as they are known.
	Path      string
	Functions []string
}

// Tests returns the files with tests that use a subject of the report.
func (r *Report) Tests(relative func(string) string) []TestFile {
	index := make(map[string]int)
	var found []TestFile
	for i := range r.Effects {
		for _, u := range r.Effects[i].Tested {
			at, known := index[u.Place.Path]
			if !known {
				at = len(found)
				index[u.Place.Path] = at
				found = append(found, TestFile{Path: u.Place.Path})
			}
			if name, ok := testName(u.Place.Path, u.Name); ok && !slices.Contains(found[at].Functions, name) {
				found[at].Functions = append(found[at].Functions, name)
			}
		}
	}
	slices.SortFunc(found, func(a, b TestFile) int { return strings.Compare(relative(a.Path), relative(b.Path)) })
	return found
}
