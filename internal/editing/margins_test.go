package editing

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// Code that is put into a body begins as far in as the body does; how its lines stand to each other stays, and empty
// lines around it go.
func TestCodeIsFittedIn(t *testing.T) {
	for code, want := range map[string]string{
		"":                            "",
		"\n \n":                       "",
		"a":                           "\ta",
		"\n\n  a\n    b\n\n":          "\ta\n\t  b",
		"    a\n  b":                  "\t  a\n\tb",
		"a\n  b":                      "\ta\n\t  b",
		"\t\ta\n\t  b":                "\t\ta\n\t  b",
		"  a\n\n   \n  b":             "\ta\n\n\n\tb",
		"a\r\nb\r\n":                  "\ta\n\tb",
		"  if a {\n    b\n  }\n  c\n": "\tif a {\n\t  b\n\t}\n\tc",
	} {
		if diff := cmp.Diff(want, fitted(code, "\t")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", code, diff)
		}
	}
}

// Braces that somebody put around a body are taken off, where they are one pair around all of it, and where braces
// are not part of it.
func TestBracesAroundABody(t *testing.T) {
	for _, c := range []struct {
		code   string
		python bool
		want   string
	}{
		{"{ a }", false, " a "},
		{" {\n\ta {}\n}\n", false, "\n\ta {}\n"},
		{"{}", false, ""},
		{"{a} {b}", false, "{a} {b}"},
		{"{a}; b", false, "{a}; b"},
		{"a {}", false, "a {}"},
		{"{ a }", true, "{ a }"},
		{"a", false, "a"},
	} {
		if diff := cmp.Diff(c.want, unbraced(c.code, c.python)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.code, diff)
		}
	}
}

// One step of indentation is a tab where a line begins with one, else the least of the lines', but for those of
// comments; without any it is four blanks.
func TestStepOfIndentation(t *testing.T) {
	for text, want := range map[string]string{
		"a {\n\tb\n}\n": "\t", "a\n    b\n  c\n": "  ", "a\n  b\n    c\n": "  ", "/**\n * b\n */\na {\n    b\n}\n": "    ",
		"a\n   * b\n      c\n": "      ", "a\n  \n    b\n": "    ", "a\n b\n": "    ", "a\n": "    ", "": "    ",
	} {
		if got := indentUnit(protocol.NewMapper(protocol.Text([]byte(text)))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
