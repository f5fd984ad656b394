package assembly

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// The answer about an impact has the symbols in the order of their places, their uses counted, and of
// those whose uses are not known the reason; the changed tests are to run as well, each once.
func TestAnswerOfAnImpact(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n", nil)
	place := func(name string, line uint32) symbols.Place {
		return symbols.Place{Path: g.at(name), Range: protocol.Range{Start: protocol.Position{Line: line, Character: 4}}}
	}
	user := func(name, file string, line uint32, uses int) impact.User {
		return impact.User{Name: name, Place: place(file, line), Uses: uses}
	}
	effect := func(name, file string, line uint32, change func(*impact.Effect)) impact.Effect {
		e := impact.Effect{Subject: impact.Subject{Name: name, Kind: "function", Place: place(file, line)}, Risk: "low", Why: "few use it"}
		change(&e)
		return e
	}
	report := &impact.Report{
		Effects: []impact.Effect{
			effect("late", "b.toy", 0, func(e *impact.Effect) { e.Err = context.DeadlineExceeded }),
			effect("second", "a.toy", 5, func(e *impact.Effect) {
				e.References, e.Own, e.Tests = 3, 1, 2
				e.Users, e.TestUsers, e.Transitive = []impact.User{user("u", "u.toy", 6, 2), user("", "v.toy", 0, 1)}, []impact.User{user("t", "t.toy", 1, 1)}, []impact.User{user("w", "w.toy", 2, 0)}
			}),
			effect("first", "a.toy", 1, func(e *impact.Effect) { e.References, e.Own, e.Tests = 10, 20, 30 }),
		},
		TestFiles: []string{"t.toy", "both.toy"}, Notes: []string{"of the report"},
	}
	want := result.Impact{
		Head: result.Head{Notes: []string{"of the change", "of the report"}}, Changed: []string{"a.toy"}, Total: 3, References: 13, Own: 21, Tests: 32, Failed: 1, TestFiles: []string{"both.toy", "own.toy", "t.toy"},
		Symbols: []result.ImpactSymbol{
			{Name: "first", Kind: "function", At: "a.toy:2:5", Risk: "low", Why: "few use it", References: 10, Own: 20, Tests: 30},
			{
				Name: "second", Kind: "function", At: "a.toy:6:5", Risk: "low", Why: "few use it", References: 3, Own: 1, Tests: 2,
				Users: []result.User{{Name: "u", Path: "u.toy", Line: 7, Uses: 2}, {Path: "v.toy", Line: 1}}, TestUsers: []result.User{{Name: "t", Path: "t.toy", Line: 2}}, Transitive: []result.User{{Name: "w", Path: "w.toy", Line: 3}},
			},
			{Name: "late", Kind: "function", At: "b.toy:1:5", Risk: "unknown", Why: "few use it", Failed: "the time was over before it was asked about; raise timeout_ms, or name fewer files"},
		},
	}
	got := g.impact(&change{files: []string{"a.toy"}, tests: []string{"own.toy", "both.toy"}, notes: []string{"of the change"}}, report)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	unsupported := &lsp.UnsupportedError{Server: "toy", Method: "m"}
	reasons := []string{reasonOf(errors.New("it broke")), reasonOf(fmt.Errorf("asked: %w", unsupported))}
	if diff := cmp.Diff([]string{"it broke", unsupported.Error()}, reasons); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

// What a request says will change is each symbol once: the exported ones of a file or, if there are
// none, or all are wanted, all that it declares.
func TestSymbolsOfAChange(t *testing.T) {
	outlines := map[string][]protocol.Symbol{
		"both.go": {sym(functionKind, "Out", 1, 1), sym(functionKind, "in", 2, 2)}, "in.go": {sym(functionKind, "in", 1, 1)}, "none.go": {}, "x_test.go": {sym(functionKind, "Test", 1, 1)},
	}
	const archive = "-- both.go --\npackage a\nfunc Out() {}\nfunc in() {}\n-- in.go --\npackage a\nfunc in() {}\n-- none.go --\npackage a\n-- x_test.go --\npackage a\nfunc Test() {}\n"
	type outcome struct {
		Files, Subjects, Tests, Notes []string
	}
	of := func(c *change) (o outcome) {
		o = outcome{Files: c.files, Tests: c.tests, Notes: c.notes}
		for _, s := range c.subjects {
			o.Subjects = append(o.Subjects, s.Name)
		}
		return o
	}
	for name, c := range map[string]struct {
		req  api.ImpactRequest
		want outcome
	}{
		"exported":         {api.ImpactRequest{Files: []string{"both.go"}}, outcome{Files: []string{"both.go"}, Subjects: []string{"Out"}}},
		"all":              {api.ImpactRequest{Files: []string{"both.go"}, Scope: "all"}, outcome{Files: []string{"both.go"}, Subjects: []string{"Out", "in"}}},
		"none is exported": {api.ImpactRequest{Files: []string{"in.go"}}, outcome{Files: []string{"in.go"}, Subjects: []string{"in"}, Notes: []string{"in.go exports nothing; took all that it declares"}}},
		"none, and all":    {api.ImpactRequest{Files: []string{"in.go"}, Scope: "all"}, outcome{Files: []string{"in.go"}, Subjects: []string{"in"}}},
		"nothing":          {api.ImpactRequest{Files: []string{"none.go"}}, outcome{Files: []string{"none.go"}, Notes: []string{"none.go declares nothing"}}},
		"twice":            {api.ImpactRequest{Files: []string{"both.go", "both.go"}}, outcome{Files: []string{"both.go", "both.go"}, Subjects: []string{"Out"}}},
	} {
		g := gatheringOf(t, archive, outlines)
		changed, err := g.changeOf(t.Context(), g.q, c.req)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, of(changed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, c := range map[string]struct {
		diffed git.FileChange
		scope  string
		want   outcome
	}{
		"touched":           {git.FileChange{Path: "both.go", Hunks: []git.Hunk{{Start: 3, Count: 1}}}, "", outcome{Files: []string{"both.go"}, Subjects: []string{"in"}}},
		"touched, exported": {git.FileChange{Path: "both.go", Hunks: []git.Hunk{{Start: 2, Count: 2}}}, "exported", outcome{Files: []string{"both.go"}, Subjects: []string{"Out"}}},
		"new":               {git.FileChange{Path: "both.go", Whole: true}, "", outcome{Files: []string{"both.go"}, Subjects: []string{"Out", "in"}}},
		"deleted":           {git.FileChange{Path: "gone.go", Deleted: true}, "", outcome{Notes: []string{"gone.go is deleted; check the workspace to see who misses it"}}},
		"a test":            {git.FileChange{Path: "x_test.go", Hunks: []git.Hunk{{Start: 2, Count: 1}}}, "", outcome{Files: []string{"x_test.go"}, Tests: []string{"x_test.go"}}},
	} {
		g := gatheringOf(t, archive, outlines)
		var changed change
		c.diffed.Path = g.at(c.diffed.Path)
		if err := g.diffedFile(t.Context(), g.q, &changed, &c.diffed, c.scope); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, of(&changed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	g := gatheringOf(t, archive, nil)
	var unknown change
	if err := g.diffedFile(t.Context(), g.q, &unknown, &git.FileChange{Path: g.at("both.go")}, ""); err != nil || len(unknown.notes) != 1 || unknown.notes[0] != "both.go left out: it broke" || unknown.files != nil {
		t.Errorf("not known: %+v, %v", unknown, err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if err := g.diffedFile(left, g.q, &unknown, &git.FileChange{Path: g.at("both.go")}, ""); err == nil {
		t.Error("nobody waits, and no error")
	}
}

// Places belong to the innermost folder of them, or to the workspace; each repository has its count.
func TestPlacesOfRepositories(t *testing.T) {
	g := gatheringOf(t, "-- a.toy --\na\n-- sub/b.toy --\nb\n-- sub/deep/c.toy --\nc\n", nil)
	var places []symbols.Place
	for _, name := range []string{"a.toy", "sub/b.toy", "sub/deep/c.toy", "../out.toy", "sub/b.toy"} {
		places = append(places, symbols.Place{Path: g.at(name)})
	}
	var answer result.CrossReferences
	g.divide(g.q, &answer, "f", []string{g.at("sub"), g.at("sub/deep"), g.at("none")}, places)
	got := make(map[string]int)
	for _, r := range answer.Repositories {
		got[g.names.Relative(r.Root)] = r.Total
	}
	if diff := cmp.Diff(map[string]int{".": 2, "sub": 2, "sub/deep": 1, "none": 0}, got); diff != "" || answer.Total != 5 || answer.Symbol != "f" {
		t.Errorf("%+v (-want +got):\n%s", answer, diff)
	}
}
