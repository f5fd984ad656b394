package config

import (
	"slices"
	"testing"
)

// A value that is not applied is told with the server that it is for, where it stands, and what to
// do to have it.
func TestUntrustedValuesNameTheirServer(t *testing.T) {
	for want, u := range map[string]Untrusted{
		"p.jsonc:3: gopls.command is not applied: run lspine trust": {ID: "gopls", Field: "command", File: "p.jsonc", Line: 3, Hint: "run lspine trust"},
		"p.jsonc:9: passEnv is not applied: put it elsewhere":       {Field: "passEnv", File: "p.jsonc", Line: 9, Hint: "put it elsewhere"},
	} {
		if got := u.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What the layers say of a server is listed by its key, with where each value is from.
func TestGivenValuesAreInOrder(t *testing.T) {
	c := layers{user: `{"lsp": {"servers": {"gopls": {"args": ["-x"], "env": {"B": "2", "A": "1"}, "settings": {"z": 1, "a": 2}}}}}`}.silent(t)
	var got []string
	for _, v := range c.Given("gopls") {
		got = append(got, v.Key.Path)
	}
	if !slices.IsSorted(got) || len(got) < 4 {
		t.Errorf("the keys are %q", got)
	}
	if none := c.Given("gop"); len(none) > 0 {
		t.Errorf("of another server: %v", none)
	}
}

// Brackets count as depth, but not in strings and comments.
func TestNesting(t *testing.T) {
	for text, want := range map[string]int{
		``: 0, `{"a": [1, {}]}`: 3, `{"[[[\"[": 1}`: 1, "{ // [[[\n}": 1, "{ /* [[\n[ */ [] }": 2, "// a\n{}": 1, "/* a */[[]]": 2, "{ // [": 1,
		"[[],[]]": 2, `["\\", [[]]]`: 3, `["`: 1, `["[[\`: 1, "[ /* [[ \n": 1, "[ /**/ [] ]": 2, "[ //\n[] ]": 2,
	} {
		if got := nesting([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
