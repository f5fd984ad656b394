package symbols

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// lettered is a server that finds what has the letters of a query in their order; it keeps what was searched.
type lettered struct {
	*fake
	found    []protocol.Symbol
	searched []string // the names that files were looked for with
}

func (l *lettered) Searchable(_ context.Context, _, name string) ([]Server, []error) {
	l.searched = append(l.searched, name)
	return []Server{l}, nil
}

func (l *lettered) WorkspaceSymbols(_ context.Context, query string) (found []protocol.Symbol, err error) {
	for _, s := range l.found {
		rest := query
		for _, r := range s.Name {
			rest = strings.TrimPrefix(rest, string(r))
		}
		if rest == "" {
			found = append(found, s)
		}
	}
	return found, nil
}

// A name whose letters changed places is found without one of them, and is told as what may be meant, if the server
// said where it is; what is found but unlike it is not.
func TestMisspelledNames(t *testing.T) {
	f := &lettered{fake: newFake(), found: listed(t, "Reload@/r/a.go", "Rxlxoxaxd@/r/b.go", "Reload@/r/c.go")}
	f.found[2].NoRange = true
	for name, want := range map[string]string{
		"Reolad": "nearest:\n  a.go:1:1 Reload (function)",
		"Rx":     `symbols with another query may find it; as text: grep -rnw "Rx" .`,
		"Q":      `symbols with another query may find it; as text: grep -rnw "Q" .`,
	} {
		_, err := New(f).Resolve(t.Context(), Selector{Symbol: name})
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.Hint() != want {
			t.Errorf("%s: %v: %q, want %q", name, err, missing.Hint(), want)
		}
	}
	f.searched = nil
	if _, err := New(f).Resolve(t.Context(), Selector{Symbol: "ABCDEFGHIJKLMN"}); err == nil {
		t.Error("what nobody has is found")
	}
	if len(f.searched) != 1+maxMisspelled {
		t.Errorf("searched %d times, want once and without each of %d letters", len(f.searched), maxMisspelled)
	}
}

// A query with names before the last is searched as it is, in the files that have the last name.
func TestNameThatFilesAreSearchedFor(t *testing.T) {
	for query, want := range map[string]string{"Config.load": "load", "load": "load", "Config::operator<": "operator", "a b": "a", ".": "."} {
		f := &lettered{fake: newFake()}
		if _, _, err := New(f).Search(t.Context(), query, ""); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if diff := cmp.Diff(want, f.searched[0]); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// A path of a package before a name means what the server shows with it, though the file's own path says something else.
func TestPackagesBeforeNames(t *testing.T) {
	f := newFake("lib/x.go", "package y\n\nfunc Load() {}\n", "a.go", "package a\n\nfunc Load() {}\n")
	for file := range f.texts {
		f.outlines[file] = []protocol.Symbol{sym(functionKind, "Load", 2, 2)}
	}
	f.search = func(string) ([]protocol.Symbol, error) {
		list := listed(t, "Load@/r/a.go", "Load@/r/lib/x.go")
		for i, container := range []string{"example.com/a", "golang.org/x/mod"} {
			list[i].Container, list[i].Range, list[i].SelectionRange = container, span(2, 5, 2, 9), span(2, 5, 2, 9)
		}
		return list, nil
	}
	for selector, want := range map[string]string{"golang.org/x/mod.Load": "lib/x.go:3:6 Load", "example.com/a.Load": "a.go:3:6 Load", "golang.org/x/other.Load": "error: no symbol golang.org.x.other.Load in the workspace"} {
		if got := shown(t, f, Selector{Symbol: selector}); got != want {
			t.Errorf("%s: %s, want %s", selector, got, want)
		}
	}
}

// What a short word before a string says of it is no name; nor is what stands in a string that never ends, or in a comment
// of the language.
func TestNamesBesideStrings(t *testing.T) {
	for _, c := range []struct{ file, code, want string }{
		{"a.py", "x = rb\"e f\" + f'{g}' + abc\"h\" + i", "x abc i"},
		{"a.py", "a = '''b\nc''' + d # e\nf", "a d f"},
		{"a.py", "a = \"\"\"b c", "a"},
		{"a.py", "a // b + `c`", "a b c"},
		{"a.py", "def f() -> Box: pass", "f Box"},
		{"a.rs", "let r = r\"a\"; let br = br##\"b \"# c\"## + r#type + 'd' + '\\n' + &'static e", "r br r e"},
		{"a.rs", "r#\"never", ""},
		{"a.rs", "r# x", "r x"},
		{"a.cpp", "#define X y\n#  include <z>\na->b + c\n  ->d", "X y z a a.b c ->.d"},
		{"a.ts", "`a ${ {b: c} } d \\` ${e}`; f", "b c e f"},
		{"a.ts", "`a ${b", "b"},
		{"a.go", "(a)(b).c + [d].e + )f", "a b (a)(b).c d [d].e f"},
		{"a.go", "a..b + 1.5.c + x...y", "a b 1.5.c x y"},
		{"a.go", "// only", ""},
	} {
		text := protocol.NewMapper([]byte(c.code))
		var got []string
		for _, n := range CodeNames(c.file, text, LineRange(text, 0, text.Lines()-1)) {
			if n.Of != "" {
				n.Text = n.Of + "." + n.Text
			}
			got = append(got, n.Text)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s, %q: %s", c.file, c.code, diff)
		}
	}
}

// The bracket that a text closes at its end is found within it, or not at all.
func TestBracketBeforeAPlace(t *testing.T) {
	for text, want := range map[string]int{"(a)": 0, "f(a[0])": 1, "a[b(c)]": 1, "a)": -1, "(a))": -1, "x()()": 3} {
		if got := bracketBefore([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
