package mcpserver

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/skills"
)

// Callers and callees of one symbol are one answer: what both say is said once, what one of
// them left out stays told, and who calls beside itself is told twice.
func TestCallsOfBothDirections(t *testing.T) {
	const derived = "derived from references: it may hold more than the server's own hierarchy would"
	callers := &result.Hierarchy{
		Head:   result.Head{State: []string{"toy is loading"}, Notes: []string{"the nearest", "of two"}, Cut: "3 callers"},
		Symbol: "Load", Direction: "callers", Derived: true,
		Nodes: []result.Node{{Name: "main", Kind: "function", Path: "main.go", Line: 3, Column: 6, Sites: []string{"4:2"}}, {Name: "serve", Path: "s.go", Line: 8, Column: 6, Concurrent: "go"}},
	}
	callees := &result.Hierarchy{
		Head:   result.Head{State: []string{"toy is loading", "it starts"}, Notes: []string{"of two"}},
		Symbol: "Load", Direction: "callees", Derived: true,
		Nodes: []result.Node{{Name: "open", Path: "o.go", Line: 1, Column: 6, Concurrent: "go"}},
	}
	main := party{"main", "function", location{File: "main.go", Line: 3, Column: 6}}
	serve, open := party{Name: "serve", location: location{File: "s.go", Line: 8, Column: 6}}, party{Name: "open", location: location{File: "o.go", Line: 1, Column: 6}}
	want := calls{
		heads: heads{result.Head{State: []string{"toy is loading", "it starts"}, Notes: []string{"the nearest", "of two", derived}, Cut: "3 callers"}},
		Items: []string{"Load"}, Incoming: []incoming{{main, []string{"4:2"}}, {serve, []string{}}},
		Outgoing: []outgoing{{open, []string{}}}, Concurrent: []party{serve},
	}
	everything := cmp.AllowUnexported(calls{}, heads{}, party{}, incoming{}, outgoing{})
	if diff := cmp.Diff(want, callsShape.make([]result.Result{callers, callees}), everything); diff != "" {
		t.Error(diff)
	}
	callees.Derived = false
	alone := calls{
		heads: heads{result.Head{State: callees.State, Notes: callees.Notes}},
		Items: []string{"Load"}, Incoming: []incoming{}, Outgoing: want.Outgoing, Concurrent: []party{},
	}
	if diff := cmp.Diff(alone, callsShape.make([]result.Result{callees}), everything); diff != "" {
		t.Errorf("callees alone: %s", diff)
	}
}

// What a server cannot do is said by the names that its tools have here, and no skill is named that needs it.
func TestCapabilitiesByTool(t *testing.T) {
	shaped := func(missing ...string) offered {
		return capabilitiesShape().make([]result.Result{&result.Capabilities{Servers: []result.ServerCapabilities{{Name: "toy", Version: "1", Missing: missing}, {Name: "other"}}}}).(offered)
	}
	all, part := shaped(), shaped("rename", "signature_help")
	if all.Name != "toy" || all.Version != "1" || len(all.Servers) != 2 || len(all.Supported) != len(fullTools()) || len(all.Unsupported) != 0 {
		t.Errorf("%+v", all)
	}
	if diff := cmp.Diff([]string{"get_signature_help", "rename_symbol"}, slices.Sorted(slices.Values(part.Unsupported))); diff != "" || slices.Contains(part.Supported, "rename_symbol") {
		t.Error(diff)
	}
	if len(all.Skills) != len(skills.All()) || slices.Contains(part.Skills, "lsp-rename") || !slices.Contains(part.Skills, "lsp-verify") {
		t.Errorf("%q, and without rename %q", all.Skills, part.Skills)
	}
	none := capabilitiesShape().make([]result.Result{&result.Capabilities{}})
	want := offered{Supported: []string{}, Unsupported: []string{}, Skills: []string{}, Servers: []result.ServerCapabilities{}}
	if diff := cmp.Diff(want, none); diff != "" {
		t.Error(diff)
	}
}
