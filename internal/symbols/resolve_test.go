package symbols

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lspine/lspine/internal/protocol"
)

const loaderText = `package a

// Load loads a Config.
type Config struct{ name string }

func (c *Config) Load(path string) error { return load(path, path) }

func load(path, other string) error {
	*target = other
	return nil
}
	tabbed := 1; é́cole := "😀😀" + wide

func Reload() {}
func Load() {}
`

// resolved is a project with a Go file that has a server, and texts without one.
func resolved() *fake {
	f := newFake("src/a.go", loaderText, "src/crlf.go", "func One() {\r\n\tcall()\r\n}\r\n", "src/with blank.go", "var blank = 1\n",
		"src/a_test.go", "func Load() {}\n", "lib.py", "#Load is here\nLoad = 1\n",
		"src/gap.go", "alpha          beta\ngamma\n  delta\n", "src/linked.go", "// See [Config].\nfunc Linked() {}\n",
		"src/uses.go", "package b\n// a.Load and Sum\nfunc Use() {\n\tx(\"a.Load quoted\")\n\ta.Load()\n\tlib.deep()\n\tx.Sum()\n}\n")
	f.outlines[here("/r/src/uses.go")] = []protocol.Symbol{sym(functionKind, "Use", 2, 7)}
	f.outlines[here("/r/src/with blank.go")] = []protocol.Symbol{sym(functionKind, "blank", 0, 0)}
	f.outlines[here("/r/src/linked.go")] = []protocol.Symbol{sym(functionKind, "Linked", 1, 1)}
	f.outlines[here("/r/src/gap.go")] = []protocol.Symbol{sym(classKind, "gamma", 1, 2, sym(methodKind, "delta", 2, 2))}
	f.outlines[here("/r/src/a.go")] = []protocol.Symbol{
		sym(classKind, "Config", 3, 3), sym(methodKind, "(*Config).Load", 5, 5), sym(functionKind, "load", 7, 10),
		sym(functionKind, "Reload", 13, 13), sym(functionKind, "Load", 14, 14),
	}
	f.outlines[here("/r/src/a_test.go")] = []protocol.Symbol{sym(functionKind, "Load", 0, 0)}
	f.search = func(query string) ([]protocol.Symbol, error) {
		var found []protocol.Symbol
		for _, path := range []string{here("/r/src/a_test.go"), here("/r/src/a.go")} {
			for _, s := range f.outlines[path] {
				if strings.Contains(fold(s.Name), fold(query)) {
					s.URI = protocol.URIFromPath(path)
					found = append(found, s)
				}
			}
		}
		return found, nil
	}
	return f
}

// shown is a target, 1-based, and what was noted on the way to it; or the error.
func shown(t *testing.T, f *fake, s Selector) string {
	t.Helper()
	q := New(f)
	target, err := q.Resolve(t.Context(), s)
	if err != nil {
		return "error: " + err.Error()
	}
	text := fmt.Sprintf("%s:%d:%d %s", f.Relative(target.Path), target.At.Line+1, target.At.Character+1, target.Name)
	if notes := q.Notes(); len(notes) > 0 {
		text += "; " + strings.Join(notes, "; ")
	}
	return text
}

// Each of the five forms finds its symbol; what was moved or chosen on the way is
// noted, and what cannot be meant is refused with the reason.
func TestResolve(t *testing.T) {
	const file = "src/a.go"
	for _, c := range []struct {
		s    Selector
		want string
	}{
		// Positions.
		{Selector{At: "src/a.go:8:6"}, "src/a.go:8:6 load"},
		{Selector{File: file, Line: 8, Column: 8}, "src/a.go:8:8 load"},
		{Selector{At: "src/a.go#L8:6"}, "src/a.go:8:6 load"},
		{Selector{At: "src/with blank.go:1:5"}, "src/with blank.go:1:5 blank"},
		{Selector{At: "src/a.go:8:10"}, "src/a.go:8:6 load; column 10 is beside load; took src/a.go:8:6"},
		{Selector{At: "src/a.go:4:20"}, "src/a.go:4:21 name; column 20 is beside name; took src/a.go:4:21"},
		{Selector{At: "src/a.go:8:1"}, "src/a.go:8:6 load; took load, which line 8 declares"}, // at func
		{Selector{At: "src/a.go:9:999"}, "src/a.go:9:12 other; column 999 is past the end of line 9, which has 16 columns; column 999 is beside other; took src/a.go:9:12"},
		{Selector{File: file, Line: 9, Column: 1<<32 + 3}, "src/a.go:9:12 other; column 4294967299 is past the end of line 9, which has 16 columns; column 4294967299 is beside other; took src/a.go:9:12"},
		{Selector{At: "src/a.go:12:2"}, "src/a.go:12:2 tabbed"},
		{Selector{At: "src/a.go:12:16"}, "src/a.go:12:16 é́cole"},
		{Selector{At: "src/a.go:12:17"}, "src/a.go:12:17 é́cole"},
		{Selector{At: "src/a.go:12:33"}, "src/a.go:12:34 wide; column 33 is beside wide; took src/a.go:12:34"},
		{Selector{At: "src/crlf.go:2:2"}, "src/crlf.go:2:2 call"},
		{Selector{At: "src/crlf.go:2:9"}, "src/crlf.go:2:2 call; column 9 is past the end of line 2, which has 7 columns; column 9 is beside call; took src/crlf.go:2:2"},
		{Selector{At: "src/a.go:8"}, "src/a.go:8:6 load; took load, which line 8 declares"},
		{Selector{At: "src/crlf.go:2"}, "src/crlf.go:2:2 call; took call, the only name in line 2"},
		{Selector{At: "src/a.go:0:5"}, "error: line: 0: lines start at 1"},
		{Selector{At: "src/a.go:99999999999999999999:5"}, "error: line: 99999999999999999999 is too large"},
		{Selector{At: "src/a.go:5:99999999999999999999"}, "error: column: 99999999999999999999 is too large"},
		{Selector{At: "src/a.go:0"}, "error: line: 0: lines start at 1"},
		{Selector{At: "src/a.go:3:0"}, "error: column: 0: columns start at 1"},
		{Selector{At: "src/a.go:-4"}, "error: line: -4: lines start at 1"},
		{Selector{File: file, Line: -4}, "error: line: -4: lines start at 1"},
		{Selector{File: file, Line: 4, Column: -1}, "error: column: -1: columns start at 1"},
		{Selector{At: "src/a.go:99999999999999999999"}, "error: line: 99999999999999999999 is too large"},
		{Selector{At: "src/a.go:17:1"}, "error: line: 17 is past the end of src/a.go, which has 16 lines"},
		{Selector{At: "src/a.go:2:1"}, "error: no symbol src/a.go:2:1 in that line"},
		{Selector{At: "src/a.go:9:1"}, "src/a.go:9:3 target; column 1 is beside target; took src/a.go:9:3"},
		// A line off by one.
		{Selector{At: "src/a.go:3:4"}, "src/a.go:4:6 Config; line 3 is a comment; took Config, which line 4 declares"},
		{Selector{At: "src/a.go:5:1"}, "src/a.go:6:18 Load; line 5 has no name; took Load, which line 6 declares"},
		{Selector{At: "src/a.go:7"}, "src/a.go:8:6 load; line 7 has no name; took load, which line 8 declares"},
		{Selector{At: "src/linked.go:1:9"}, "src/linked.go:1:9 Config"},

		{Selector{At: "src/gap.go:1:3"}, "src/gap.go:1:3 alpha"},
		{Selector{At: "src/gap.go:1:13"}, "src/gap.go:1:16 beta; column 13 is beside beta; took src/gap.go:1:16"},
		{Selector{At: "src/gap.go:1:12"}, "error: src/gap.go:1:12 means 2 symbols"}, // four columns are too far

		// A file where a whole place may be named, and the rest beside it.
		{Selector{At: "src/a.go", Line: 8, Column: 6}, "src/a.go:8:6 load"},
		{Selector{At: "src/a.go", Symbol: "Reload"}, "src/a.go:14:6 Reload"},
		{Selector{At: "src/a.go", Pattern: "func @@Reload("}, "src/a.go:14:6 Reload"},
		{Selector{At: "src/a.go", Column: 6}, "error: line: a column needs its line"},

		// A line and a name.
		{Selector{At: "src/a.go:8 load"}, "src/a.go:8:6 load"},
		{Selector{At: "src/a.go:8: load"}, "src/a.go:8:6 load"},
		{Selector{File: file, Line: 6, Symbol: "Config.Load"}, "src/a.go:6:18 Load"},
		{Selector{File: file, Line: 7, Symbol: "other"}, "src/a.go:8:17 other; line 7 has no other; took src/a.go:8:17"},
		{Selector{File: file, Line: 6, Symbol: "path"}, "src/a.go:6:23 path; line 6 has several path; took src/a.go:6:23"},
		{Selector{File: file, Line: 6, Column: 62, Symbol: "path"}, "src/a.go:6:62 path"},
		{Selector{File: file, Line: 3, Symbol: "Config"}, "src/a.go:4:6 Config; line 3 is a comment; took Config, src/a.go:4:6"},
		{Selector{File: file, Line: 3, Symbol: "loads"}, "src/a.go:3:9 loads"},   // only the comment has it
		{Selector{File: file, Line: 9, Symbol: "target"}, "src/a.go:9:3 target"}, // a pointer is no comment
		{Selector{File: file, Line: 9, Symbol: "other"}, "src/a.go:9:12 other"},  // though line 8 has it too
		{Selector{File: "lib.py", Line: 1, Symbol: "Load"}, "lib.py:2:1 Load; line 1 is a comment; took Load, lib.py:2:1"},
		{Selector{File: file, Line: 1, Symbol: "Reload"}, "error: no symbol src/a.go:1 Reload in lines 1 to 4"},

		{Selector{File: file, Line: 11, Symbol: "Reload"}, "src/a.go:14:6 Reload; line 11 has no Reload; took src/a.go:14:6"},
		{Selector{File: file, Line: 10, Symbol: "Reload"}, "error: no symbol src/a.go:10 Reload in lines 7 to 13"},

		// A name path in a file.
		{Selector{At: "src/gap.go delta"}, "src/gap.go:3:3 delta"},
		{Selector{At: "src/a.go Config.Load"}, "src/a.go:6:18 Load"},
		{Selector{At: "src/a.go:Reload"}, "src/a.go:14:6 Reload"},
		{Selector{At: "src/a.go::Config::Load"}, "src/a.go:6:18 Load"},
		{Selector{File: file, Symbol: "/Load"}, "src/a.go:15:6 Load"},
		{Selector{At: "src/a.go func (c *Config) Load(path string) error {"}, "src/a.go:6:18 Load"},
		{Selector{At: "src/a.go: func Reload()"}, "src/a.go:14:6 Reload"},
		{Selector{File: file, Symbol: "func (c *Config) Load()"}, "src/a.go:6:18 Load"},
		{Selector{At: "src/with blank.go var blank"}, "src/with blank.go:1:5 blank"},
		{Selector{File: file, Symbol: "Load[0]"}, "src/a.go:15:6 Load"},
		{Selector{File: file, Symbol: "Load[7]"}, "error: symbol: Load[7]: there are 1 of that name, counted from 0"},
		{Selector{File: file, Symbol: "reLO"}, "src/a.go:14:6 Reload; nothing is named reLO exactly; took Reload"},
		{Selector{File: file, Symbol: "Lo"}, "error: Lo means 3 symbols"},
		{Selector{File: file, Symbol: "Reloda"}, "error: no symbol Reloda in src/a.go"},

		// What a file only uses.
		{Selector{At: "src/uses.go a.Load"}, "src/uses.go:5:4 Load; src/uses.go does not declare a.Load; took its use in line 5"},
		{Selector{At: "src/uses.go lib::deep"}, "src/uses.go:6:6 deep; src/uses.go does not declare lib.deep; took its use in line 6"},
		{Selector{At: "src/uses.go Sum"}, "src/uses.go:7:4 Sum; src/uses.go does not declare Sum; took its use in line 7"},
		{Selector{At: "src/uses.go b.Load"}, "error: no symbol b.Load in src/uses.go"},
		{Selector{At: "src/uses.go quoted"}, "error: no symbol quoted in src/uses.go"},
		{Selector{File: file, Symbol: "."}, `error: symbol: "." names nothing`},

		// A name path in the workspace.
		{Selector{At: "Config.Load"}, "src/a.go:6:18 Load"},
		{Selector{Symbol: "src/Reload"}, "src/a.go:14:6 Reload"},
		{Selector{At: "func (c *Config) Load()"}, "src/a.go:6:18 Load"},
		{Selector{At: "(*Config) Load"}, "src/a.go:6:18 Load"},
		{Selector{Symbol: "Load"}, "error: Load means 2 symbols"},
		{Selector{Symbol: "Reload[0]"}, "error: symbol: an overload index needs the file"},
		{Selector{Symbol: "Nothing"}, "error: no symbol Nothing in the workspace"},

		// A pattern.
		{Selector{File: file, Pattern: "func @@Reload("}, "src/a.go:14:6 Reload"},
		{Selector{File: file, Pattern: "func Re@@load("}, "src/a.go:14:6 Reload"},
		{Selector{File: file, Pattern: "return nil\n}\n\t@@tabbed"}, "src/a.go:12:2 tabbed"},
		{Selector{File: file, Pattern: "(@@path"}, "error: src/a.go \"(@@path\" means 3 symbols"},
		{Selector{File: file, Pattern: "(@@path", ScopeStart: 7, ScopeEnd: 8}, "src/a.go:8:11 path"},
		{Selector{File: file, Pattern: "(@@path", ScopeStart: 9}, "error: no symbol \"(@@path\" in src/a.go, lines 9 to 0"},
		{Selector{File: file, Pattern: "func @@Missing("}, "error: no symbol \"func @@Missing(\" in src/a.go"},
		{Selector{File: file, Pattern: "func Reload("}, "error: pattern: it needs one @@, at the cursor"},
		{Selector{File: file, Pattern: "@@func @@Reload("}, "error: pattern: it needs one @@, at the cursor"},
		{Selector{File: file, Pattern: "@@"}, "error: pattern: there is nothing beside the @@"},
		{Selector{File: file, Pattern: "func Reload() @@{"}, "error: pattern: no name stands at the @@"},
		{Selector{File: "src/crlf.go", Pattern: "One() {\n\t@@call"}, "src/crlf.go:2:2 call"},
		{Selector{File: "src/crlf.go", Pattern: "One() {\r\n\t@@call"}, "src/crlf.go:2:2 call"},

		// What cannot be meant.
		{Selector{}, "error: at: no symbol is named"},
		{Selector{At: "src/a.go"}, "error: at: src/a.go is a file; which symbol in it?"},
		{Selector{At: "src/a.go:3", Line: 3}, "error: at: it says it all; file, line, column, symbol and pattern go without it"},
		{Selector{Line: 3}, "error: at: no symbol is named"},
		{Selector{Line: 3, Symbol: "Load"}, "error: file: a line, a column or a pattern needs the file it is in"},
		{Selector{File: file, Column: 3, Symbol: "x"}, "error: line: a column needs its line"},
		{Selector{File: file, Pattern: "@@x", Line: 3}, "error: pattern: it says the place; line, column and symbol go without it"},
		{Selector{File: file, Pattern: "@@x", ScopeStart: 4, ScopeEnd: 3}, "error: line_scope_end: 4 to 3 is no range of lines"},
		{Selector{At: "src/none.go:3"}, "error: " + here("/r/src/none.go") + ": no such file"},
	} {
		if got := shown(t, resolved(), c.s); got != c.want {
			t.Errorf("%+v:\n got %s\nwant %s", c.s, got, c.want)
		}
	}
}

// An ambiguous selector is answered with candidates, the project's own before
// its tests, types before functions; each names itself alone.
func TestCandidatesNameThemselves(t *testing.T) {
	for _, c := range []struct {
		s    Selector
		want string
	}{
		{Selector{File: "src/a.go", Symbol: "Lo"}, "Config.Load load Load"},
		{Selector{Symbol: "Load"}, "Load Load"},
		{Selector{At: "src/a.go:9"}, "target other"},
	} {
		_, err := New(resolved()).Resolve(t.Context(), c.s)
		var several *AmbiguousError
		if !errors.As(err, &several) || !Outside(err) {
			t.Fatalf("%v: %v", c.s, err)
		}
		var names []string
		for _, candidate := range several.Candidates {
			names = append(names, candidate.Name)
			target, err := New(resolved()).Resolve(t.Context(), Selector{At: candidate.At()})
			own := candidate.Name[strings.LastIndexByte(candidate.Name, '.')+1:]
			if err != nil || target.Name != own || int(target.At.Line)+1 != candidate.Line || int(target.At.Character)+1 != candidate.Column {
				t.Errorf("%v: %s means %+v, %v", c.s, candidate.At(), target, err)
			}
			if !strings.Contains(several.Hint(), candidate.At()) {
				t.Errorf("%v: the hint lacks %s: %s", c.s, candidate.At(), several.Hint())
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v: got %s, want %s", c.s, got, c.want)
		}
	}
	_, err := New(resolved()).Resolve(t.Context(), Selector{Symbol: "Load"})
	if hint := err.(*AmbiguousError).Hint(); hint != "name one of them:\n  src/a.go:15:6 Load (function)\n  src/a_test.go:1:6 Load (function)" {
		t.Errorf("tests are not after the rest:\n%s", hint)
	}
}

// Candidates are ranked: the project's own before its tests before others', types
// before functions before variables, the shallow before the deep.
func TestCandidatesAreRanked(t *testing.T) {
	var candidates []Candidate
	for _, c := range strings.Fields("/lib/a.go:function vendor/a.go:struct a_test.go:struct b/c/d.go:function z.go:function c.go:variable y/a.go:struct") {
		path, kind, _ := strings.Cut(c, ":")
		candidates = append(candidates, Candidate{Path: path, Kind: kind})
	}
	var got []string
	for _, c := range ambiguous("x", candidates).Candidates {
		got = append(got, c.Path)
	}
	if text := strings.Join(got, " "); text != "y/a.go z.go b/c/d.go c.go a_test.go vendor/a.go /lib/a.go" {
		t.Error(text)
	}
}

// Of many candidates ten are listed, and the rest is counted.
func TestManyCandidates(t *testing.T) {
	f := newFake("a.go", strings.Repeat("x y\n", 25))
	_, err := New(f).Resolve(t.Context(), Selector{File: "a.go", Pattern: "@@x y"})
	var several *AmbiguousError
	if !errors.As(err, &several) || len(several.Candidates) != 10 || several.Total != 25 || !strings.HasSuffix(several.Hint(), "… and 15 more") {
		t.Errorf("%v", err)
	}
}

// What is not found is answered with what is most like it, best first, or with
// another way to look.
//
// Requirement: AGENT-9.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		s    Selector
		want string
	}{
		{Selector{File: "src/a.go", Symbol: "Reloda"}, "nearest:\n  src/a.go:14:6 Reload (function)"},
		{Selector{File: "src/a.go", Symbol: "Unlike"}, "symbols with this file lists what it declares"},
		{Selector{File: "src/a.go", Line: 4, Symbol: "Confg"}, "nearest:\n  src/a.go:4:6 Config\n  src/a.go:3:17 Config\n  src/a.go:6:10 Config"},
		{Selector{File: "src/a.go", Line: 15, Symbol: "Unlike"}, "name it by its path: src/a.go Unlike"},
		{Selector{File: "src/a.go", Pattern: "func @@Reload  ()"}, "nearest:\n  src/a.go:14:1 func Reload() {}"},
		{Selector{File: "src/a.go", Pattern: "@@Unlike"}, "the text without the @@ must stand in the file exactly, blanks included"},
		{Selector{Symbol: "Nothing"}, "symbols with another query may find it; as text: grep -rnw \"Nothing\" ."},
	} {
		_, err := New(resolved()).Resolve(t.Context(), c.s)
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.Hint() != c.want {
			t.Errorf("%v: %v\n got %q\nwant %q", c.s, err, missing.Hint(), c.want)
		}
	}
}

// Whatever a text holds and wherever a selector points, resolving it gives a
// place of an identifier within the text, or one of the errors of selectors.
func TestResolveAnywhere(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "name", "func ", "é", "e\u0301", "😀", "\t", " ", "\n", "\r\n", "\r", "\ufeff", "\xff", "(", "*", "//", "#", "1", "$", "@@", "\u2028"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		f := newFake("a.go", text)
		var s Selector
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			s = Selector{File: "a.go", Line: rapid.IntRange(-1, 12).Draw(t, "line"), Column: rapid.OneOf(rapid.IntRange(-1, 30), rapid.Int()).Draw(t, "column")}
		case 1:
			s = Selector{File: "a.go", Line: rapid.IntRange(-1, 12).Draw(t, "line"), Column: rapid.IntRange(0, 9).Draw(t, "column"), Symbol: piece.Draw(t, "name")}
		case 2:
			s = Selector{File: "a.go", Pattern: piece.Draw(t, "before") + "@@" + piece.Draw(t, "after"), ScopeStart: rapid.IntRange(-1, 3).Draw(t, "from"), ScopeEnd: rapid.IntRange(-1, 5).Draw(t, "to")}
		default:
			s = Selector{At: rapid.StringMatching(`(a\.go)?[:# ]?L?-?\d{0,22}:?-?\d{0,3} ?[a-z.\[\]/@]{0,4}`).Draw(t, "at")}
		}
		q := New(f)
		target, err := q.Resolve(t.Context(), s)
		if err != nil {
			if !Outside(err) && !strings.HasSuffix(err.Error(), "no such file") && s.File != "" {
				t.Fatalf("%+v: %v", s, err)
			}
			return
		}
		m, err := q.Text(target.Path)
		if err != nil {
			t.Fatal(err)
		}
		if int(target.At.Line) >= m.Lines() || target.At.Character > m.Width(target.At.Line, protocol.UTF16) {
			t.Fatalf("%+v: %+v is outside of %q", s, target, text)
		}
		if s.Symbol == "" && s.Pattern == "" {
			line := m.Line(int(target.At.Line))
			from, to, ok := identifierAt(line, m.Offset(target.At, protocol.UTF16)-m.Offset(protocol.Position{Line: target.At.Line}, protocol.UTF16))
			if !ok || string(line[from:to]) != target.Name {
				t.Fatalf("%+v: %+v names %q", s, target, line[from:to])
			}
		}
	})
}
