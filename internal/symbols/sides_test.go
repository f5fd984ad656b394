package symbols

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// Of a declaration and a definition that lead to each other the one is taken that says more; what does not lead back,
// leads to several places, or to itself, stands as the server said it.
func TestTwoSidesOfADefinition(t *testing.T) {
	const use = "int x = load();\n"
	files := map[string]string{"lib.h": "int load(void);\n", "lib.c": "int load(void) { return 1; }\n", "other.c": "int load(void);\n"}
	broken := errors.New("it broke")
	for name, c := range map[string]struct {
		toggles bool
		leads   map[string][]string // from a file, where the definition is
		want    []string
		err     error
	}{
		"the declaration first":    {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}, "lib.c": {"lib.h"}}, []string{"lib.c"}, nil},
		"the definition first":     {true, map[string][]string{"use.c": {"lib.c"}, "lib.h": {"lib.c"}, "lib.c": {"lib.h"}}, []string{"lib.c"}, nil},
		"two declarations":         {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"other.c"}, "other.c": {"lib.h"}}, []string{"lib.h"}, nil},
		"a server that does not":   {false, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}, "lib.c": {"lib.h"}}, []string{"lib.h"}, nil},
		"it leads elsewhere":       {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}, "lib.c": {"other.c"}}, []string{"lib.h"}, nil},
		"it leads nowhere":         {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}}, []string{"lib.h"}, nil},
		"it leads to itself":       {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.h"}}, []string{"lib.h"}, nil},
		"it leads to several":      {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c", "other.c"}, "lib.c": {"lib.h"}}, []string{"lib.h"}, nil},
		"back to several":          {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}, "lib.c": {"lib.h", "other.c"}}, []string{"lib.h"}, nil},
		"several places":           {true, map[string][]string{"use.c": {"lib.h", "lib.c"}, "lib.h": {"lib.c"}, "lib.c": {"lib.h"}}, []string{"lib.h", "lib.c"}, nil},
		"no place":                 {true, nil, nil, nil},
		"its other side fails":     {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"broken"}}, []string{"lib.h"}, nil},
		"the way back fails":       {true, map[string][]string{"use.c": {"lib.h"}, "lib.h": {"lib.c"}, "lib.c": {"broken"}}, []string{"lib.h"}, nil},
		"the question itself does": {true, map[string][]string{"use.c": {"broken"}}, nil, broken},
	} {
		f := newFake("use.c", use)
		for file, text := range files {
			f.texts[here("/r/"+file)] = text
		}
		if c.toggles {
			f.def.Quirks = []registry.Quirk{registry.TogglesDefinition}
		}
		places := func(files []string) []Place {
			list := []Place{}
			for _, file := range files {
				list = append(list, f.place(t, file, "load"))
			}
			return list
		}
		f.locations = func(_, path string, _ protocol.Position) ([]protocol.Location, error) {
			to := c.leads[f.Relative(path)]
			if len(to) == 1 && to[0] == "broken" {
				return nil, broken
			}
			return located(places(to)...), nil
		}
		got, err := New(f).Places(t.Context(), Definition, f.target(t, "use.c", "load"))
		if diff := cmp.Diff(places(c.want), append([]Place{}, got...)); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %v %s", name, err, diff)
		}
	}
}

// counter counts how often a file is opened in its server.
type counter struct {
	*fake
	opened int
	keeps  int
}

func (c *counter) Open(context.Context, string, string) (Server, error) { c.opened++; return c, nil }
func (c *counter) Keep()                                                { c.keeps++ }

func (c *counter) HoverAt(context.Context, string, protocol.Position) (protocol.Hover, error) {
	if c.opened == 2 {
		return protocol.Hover{}, jsonrpc.ErrClosed
	}
	return protocol.Hover{Text: "says"}, nil
}

// A server that is kept is opened once for a method and a file, until it has ended; else for each question.
func TestServersThatAreKept(t *testing.T) {
	for name, keep := range map[string]bool{"kept": true, "not kept": false} {
		c := &counter{fake: newFake("a.go", "x\n", "b.go", "x\n")}
		q := New(c)
		if keep {
			q.KeepServers()
		}
		var opened []int
		for _, file := range []string{"a.go", "a.go", "b.go", "b.go", "a.go"} {
			_, err := q.Hover(t.Context(), Target{Path: here("/r/" + file)})
			if err != nil {
				t.Fatal(err)
			}
			opened = append(opened, c.opened)
		}
		want := []int{1, 1, 3, 3, 4} // the second has ended, and with it what was kept of the first
		if !keep {
			want = []int{1, 3, 4, 5, 6}
		}
		if diff := cmp.Diff(want, opened); diff != "" || (c.keeps == 1) != keep {
			t.Errorf("%s, told %d times: %s", name, c.keeps, diff)
		}
	}
}

// A hierarchy that is put together begins with where the symbol is defined; if nobody knows that, there is none.
func TestDerivedHierarchyWithoutADefinition(t *testing.T) {
	f := flat(t)
	known := f.locations
	broken := errors.New("it broke")
	f.locations = func(string, string, protocol.Position) ([]protocol.Location, error) { return nil, broken }
	if h, err := New(withoutHierarchy{f}).Hierarchy(t.Context(), f.target(t, "main.py", "helper"), Callers, 1); !errors.Is(err, broken) || h.Roots != nil {
		t.Errorf("%+v, %v", h, err)
	}
	f.locations = known
	f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) { return nil, broken }
	if _, err := New(withoutHierarchy{f}).Hierarchy(t.Context(), f.target(t, "main.py", "helper"), Callers, 1); !errors.Is(err, broken) {
		t.Errorf("without references: %v", err)
	}
	f.locations = func(string, string, protocol.Position) ([]protocol.Location, error) { return nil, nil }
	f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) { return nil, nil }
	target := f.target(t, "main.py", "helper")
	h, err := New(withoutHierarchy{f}).Hierarchy(t.Context(), target, Callers, 1)
	want := Hierarchy{Derived: true, Roots: []*Node{{Name: "helper", Kind: "function", Place: f.place(t, "main.py", "helper")}}}
	if diff := cmp.Diff(want, h); diff != "" || err != nil {
		t.Errorf("where it is asked for: %v %s", err, diff)
	}
}

// The heading of a type is what stands from its name to its body: up to the brace or, of an indented block, the colon that
// is in no bracket.
func TestHeadersOfTypes(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.ts", "class A extends B<{x: 1}, (c: C) => D> implements C {\n}\n", " extends B<{x: 1}, (c: C) => D> implements C "},
		{"a.ts", "class A extends f({x: 1}, [{}])\n  implements C {\n}\n", " extends f({x: 1}, [{}])\n  implements C "},
		{"a.py", "class A(B, metaclass=C[{1: 2}]):\n  x: int = {}\n", "(B, metaclass=C[{1: 2}])"},
		{"a.py", "class A(\n  B,\n):\n  pass\n", "(\n  B,\n)"},
		{"a.go", "type A = B\n", " = B"},
		{"a.ts", "class A" + strings.Repeat("\n", 21) + "{}\n", strings.Repeat("\n", 21) + "{}"},
		{"a.ts", "class A" + strings.Repeat("\n", 20) + "{}\n", strings.Repeat("\n", 20)},
	} {
		o := outlined(here("/r/"+c.file), c.text)
		at := uint32(strings.Index(c.text, "A"))
		end := o.text.Position(len(strings.TrimRight(c.text, "\n")), protocol.UTF16)
		r := header(o, &Symbol{Selection: span(0, at, 0, at+1), Range: protocol.Range{End: end}})
		got := c.text[o.text.Offset(r.Start, protocol.UTF16):o.text.Offset(r.End, protocol.UTF16)]
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// What is imported, and what is local to a function, is not declared for others; a variable that is a function has locals.
func TestDeclarationsForOthers(t *testing.T) {
	const text = "import { a } from \"b\"\nconst f = (x) => { const y = 1 }\nconst g = { z: 1 }\nconst h = async function () { const w = 1 }\nconst k = x => { const v = 1 }\n"
	o := outlined(here("/r/a.ts"), text,
		sym(variableKind, "a", 0, 0),
		sym(variableKind, "f", 1, 1, sym(variableKind, "y", 1, 1)),
		sym(variableKind, "g", 2, 2, sym(7, "z", 2, 2)),
		sym(variableKind, "h", 3, 3, sym(variableKind, "w", 3, 3), sym(classKind, "W", 3, 3)),
		sym(variableKind, "k", 4, 4, sym(variableKind, "v", 4, 4)))
	tree, left := o.Declarations()
	if got := drawn(tree); got != "f g(z) h(W) k" || left != 4 {
		t.Errorf("%s, and %d are left out", got, left)
	}
	if got := drawn(o.Symbols); got != "a f(y) g(z) h(w W) k(v)" {
		t.Errorf("the outline has become %s", got)
	}
	o = outlined(here("/r/a.py"), "from b import a, C\nx = 1\n", sym(variableKind, "a", 0, 0), sym(classKind, "C", 0, 0), sym(variableKind, "x", 1, 1))
	tree, left = o.Declarations()
	if got := drawn(tree); got != "C x" || left != 1 {
		t.Errorf("of the other language: %s, and %d are left out", got, left)
	}
}

// The end of the time is told as what the server was doing then; a question about one file does not care.
func TestEndOfTheTime(t *testing.T) {
	f := newFake("a.go", "")
	late := context.DeadlineExceeded
	other := errors.New("other")
	for _, c := range []struct {
		err    error
		method string
		doing  string
		works  bool
		want   error
	}{
		{other, "textDocument/hover", "loading", false, other},
		{late, "textDocument/hover", "", false, &TimeoutError{"fakels", "textDocument/hover"}},
		{late, "textDocument/hover", "loading it", false, &NotReadyError{"fakels", "loading it"}},
		{late, "textDocument/hover", "", true, &NotReadyError{"fakels", "Indexing"}},
		{late, "textDocument/documentSymbol", "", true, &TimeoutError{"fakels", "textDocument/documentSymbol"}},
	} {
		if f.work(); c.works {
			f.work("Indexing")
		}
		got := explain(c.err, f, c.method, c.doing)
		if diff := cmp.Diff(c.want.Error(), got.Error()); diff != "" {
			t.Errorf("%s, %q: %s", c.method, c.doing, diff)
		}
	}
}

// A refusal of a change is told in the server's words, but for that of a question that it withdraws or does not know.
func TestRefusalsOfServers(t *testing.T) {
	other := errors.New("other")
	refusal := func(code int) error {
		return &jsonrpc.ResponseError{Method: "m", Code: code, Message: "not here"}
	}
	for name, c := range map[string]struct{ err, want error }{
		"none": {nil, nil}, "another": {other, other}, "withdrawn": {refusal(-32801), refusal(-32801)}, "cancelled": {refusal(-32802), refusal(-32802)},
		"unknown": {refusal(jsonrpc.CodeMethodNotFound), refusal(jsonrpc.CodeMethodNotFound)}, "refused": {refusal(-32603), &RefusedError{"gopls", "rename x", "not here"}},
	} {
		got := refused(c.err, "gopls", "rename x")
		if (got == nil) != (c.want == nil) || got != nil && got.Error() != c.want.Error() {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	e := &RefusedError{"gopls", "rename x", "not here"}
	if e.Error() != "gopls refuses to rename x: not here" || e.Hint() != "nothing was changed" {
		t.Errorf("%v: %s", e, e.Hint())
	}
}

// One title of work is loading by the words of all servers, or by those of the server's own entry alone; an error is none.
func TestTitlesOfLoading(t *testing.T) {
	for _, c := range []struct {
		titles []string
		title  string
		want   bool
	}{
		{nil, "Indexing", true},
		{nil, "loading packages", true},
		{nil, "Setting up workspace", true},
		{nil, "Building", false},
		{nil, "Error loading workspace", false},
		{[]string{"Building"}, "Building x", true},
		{[]string{"Building"}, "Indexing", false},
		{[]string{"Building", "Roots"}, "Roots Scanned", true},
		{[]string{"Error"}, "Error loading", false},
	} {
		f := newFake()
		f.def.Loading = c.titles
		f.works = []lsp.Work{{Title: c.title, Message: " 1/2 "}}
		f.begun = map[string]int{c.title: 3, "unlike": 9}
		want, times := "", 0
		if c.want {
			want, times = c.title+"  1/2", 3
		}
		if got := loading(f); got != want || loads(f) != times {
			t.Errorf("%q of %q: %q, want %q, begun %d times, want %d", c.title, c.titles, got, want, loads(f), times)
		}
	}
}
