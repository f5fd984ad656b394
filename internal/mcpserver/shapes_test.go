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
//
// Requirement: AGENT-12.
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
//
// Requirement: AGENT-21.
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

// The types above and below a symbol are one answer, each on its side, whichever of them are asked for.
//
// Requirement: AGENT-12.
func TestTypesOfBothDirections(t *testing.T) {
	above := &result.Hierarchy{
		Head: result.Head{Notes: []string{"of two"}, Cut: "3 types"}, Symbol: "Shape", Direction: "supertypes",
		Nodes: []result.Node{{Name: "Thing", Kind: "class", Path: "thing.toy", Line: 2, Column: 7}},
	}
	below := &result.Hierarchy{
		Head: result.Head{State: []string{"toy is loading"}}, Symbol: "Shape", Direction: "subtypes",
		Nodes: []result.Node{{Name: "Box", Path: "box.toy", Line: 1, Column: 7}, {Name: "Ring", Path: "ring.toy", Line: 4, Column: 7}},
	}
	thing := party{"Thing", "class", location{File: "thing.toy", Line: 2, Column: 7}}
	box, ring := party{Name: "Box", location: location{File: "box.toy", Line: 1, Column: 7}}, party{Name: "Ring", location: location{File: "ring.toy", Line: 4, Column: 7}}
	for name, c := range map[string]struct {
		replies []result.Result
		want    types
	}{
		"both": {[]result.Result{above, below}, types{
			heads: heads{result.Head{State: below.State, Notes: above.Notes, Cut: "3 types"}},
			Items: []string{"Shape"}, Supertypes: []party{thing}, Subtypes: []party{box, ring},
		}},
		"above": {[]result.Result{above}, types{heads: heads{result.Head{Notes: above.Notes, Cut: "3 types"}}, Items: []string{"Shape"}, Supertypes: []party{thing}, Subtypes: []party{}}},
		"none":  {[]result.Result{&result.Hierarchy{Symbol: "Ring", Direction: "subtypes"}}, types{Items: []string{"Ring"}, Supertypes: []party{}, Subtypes: []party{}}},
	} {
		if diff := cmp.Diff(c.want, typesShape.make(c.replies), cmp.AllowUnexported(types{}, heads{}, party{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Answers that are named by files or servers hold each of them once, and empty lists where there is
// nothing.
func TestShapesOfLists(t *testing.T) {
	wrong := result.Diagnostic{Severity: "error", Line: 3, Column: 4, Message: "wrong", New: true}
	odd := result.Diagnostic{Severity: "warning", Line: 5, Column: 6, Message: "odd"}
	fresh := []result.Answer{{Server: "toy", Freshness: "fresh"}}
	for name, c := range map[string]struct {
		shape *shape
		given result.Result
		want  any
	}{
		"servers": {detectedShape, &result.Servers{Languages: []string{"toy"}, Servers: []result.ServerState{
			{ID: "toy", Languages: []string{"toy", "toys"}, Binary: "/bin/toy"}, {ID: "missing", Languages: []string{"toy"}},
		}}, detected{Languages: []string{"toy"}, Installed: []installed{{"toy", "toy", "/bin/toy"}, {"toys", "toy", "/bin/toy"}}, NotInstalled: []string{"missing"}}},
		"no servers": {detectedShape, &result.Servers{}, detected{Languages: []string{}, Installed: []installed{}, NotInstalled: []string{}}},
		"uses": {crossShape, &result.CrossReferences{Symbol: "Load", Total: 3, Repositories: []result.RepositoryUses{
			{Root: "/one", Files: []result.PlaceFile{{Path: "a.toy", Places: []result.Place{{Line: 1, Column: 2}, {Line: 3, Column: 4}}}}},
			{Root: "/two", Files: []result.PlaceFile{{Path: "b.toy", Places: []result.Place{{Line: 5, Column: 6}}}}},
		}}, crossReferences{Symbol: "Load", Total: 3, References: []reference{
			{location{File: "a.toy", Line: 1, Column: 2}, "/one"}, {location{File: "a.toy", Line: 3, Column: 4}, "/one"}, {location{File: "b.toy", Line: 5, Column: 6}, "/two"},
		}}},
		"tests": {
			testsShape, &result.Tests{Files: []result.TestsOf{{Path: "a.toy", Tests: []result.TestFile{{Path: "a_test.toy"}, {Path: "b_test.toy"}}}}},
			testsOfFile{Source: "a.toy", Tests: []string{"a_test.toy", "b_test.toy"}},
		},
		"diagnostics of nothing": {diagnosticsShape, &result.Check{Verdict: "clean"}, diagnosed{
			Verdict: "unknown", Summary: "nothing to check: no changed file that a server knows", Diagnostics: map[string][]result.Diagnostic{},
		}},
		"diagnostics": {diagnosticsShape, &result.Check{
			Verdict: "new_errors", Files: []result.File{
				{Path: "a.toy", Diagnostics: []result.Diagnostic{wrong}, Servers: fresh}, {Path: "b.toy", Servers: fresh}, {Path: "c", Error: &result.Error{Message: "too large", Hint: "split it"}},
			}, Unknown: []string{"who uses it"},
			Others: []result.File{{Path: "c.toy", Diagnostics: []result.Diagnostic{wrong}}, {Path: "fixed.toy"}},
			Late:   []result.File{{Path: "c.toy", Diagnostics: []result.Diagnostic{odd}}, {Path: "late.toy", Diagnostics: []result.Diagnostic{odd}}},
		}, diagnosed{
			Verdict: "new_errors", Summary: "2 errors in 2 files (3 files checked)", Unknown: []string{"too large\nsplit it", "who uses it"},
			Diagnostics: map[string][]result.Diagnostic{"a.toy": {wrong}, "b.toy": {}},
			Others:      map[string][]result.Diagnostic{"c.toy": {wrong, odd}, "late.toy": {odd}},
		}},
	} {
		if diff := cmp.Diff(c.want, c.shape.make([]result.Result{c.given}), cmp.AllowUnexported(reference{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// An edit says which errors it made and which it took away, in whatever file, and how many there are of
// each gravity.
func TestShapeOfAnEdit(t *testing.T) {
	diagnostic := func(severity, message string) result.Diagnostic {
		return result.Diagnostic{Severity: severity, Line: 3, Column: 4, Message: message}
	}
	edit := &result.Edit{}
	edit.Files = []result.File{{
		Path:        "a.toy",
		Diagnostics: []result.Diagnostic{diagnostic("error", "wrong"), diagnostic("warning", "odd"), diagnostic("hint", "so so")},
		Fixed:       []result.Diagnostic{diagnostic("error", "was wrong"), diagnostic("warning", "was odd")},
	}}
	edit.Others = []result.File{{Path: "b.toy", Diagnostics: []result.Diagnostic{diagnostic("error", "broken"), diagnostic("warning", "odd too")}}}
	got := editShape.make([]result.Result{edit}).(edited)
	want := edited{
		Edit: edit, ErrorsAfter: 2, WarningsAfter: 2, NetDelta: 1,
		Introduced: []introduced{{"a.toy", 3, 4, "wrong"}, {"b.toy", 3, 4, "broken"}}, Resolved: []introduced{{"a.toy", 3, 4, "was wrong"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
