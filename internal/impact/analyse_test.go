package impact

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// The effect of a change is who uses the symbol: in its own file, in others and in tests, each with
// how often, and who uses those, where they are others. Its own recursion is no use, nor is its declaration,
// which some servers count, or an import beside a use.
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
				at("lib/a.ts", 0, 16), at("lib/a.ts", 1, 2), at("lib/a.ts", 4, 2), at("app/b.ts", 0, 9), at("app/b.ts", 2, 2), at("app/b.ts", 2, 7), at("app/c.ts", 0, 9), at("app/b.test.ts", 0, 5),
				at("app/e.ts", 0, 0), at("app/f.ts", 0, 0),
			}, nil
		case file == here("/r/app/b.ts"):
			asked++
			return []protocol.Location{at("app/d.ts", 1, 2), at("app/d.test.ts", 0, 5), at("app/c.ts", 0, 9), at("lib/a.ts", 1, 2), at("lib/a.ts", 4, 2)}, nil
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

// An analysis is bounded: of too many files it names the users in the first alone, and of too many users
// it follows the first; that is said, and so is whose users are not known. Who uses the users is told in
// the order of the files.
func TestAnalyseIsBounded(t *testing.T) {
	type outcome struct {
		Users, Named, Asked int
		Transitive, Notes   []string
	}
	for name, tt := range map[string]struct {
		users      int
		transitive bool
		broken     int // the user of whom a server says nothing
		want       outcome
	}{
		"as many files as are named":    {maxNamed, false, -1, outcome{Users: maxNamed, Named: maxNamed}},
		"more files":                    {maxNamed + 2, false, -1, outcome{Users: maxNamed + 2, Named: maxNamed, Notes: []string{"users are named in the first files only"}}},
		"two users":                     {2, true, -1, outcome{Users: 2, Named: 2, Asked: 2, Transitive: []string{"v998.ts", "v999.ts"}}},
		"one who is not known":          {2, true, 0, outcome{Users: 2, Named: 2, Asked: 2, Transitive: []string{"v998.ts"}, Notes: []string{"who uses u000 is not known: it broke"}}},
		"more users than are followed":  {maxFollowed + 2, true, -1, outcome{Users: maxFollowed + 2, Named: maxFollowed + 2, Asked: maxFollowed, Notes: []string{"of the users of f only the first are followed"}}},
		"as many users as are followed": {maxFollowed, true, -1, outcome{Users: maxFollowed, Named: maxFollowed, Asked: maxFollowed}},
	} {
		t.Run(name, func(t *testing.T) {
			lib := here("/r/lib.ts")
			c := &code{texts: map[string]string{lib: "export function f() {}\n"}, outlines: map[string][]protocol.Symbol{lib: {sym(functionKind, "f", 0, 0)}}}
			in := func(path string, line uint32) protocol.Location {
				start := protocol.Position{Line: line, Character: 2}
				return protocol.Location{URI: protocol.URIFromPath(path), Range: protocol.Range{Start: start, End: start}}
			}
			var uses []protocol.Location
			for i := range tt.users {
				path, user := here(fmt.Sprintf("/r/u%03d.ts", i)), fmt.Sprintf("u%03d", i)
				c.texts[path] = "function " + user + "() {\n  f()\n}\n"
				c.texts[here(fmt.Sprintf("/r/v%03d.ts", 999-i))] = user + "()\n"
				c.outlines[path] = []protocol.Symbol{sym(functionKind, user, 0, 2)}
				uses = append(uses, in(path, 1))
			}
			var got outcome
			c.references = func(path string, _ protocol.Position) ([]protocol.Location, error) {
				if path == lib {
					return uses, nil
				}
				got.Asked++
				var user int
				if _, err := fmt.Sscanf(filepath.Base(path), "u%03d.ts", &user); err != nil || user == tt.broken {
					return nil, errors.New("it broke")
				}
				return []protocol.Location{in(here(fmt.Sprintf("/r/v%03d.ts", 999-user)), 0)}, nil
			}
			q := symbols.New(c)
			o, err := q.Outline(t.Context(), lib)
			if err != nil {
				t.Fatal(err)
			}
			report := Analyse(t.Context(), q, []Subject{SubjectOf(lib, o.Symbols[0])}, Options{Relative: c.Relative, Transitive: tt.transitive})
			for _, u := range report.Effects[0].Users {
				got.Users++
				if u.Name != "" {
					got.Named++
				}
			}
			if tt.users <= 2 {
				for _, u := range report.Effects[0].Transitive {
					got.Transitive = append(got.Transitive, filepath.Base(u.Place.Path))
				}
			}
			got.Notes = report.Notes
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Of what nobody here uses the risk is not known if others can see it: not in tests, in programs and
// internal packages of Go, in sources of C, or in languages of which we do not know what they show.
func TestRiskOfWhatNobodyUses(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       Risk
	}{
		{"lib.go", "package lib\nfunc F() {}\n", Unknown},
		{"lib.go", "package mainly\nfunc F() {}\n", Unknown},
		{"lib.go", "package main\nfunc F() {}\n", None},
		{"lib_test.go", "package lib\nfunc F() {}\n", None},
		{"internal/lib.go", "package lib\nfunc F() {}\n", None},
		{"internals/lib.go", "package lib\nfunc F() {}\n", Unknown},
		{"internal/lib.ts", "\nexport function F() {}\n", Unknown},
		{"lib.ts", "export {}\nfunction F() {}\n", None},
		{"lib.h", "\nint F();\n", Unknown},
		{"lib.c", "\nint F() { return 1; }\n", None},
		{"lib.zig", "\nfn F() void {}\n", None},
	} {
		path := here("/r/" + c.file)
		server := &code{
			texts: map[string]string{path: c.text}, outlines: map[string][]protocol.Symbol{path: {named(sym(functionKind, "F", 1, 1), 5)}},
			references: func(string, protocol.Position) ([]protocol.Location, error) { return nil, nil },
		}
		q := symbols.New(server)
		o, err := q.Outline(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		report := Analyse(t.Context(), q, []Subject{SubjectOf(path, o.Symbols[0])}, Options{Relative: server.Relative})
		if got := report.Effects[0].Risk; got != c.want {
			t.Errorf("%s, %q: %s, want %s", c.file, c.text, got, c.want)
		}
	}
	path := here("/r/lib.go")
	server := &code{texts: map[string]string{path: "package lib\nfunc F() {}\n"}, references: func(string, protocol.Position) ([]protocol.Location, error) { return nil, nil }}
	subject := Subject{Name: "F", Target: symbols.Target{Path: path}, Place: symbols.Place{Path: path, Range: protocol.Range{Start: protocol.Position{Line: 1, Character: 5}}}}
	report := Analyse(t.Context(), symbols.New(server), []Subject{subject}, Options{Relative: server.Relative})
	if e := report.Effects[0]; e.Risk != None {
		t.Errorf("of what its file does not declare: %s", e.Risk)
	}
	delete(server.texts, path)
	report = Analyse(t.Context(), symbols.New(server), []Subject{subject}, Options{Relative: server.Relative})
	if e := report.Effects[0]; e.Risk != None {
		t.Errorf("of what cannot be read: %s", e.Risk)
	}
	if err := (&Report{}).Err(); err != nil {
		t.Errorf("a report about nothing failed: %v", err)
	}
}

// A place is used by the innermost function or type around it, failing that by what is at the top level
// there; a module uses nothing itself.
func TestContainer(t *testing.T) {
	o, _ := outlineOf(t, here("/r/a.ts"), strings.Repeat("\n", 20),
		sym(moduleKind, "m", 0, 7, sym(classKind, "C", 1, 5, sym(methodKind, "f", 2, 3)), sym(constantKind, "v", 6, 6)),
		sym(functionKind, "g", 9, 11, sym(constantKind, "v", 10, 10)), sym(constantKind, "k", 13, 14, sym(propertyKind, "p", 14, 14)))
	var got []string
	for line := range uint32(16) {
		name := "-"
		if s := container(o, protocol.Position{Line: line, Character: 200}); s != nil {
			name = strings.Join(s.Path, ".")
		}
		got = append(got, name)
	}
	want := strings.Fields("- m.C m.C.f m.C.f m.C m.C - - - g g g - k k -")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("by line (-want +got):\n%s", diff)
	}
}
