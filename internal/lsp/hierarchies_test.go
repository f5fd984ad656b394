package lsp_test

import (
	"testing"

	"github.com/lspine/lspine/internal/protocol"
)

// lastOfOther is the last é of other.toy: 14 in UTF-8, 7 as we count.
const lastOfOther = `{"start":{"line":1,"character":14},"end":{"line":1,"character":16}}`

var inOther = span(1, 7, 1, 8)

// Symbols of the workspace are measured by the file each is in; one that has
// only a file says so, and one whose file nobody can read stays as it came.
func TestWorkspaceSymbols(t *testing.T) {
	p := fluent(t, map[string]string{"workspace/symbol": `[
		{"name":"x","kind":13,"location":{"uri":"$main","range":` + wireX + `}},
		{"name":"é","kind":12,"containerName":"c","location":{"uri":"$other","range":` + lastOfOther + `}},
		{"name":"later","kind":5,"location":{"uri":"$other"}},
		{"name":"gone","kind":5,"location":{"uri":"file:///nowhere/x.toy","range":` + wireX + `}},
		{"name":"new","kind":5,"location":{"uri":"untitled:1","range":` + wireX + `}}, {}]`})
	main, other := protocol.URIFromPath(p.path("main.toy")), protocol.URIFromPath(p.path("other.toy"))
	unread := span(0, 16, 0, 17)
	symbols, err := p.WorkspaceSymbols(p.context(), "é")
	same(t, []protocol.Symbol{
		{Name: "x", Kind: 13, URI: main, Range: rangeOfX, SelectionRange: rangeOfX},
		{Name: "é", Kind: 12, Container: "c", URI: other, Range: inOther, SelectionRange: inOther},
		{Name: "later", Kind: 5, URI: other, NoRange: true},
		{Name: "gone", Kind: 5, URI: "file:///nowhere/x.toy", Range: unread, SelectionRange: unread},
		{Name: "new", Kind: 5, URI: "untitled:1", Range: unread, SelectionRange: unread},
	}, symbols, err)
	p.asked("workspace/symbol", `{"query":"é"}`)
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d symbols were counted as bad, want 1", dropped)
	}
}

const (
	itemOfX     = `{"name":"x","kind":12,"uri":"$main","range":` + wireX + `,"selectionRange":` + wireX + `,"data":{"id":"\u00e9","n":1.50}}`
	itemOfOther = `{"name":"é","kind":12,"uri":"$other","range":` + lastOfOther + `,"selectionRange":` + lastOfOther + `}`
)

// items are the two as they arrive.
func (p *peer) items() (x, other protocol.HierarchyItem) {
	return protocol.HierarchyItem{
		Name: "x", Kind: 12, URI: protocol.URIFromPath(p.path("main.toy")), Range: rangeOfX, SelectionRange: rangeOfX,
		Raw: raw(withURIs(p.root, itemOfX)),
	}, protocol.HierarchyItem{
		Name: "é", Kind: 12, URI: protocol.URIFromPath(p.path("other.toy")), Range: inOther, SelectionRange: inOther,
		Raw: raw(withURIs(p.root, itemOfOther)),
	}
}

// A call hierarchy is asked with the item as the server gave it, and each range
// is measured by the file of the caller.
func TestCallHierarchy(t *testing.T) {
	p := fluent(t, map[string]string{
		"textDocument/prepareCallHierarchy": `[` + itemOfX + `,{}]`,
		"callHierarchy/incomingCalls":       `[{"from":` + itemOfOther + `,"fromRanges":[` + lastOfOther + `]}]`,
		"callHierarchy/outgoingCalls":       `[{"to":` + itemOfOther + `,"fromRanges":[` + wireX + `,null]}]`,
	})
	x, other := p.items()
	items, err := p.PrepareCallHierarchy(p.context(), p.path("main.toy"), placeOfX)
	same(t, []protocol.HierarchyItem{x}, items, err)
	p.asked("textDocument/prepareCallHierarchy", askedAtX)

	calls, err := p.IncomingCalls(p.context(), items[0])
	same(t, []protocol.Call{{Item: other, Ranges: []protocol.Range{inOther}}}, calls, err)
	calls, err = p.OutgoingCalls(p.context(), items[0])
	same(t, []protocol.Call{{Item: other, Ranges: []protocol.Range{rangeOfX}}}, calls, err)
	for _, method := range []string{"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"} {
		expect(t, string(p.await(1, "request", method)[0].Params), withURIs(p.root, `{"item":`+itemOfX+`}`))
	}
	if dropped := p.Info().Dropped; dropped != 2 {
		t.Errorf("%d elements were counted as bad, want 2", dropped)
	}
	if calls, err := p.IncomingCalls(p.context(), protocol.HierarchyItem{Name: "made up"}); err == nil {
		t.Errorf("an item that no server gave has the callers %+v", calls)
	}
	p.polite()
}

// A type hierarchy goes up and down from the item as the server gave it.
func TestTypeHierarchy(t *testing.T) {
	p := fluent(t, map[string]string{
		"textDocument/prepareTypeHierarchy": `[` + itemOfX + `]`,
		"typeHierarchy/supertypes":          `[` + itemOfOther + `]`,
		"typeHierarchy/subtypes":            `null`,
	})
	x, other := p.items()
	items, err := p.PrepareTypeHierarchy(p.context(), p.path("main.toy"), placeOfX)
	same(t, []protocol.HierarchyItem{x}, items, err)
	p.asked("textDocument/prepareTypeHierarchy", askedAtX)

	items, err = p.Supertypes(p.context(), x)
	same(t, []protocol.HierarchyItem{other}, items, err)
	items, err = p.Subtypes(p.context(), x)
	same(t, nil, items, err)
	for _, method := range []string{"typeHierarchy/supertypes", "typeHierarchy/subtypes"} {
		expect(t, string(p.await(1, "request", method)[0].Params), withURIs(p.root, `{"item":`+itemOfX+`}`))
	}
	p.polite()
}
