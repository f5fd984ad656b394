package navigation

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// The tree of a hierarchy is named after its root, if that has a name; each node has its place, whether
// it is in a test, and where it calls, and how it runs beside its caller if that is asked for.
//
// Requirement: AGENT-12.
func TestTreesOfCalls(t *testing.T) {
	n, texts := open(t, "-- toy.root --\n-- sub/main.toy --\ngo f()\nf()\n-- sub/main_test.toy --\nf()\n")
	root := texts.View(n.names, nil).Access()
	defer root.Close()
	q := symbols.New(root)
	at := func(name string, line, character uint32) symbols.Place {
		path, err := n.names.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		return symbols.Place{Path: path, Range: protocol.Range{Start: protocol.Position{Line: line, Character: character}}}
	}
	leaf := &symbols.Node{Name: "deep", Kind: "function", Place: at("main.toy", 1, 0), Repeated: true}
	one := &symbols.Node{Name: "caller", Kind: "method", Place: at("main.toy", 0, 3), Sites: []symbols.Place{at("main.toy", 1, 0), at("main.toy", 0, 3)}, Children: []*symbols.Node{leaf}}
	two := &symbols.Node{Name: "test", Kind: "function", Place: at("main_test.toy", 0, 0), Sites: []symbols.Place{at("main.toy", 0, 3), at("main.toy", 1, 0)}}
	h := symbols.Hierarchy{Derived: true, Roots: []*symbols.Node{{Name: "f", Children: []*symbols.Node{one}}, {Children: []*symbols.Node{two}}}}
	nodes := func(first, second string) []result.Node {
		return []result.Node{
			{Name: "caller", Kind: "method", Path: "main.toy", Line: 1, Column: 4, Sites: []string{"2:1", "1:4"}, Concurrent: first, Nodes: []result.Node{{Name: "deep", Kind: "function", Path: "main.toy", Line: 2, Column: 1, Repeated: true}}},
			{Name: "test", Kind: "function", Path: "main_test.toy", Line: 1, Column: 1, Test: symbols.IsTest("sub/main_test.toy"), Sites: []string{"1:4", "2:1"}, Concurrent: second},
		}
	}
	want := result.Hierarchy{Symbol: "f", Direction: "callers", Derived: true, Total: 2, Nodes: nodes("", "")}
	if diff := cmp.Diff(want, n.hierarchy(q, "asked", symbols.Callers, h, false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want.Nodes = nodes("goroutine", "goroutine")
	if diff := cmp.Diff(want, n.hierarchy(q, "asked", symbols.Callers, h, true)); diff != "" {
		t.Errorf("with what runs beside (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(result.Hierarchy{Symbol: "asked", Direction: "callees", Nodes: []result.Node{}}, n.hierarchy(q, "asked", symbols.Callees, symbols.Hierarchy{}, true)); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
}

// The lines around a source are shown as far as there are any; without them it is as it was found.
func TestSurroundedSources(t *testing.T) {
	n, texts := open(t, "-- toy.root --\n-- sub/main.toy --\none\ntwo\nthree\nfour\n")
	a := texts.View(n.names, nil).Access()
	defer a.Close()
	path, err := n.names.Resolve("main.toy")
	if err != nil {
		t.Fatal(err)
	}
	type shown struct {
		Line, EndLine uint32
		Code          string
	}
	for lines, want := range map[int]shown{0: {2, 3, "found"}, 1: {1, 4, "one\ntwo\nthree\nfour"}, 9: {1, 5, "one\ntwo\nthree\nfour\n"}} {
		got, err := n.surrounded(symbols.New(a), symbols.Source{Path: path, First: 1, Last: 2, Lines: []string{"found"}}, lines)
		if diff := cmp.Diff(want, shown{got.Line, got.EndLine, got.Code}); diff != "" || err != nil {
			t.Errorf("%d lines around: %v (-want +got):\n%s", lines, err, diff)
		}
	}
	if _, err := n.surrounded(symbols.New(a), symbols.Source{Path: path + "none"}, 1); err == nil {
		t.Error("a file that is not there is shown")
	}
}

// An outline lists what is declared as a tree, as a list of whole names, or only what is of a kind.
func TestFlatOutlines(t *testing.T) {
	inner := &symbols.Symbol{Name: "m", Kind: "method", Path: []string{"C", "m"}}
	all := []*symbols.Symbol{{Name: "C", Kind: "class", Path: []string{"C"}, Children: []*symbols.Symbol{inner}}, {Name: "f", Kind: "function", Path: []string{"f"}}}
	for kind, want := range map[string][]string{"": {"C", "C.m", "f"}, "method": {"C.m"}, "enum": {}} {
		got := []string{}
		for _, s := range flat(all, kind) {
			got = append(got, s.Name)
			if len(s.Children) > 0 {
				t.Errorf("%s has children in a list", s.Name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of kind %q (-want +got):\n%s", kind, diff)
		}
	}
}

// Parts of an inspection are its hover and its definition, and nothing else.
func TestPartsOfAnInspection(t *testing.T) {
	for _, c := range []struct {
		parts []string
		wrong string
	}{{nil, ""}, {[]string{"hover"}, ""}, {[]string{"definition", "hover"}, ""}, {[]string{"hover", "all"}, "parts"}} {
		if err := checkInspect(&api.InspectRequest{Parts: c.parts}); wrongArgument(err) != c.wrong {
			t.Errorf("%q: %v", c.parts, err)
		}
	}
}

// What a server says of uses, hints and folds is counted from 1, with the names of their kinds, uses in
// the order of the file.
//
// Requirement: AGENT-11.
func TestUsesHintsAndFolds(t *testing.T) {
	n := openAble(t, `{"documentHighlightProvider":true,"inlayHintProvider":true,"foldingRangeProvider":true}`, map[string]string{
		"textDocument/documentHighlight": `[{"range":{"start":{"line":1,"character":4},"end":{"line":1,"character":10}},"kind":3},{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":6}},"kind":1},{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":10}},"kind":2}]`,
		"textDocument/inlayHint":         `[{"position":{"line":0,"character":4},"label":"a:","kind":2},{"position":{"line":1,"character":4},"label":": T","kind":1},{"position":{"line":1,"character":5},"label":"x"}]`,
		"textDocument/foldingRange":      `[{"startLine":0,"endLine":1,"kind":"region"}]`,
	})
	uses, err := n.Highlights(t.Context(), api.HighlightsRequest{Selector: api.Selector{At: "main.toy:1:5"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []result.Place
	for _, p := range uses.Files[0].Places {
		got = append(got, result.Place{Line: p.Line, Column: p.Column, Kind: p.Kind})
	}
	if diff := cmp.Diff([]result.Place{{Line: 1, Column: 5, Kind: "read"}, {Line: 1, Column: 6, Kind: "text"}, {Line: 2, Column: 5, Kind: "write"}}, got); diff != "" {
		t.Errorf("uses (-want +got):\n%s", diff)
	}
	hints, err := n.InlayHints(t.Context(), api.AreaRequest{Area: api.Area{File: "main.toy"}})
	if err != nil {
		t.Fatal(err)
	}
	wantHints := result.Hints{Path: "main.toy", Total: 3, Hints: []result.Hint{{Line: 1, Column: 5, Label: "a:", Kind: "parameter"}, {Line: 2, Column: 5, Label: ": T", Kind: "type"}, {Line: 2, Column: 6, Label: "x"}}}
	if diff := cmp.Diff(wantHints, hints); diff != "" {
		t.Errorf("hints (-want +got):\n%s", diff)
	}
	folds, err := n.Folding(t.Context(), api.FileRequest{File: "main.toy"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(result.Folds{Path: "main.toy", Total: 1, Folds: []result.Fold{{Line: 1, EndLine: 2, Kind: "region"}}}, folds); diff != "" {
		t.Errorf("folds (-want +got):\n%s", diff)
	}
}

// openAble opens the project with a server that can do more, and answers so.
func openAble(t *testing.T, capabilities string, replies map[string]string) *Navigator {
	t.Helper()
	var rules []lsptest.Rule
	for method, reply := range replies {
		rules = append(rules, lsptest.On(method, lsptest.Reply(reply)))
	}
	n, _ := openScript(t, project, lsptest.Script{Rules: rules, Capabilities: json.RawMessage(capabilities)})
	return n
}
