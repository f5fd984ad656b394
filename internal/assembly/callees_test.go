package assembly

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A caller is a talker of whose functions each calls the same.
type caller struct {
	*talker
	calls []protocol.Location
}

func (c *caller) Open(context.Context, string, string) (symbols.Server, error) { return c, nil }

func (c *caller) item(name string, at protocol.Location) protocol.HierarchyItem {
	return protocol.HierarchyItem{Name: name, Kind: functionKind, URI: at.URI, Range: at.Range, SelectionRange: at.Range}
}

func (c *caller) PrepareCallHierarchy(_ context.Context, path string, at protocol.Position) ([]protocol.HierarchyItem, error) {
	return []protocol.HierarchyItem{c.item("itself", protocol.Location{URI: protocol.URIFromPath(path), Range: protocol.Range{Start: at, End: at}})}, c.err()
}

func (c *caller) OutgoingCalls(context.Context, protocol.HierarchyItem) (list []protocol.Call, _ error) {
	for i, at := range c.calls {
		list = append(list, protocol.Call{Item: c.item(fmt.Sprint("g", i), at), Ranges: []protocol.Range{at.Range}})
	}
	return list, nil
}

// What functions and methods call is told of other files of the workspace alone, in the order of the
// file, of so many functions; where it is not known that is said.
func TestCalleesOfAFile(t *testing.T) {
	const archive = "-- a.go --\npackage a\n\nfunc f() {}\n\ntype T struct{}\n\nfunc (T) m() {}\n\nvar v = 1\n-- b.go --\npackage a\n\nfunc g() {}\n"
	few := []protocol.Symbol{sym(functionKind, "f", 2, 2), sym(classKind, "T", 4, 4), sym(methodKind, "m", 6, 6), sym(variableKind, "v", 8, 8)}
	var many []protocol.Symbol
	for i := range maxFunctions + 1 {
		many = append(many, sym(functionKind, fmt.Sprint("f", i), uint32(i), uint32(i)))
	}
	type outcome struct {
		Usages []result.Usage
		Notes  []string
	}
	g2 := []result.User{{Name: "g2", Path: "b.go", Line: 3}}
	for name, c := range map[string]struct {
		declared []protocol.Symbol
		silent   bool
		want     outcome
	}{
		"known":     {few, false, outcome{[]result.Usage{{Symbol: "f", Others: g2}, {Symbol: "m", Others: g2}}, nil}},
		"not known": {few, true, outcome{nil, []string{"what f calls is not known: it broke", "what m calls is not known: it broke"}}},
	} {
		g := gatheringOf(t, archive, nil)
		k := &caller{talker: &talker{silent: c.silent, code: &code{workspace: g.workspace, outlines: map[string][]protocol.Symbol{"a.go": c.declared}}}}
		k.calls = []protocol.Location{g.located("a.go", 6), g.located("../out.go", 1), g.located("b.go", 2)}
		q := symbols.New(k)
		o, text, err := g.Assembler.outlined(t.Context(), q, "a.go")
		if err != nil {
			t.Fatal(err)
		}
		usages, notes := g.callees(t.Context(), q, o, text)
		if diff := cmp.Diff(c.want, outcome{usages, notes}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for declared, want := range map[int][]string{maxFunctions: nil, maxFunctions + 1: {"the callees are those of the first functions only"}} {
		g := gatheringOf(t, archive, nil)
		k := &caller{talker: &talker{code: &code{workspace: g.workspace, outlines: map[string][]protocol.Symbol{"a.go": many[:declared]}}}}
		k.calls = []protocol.Location{g.located("b.go", 2)}
		q := symbols.New(k)
		o, text, err := g.Assembler.outlined(t.Context(), q, "a.go")
		if err != nil {
			t.Fatal(err)
		}
		usages, notes := g.callees(t.Context(), q, o, text)
		if diff := cmp.Diff(want, notes); diff != "" || len(usages) != maxFunctions || usages[maxFunctions-1].Symbol != fmt.Sprint("f", maxFunctions-1) {
			t.Errorf("of %d functions %d are told (-want +got):\n%s", declared, len(usages), diff)
		}
	}
}
