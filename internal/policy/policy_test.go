package policy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Without rules of the user the class and the mode decide: reading is allowed, running programs is
// asked about, and in sensitive use so is all that changes something. Nobody is asked in
// non-interactive use.
//
// Requirement: LSP-003, SYN-10.
func TestBuiltInRules(t *testing.T) {
	got := make(map[string]string)
	for _, mode := range append([]Mode{""}, Modes...) {
		p := Policy{Mode: mode}
		for _, class := range append([]Class{"unheard-of"}, Classes...) {
			d := p.Decide(Subject{Operation: "x", Class: class})
			text := string(d.Action)
			if d.Action == Ask {
				text += ", else " + string(d.Fallback)
			}
			got[fmt.Sprintf("%s: %s", mode, class)] = text
		}
	}
	want := map[string]string{
		": unheard-of": "deny", ": read": "allow", ": edit": "allow", ": execute": "ask, else allow", ": admin": "allow",
		"interactive: unheard-of": "deny", "interactive: read": "allow", "interactive: edit": "allow", "interactive: execute": "ask, else allow", "interactive: admin": "allow",
		"non-interactive: unheard-of": "deny", "non-interactive: read": "allow", "non-interactive: edit": "allow", "non-interactive: execute": "deny", "non-interactive: admin": "allow",
		"sensitive: unheard-of": "deny", "sensitive: read": "allow", "sensitive: edit": "ask, else deny", "sensitive: execute": "ask, else deny", "sensitive: admin": "ask, else deny",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The first rule that matches decides, with all that it says; a rule matches if each member that
// it has fits.
func TestFirstMatchWins(t *testing.T) {
	p := Policy{Rules: []Rule{
		{Match: Match{Operation: []string{"ren*"}, Client: []string{"cli"}}, Action: Allow, Source: "c:1"},
		{Match: Match{Operation: []string{"rename", "edit"}}, Action: Ask, Fallback: Allow, Reason: "careful", Source: "c:2"},
		{Match: Match{Class: []string{"edit"}}, Action: Deny, Source: "c:3"},
		{Match: Match{Mode: []string{"sensitive"}}, Action: Deny, Source: "c:4"},
		{Match: Match{Server: []string{"rust-*"}}, Action: Ask, Source: "c:5"},
		{Match: Match{Client: []string{"mcp/claude*"}, Class: []string{"admin"}}, Action: Deny, Source: "c:6"},
		{Match: Match{Client: []string{"mcp"}, Class: []string{"admin"}}, Action: Ask, Source: "c:7"},
	}}
	for _, c := range []struct {
		name    string
		subject Subject
		want    string
	}{
		{"both members fit", Subject{Operation: "rename", Class: Edit, Client: "cli"}, "allow rule 1 of your policy (c:1)"},
		{"one does not", Subject{Operation: "rename", Class: Edit, Client: "mcp"}, "ask rule 2 of your policy (c:2)"},
		{"by class", Subject{Operation: "format", Class: Edit, Client: "cli"}, "deny rule 3 of your policy (c:3)"},
		{"another mode", Subject{Operation: "definition", Class: Read}, "allow the built-in rule for class read"},
		{"a server", Subject{Operation: "definition", Class: Read, Servers: []string{"gopls", "rust-analyzer"}}, "ask rule 5 of your policy (c:5)"},
		{"a client of a front", Subject{Operation: "servers", Class: Admin, Client: "mcp/claude-code"}, "deny rule 6 of your policy (c:6)"},
		{"a front with any client", Subject{Operation: "servers", Class: Admin, Client: "mcp/other"}, "ask rule 7 of your policy (c:7)"},
		{"another front", Subject{Operation: "servers", Class: Admin, Client: "cli"}, "allow the built-in rule for class admin"},
	} {
		d := p.Decide(c.subject)
		if got := string(d.Action) + " " + d.Why(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	d := p.Decide(Subject{Operation: "edit", Class: Edit})
	want := Decision{Action: Ask, Fallback: Allow, Rule: p.Rules[1], Number: 2}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// A rule about paths is about calls that name one; of several paths each is decided by itself, and
// the strictest decision counts. Globs are of the workspace, or absolute.
func TestStrictestPathCounts(t *testing.T) {
	p := Policy{Rules: []Rule{
		{Match: Match{Path: []string{"gen/keep.go"}}, Action: Allow, Source: "c:1"},
		{Match: Match{Path: []string{"./gen/**"}}, Action: Deny, Source: "c:2"},
		{Match: Match{Path: []string{"docs/**"}}, Action: Ask, Fallback: Allow, Source: "c:3"},
		{Match: Match{Path: []string{"src/*"}}, Action: Ask, Source: "c:4"},
		{Match: Match{Path: []string{"/etc/**", "C:/Windows/**"}}, Action: Deny, Source: "c:5"},
		{Match: Match{Path: []string{"go/**", "c:"}}, Action: Deny, Source: "c:6"},
		{Match: Match{Path: []string{"**"}}, Action: Allow, Source: "c:7"},
	}}
	in := func(names ...string) (paths []Path) {
		for _, name := range names {
			paths = append(paths, Path{name, "/w/" + name})
		}
		return paths
	}
	for _, c := range []struct {
		name  string
		paths []Path
		want  string
	}{
		{"none", nil, "allow 0 "},
		{"any in the workspace", in("main.go"), "allow 7 main.go"},
		{"no rule, outside", []Path{{"", "/elsewhere/x"}}, "allow 0 "},
		{"the folder itself", in("gen"), "deny 2 gen"},
		{"below it", in("gen/a/b.go"), "deny 2 gen/a/b.go"},
		{"an earlier rule", in("gen/keep.go"), "allow 1 gen/keep.go"},
		{"a name that begins alike", in("generated.go"), "allow 7 generated.go"},
		{"a folder with a name of two letters", in("go/x"), "deny 6 go/x"},
		{"a file with the name of a drive", in("c:"), "deny 6 c:"},
		{"the strictest, whichever is first", in("main.go", "gen/a.go", "docs/x"), "deny 2 gen/a.go"},
		{"a fallback that denies is stricter", in("docs/x", "src/a", "docs/y"), "ask 4 src/a"},
		{"the first of equals", in("docs/x", "docs/y"), "ask 3 docs/x"},
		{"outside", []Path{{"", "/etc/passwd"}}, "deny 5 /etc/passwd"},
		{"outside, on a drive", []Path{{"", "C:/Windows/x"}}, "deny 5 C:/Windows/x"},
		{"inside, named like outside", in("etc/passwd"), "allow 7 etc/passwd"},
	} {
		d := p.Decide(Subject{Operation: "edit", Class: Edit, Paths: c.paths})
		if got := fmt.Sprintf("%s %d %s", d.Action, d.Number, d.Path); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// In non-interactive use nobody is asked: the rule's fallback decides at once.
func TestNobodyIsAsked(t *testing.T) {
	p := Policy{Mode: NonInteractive, Rules: []Rule{
		{Match: Match{Operation: []string{"build"}}, Action: Ask, Fallback: Allow},
		{Match: Match{Operation: []string{"test"}}, Action: Ask},
	}}
	for operation, want := range map[string]Action{"build": Allow, "test": Deny} {
		if d := p.Decide(Subject{Operation: operation, Class: Execute}); d.Action != want {
			t.Errorf("%s: %s, want %s", operation, d.Action, want)
		}
	}
}

// Of two decisions the stricter counts, the first of equals.
func TestStricter(t *testing.T) {
	order := []Decision{{Action: Allow}, {Action: Ask, Fallback: Allow}, {Action: Ask, Fallback: Deny}, {Action: Deny}}
	for i := range order {
		for j := range order {
			a, b := order[i], order[j]
			a.Number, b.Number = 1, 2
			want := a
			if j > i {
				want = b
			}
			if diff := cmp.Diff(want, Stricter(a, b)); diff != "" {
				t.Errorf("%d, %d: %s", i, j, diff)
			}
		}
	}
}

// A person who is asked reads which rule asks, where it stands, for which path, and why.
func TestWhyItAsks(t *testing.T) {
	p := Policy{Rules: []Rule{
		{Match: Match{Path: []string{"gen/**"}}, Action: Ask, Reason: "it is generated", Source: "config.toml:3"},
		{Match: Match{Operation: []string{"format"}}, Action: Ask, Source: "config.toml:9"},
	}}
	var got []string
	for _, d := range []Decision{
		p.Decide(Subject{Operation: "edit", Class: Edit, Paths: []Path{{"gen/a.go", "/w/gen/a.go"}}}),
		p.Decide(Subject{Operation: "format", Class: Edit, Paths: []Path{{"a.go", "/w/a.go"}}}),
		p.Decide(Subject{Operation: "build", Class: Execute}),
		p.By(Rule{Action: Ask, Reason: "it is new", Source: "the trust of this workspace"}),
		p.By(Rule{Action: Ask}),
	} {
		got = append(got, d.Asks())
	}
	want := []string{
		"rule 1 of your policy (config.toml:3) asks first for gen/a.go: it is generated",
		"rule 2 of your policy (config.toml:9) asks first",
		"the built-in rule for class execute, mode interactive asks first: it runs programs",
		"the trust of this workspace asks first: it is new",
		"the built-in rule for everything asks first",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
