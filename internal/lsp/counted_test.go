package lsp_test

import (
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// Of each answer the elements that cannot be used are left out and counted, and an answer that is none at all is an
// error.
func TestBadElementsOfAnswersAreCounted(t *testing.T) {
	const place = `{"range":` + wireX + `}`
	type asks func(p *peer, path string) (n int, err error)
	item := protocol.HierarchyItem{Raw: raw(`{}`)}
	for method, c := range map[string]struct {
		answer string // two elements that are none, and one that may be
		ask    asks
		want   int
	}{
		"textDocument/signatureHelp": {`{"signatures":[7,{"label":"f()"},null]}`, func(p *peer, path string) (int, error) {
			help, err := p.SignatureHelp(p.context(), path, placeOfX)
			if help == nil {
				return 0, err
			}
			return len(help.Signatures), err
		}, 1},
		"textDocument/completion": {`[7,{"label":"x"},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.Completions(p.context(), path, placeOfX)
			return len(list.Items), err
		}, 1},
		"textDocument/documentHighlight": {`[7,` + place + `,[]]`, func(p *peer, path string) (int, error) {
			list, err := p.Highlights(p.context(), path, placeOfX)
			return len(list), err
		}, 1},
		"textDocument/inlayHint": {`[7,{"position":{"line":0,"character":0},"label":"x"},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.InlayHints(p.context(), path, rangeOfX)
			return len(list), err
		}, 1},
		"textDocument/foldingRange": {`[7,{"startLine":0,"endLine":1},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.FoldingRanges(p.context(), path)
			return len(list), err
		}, 1},
		"workspace/symbol": {`[7,{"name":"x","kind":12,"location":{"uri":"file:///x","range":` + wireX + `}},[]]`, func(p *peer, _ string) (int, error) {
			list, err := p.WorkspaceSymbols(p.context(), "x")
			return len(list), err
		}, 1},
		"textDocument/documentSymbol": {`[7,{"name":"x","kind":12,"range":` + wireX + `,"selectionRange":` + wireX + `},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.Symbols(p.context(), path)
			return len(list), err
		}, 1},
		"textDocument/definition": {`[7,{"uri":"file:///x","range":` + wireX + `},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.Locations(p.context(), "textDocument/definition", path, placeOfX)
			return len(list), err
		}, 1},
		"textDocument/references": {`[7,{"uri":"file:///x","range":` + wireX + `},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.References(p.context(), path, placeOfX, true)
			return len(list), err
		}, 1},
		"textDocument/codeAction": {`[7,{"title":"x"},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.CodeActions(p.context(), path, rangeOfX, nil, nil)
			return len(list), err
		}, 1},
		"textDocument/codeLens": {`[7,` + place + `,[]]`, func(p *peer, path string) (int, error) {
			list, err := p.CodeLenses(p.context(), path)
			return len(list), err
		}, 1},
		"textDocument/prepareCallHierarchy": {`[7,{"name":"x","kind":12,"uri":"file:///x","range":` + wireX + `,"selectionRange":` + wireX + `},[]]`, func(p *peer, path string) (int, error) {
			list, err := p.PrepareCallHierarchy(p.context(), path, placeOfX)
			return len(list), err
		}, 1},
		"callHierarchy/incomingCalls": {`[7,{"from":{"name":"x","kind":12,"uri":"file:///x","range":` + wireX + `,"selectionRange":` + wireX + `},"fromRanges":[]},[]]`, func(p *peer, _ string) (int, error) {
			list, err := p.IncomingCalls(p.context(), item)
			return len(list), err
		}, 1},
		"typeHierarchy/supertypes": {`[7,{"name":"x","kind":12,"uri":"file:///x","range":` + wireX + `,"selectionRange":` + wireX + `},[]]`, func(p *peer, _ string) (int, error) {
			list, err := p.Supertypes(p.context(), item)
			return len(list), err
		}, 1},
		"textDocument/diagnostic": {`{"kind":"full","items":[7,{"range":` + wireX + `,"message":"x"},[]]}`, func(p *peer, path string) (int, error) {
			report, err := p.Pull(p.context(), path, "", "")
			return len(report.Items), err
		}, 1},
	} {
		p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
			lsptest.OnNth(method, 1, lsptest.Reply(c.answer)), lsptest.OnNth(method, 2, lsptest.Reply(`"no"`)),
		}})
		p.sync("main.toy", wide)
		before := p.Info().Dropped
		n, err := c.ask(p, p.path("main.toy"))
		if dropped := p.Info().Dropped - before; n != c.want || dropped != 2 || err != nil {
			t.Errorf("%s: %d elements, %d dropped, %v", method, n, dropped, err)
		}
		if n, err := c.ask(p, p.path("main.toy")); n != 0 || err == nil {
			t.Errorf("%s: of no answer %d elements, %v", method, n, err)
		}
		if err := p.Close(p.context()); err != nil {
			t.Error(err)
		}
	}
}

// What is no action, and no lens, when it is resolved is counted, and the one that was there stays.
func TestNothingIsResolved(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("codeAction/resolve", lsptest.Reply(`7`)), lsptest.On("codeLens/resolve", lsptest.Reply(`7`)),
	}})
	before := p.Info().Dropped
	action, err := p.ResolveCodeAction(p.context(), protocol.CodeAction{Title: "x", Raw: raw(`{}`)})
	if action.Title != "x" || err == nil || err.Error() != "codeAction/resolve: toy answered with no action" {
		t.Errorf("%+v, %v", action, err)
	}
	lens, err := p.ResolveCodeLens(p.context(), protocol.CodeLens{Range: rangeOfX, Raw: raw(`{}`)})
	if lens.Range != rangeOfX || err == nil || err.Error() != "codeLens/resolve: toy answered with no lens" {
		t.Errorf("%+v, %v", lens, err)
	}
	if dropped := p.Info().Dropped - before; dropped != 2 {
		t.Errorf("%d were counted", dropped)
	}
}
