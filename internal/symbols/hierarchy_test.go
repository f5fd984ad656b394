package symbols

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// item is a function named on a line of /r/a.go.
func item(name string, line uint32) protocol.HierarchyItem {
	return protocol.HierarchyItem{Name: name, Kind: functionKind, URI: protocol.URIFromPath(here("/r/a.go")), SelectionRange: span(line, 0, line, 1)}
}

// grown is a hierarchy in one line: names with their sites' lines, and what they
// hold in brackets; ~ is repeated.
func grown(nodes []*Node) string {
	var parts []string
	for _, n := range nodes {
		text := n.Name
		for _, s := range n.Sites {
			text += fmt.Sprintf("@%s:%d", filepath.ToSlash(strings.TrimPrefix(s.Path, here("/r/"))), s.Range.Start.Line+1)
		}
		if n.Repeated {
			text += "~"
		}
		if len(n.Children) > 0 {
			text += "(" + grown(n.Children) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func hierarchy(t *testing.T, f *fake, target Target, direction Direction, depth int) (string, Hierarchy, *Inquiry) {
	t.Helper()
	q := New(f)
	h, err := q.Hierarchy(t.Context(), target, direction, depth)
	if err != nil {
		t.Fatalf("%s: %v", direction, err)
	}
	return grown(h.Roots), h, q
}

// A hierarchy goes as deep as was asked, in the order of the files; what comes
// again is shown once with its own, later without, so a circle ends.
func TestHierarchy(t *testing.T) {
	f := newFake("a.go", "")
	f.prepared = []protocol.HierarchyItem{item("a", 0)}
	next := map[string][]protocol.HierarchyItem{
		"a": {item("c", 2), item("b", 1), {Name: "outside", URI: "jdt://x"}}, "b": {item("c", 2), item("a", 0)}, "c": {item("d", 3)}, "d": {item("a", 0)},
	}
	f.calls = func(_ Direction, i protocol.HierarchyItem) (list []protocol.Call, _ error) {
		for _, to := range next[i.Name] {
			list = append(list, protocol.Call{Item: to})
		}
		return list, nil
	}
	for _, direction := range []Direction{Callers, Callees, Supertypes, Subtypes} {
		for depth, want := range []string{"a(b c outside)", "a(b c outside)", "a(b(a c) c(d) outside)", "a(b(a~ c(d)) c~ outside)", "a(b(a~ c(d(a))) c~ outside)", "a(b(a~ c(d(a~))) c~ outside)"} {
			got, h, q := hierarchy(t, f, Target{Path: here("/r/a.go")}, direction, depth)
			if got != want || h.Derived || len(q.Notes()) > 0 {
				t.Errorf("%s, depth %d: got %s, want %s; %v", direction, depth, got, want, q.Notes())
			}
		}
	}
	f.prepared = nil
	if got, _, _ := hierarchy(t, f, Target{Path: here("/r/a.go")}, Callers, 1); got != "" {
		t.Errorf("of nothing: %s", got)
	}
}

// Types have a hierarchy of their own, which begins at what the server says is the type.
func TestHierarchyOfTypesIsNotThatOfCalls(t *testing.T) {
	f := newFake("a.go", "")
	f.prepared, f.types = []protocol.HierarchyItem{item("call", 0)}, []protocol.HierarchyItem{item("type", 1)}
	f.calls = func(Direction, protocol.HierarchyItem) ([]protocol.Call, error) { return nil, nil }
	for direction, want := range map[Direction]string{Callers: "call", Callees: "call", Supertypes: "type", Subtypes: "type"} {
		if got, _, _ := hierarchy(t, f, Target{Path: here("/r/a.go")}, direction, 1); got != want {
			t.Errorf("%s: got %s, want %s", direction, got, want)
		}
	}
}

// The sites of a call stand in the file of the caller, whichever end is asked
// about.
func TestSitesAreTheCallers(t *testing.T) {
	f := newFake("a.go", "")
	f.prepared = []protocol.HierarchyItem{item("a", 0)}
	f.calls = func(Direction, protocol.HierarchyItem) ([]protocol.Call, error) {
		other := item("b", 5)
		other.URI = protocol.URIFromPath(here("/r/b.go"))
		return []protocol.Call{{Item: other, Ranges: []protocol.Range{span(8, 1, 8, 2), span(9, 1, 9, 2)}}}, nil
	}
	for direction, want := range map[Direction]string{Callers: "a(b@b.go:9@b.go:10)", Callees: "a(b@a.go:9@a.go:10)"} {
		if got, _, _ := hierarchy(t, f, Target{Path: here("/r/a.go")}, direction, 1); got != want {
			t.Errorf("%s: got %s, want %s", direction, got, want)
		}
	}
}

// Whoever calls, and each place where it does, is told once, though pyright tells the calls of a method
// twice, and servers tell of a name that is declared twice what they told of its first declaration.
func TestCallersAndSitesAreToldOnce(t *testing.T) {
	f := newFake("a.go", "")
	f.prepared = []protocol.HierarchyItem{item("a", 0), item("a", 1)}
	f.calls = func(_ Direction, i protocol.HierarchyItem) ([]protocol.Call, error) {
		line := i.SelectionRange.Start.Line
		return []protocol.Call{
			{Item: item("b", 5), Ranges: []protocol.Range{span(8, 1, 8, 2), span(8, 1, 8, 2)}},
			{Item: item("b", 5), Ranges: []protocol.Range{span(8, 1, 8, 2), span(9+line, 1, 9+line, 2)}},
		}, nil
	}
	if got, _, _ := hierarchy(t, f, Target{Path: here("/r/a.go")}, Callers, 1); got != "a(b@a.go:9@a.go:10@a.go:11) a" {
		t.Error(got)
	}
}

// A hierarchy of thousands ends at its bound, with a note.
func TestHierarchyIsBounded(t *testing.T) {
	f := newFake("a.go", "")
	f.prepared = []protocol.HierarchyItem{item("a", 0)}
	asked := uint32(0)
	f.calls = func(Direction, protocol.HierarchyItem) (list []protocol.Call, _ error) {
		asked++
		for i := range uint32(50) {
			list = append(list, protocol.Call{Item: item("x", asked*100+i)})
		}
		return list, nil
	}
	got, _, q := hierarchy(t, f, Target{Path: here("/r/a.go")}, Callers, 9)
	if n := strings.Count(got, "x"); n < maxNodes-1 || n > maxNodes || strings.Join(q.Notes(), "|") != "only the first 400 symbols of the hierarchy are listed" {
		t.Errorf("%d nodes, %v", n, q.Notes())
	}
	if asked > maxNodes {
		t.Errorf("%d questions", asked)
	}
}

// A server whose hierarchy fails is not covered up by a derived one.
func TestFailingHierarchy(t *testing.T) {
	f := newFake("a.go", "")
	broken := errors.New("broken")
	f.prepared = []protocol.HierarchyItem{item("a", 0)}
	f.calls = func(Direction, protocol.HierarchyItem) ([]protocol.Call, error) { return nil, broken }
	if _, err := New(f).Hierarchy(t.Context(), Target{Path: here("/r/a.go")}, Callers, 1); !errors.Is(err, broken) {
		t.Error(err)
	}
}

const (
	shapesText = "class Shape:\n  def area(self):\n    return helper(2)\nclass Round(Shape):\n  pass\nclass Box(Round):\n  def area(self): return Shape\nclass Cube(Box):\n  pass\n"
	mainText   = "def helper(n):\n  if n: return helper(n - 1)\n  return 0\ndef main():\n  helper(1); helper(2)\n  print(Shape)\nhelper(3)\n"
)

// flat is a server without hierarchies; definitions and references are by name.
func flat(t *testing.T) *fake {
	f := newFake("shapes.py", shapesText, "main.py", mainText)
	f.opens = nil
	f.outlines[here("/r/shapes.py")] = []protocol.Symbol{
		sym(classKind, "Shape", 0, 2, sym(methodKind, "area", 1, 2)), sym(classKind, "Round", 3, 4), sym(classKind, "Box", 5, 6, sym(methodKind, "area", 6, 6)), sym(classKind, "Cube", 7, 8),
	}
	f.outlines[here("/r/main.py")] = []protocol.Symbol{sym(functionKind, "helper", 0, 2), sym(functionKind, "main", 3, 5)}
	declared := map[string]Place{
		"helper": f.place(t, "main.py", "helper"), "Shape": f.place(t, "shapes.py", "Shape"), "Round": f.place(t, "shapes.py", "Round"), "print": {here("/lib/builtins.py"), span(9, 0, 9, 5)},
		"main": f.place(t, "main.py", "main"), "Box": f.place(t, "shapes.py", "Box"), "Cube": f.place(t, "shapes.py", "Cube"),
	}
	nameAt := func(path string, at protocol.Position) string {
		line := protocol.NewMapper([]byte(f.texts[path])).Line(int(at.Line))
		from, to, _ := identifierAt(line, int(at.Character))
		return string(line[from:to])
	}
	f.locations = func(_, path string, at protocol.Position) ([]protocol.Location, error) {
		if p, ok := declared[nameAt(path, at)]; ok {
			return located(p), nil
		}
		return nil, nil
	}
	f.references = func(_ context.Context, path string, at protocol.Position) ([]protocol.Location, error) {
		name := nameAt(path, at)
		var uses []Place
		for _, file := range []string{here("/r/shapes.py"), here("/r/main.py")} {
			m := protocol.NewMapper([]byte(f.texts[file]))
			for n := range m.Lines() {
				for _, i := range identifiersOf(m.Line(n)) {
					if i.name == name {
						uses = append(uses, Place{file, span(uint32(n), uint32(i.from), uint32(n), uint32(i.to))})
					}
				}
			}
		}
		return located(uses...), nil
	}
	return f
}

// withoutHierarchy is a server's files as one sees them that supports none.
type withoutHierarchy struct{ *fake }

func (w withoutHierarchy) Open(ctx context.Context, path, method string) (Server, error) {
	if strings.Contains(method, "Hierarchy") {
		return nil, &lsp.UnsupportedError{Server: "fakels", Method: method}
	}
	return w.fake.Open(ctx, path, method)
}

// Where a server has no hierarchy it is put together: callers are what stands
// around the references, callees what is called in the body, types what stands
// in the headers, as many levels as are asked for; and that is said.
func TestDerivedHierarchy(t *testing.T) {
	for _, c := range []struct {
		file, name string
		direction  Direction
		depth      int
		want       string
	}{
		{"main.py", "helper", Callers, 1, "helper((top level)@main.py:7 helper@main.py:2 main@main.py:5@main.py:5 Shape.area@shapes.py:3)"},
		{"main.py", "helper", Callers, 2, "helper((top level)@main.py:7 helper@main.py:2~ main@main.py:5@main.py:5 Shape.area@shapes.py:3)"},
		{"main.py", "main", Callees, 1, "main(print@main.py:6 helper@main.py:5@main.py:5)"},
		{"main.py", "main", Callees, 2, "main(print@main.py:6 helper@main.py:5@main.py:5)"},
		{"shapes.py", "Round", Supertypes, 1, "Round(Shape@shapes.py:4)"},
		{"shapes.py", "Box", Supertypes, 9, "Box(Round@shapes.py:6(Shape@shapes.py:4))"},
		{"shapes.py", "Shape", Subtypes, 1, "Shape(Round@shapes.py:4)"},
		{"shapes.py", "Shape", Subtypes, 2, "Shape(Round@shapes.py:4(Box@shapes.py:6))"},
		{"shapes.py", "Shape", Subtypes, 9, "Shape(Round@shapes.py:4(Box@shapes.py:6(Cube@shapes.py:8)))"},
		{"shapes.py", "Cube", Subtypes, 9, "Cube"},
	} {
		f := flat(t)
		q := New(withoutHierarchy{f})
		h, err := q.Hierarchy(t.Context(), f.target(t, c.file, c.name), c.direction, c.depth)
		if got := grown(h.Roots); err != nil || got != c.want || !h.Derived {
			t.Errorf("%s of %s, depth %d:\n got %s\nwant %s; %v", c.direction, c.name, c.depth, got, c.want, err)
		}
	}
}

// A derived hierarchy is bounded as well.
func TestDerivedHierarchyIsBounded(t *testing.T) {
	f := newFake("a.go", strings.Repeat("x\n", 600))
	var places []Place
	for i := range uint32(500) {
		f.outlines[here("/r/a.go")] = append(f.outlines[here("/r/a.go")], sym(functionKind, fmt.Sprintf("f%d", i), i, i))
		places = append(places, Place{here("/r/a.go"), span(i, 0, i, 1)})
	}
	f.locations = func(string, string, protocol.Position) ([]protocol.Location, error) { return nil, nil }
	f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) {
		return located(places...), nil
	}
	q := New(withoutHierarchy{f})
	h, err := q.Hierarchy(t.Context(), Target{Path: here("/r/a.go"), Name: "x", At: protocol.Position{Line: 599}}, Callers, 1)
	if err != nil || len(h.Roots[0].Children) != maxNodes || len(q.Notes()) != 1 {
		t.Errorf("%d nodes, notes %v, %v", len(h.Roots[0].Children), q.Notes(), err)
	}
}
