package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// All shapes of the definition family and of references become locations; a
// link leads to the name, not the body.
func TestLocations(t *testing.T) {
	const (
		location = `{"uri":"file:///a",` + plainRange + `}`
		link     = `{"targetUri":"file:///b","targetRange":{"start":{"line":9,"character":0},"end":{"line":12,"character":1}},
			"targetSelectionRange":{"start":{"line":9,"character":5},"end":{"line":9,"character":8}},"originSelectionRange":null}`
		bodyLink = `{"targetUri":"file:///b","targetRange":{"start":{"line":9,"character":0},"end":{"line":12,"character":1}}}`
	)
	a, b, body := Location{"file:///a", at(1, 2, 1, 5)}, Location{"file:///b", at(9, 5, 9, 8)}, Location{"file:///b", at(9, 0, 12, 1)}
	for _, c := range []struct {
		name, json string
		want       []Location
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"nothing", ``, nil, 0},
		{"none", `[]`, nil, 0},
		{"one, bare", location, []Location{a}, 0},
		{"one, bare, with space", " \n" + location, []Location{a}, 0},
		{"one link, bare", link, []Location{b}, 0},
		{"a list", `[` + location + `,` + location + `]`, []Location{a, a}, 0},
		{"links", `[` + link + `,` + bodyLink + `]`, []Location{b, body}, 0},
		{"a mixture", `[` + location + `,` + link + `]`, []Location{a, b}, 0},
		{"bad elements", `[null,7,"x",{},{"uri":"file:///a"},{"uri":"",` + plainRange + `},{"targetUri":"file:///b"},{"uri":7,` + plainRange + `},` + location + `]`, []Location{a}, 8},
		{"one bad, bare", `{"uri":"file:///a"}`, nil, 1},
	} {
		got, skipped, err := DecodeLocations(json.RawMessage(c.json))
		if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); d != "" || skipped != c.skipped || err != nil {
			t.Errorf("%s: %d skipped, %v\n%s", c.name, skipped, err, d)
		}
	}
	for _, raw := range []string{`7`, `"x"`, `[`} {
		if _, _, err := DecodeLocations(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is a list of locations", raw)
		}
	}
}

// Symbols come as a tree or flat, and leave as one type.
//
// Requirement: AGENT-45.
func TestSymbols(t *testing.T) {
	const selection = `"selectionRange":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}}`
	tree := Symbol{
		Name: "T", Detail: "struct", Kind: 23, Range: at(1, 2, 1, 5), SelectionRange: at(1, 3, 1, 4),
		Children: []Symbol{{Name: "f", Kind: 8, Range: at(1, 2, 1, 5), SelectionRange: at(1, 3, 1, 4)}},
	}
	for _, c := range []struct {
		name, json string
		want       []Symbol
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"a tree", `[{"name":"T","detail":"struct","kind":23,` + plainRange + `,` + selection + `,"children":[{"name":"f","kind":8,` + plainRange + `,` + selection + `}]}]`, []Symbol{tree}, 0},
		{
			"flat", `[{"name":"g","kind":12,"containerName":"T","location":{"uri":"file:///a",` + plainRange + `}}]`,
			[]Symbol{{Name: "g", Kind: 12, Container: "T", URI: "file:///a", Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5)}},
			0,
		},
		{"of the workspace, without range", `[{"name":"g","kind":12,"location":{"uri":"file:///a"}}]`, []Symbol{{Name: "g", Kind: 12, URI: "file:///a", NoRange: true}}, 0},
		{
			"nulls", `[{"name":"g","kind":12,"detail":null,"containerName":null,"children":null,"deprecated":null,` + plainRange + `,"selectionRange":null}]`,
			[]Symbol{{Name: "g", Kind: 12, Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5)}},
			0,
		},
		{
			"an odd kind", `[{"name":"g","kind":"function",` + plainRange + `},{"name":"h","kind":99,` + plainRange + `}]`,
			[]Symbol{{Name: "g", Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5)}, {Name: "h", Kind: 99, Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5)}},
			0,
		},
		{
			"bad elements", `[null,7,{"name":""},{"name":"x"},{"name":7,` + plainRange + `},{"name":"x","location":{}},{"name":"g","kind":1,` + plainRange + `,"children":[7,{}]}]`,
			[]Symbol{{Name: "g", Kind: 1, Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5)}},
			8,
		},
	} {
		got, skipped, err := DecodeSymbols(json.RawMessage(c.json))
		if d := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); d != "" || skipped != c.skipped || err != nil {
			t.Errorf("%s: %d skipped, %v\n%s", c.name, skipped, err, d)
		}
	}
	if _, _, err := DecodeSymbols(json.RawMessage(`{}`)); err == nil {
		t.Error("an object is a list of symbols")
	}
}
