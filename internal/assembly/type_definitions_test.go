package assembly

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A typist is a talker that knows the types of what stands on lines.
type typist struct {
	*talker
	types map[uint32][]protocol.Location
	err   error // for lines that it does not know
}

func (k *typist) Open(context.Context, string, string) (symbols.Server, error) { return k, nil }

func (k *typist) Locations(_ context.Context, method, _ string, at protocol.Position) ([]protocol.Location, error) {
	if method != symbols.TypeDefinition {
		return nil, errors.New("it is asked for types alone")
	}
	list, known := k.types[at.Line]
	if !known {
		return nil, k.err
	}
	return list, nil
}

// typing gathers definitions from a typist; line n of a.toy is in view and uses a name that is declared
// there n times.
func typing(t *testing.T, names int, k *typist) (g *gathering, l *lookup) {
	t.Helper()
	g = gatheringOf(t, tenLines+"-- vendor/c.toy --\nc\n", nil, result.ContextDefinition)
	k.talker = &talker{code: &code{workspace: g.workspace}}
	g.q = symbols.New(k)
	g.focus.areas = []area{{g.at("a.toy"), protocol.Range{End: protocol.Position{Line: uint32(names)}}}}
	l = newLookup(g, nil)
	for n := range names {
		at := protocol.Position{Line: uint32(n)}
		l.lookAtLocked(&use{symbols.CodeName{Text: fmt.Sprint("n", n), At: at}, g.at("a.toy"), n}, []symbols.Place{{Path: g.at("a.toy"), Range: protocol.Range{Start: at}}})
	}
	return g, l
}

// The type of what is declared in view is a declaration that counts the uses of all that is of it,
// together with those of its name; types in view and of others are none. It belongs to the most used
// name, with the record of the question about that.
func TestTypesOfWhatIsDeclaredInView(t *testing.T) {
	k := &typist{}
	g, l := typing(t, 8, k)
	place := func(name string, line uint32) symbols.Place {
		return symbols.Place{Path: g.at(name), Range: protocol.Range{Start: protocol.Position{Line: line}}}
	}
	l.lookAtLocked(&use{symbols.CodeName{Text: "T"}, g.at("a.toy"), 100}, []symbols.Place{place("b.toy", 0)})
	k.types = map[uint32][]protocol.Location{
		7: {g.located("b.toy", 0)},
		6: {g.located("b.toy", 3)},
		5: {g.located("a.toy", 2), g.located("vendor/c.toy", 0), g.located("a.toy", 11)},
		4: {g.located("b.toy", 3), g.located("b.toy", 0)},
		3: {g.located("b.toy", 4), g.located("b.toy", 5), g.located("b.toy", 6), g.located("b.toy", 7), g.located("b.toy", 8)},
	}
	k.err = &jsonrpc.ResponseError{Message: "it has no name"}
	g.addTypes(t.Context(), l)
	type told struct {
		At       string
		Use      string
		Count    int
		Distance int
		Record   string
	}
	var got []told
	for _, d := range l.declared {
		record := ""
		if d.typed != nil {
			record = fmt.Sprintf("%s %s %s:%d", d.typed.Server, d.typed.Query, d.typed.Target.Path, d.typed.Target.Line)
		}
		got = append(got, told{fmt.Sprintf("%s:%d", filepath.Base(d.place.Path), d.place.Range.Start.Line), d.use.Text, d.count, d.distance, record})
	}
	ofLine := func(n int) string { return fmt.Sprintf("fake textDocument/typeDefinition a.toy:%d", n+1) }
	want := []told{
		{"b.toy:0", "T", 100 + 7 + 4, sameFolder, ""},
		{"b.toy:3", "n6", 6 + 4, sameFolder, ofLine(6)},
		{"a.toy:11", "n5", 5, sameFile, ofLine(5)},
		{"b.toy:4", "n3", 3, sameFolder, ofLine(3)},
		{"b.toy:5", "n3", 3, sameFolder, ofLine(3)},
		{"b.toy:6", "n3", 3, sameFolder, ofLine(3)},
		{"b.toy:7", "n3", 3, sameFolder, ofLine(3)},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(g.failures) > 0 {
		t.Errorf("failed %+v (-want +got):\n%s", g.failures, diff)
	}
}

// Of many names the most used are asked about, each declaration once; a question that fails is a
// failure on record, but that a type is declared nowhere is none.
func TestNamesThatAreAskedForTheirTypes(t *testing.T) {
	k := &typist{err: errors.New("it broke")}
	g, l := typing(t, maxTyped+5, k)
	g.addTypes(t.Context(), l)
	if len(l.declared) > 0 || len(g.failures) != 1 || g.failures[0].Query != symbols.TypeDefinition || g.failures[0].Count != maxTyped {
		t.Errorf("%+v, %+v", l.declared, g.failures)
	}
	for code, failed := range map[int]int{0: 0, -32603: 1} {
		k := &typist{err: &jsonrpc.ResponseError{Code: code, Message: "no type"}}
		g, l := typing(t, 1, k)
		if g.addTypes(t.Context(), l); len(g.failures) != failed {
			t.Errorf("an error with the code %d: %+v", code, g.failures)
		}
	}
	k = &typist{types: map[uint32][]protocol.Location{}}
	g, l = typing(t, maxTyped+1, k)
	for n := range maxTyped + 1 {
		k.types[uint32(n)] = []protocol.Location{g.located("b.toy", uint32(n))}
	}
	g.addTypes(t.Context(), l)
	if len(l.declared) != maxTyped || l.declared[0].use.Text != fmt.Sprint("n", maxTyped) || l.declared[maxTyped-1].use.Text != "n1" {
		t.Errorf("%d are asked about", len(l.declared))
	}
}
