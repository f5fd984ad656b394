package impact

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// The effect of a change is who uses the symbol: in its own file, in others and in tests, each with
// how often, and who uses those. Its own recursion is no use, nor is an import beside a use.
func TestAnalyse(t *testing.T) {
	c := &code{
		texts: map[string]string{
			here("/r/lib/a.ts"): "export function f() {\n  f()\n}\nfunction own() {\n  f()\n}\n", here("/r/app/b.ts"): "import { f } from \"../lib/a\"\nexport function g() {\n  f(); f()\n}\n",
			here("/r/app/c.ts"): "import { f } from \"../lib/a\"\n", here("/r/app/b.test.ts"): "test(f)\n", here("/r/app/d.ts"): "function h() {\n  g()\n}\n", here("/r/app/d.test.ts"): "test(g)\n",
			here("/r/app/e.ts"): "f()\n", here("/r/app/f.ts"): "f()\n", here("/r/lib/lost.ts"): "",
		},
		outlines: map[string][]protocol.Symbol{
			here("/r/lib/a.ts"): {sym(functionKind, "f", 0, 2), sym(functionKind, "own", 3, 5)}, here("/r/app/b.ts"): {sym(functionKind, "g", 1, 3)}, here("/r/app/d.ts"): {sym(functionKind, "h", 0, 2)},
		},
	}
	at := func(file string, line, character uint32) protocol.Location {
		start := protocol.Position{Line: line, Character: character}
		return protocol.Location{URI: protocol.URIFromPath(here("/r/" + file)), Range: protocol.Range{Start: start, End: start}}
	}
	broken := errors.New("it broke")
	asked := 0
	c.references = func(file string, p protocol.Position) ([]protocol.Location, error) {
		switch {
		case file == here("/r/lib/lost.ts"):
			return nil, broken
		case file == here("/r/lib/a.ts") && p.Line == 0:
			return []protocol.Location{
				at("lib/a.ts", 1, 2), at("lib/a.ts", 4, 2), at("app/b.ts", 0, 9), at("app/b.ts", 2, 2), at("app/b.ts", 2, 7), at("app/c.ts", 0, 9), at("app/b.test.ts", 0, 5),
				at("app/e.ts", 0, 0), at("app/f.ts", 0, 0),
			}, nil
		case file == here("/r/app/b.ts"):
			asked++
			return []protocol.Location{at("app/d.ts", 1, 2), at("app/d.test.ts", 0, 5)}, nil
		}
		return nil, nil
	}
	q := symbols.New(c)
	o, err := q.Outline(t.Context(), here("/r/lib/a.ts"))
	if err != nil {
		t.Fatal(err)
	}
	f := SubjectOf(here("/r/lib/a.ts"), o.Symbols[0])
	lost := Subject{Name: "lost", Target: symbols.Target{Path: here("/r/lib/lost.ts")}, Place: symbols.Place{Path: here("/r/lib/lost.ts")}}
	report := Analyse(t.Context(), q, []Subject{f, lost, f}, Options{Relative: c.Relative, Transitive: true})
	type user struct {
		Name, File string
		Uses       int
		Test       bool
	}
	type effect struct {
		References, Own, Tests       int
		Users, TestUsers, Transitive []user
		Risk                         Risk
		Failed                       bool
	}
	told := func(users []User) (list []user) {
		for _, u := range users {
			list = append(list, user{u.Name, filepath.Base(u.Place.Path), u.Uses, u.Test})
		}
		return list
	}
	var got []effect
	for _, e := range report.Effects {
		got = append(got, effect{e.References, e.Own, e.Tests, told(e.Users), told(e.TestUsers), told(e.Transitive), e.Risk, errors.Is(e.Err, broken)})
	}
	of := effect{
		References: 6, Own: 1, Tests: 1, Risk: Medium,
		Users:      []user{{"g", "b.ts", 2, false}, {"", "c.ts", 1, false}, {"", "e.ts", 1, false}, {"", "f.ts", 1, false}, {"own", "a.ts", 1, false}},
		TestUsers:  []user{{"", "b.test.ts", 1, true}},
		Transitive: []user{{"h", "d.ts", 1, false}},
	}
	if diff := cmp.Diff([]effect{of, {Failed: true}, of}, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"app/b.test.ts", "app/d.test.ts"}, report.TestFiles); diff != "" || len(report.Notes) > 0 || report.Err() != nil {
		t.Errorf("%q, %v: %s", report.Notes, report.Err(), diff)
	}
	if asked != 1 {
		t.Errorf("the users of g were asked for %d times", asked)
	}
}
