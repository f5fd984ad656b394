package protocol

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A server offers the requests it declared: a family by its provider, a form by
// its option, statically as in a registration.
func TestOffers(t *testing.T) {
	const tokens = `"legend":{"tokenTypes":[],"tokenModifiers":[]}`
	for _, c := range []struct {
		name, capabilities string
		registered         []Registration
		want               []string
	}{
		{"nothing", `{}`, nil, nil},
		{"a request", `{"hoverProvider":true,"renameProvider":false,"completionProvider":null,"mysteryProvider":true}`, nil, []string{"textDocument/hover"}},
		{"a resolver", `{"codeActionProvider":{"resolveProvider":true},"codeLensProvider":{"resolveProvider":false},"completionProvider":{}}`, nil, []string{"codeAction/resolve", "textDocument/codeAction", "textDocument/codeLens", "textDocument/completion"}},
		{"calls", `{"callHierarchyProvider":true}`, nil, []string{"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "textDocument/prepareCallHierarchy"}},
		{"types", `{"typeHierarchyProvider":{}}`, nil, []string{"textDocument/prepareTypeHierarchy", "typeHierarchy/subtypes", "typeHierarchy/supertypes"}},
		{"tokens, all", `{"semanticTokensProvider":{` + tokens + `,"full":{"delta":true},"range":{}}}`, nil, []string{"textDocument/semanticTokens/full", "textDocument/semanticTokens/range"}},
		{"tokens, full", `{"semanticTokensProvider":{` + tokens + `,"full":true,"range":false}}`, nil, []string{"textDocument/semanticTokens/full"}},
		{"tokens, no form", `{"semanticTokensProvider":{` + tokens + `}}`, nil, nil},
		{"tokens, odd", `{"semanticTokensProvider":true}`, nil, nil},
		{"folders", `{"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}}`, nil, []string{"workspace/didChangeWorkspaceFolders"}},
		{
			"registrations", `{"hoverProvider":true}`,
			[]Registration{
				{Method: "textDocument/hover"},
				{Method: "textDocument/prepareCallHierarchy"},
				{Method: "textDocument/prepareTypeHierarchy", Options: json.RawMessage(`null`)},
				{Method: "textDocument/semanticTokens", Options: json.RawMessage(`{` + tokens + `,"range":true}`)},
				{Method: "workspace/didChangeWatchedFiles"},
				{Method: "textDocument/completion", Options: json.RawMessage(`{"resolveProvider":true}`)},
			},
			[]string{
				"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "completionItem/resolve", "textDocument/completion", "textDocument/hover",
				"textDocument/prepareCallHierarchy", "textDocument/prepareTypeHierarchy", "textDocument/semanticTokens/range",
				"typeHierarchy/subtypes", "typeHierarchy/supertypes", "workspace/didChangeWatchedFiles",
			},
		},
	} {
		caps, err := DecodeInitializeResult(json.RawMessage(`{"capabilities":` + c.capabilities + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, caps.Offered(c.registered)); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
		if string(caps.JSON()) != c.capabilities {
			t.Errorf("%s: the capabilities are %s", c.name, caps.JSON())
		}
		if len(c.registered) > 0 {
			continue
		}
		for method := range offers {
			if got, want := caps.Supports(method), slices.Contains(c.want, method); got != want {
				t.Errorf("%s: %s is supported: %t", c.name, method, got)
			}
		}
	}
}

// A registration declares its own method even if nobody knows it, and nothing
// by what it lacks.
func TestRegistrationOffers(t *testing.T) {
	for _, c := range []struct {
		registered, options, method string
		want                        bool
	}{
		{"experimental/x", ``, "experimental/x", true},
		{"experimental/x", ``, "", false},
		{"textDocument/semanticTokens/full", ``, "textDocument/semanticTokens/full", true},
		{"textDocument/semanticTokens", `{"full":true}`, "textDocument/semanticTokens/full", true},
		{"textDocument/semanticTokens", `{"full":true}`, "textDocument/semanticTokens/range", false},
		{"textDocument/semanticTokens", `true`, "textDocument/semanticTokens/full", false},
		{"textDocument/prepareCallHierarchy", ``, "callHierarchy/outgoingCalls", true},
		{"textDocument/prepareCallHierarchy", ``, "typeHierarchy/subtypes", false},
		{"textDocument/hover", ``, "textDocument/definition", false},
	} {
		r := Registration{Method: c.registered, Options: json.RawMessage(c.options)}
		if got := r.Offers(c.method); got != c.want {
			t.Errorf("%s %s offers %q: %t", c.registered, c.options, c.method, got)
		}
	}
}
