package symbols

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/language"
)

// The name at a place is the one around it or that ends there; a number is none, and what is outside of a line is at
// its ends.
func TestIdentifierAtAPlace(t *testing.T) {
	const line = "a.größe 12x x1"
	for offset, want := range map[int]string{
		-5: `"a" true`, 0: `"a" true`, 1: `"a" true`, 2: `"größe" true`, 6: `"größe" true`, 9: `"größe" true`,
		10: `"12x" false`, 11: `"12x" false`, 13: `"12x" false`, 14: `"x1" true`, 16: `"x1" true`, 99: `"x1" true`,
	} {
		from, to, ok := identifierAt([]byte(line), offset)
		if got := fmt.Sprintf("%q %t", line[from:to], ok); got != want {
			t.Errorf("at %d: %s, want %s", offset, got, want)
		}
	}
	if from, to, ok := identifierAt([]byte(" + "), 1); ok || from != 1 || to != 1 {
		t.Errorf("between signs: %d to %d, %t", from, to, ok)
	}
	if from, to, ok := identifierAt(nil, 0); ok || from != 0 || to != 0 {
		t.Errorf("in nothing: %d to %d, %t", from, to, ok)
	}
}

// The names of a line are found from left to right, without numbers and signs.
func TestIdentifiersOfALine(t *testing.T) {
	for line, want := range map[string][]identifier{
		"":               nil,
		" + 12 -":        nil,
		"a":              {{0, 1, "a"}},
		"é=b1+2c;$d_":    {{0, 2, "é"}, {3, 5, "b1"}, {9, 12, "$d_"}},
		"x.e\u0301t\xff": {{0, 1, "x"}, {2, 6, "e\u0301t"}},
	} {
		if diff := cmp.Diff(want, identifiersOf([]byte(line)), cmp.AllowUnexported(identifier{})); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}

// A name is found where it stands by itself: not as a part of a longer one, while a name of signs may stand beside
// anything that is none.
func TestNamesInALine(t *testing.T) {
	for _, c := range []struct {
		line, name string
		from, want int
	}{
		{"load", "load", 0, 0},
		{"a load", "load", 0, 2},
		{"reload loader load", "load", 0, 14},
		{"load load", "load", 1, 5},
		{"load", "load", 1, -1},
		{"load", "load", 4, -1},
		{"load", "load", 5, -1},
		{"load", "", 0, -1},
		{"éload load", "load", 0, 7},
		{"load1 load", "load", 0, 6},
		{"(load)", "load", 0, 1},
		{"bool operator<(A a)", "operator<", 0, 5},
		{"xoperator<y operator<y", "operator<", 0, 12},
		{"x<y", "<", 0, 1},
		{"a() b", "a()", 0, 0},
		{"ba() a()b", "a()", 0, 5},
		{"lolo", "lo", 0, -1},
	} {
		if got := findIdentifier([]byte(c.line), c.name, c.from); got != c.want {
			t.Errorf("%q in %q from %d on: %d, want %d", c.name, c.line, c.from, got, c.want)
		}
	}
	got := fmt.Sprint(Mentions([]byte("a.load"), "load"), Mentions([]byte("reload"), "load"), Mentions([]byte("load"), "load"), Mentions(nil, "x"))
	if got != "true false true false" {
		t.Errorf("mentioned: %s", got)
	}
}

// Columns count in UTF-16 and offsets in bytes: one within a character is at its begin, one past the end at the end.
func TestColumnsAndOffsets(t *testing.T) {
	const line = "aé😀b\xffc"
	for column, want := range map[uint32]int{0: 0, 1: 1, 2: 3, 3: 3, 4: 7, 5: 8, 6: 9, 7: 10, 8: 10, 1<<32 - 1: 10} {
		if got := columnOffset([]byte(line), column); got != want {
			t.Errorf("column %d is at byte %d, want %d", column, got, want)
		}
	}
	for offset, want := range map[int]uint32{-1: 0, 0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 6: 2, 7: 4, 8: 5, 9: 6, 10: 7, 99: 7} {
		if got := offsetColumn([]byte(line), offset); got != want {
			t.Errorf("byte %d is in column %d, want %d", offset, got, want)
		}
	}
}

// One identifier is a name; more, less and a number are none.
func TestWhatIsAName(t *testing.T) {
	for text, want := range map[string]bool{
		"load": true, "_x": true, "$": true, "é1": true, "": false, "1x": false, "a b": false, "a.b": false, "a ": false, " a": false,
	} {
		if got := IsName(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The lines around one are tried from the nearest on, within three and within the file.
func TestLinesAround(t *testing.T) {
	for want, c := range map[string][2]int{
		"[5 4 6 3 7 2 8]": {5, 9}, "[1 2 3 4]": {1, 9}, "[2 1 3 4 5]": {2, 5}, "[9 8 7 6]": {9, 9}, "[8 7 9 6 5]": {8, 9}, "[1]": {1, 1},
	} {
		if got := fmt.Sprint(around(c[0], c[1])); got != want {
			t.Errorf("around %d of %d: %s, want %s", c[0], c[1], got, want)
		}
	}
}

// Of the places of a name in a line the one is taken that is nearest to a column; in doubt the first.
func TestNearestPlaceOfAName(t *testing.T) {
	const line = "é x, x, xy, x"
	for column, want := range map[int]int{0: 3, 2: 3, 3: 3, 4: 3, 5: 6, 6: 6, 7: 6, 8: 6, 9: 6, 10: 13, 12: 13, 99: 13} {
		if got := nearestTo([]byte(line), "x", 3, column); got != want {
			t.Errorf("near column %d it is at %d, want %d", column, got, want)
		}
	}
	if got := nearestTo([]byte(line), "x", 6, 0); got != 6 {
		t.Errorf("from the second on it is at %d", got)
	}
}

// A line is a comment by how it begins: a pointer, a decrement and a directive are code, but where # begins one.
func TestLinesOfComments(t *testing.T) {
	for _, c := range []struct{ file, comments, code string }{
		{"a.go", "// x\n  // x\n/* x\n * x\n*/ x\n*\n# x\n-- x", "x\n*p = 1\n--n\n#define X\nx // y\n"},
		{"a.py", "# x\n#x\n\t#", "x # y\n-x"},
	} {
		for want, lines := range []string{c.code, c.comments} {
			for line := range strings.SplitSeq(lines, "\n") {
				f := file{path: here("/r/" + c.file), text: outlined("", line).text}
				if got := f.comment(1); got != want {
					t.Errorf("%s: %q is %d, want %d", c.file, line, got, want)
				}
			}
		}
	}
}

// A word that introduces declarations in one language is a name in another, after a dot, or where nothing follows that it could introduce.
func TestKeywordsByLanguage(t *testing.T) {
	for _, c := range []struct {
		file, line, word string
		want             bool
	}{
		{"a.go", "func Each(fn func()) {}", "func", true},
		{"a.go", "func Each(fn func()) {}", "fn", false},
		{"a.rs", "fn each() {}", "fn", true},
		{"a.rs", "union Both { a: u32 }", "union", true},
		{"a.rs", "let union = 1;", "union", false},
		{"a.go", "type (", "type", true},
		{"a.py", "type = kind", "type", false},
		{"a.py", "type Kind = int", "type", true},
		{"a.py", "def each(func):", "func", false},
		{"a.ts", "type Kind = string", "type", true},
		{"a.ts", "const type = kind", "type", false},
		{"a.ts", "f(type as string)", "type", false},
		{"a.ts", "x.default()", "default", false},
		{"a.ts", "declare const x: number", "declare", true},
		{"a.unknown", "fn each", "fn", true},
		{"a.py", "from m import f as g", "as", true},
		{"a.py", "from m import f as g", "from", true},
		{"a.rs", "pub use m::f as g;", "use", true},
		{"a.rs", "from(x)", "from", false},
		{"a.ts", "import { f as g } from './m'", "as", true},
		{"a.ts", "const as = 1", "as", false},
		{"a.go", "func as(from int) {}", "as", false},
		{"a.unknown", "let from = 1", "from", false},
	} {
		i := strings.Index(c.line, c.word)
		if got := isKeyword(language.Of(c.file), []byte(c.line), identifier{i, i + len(c.word), c.word}); got != c.want {
			t.Errorf("%s, %q in %q: %t", c.file, c.word, c.line, got)
		}
	}
}
