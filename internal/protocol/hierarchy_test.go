package protocol

import (
	"encoding/json"
	"testing"
)

// An item is read, and kept as it came, to be sent back.
func TestHierarchyItems(t *testing.T) {
	const (
		selection = `"selectionRange":{"start":{"line":1,"character":3},"end":{"line":1,"character":4}}`
		full      = `{ "name":"f", "detail":"pkg","kind":12,"uri":"file:///a",` + plainRange + `,` + selection + `,"data":{"b":1, "a":"<é>"} }`
		bare      = `{"name":"g","uri":"file:///b",` + plainRange + `}`
		nulls     = `{"name":"g","detail":null,"kind":null,"tags":null,"uri":"file:///b",` + plainRange + `,"selectionRange":null,"data":null}`
	)
	f := HierarchyItem{Name: "f", Detail: "pkg", Kind: 12, URI: "file:///a", Range: at(1, 2, 1, 5), SelectionRange: at(1, 3, 1, 4), Raw: json.RawMessage(full)}
	plain := func(raw string) HierarchyItem {
		return HierarchyItem{Name: "g", URI: "file:///b", Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5), Raw: json.RawMessage(raw)}
	}
	for _, c := range []struct {
		name, json string
		want       []HierarchyItem
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"nothing", ``, nil, 0},
		{"a list", `[` + full + `,` + bare + `]`, []HierarchyItem{f, plain(bare)}, 0},
		{"one, bare", bare, []HierarchyItem{plain(bare)}, 0},
		{"nulls", `[` + nulls + `]`, []HierarchyItem{plain(nulls)}, 0},
		{"bad ones", `[null,7,{},{"name":"g","uri":"file:///b"},{"name":"","uri":"file:///b",` + plainRange + `},{"name":"g","uri":null,` + plainRange + `},` + bare + `]`, []HierarchyItem{plain(bare)}, 6},
	} {
		got, skipped, err := DecodeHierarchyItems(json.RawMessage(c.json))
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	refused(t, DecodeHierarchyItems, `7`, `"x"`)
	if raw, err := Marshal(ItemParams(f.Raw)); string(raw) != `{"item":`+full+`}` || err != nil {
		t.Errorf("sent back as %s, %v", raw, err)
	}
}

// Calls are read in both directions; a bad range costs only itself.
func TestCalls(t *testing.T) {
	const bare = `{"name":"g","uri":"file:///b",` + plainRange + `}`
	item := HierarchyItem{Name: "g", URI: "file:///b", Range: at(1, 2, 1, 5), SelectionRange: at(1, 2, 1, 5), Raw: json.RawMessage(bare)}
	r := plainRange[len(`"range":`):]
	for _, c := range []struct {
		name, json string
		want       []Call
		skipped    int
	}{
		{"null", `null`, nil, 0},
		{"incoming", `[{"from":` + bare + `,"fromRanges":[` + r + `,` + r + `]}]`, []Call{{item, []Range{at(1, 2, 1, 5), at(1, 2, 1, 5)}}}, 0},
		{"outgoing", `[{"to":` + bare + `,"fromRanges":[` + r + `]}]`, []Call{{item, []Range{at(1, 2, 1, 5)}}}, 0},
		{"no ranges", `[{"to":` + bare + `},{"from":` + bare + `,"fromRanges":null}]`, []Call{{item, nil}, {item, nil}}, 0},
		{"bad ranges", `[{"to":` + bare + `,"fromRanges":[null,7,` + r + `]},{"to":` + bare + `,"fromRanges":7}]`, []Call{{item, []Range{at(1, 2, 1, 5)}}, {item, nil}}, 3},
		{"bad ones", `[null,7,{},{"from":null},{"from":7},{"to":{"name":"x"}},{"to":` + bare + `}]`, []Call{{item, nil}}, 6},
	} {
		got, skipped, err := DecodeCalls(json.RawMessage(c.json))
		decoded(t, c.name, c.want, got, c.skipped, skipped, err)
	}
	refused(t, DecodeCalls, `7`, `{}`)
}
