package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// everything is what a server declares that knows all the requests.
const everything = `{"signatureHelpProvider":{},"completionProvider":{},"documentHighlightProvider":true,"inlayHintProvider":true,
	"renameProvider":{"prepareProvider":true},"codeActionProvider":{"resolveProvider":true},"documentFormattingProvider":true,
	"documentRangeFormattingProvider":true,"executeCommandProvider":{"commands":["toy.one","toy.two"]},
	"codeLensProvider":{"resolveProvider":true},"diagnosticProvider":{"identifier":"types"},
	"workspaceSymbolProvider":true,"callHierarchyProvider":true,"typeHierarchyProvider":true,
	"semanticTokensProvider":{"legend":{"tokenTypes":["variable","string"],"tokenModifiers":["static"]},"full":true,"range":true}}`

// wide is a text whose characters have a width of their own in each encoding:
// in UTF-8 é is 2, 😀 is 4 and the x after them is at 6, in UTF-16 at 3.
const wide = "é😀x = é😀x\n\"é\né\"\n"

// fluent starts a server that declares everything, counts in UTF-8 and answers
// with the replies (by method), with main.toy open and wide; other.toy is on
// disk. $main and $other stand for their URIs.
func fluent(t *testing.T, replies map[string]string) *peer {
	t.Helper()
	folder := lsptest.Workspace(t, "-- other.toy --\nx = 1\n"+strings.Repeat("é", 8)+"\n")
	script := lsptest.Script{PositionEncoding: "utf-8", NoWatch: true, Capabilities: raw(everything)}
	for method, reply := range replies {
		script.Rules = append(script.Rules, lsptest.On(method, lsptest.Reply(withURIs(folder, reply))))
	}
	p := start(t, script)
	p.root = folder // known before the server is, for the replies
	p.sync("main.toy", wide)
	return p
}

func withURIs(folder, text string) string {
	return strings.NewReplacer(
		"$main", string(protocol.URIFromPath(filepath.Join(folder, "main.toy"))),
		"$other", string(protocol.URIFromPath(filepath.Join(folder, "other.toy"))),
	).Replace(text)
}

// asked fails the test unless the server was asked a method once, with params.
func (p *peer) asked(method, params string) {
	p.t.Helper()
	params = withURIs(p.root, params)
	entries := p.entries("request", method)
	if len(entries) != 1 || !sameJSON(entries[0].Params, raw(params)) {
		p.t.Errorf("%s was asked %+v\nwant %s", method, entries, params)
	}
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

func same[T any](t *testing.T, want, got T, err error) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

// at is a place in the units of UTF-16.
func at(line, character uint32) protocol.Position {
	return protocol.Position{Line: line, Character: character}
}

func span(line, from, endLine, to uint32) protocol.Range {
	return protocol.Range{Start: at(line, from), End: at(endLine, to)}
}

const (
	// the second x of wide, as the server counts
	wireX      = `{"start":{"line":0,"character":16},"end":{"line":0,"character":17}}`
	askedAtX   = `{"textDocument":{"uri":"$main"},"position":{"line":0,"character":16}}`
	askedRange = `{"textDocument":{"uri":"$main"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":16}}}`
)

// placeOfX is the second x as we count.
var placeOfX, rangeOfX = at(0, 10), span(0, 10, 0, 11)

// Every request about a text leaves in the server's encoding and comes back in
// ours.
func TestInsightInAnotherEncoding(t *testing.T) {
	p := fluent(t, map[string]string{
		"textDocument/hover":             `{"contents":"é","range":` + wireX + `}`,
		"textDocument/signatureHelp":     `{"signatures":[{"label":"f(é, x)","parameters":[{"label":"é"},{"label":"x"}]}],"activeParameter":1}`,
		"textDocument/completion":        `{"isIncomplete":true,"items":[{"label":"é"},{}]}`,
		"textDocument/documentHighlight": `[{"range":` + wireX + `,"kind":3},{}]`,
		"textDocument/inlayHint":         `[{"position":{"line":0,"character":16},"label":"é:"},{"position":{"line":0,"character":0},"label":"a:"},{}]`,
		"textDocument/foldingRange":      `[{"startLine":1,"endLine":2},{}]`,
	})
	path, ctx := p.path("main.toy"), p.context()

	hover, err := p.HoverAt(ctx, path, placeOfX)
	same(t, protocol.Hover{Text: "é", Range: &rangeOfX}, hover, err)
	p.asked("textDocument/hover", askedAtX)

	help, err := p.SignatureHelp(ctx, path, placeOfX)
	same(t, &protocol.SignatureHelp{Signatures: []protocol.Signature{
		{Label: "f(é, x)", Parameters: []protocol.Parameter{{Label: "é"}, {Label: "x"}}, Active: 1},
	}}, help, err)
	p.asked("textDocument/signatureHelp", askedAtX)

	list, err := p.Completions(ctx, path, placeOfX)
	same(t, protocol.CompletionList{
		Items: []protocol.CompletionItem{{Label: "é", InsertText: "é", SortText: "é", FilterText: "é"}}, Incomplete: true,
	}, list, err)
	p.asked("textDocument/completion", askedAtX)

	highlights, err := p.Highlights(ctx, path, placeOfX)
	same(t, []protocol.Highlight{{Range: rangeOfX, Kind: protocol.HighlightWrite}}, highlights, err)
	p.asked("textDocument/documentHighlight", askedAtX)

	hints, err := p.InlayHints(ctx, path, protocol.Range{End: placeOfX})
	same(t, []protocol.InlayHint{{Label: "a:"}, {Position: placeOfX, Label: "é:"}}, hints, err)
	p.asked("textDocument/inlayHint", askedRange)

	foldings, err := p.FoldingRanges(ctx, path)
	same(t, []protocol.FoldingRange{{StartLine: 1, EndLine: 2}}, foldings, err)
	p.asked("textDocument/foldingRange", `{"textDocument":{"uri":"$main"}}`)

	if dropped := p.Info().Dropped; dropped != 4 {
		t.Errorf("%d bad elements were counted, want 4", dropped)
	}
	p.polite()
}

// Null is nothing, for every request.
func TestInsightOfNothing(t *testing.T) {
	replies := map[string]string{}
	for _, method := range []string{"hover", "signatureHelp", "completion", "documentHighlight", "inlayHint", "foldingRange", "semanticTokens/full"} {
		replies["textDocument/"+method] = "null"
	}
	p := fluent(t, replies)
	path, ctx := p.path("main.toy"), p.context()
	hover, err := p.HoverAt(ctx, path, placeOfX)
	same(t, protocol.Hover{}, hover, err)
	help, err := p.SignatureHelp(ctx, path, placeOfX)
	same(t, nil, help, err)
	list, err := p.Completions(ctx, path, placeOfX)
	same(t, protocol.CompletionList{}, list, err)
	highlights, err := p.Highlights(ctx, path, placeOfX)
	same(t, nil, highlights, err)
	hints, err := p.InlayHints(ctx, path, protocol.Range{})
	same(t, nil, hints, err)
	foldings, err := p.FoldingRanges(ctx, path)
	same(t, nil, foldings, err)
	tokens, err := p.SemanticTokens(ctx, path, nil)
	same(t, nil, tokens, err)
}

// x, = and the string over two lines, as the server counts.
const wireTokens = `{"data":[0,6,1,0,1, 0,10,1,0,0, 1,0,7,1,0, 7,0,1,0,0]}`

var (
	firstX = protocol.SemanticToken{Range: span(0, 3, 0, 4), Type: "variable", Modifiers: []string{"static"}}
	otherX = protocol.SemanticToken{Range: rangeOfX, Type: "variable"}
	quoted = protocol.SemanticToken{Range: span(1, 0, 2, 2), Type: "string"} // ends after its line end
	beyond = protocol.SemanticToken{Range: span(3, 0, 3, 0), Type: "variable"}
)

// Tokens come from the form that fits what is asked, or from the one there is.
func TestSemanticTokens(t *testing.T) {
	provider := func(forms string) string {
		return `{"semanticTokensProvider":{"legend":{"tokenTypes":["variable","string"],"tokenModifiers":["static"]}` + forms + `}}`
	}
	const both, full, ranged = `,"full":true,"range":true`, `,"full":{"delta":true}`, `,"full":false,"range":{}`
	x := span(0, 10, 0, 11)
	all := []protocol.SemanticToken{firstX, otherX, quoted, beyond}
	for _, c := range []struct {
		name, forms, method, params string
		r                           *protocol.Range
		want                        []protocol.SemanticToken
	}{
		{"all, from both", both, "full", `{"textDocument":{"uri":"$main"}}`, nil, all},
		{"a range, from both", both, "range", `{"textDocument":{"uri":"$main"},"range":` + wireX + `}`, &x, []protocol.SemanticToken{otherX}},
		{"all, from full", full, "full", `{"textDocument":{"uri":"$main"}}`, nil, all},
		{"a range, from full", full, "full", `{"textDocument":{"uri":"$main"}}`, &x, []protocol.SemanticToken{otherX}},
		{
			"all, from ranges", ranged, "range",
			`{"textDocument":{"uri":"$main"},"range":{"start":{"line":0,"character":0},"end":{"line":3,"character":0}}}`, nil, all,
		},
		{"a place inside a token", full, "full", `{"textDocument":{"uri":"$main"}}`, new(span(2, 1, 2, 1)), []protocol.SemanticToken{quoted}},
		{"a place before a token", full, "full", `{"textDocument":{"uri":"$main"}}`, new(span(0, 3, 0, 3)), []protocol.SemanticToken{firstX}},
		{"a range between tokens", full, "full", `{"textDocument":{"uri":"$main"}}`, new(span(0, 4, 0, 10)), []protocol.SemanticToken{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, lsptest.Script{
				PositionEncoding: "utf-8", NoWatch: true, Capabilities: raw(provider(c.forms)),
				Rules: []lsptest.Rule{lsptest.On("textDocument/semanticTokens/"+c.method, lsptest.Reply(wireTokens))},
			})
			p.sync("main.toy", wide)
			tokens, err := p.SemanticTokens(p.context(), p.path("main.toy"), c.r)
			same(t, c.want, tokens, err)
			p.asked("textDocument/semanticTokens/"+c.method, c.params)
		})
	}
}

// A token may span lines for a server that counts as we do, too; a type that
// the legend does not have is counted.
func TestSemanticTokensOfARegistration(t *testing.T) {
	const register = `{"registrations":[{"id":"t","method":"textDocument/semanticTokens","registerOptions":
		{"legend":{"tokenTypes":["string"],"tokenModifiers":[]},"full":true}}]}`
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.AskFirst("client/registerCapability", register)),
		lsptest.On("textDocument/semanticTokens/full", lsptest.Reply(`{"data":[1,0,5,0,0, 0,1,1,1,0]}`)),
	}})
	path := p.path("main.toy")
	var unsupported *lsp.UnsupportedError
	if _, err := p.SemanticTokens(p.context(), path, nil); !errors.As(err, &unsupported) {
		t.Errorf("before the registration: %v", err)
	}
	p.sync("main.toy", wide)
	p.next()
	tokens, err := p.SemanticTokens(p.context(), path, &protocol.Range{Start: at(1, 0), End: at(9, 0)})
	same(t, []protocol.SemanticToken{{Range: span(1, 0, 2, 2), Type: "string"}}, tokens, err)
	if dropped := p.Info().Dropped; dropped != 1 {
		t.Errorf("%d tokens were counted as bad, want 1", dropped)
	}
}

// What a server did not declare is not asked of it.
//
// Requirement: INV-LSP-002, LSP-FH-004.
func TestUndeclaredRequestsAreNotSent(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(`{"hoverProvider":false,"foldingRangeProvider":null,
		"semanticTokensProvider":{"legend":{"tokenTypes":[],"tokenModifiers":[]}},"workspace":{"workspaceFolders":{"supported":true}}}`)})
	p.sync("main.toy", wide)
	path, ctx, item := p.path("main.toy"), p.context(), protocol.HierarchyItem{Raw: raw(`{}`)}
	for method, ask := range map[string]func() (any, error){
		"textDocument/hover":                  func() (any, error) { return p.HoverAt(ctx, path, placeOfX) },
		"textDocument/signatureHelp":          func() (any, error) { return p.SignatureHelp(ctx, path, placeOfX) },
		"textDocument/completion":             func() (any, error) { return p.Completions(ctx, path, placeOfX) },
		"textDocument/documentHighlight":      func() (any, error) { return p.Highlights(ctx, path, placeOfX) },
		"textDocument/inlayHint":              func() (any, error) { return p.InlayHints(ctx, path, rangeOfX) },
		"textDocument/semanticTokens/full":    func() (any, error) { return p.SemanticTokens(ctx, path, &rangeOfX) },
		"textDocument/foldingRange":           func() (any, error) { return p.FoldingRanges(ctx, path) },
		"workspace/symbol":                    func() (any, error) { return p.WorkspaceSymbols(ctx, "x") },
		"textDocument/prepareCallHierarchy":   func() (any, error) { return p.PrepareCallHierarchy(ctx, path, placeOfX) },
		"callHierarchy/incomingCalls":         func() (any, error) { return p.IncomingCalls(ctx, item) },
		"callHierarchy/outgoingCalls":         func() (any, error) { return p.OutgoingCalls(ctx, item) },
		"textDocument/prepareTypeHierarchy":   func() (any, error) { return p.PrepareTypeHierarchy(ctx, path, placeOfX) },
		"typeHierarchy/supertypes":            func() (any, error) { return p.Supertypes(ctx, item) },
		"typeHierarchy/subtypes":              func() (any, error) { return p.Subtypes(ctx, item) },
		"workspace/didChangeWorkspaceFolders": func() (any, error) { return nil, p.ChangeFolders([]string{t.TempDir()}, nil) },
	} {
		_, err := ask()
		var unsupported *lsp.UnsupportedError
		if !errors.As(err, &unsupported) || unsupported.Method != method {
			t.Errorf("%s: %v", method, err)
		}
	}
	if _, err := p.Symbols(ctx, path); err != nil { // it came through all that was sent before
		t.Fatal(err)
	}
	if requests := p.entries("request", ""); len(requests) != 2 || len(p.entries("notification", "workspace/didChangeWorkspaceFolders")) != 0 {
		t.Errorf("the server was asked %+v", requests)
	}
}

// An answer that is none is an error; one of the server's own stays its own.
func TestBadAnswers(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("textDocument/completion", lsptest.Reply(`"no"`)),
		lsptest.On("textDocument/hover", lsptest.Reply(`7`)),
		lsptest.On("textDocument/semanticTokens/full", lsptest.Reply(`{"data":"no"}`)),
		lsptest.On("textDocument/inlayHint", lsptest.ContentModified()),
	}})
	p.sync("main.toy", wide)
	path, ctx := p.path("main.toy"), p.context()
	for i, ask := range []func() (any, error){
		func() (any, error) { return p.Completions(ctx, path, placeOfX) },
		func() (any, error) { return p.HoverAt(ctx, path, placeOfX) },
		func() (any, error) { return p.SemanticTokens(ctx, path, nil) },
	} {
		if got, err := ask(); err == nil {
			t.Errorf("request %d: %+v", i, got)
		}
	}
	_, err := p.InlayHints(ctx, path, rangeOfX)
	if !strings.Contains(fmt.Sprint(err), "content modified") {
		t.Errorf("content modified became: %v", err)
	}
}

// A request that nobody waits for any more is cancelled at the server.
func TestCancelledRequestReachesTheServer(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Capabilities: raw(everything), Rules: []lsptest.Rule{
		lsptest.On("textDocument/completion", lsptest.DelayUntil("never")),
	}})
	p.sync("main.toy", wide)
	ctx, cancel := context.WithCancel(p.context())
	ended := make(chan error, 1)
	go func() {
		_, err := p.Completions(ctx, p.path("main.toy"), placeOfX)
		ended <- err
	}()
	request := p.await(1, "request", "textDocument/completion")[0]
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the request ended with %v", err)
	}
	note := p.await(1, "notification", "$/cancelRequest")[0]
	expect(t, string(note.Params), `{"id":`+string(request.ID)+`}`)
	p.alive()
	p.polite()
}
