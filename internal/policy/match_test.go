package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a rule is about is said by its members, in one order.
func TestMatchesInWords(t *testing.T) {
	for want, m := range map[string]Match{
		"everything": {},
		"operation rename or edit, class edit, path gen/**, server gopls, client cli or mcp, mode sensitive": {
			Operation: []string{"rename", "edit"}, Class: []string{"edit"}, Path: []string{"gen/**"}, Server: []string{"gopls"}, Client: []string{"cli", "mcp"}, Mode: []string{"sensitive"},
		},
		"server gopls": {Server: []string{"gopls"}},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A glob begins at the root of a file system, or is of the workspace; a name fits itself, whatever it would mean as a
// glob.
func TestGlobsOfRules(t *testing.T) {
	for glob, want := range map[string]bool{"/a": true, "/": true, "C:/a": true, "C:/": true, "C:": false, "C:a": false, "a/b": false, "": false, "ab/": false, "abc:/": false} {
		if got := isAbsolute(glob); got != want {
			t.Errorf("%q begins at the root: %t", glob, got)
		}
	}
	for _, c := range []struct {
		glob, name string
		want       bool
	}{{"[a", "[a", true}, {"a*", "abc", true}, {"a*", "a/b", false}, {"a/**", "a", true}, {"a", "b", false}, {"{a,b}", "b", true}, {"", "", true}, {"", "a", false}} {
		if got := Fits(c.glob, c.name); got != c.want {
			t.Errorf("%q fits %q: %t", c.glob, c.name, got)
		}
	}
}

// A rule fits a call if each member that it has fits: of servers one has to, and a client counts with its front.
func TestWhatARuleFits(t *testing.T) {
	call := Subject{Operation: "edit", Class: Edit, Servers: []string{"gopls", "eslint"}, Client: "mcp/claude"}
	inside := Path{"src/a.go", "/w/src/a.go"}
	for name, c := range map[string]struct {
		m    Match
		of   Path
		want bool
	}{
		"all":               {Match{Operation: []string{"edit"}, Class: []string{"edit"}, Mode: []string{"interactive"}, Path: []string{"src/*"}, Server: []string{"es*"}, Client: []string{"mcp"}}, inside, true},
		"another operation": {Match{Operation: []string{"rename"}}, inside, false},
		"another class":     {Match{Class: []string{"read"}}, inside, false},
		"another mode":      {Match{Mode: []string{"sensitive"}}, inside, false},
		"another path":      {Match{Path: []string{"lib/*"}}, inside, false},
		"an absolute path":  {Match{Path: []string{"lib/*", "/w/src/*"}}, inside, true},
		"no path":           {Match{Path: []string{"**"}}, Path{}, false},
		"no absolute path":  {Match{Path: []string{"/**"}}, Path{Relative: "src/a.go"}, false},
		"another server":    {Match{Server: []string{"clangd"}}, inside, false},
		"the whole client":  {Match{Client: []string{"mcp/cl*"}}, inside, true},
		"another client":    {Match{Client: []string{"mcp/other", "cli"}}, inside, false},
	} {
		if got := c.m.fits(&call, Interactive, spelling{Path: c.of}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if (&Match{Server: []string{"**"}}).fits(&Subject{}, Interactive, spelling{Path: inside}) {
		t.Error("a rule about servers fits a call about none")
	}
	d := decisionOf(&Rule{Action: Ask, Match: Match{Path: []string{"/etc/**"}}}, Interactive, 3, Path{Absolute: "/etc/x"})
	want := Decision{Action: Ask, Fallback: Deny, Rule: Rule{Action: Ask, Match: Match{Path: []string{"/etc/**"}}}, Number: 3, Path: "/etc/x"}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// Where letters in another case name the same file, globs of paths fit it however it and they are spelled; names of
// operations and clients are compared as they are.
func TestGlobsWhereCaseDoesNotCount(t *testing.T) {
	rules := []Rule{{Match: Match{Path: []string{"Secrets/**", "/Etc/[A-C]*"}}, Action: Deny}, {Match: Match{Operation: []string{"Rename"}}, Action: Deny}}
	for name, c := range map[string]struct {
		of      Subject
		counts  Action // where case counts
		ignored Action // where it does not
	}{
		"as it is written":     {Subject{Paths: []Path{{"Secrets/x", "/w/Secrets/x"}}}, Deny, Deny},
		"in other letters":     {Subject{Paths: []Path{{"sEcrets/X", "/w/sEcrets/X"}}}, Allow, Deny},
		"beyond ASCII":         {Subject{Paths: []Path{{"SECRETS/É", "/w/SECRETS/É"}}}, Allow, Deny},
		"an absolute path":     {Subject{Paths: []Path{{"", "/etc/BASHRC"}}}, Allow, Deny},
		"another path":         {Subject{Paths: []Path{{"secret/x", "/w/secret/x"}}}, Allow, Allow},
		"another operation":    {Subject{Operation: "rename"}, Allow, Allow},
		"the operation itself": {Subject{Operation: "Rename"}, Deny, Deny},
	} {
		c.of.Class = Read
		var got []Action
		for _, folds := range []bool{false, true} {
			p := Policy{Rules: rules, FoldsCase: folds}
			d := p.Decide(c.of)
			got = append(got, d.Action)
		}
		if diff := cmp.Diff([]Action{c.counts, c.ignored}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
