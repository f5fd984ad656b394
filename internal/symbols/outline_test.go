package symbols

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lspine/lspine/internal/protocol"
)

// drawn is a tree in one line: names, with what they hold in brackets.
func drawn(list []*Symbol) string {
	var parts []string
	for _, s := range list {
		text := s.Name
		if len(s.Children) > 0 {
			text += "(" + drawn(s.Children) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func outlined(path, text string, list ...protocol.Symbol) *Outline {
	return newOutline(path, protocol.NewMapper([]byte(text)), nil, list)
}

// information is an entry of a flat list: one range for all.
func information(kind int, name, container string, r protocol.Range) protocol.Symbol {
	return protocol.Symbol{Name: name, Kind: kind, Container: container, URI: protocol.URIFromPath(here("/r/a")), Range: r, SelectionRange: r}
}

// A flat list becomes a tree: by ranges where they are of the whole, by the
// containers' names where they are of the name alone; the order of the server
// does not matter.
func TestFlatListBecomesTree(t *testing.T) {
	text := "class Config:\n  def load(self):\n    x = 1\n  def save(self): pass\ndef main(): pass\n"
	o := outlined(
		here("/r/a.py"), text,
		information(functionKind, "main", "", span(4, 0, 4, 16)),
		information(methodKind, "save", "Config", span(3, 2, 3, 22)),
		information(variableKind, "x", "load", span(2, 4, 2, 9)),
		information(methodKind, "load", "Config", span(1, 2, 2, 9)),
		information(classKind, "Config", "", span(0, 0, 3, 22)),
	)
	if got := drawn(o.Symbols); got != "Config(load(x) save) main" {
		t.Errorf("by ranges: %s", got)
	}
	o = outlined(
		here("/r/a.py"), text,
		information(classKind, "Config", "", span(0, 6, 0, 12)),
		information(methodKind, "load", "Config", span(1, 6, 1, 10)),
		information(methodKind, "save", "a.Config", span(3, 6, 3, 10)),
		information(functionKind, "main", "", span(4, 4, 4, 8)),
	)
	if got := drawn(o.Symbols); got != "Config(load save) main" {
		t.Errorf("by names: %s", got)
	}
	o = outlined(here("/r/a.py"), text, information(methodKind, "load", "ns::Config", span(1, 6, 1, 10)))
	if got := strings.Join(o.All()[0].Path, "|"); got != "ns|Config|load" {
		t.Errorf("a container that is not listed is lost: %s", got)
	}
	o = outlined(here("/r/a.py"), text, sym(classKind, "Config", 0, 3, sym(methodKind, "load", 1, 2)), sym(functionKind, "main", 4, 4))
	if got := drawn(o.Symbols); got != "Config(load) main" {
		t.Errorf("a tree stays what it is: %s", got)
	}
}

// The selection of a symbol is its name and no more, wherever the server lets it
// begin: at a keyword, at an attribute above, or with the body behind it.
func TestSelectionIsTheName(t *testing.T) {
	for _, c := range []struct {
		path, text, name string
		selection        protocol.Range
		want             string
	}{
		{here("/r/a.go"), "func Load() {\n}\n", "Load", span(0, 0, 1, 1), "0:5-0:9"},
		{here("/r/a.sh"), "load() {\n  echo\n}\n", "load", span(0, 0, 2, 1), "0:0-0:4"},
		{here("/r/a.rs"), "#[test]\n/// Doc.\nfn load() {\n}\n", "load", span(0, 0, 3, 1), "2:3-2:7"},
		{here("/r/a.go"), "/* 😀 */ func Load()\n", "Load", span(0, 0, 0, 20), "0:14-0:18"},
		{here("/r/a.go"), "func Loader(Load int)\n", "Load", span(0, 0, 0, 20), "0:12-0:16"},
		{here("/r/a.cc"), "bool operator<(A a);\n", "operator<", span(0, 0, 0, 19), "0:5-0:14"},
		{here("/r/a.ts"), "map(x => {})\n", "map() callback", span(0, 4, 0, 11), "0:4-0:11"},
		{here("/r/a.go"), "x\n", "Gone", span(7, 3, 9, 0), "7:3-9:0"},
	} {
		s := protocol.Symbol{Name: c.name, Kind: functionKind, Range: c.selection, SelectionRange: c.selection}
		r := outlined(c.path, c.text, s).All()[0].Selection
		if got := fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character); got != c.want {
			t.Errorf("%s in %q: got %s, want %s", c.name, c.text, got, c.want)
		}
	}
}

// A place is in the innermost declaration around it, and names one only where
// the name itself stands.
func TestEnclosingAndDeclared(t *testing.T) {
	o := outlined(here("/r/a.py"), "class Config:\n  def load(self):\n    x = 1\n\nmain = 1\n",
		sym(classKind, "Config", 0, 3, sym(methodKind, "load", 1, 2)), sym(variableKind, "main", 4, 4))
	for _, c := range []struct {
		line, column        uint32
		enclosing, declared string
	}{
		{0, 6, "Config", "Config"},
		{0, 12, "Config", "Config"},
		{0, 3, "Config", ""},
		{1, 7, "load", "load"},
		{2, 5, "load", ""},
		{3, 0, "Config", ""},
		{4, 0, "main", "main"},
		{4, 7, "main", ""},
		{9, 0, "", ""},
	} {
		name := func(s *Symbol) string {
			if s == nil {
				return ""
			}
			return s.Name
		}
		p := protocol.Position{Line: c.line, Character: c.column}
		if e, d := name(o.Enclosing(p)), name(o.Declared(p)); e != c.enclosing || d != c.declared {
			t.Errorf("%d:%d: in %q, names %q, want %q, %q", c.line, c.column, e, d, c.enclosing, c.declared)
		}
	}
}

// A declaration stands alone if no other has a part of its lines: those in it are its own, and
// what is around it must begin before it and end after it.
func TestAlone(t *testing.T) {
	o := outlined(here("/r/a.ts"), "class Around {\n  first() {}\n  a() {} b() {}\n  last() {} }\nclass Line { inner() {} }\nconst x = 1\n",
		sym(classKind, "Around", 0, 3, sym(methodKind, "first", 1, 1), sym(methodKind, "a", 2, 2), sym(methodKind, "b", 2, 2), sym(methodKind, "last", 3, 3)),
		sym(classKind, "Line", 4, 4, sym(methodKind, "inner", 4, 4)), sym(variableKind, "x", 5, 5))
	got := make(map[string]bool)
	for _, s := range o.All() {
		got[s.Name] = o.Alone(s)
	}
	want := map[string]bool{"Around": true, "first": true, "a": false, "b": false, "last": false, "Line": true, "inner": false, "x": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Of a callback that says something, a test say, what is named in it is listed, and its
// variables are not; a callback that says nothing is left out with all that it has.
func TestDeclarationsInCallbacks(t *testing.T) {
	callback := func(name string, line uint32, children ...protocol.Symbol) protocol.Symbol {
		return sym(functionKind, name, line, line, children...)
	}
	o := outlined(here("/r/a.ts"), strings.Repeat("f(() => { const x = 1; function g() {} })\n", 4),
		callback("describe(\"it\") callback", 0, sym(variableKind, "x", 0, 0), sym(functionKind, "g", 0, 0), callback("it(\"works\") callback", 0)),
		callback("map() callback", 1, sym(functionKind, "h", 1, 1)),
		sym(functionKind, "whole", 2, 2, sym(variableKind, "y", 2, 2), sym(functionKind, "inner", 2, 2), callback("<function>", 2)))
	tree, left := o.Declarations()
	var got []string
	var walk func([]*Symbol, string)
	walk = func(list []*Symbol, indent string) {
		for _, s := range list {
			got = append(got, indent+s.Written)
			walk(s.Children, indent+" ")
		}
	}
	walk(tree, "")
	if diff := cmp.Diff([]string{"describe(\"it\") callback", " g", " it(\"works\") callback", "whole", " inner"}, got); diff != "" || left != 5 {
		t.Errorf("%d left out: %s", left, diff)
	}
}

// A declaration is taken with the doc comment and the decorators right above it;
// a blank line, other code, or a comment that trails code ends it.
func TestExtent(t *testing.T) {
	for _, c := range []struct {
		name, file, above string
		want              int // lines of above that belong to it
	}{
		{"nothing", "a.go", "", 0},
		{"line comments", "a.go", "x := 1\n// Load\n// loads.\n", 2},
		{"rust docs and attributes", "a.rs", "}\n/// Loads.\n#[derive(A)]\n#[test]\n", 3},
		{"rust's inner attribute is the file's", "a.rs", "#![allow(x)]\n", 0},
		{"block comment", "A.java", "int x;\n/** Loads.\n * It does.\n */\n@Override\n", 4},
		{"block comment in a line", "a.c", "int x;\n/* Loads. */\n", 1},
		{"trailing block comment", "a.c", "int x; /* of x */\n", 0},
		{"trailing block comment in lines", "a.c", "int x; /* of\n x */\n", 0},
		{"code between two comments", "a.c", "/* a */ int x; /* b */\n", 0},
		{"code that ends a comment never begun", "a.c", "x */\n", 0},
		{"blank line", "a.go", "// Not of Load.\n\n", 0},
		{"decorators", "a.py", "x = 1\n@cache\n@app.get(\"/\")\n", 2},
		{"hash comments", "a.py", "x = 1\n# Loads.\n@cache\n", 2},
		{"shebang", "a.py", "#!/usr/bin/env python\n", 0},
		{"preprocessor", "a.c", "#define X 1\n", 0},
		{"template", "a.cc", "int x;\n// Loads.\ntemplate <typename T>\n", 2},
		{"slashes where # comments", "a.py", "// x\n", 0},
	} {
		body := "BEGIN\n  \"\"\"Docs inside.\"\"\"\nEND\nafter\n"
		first := strings.Count(c.above, "\n")
		o := outlined(here("/r/"+c.file), c.above+body, protocol.Symbol{Name: "BEGIN", Range: span(uint32(first), 0, uint32(first)+3, 0)})
		from, to := o.Extent(o.All()[0])
		if from != first-c.want || to != first+2 {
			t.Errorf("%s: lines %d to %d, want %d to %d", c.name, from, to, first-c.want, first+2)
		}
	}
}

// A source is the declaration around a place, or its lines where no server
// outlines the file.
//
// Requirement: AGENT-14.
func TestSourceAt(t *testing.T) {
	f := newFake("a.go", "package a\n\n// F does.\nfunc F() {\n\tx()\n}\n", "b.txt", "one\ntwo\n")
	f.outlines[here("/r/a.go")] = []protocol.Symbol{sym(functionKind, "F", 3, 5)}
	q := New(f)
	src, err := q.SourceAt(t.Context(), Place{here("/r/a.go"), span(4, 1, 4, 2)})
	if err != nil || src.Symbol.Name != "F" || strings.Join(src.Lines, "\n") != "// F does.\nfunc F() {\n\tx()\n}" || src.First != 2 {
		t.Errorf("%+v, %v", src, err)
	}
	src, err = q.SourceAt(t.Context(), Place{here("/r/b.txt"), span(1, 0, 99, 2)})
	if err != nil || src.Symbol != nil || strings.Join(src.Lines, "|") != "two|" {
		t.Errorf("%+v, %v", src, err)
	}
}

// An outline is in the order of the file, on each level, though tsserver sorts by name.
func TestOutlineIsInTheOrderOfTheFile(t *testing.T) {
	o := outlined(here("/r/a.ts"), "function z() {}\nclass K { y; x }\nfunction a() {}\n",
		sym(functionKind, "a", 2, 2),
		sym(classKind, "K", 1, 1, protocol.Symbol{Name: "x", Kind: 7, Range: span(1, 13, 1, 14), SelectionRange: span(1, 13, 1, 14)}, protocol.Symbol{Name: "y", Kind: 7, Range: span(1, 10, 1, 12), SelectionRange: span(1, 10, 1, 11)}),
		sym(functionKind, "z", 0, 0))
	var all []string
	for _, s := range o.All() {
		all = append(all, s.Name)
	}
	if got := drawn(o.Symbols) + " " + strings.Join(all, " "); got != "z K(y x) a z K y x a" {
		t.Error(got)
	}
}
