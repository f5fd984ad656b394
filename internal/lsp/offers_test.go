package lsp_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

// What is offered is what was declared and what was registered, until it is
// taken back; the declaration itself stays as it came.
func TestOffered(t *testing.T) {
	const (
		register = `{"registrations":[{"id":"c","method":"textDocument/prepareCallHierarchy"},{"id":"h","method":"textDocument/hover"},
			{"id":"t","method":"textDocument/semanticTokens","registerOptions":{"range":true}}]}`
		unregister = `{"unregisterations":[{"id":"c","method":"textDocument/prepareCallHierarchy"},{"id":"h","method":"textDocument/hover"}]}`
	)
	p := start(t, lsptest.Script{
		NoWatch: true, Capabilities: raw(`{"foldingRangeProvider":false,"definitionProvider":null,"workspace":{"workspaceFolders":{"supported":true}}}`),
		Rules: []lsptest.Rule{
			lsptest.On("textDocument/didOpen", lsptest.AskFirst("client/registerCapability", register)),
			lsptest.On("textDocument/didClose", lsptest.AskFirst("client/unregisterCapability", unregister)),
		},
	})
	const declared = "textDocument/documentSymbol textDocument/hover textDocument/references"
	offered := func() string { return strings.Join(p.Offered(), " ") }
	expect(t, offered(), declared)
	p.sync("main.toy", "")
	p.next()
	expect(t, offered(), "callHierarchy/incomingCalls callHierarchy/outgoingCalls textDocument/documentSymbol textDocument/hover "+
		"textDocument/prepareCallHierarchy textDocument/references textDocument/semanticTokens/range")
	for _, method := range p.Offered() {
		if !p.Supports(method) {
			t.Errorf("%s is offered and not supported", method)
		}
	}
	if _, err := p.CloseDocument(p.path("main.toy")); err != nil {
		t.Fatal(err)
	}
	p.next()
	expect(t, offered(), declared+" textDocument/semanticTokens/range")
	if !sameJSON(p.CapabilitiesJSON(), raw(`{"textDocumentSync":{"openClose":true,"save":{},"change":2},"hoverProvider":true,
		"definitionProvider":null,"referencesProvider":{},"documentSymbolProvider":true,"foldingRangeProvider":false,
		"workspace":{"workspaceFolders":{"supported":true}}}`)) {
		t.Errorf("the declaration is %s", p.CapabilitiesJSON())
	}
}

// Folders that are added and removed are told once, make a new state of the
// server, and are what it hears when it asks.
func TestChangeFolders(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.On("textDocument/didOpen", lsptest.Ask("workspace/workspaceFolders", "")),
	}})
	uri := fspath.Here.URI
	// the toy's language: a definition in the other folder is found
	lib := lsptest.Workspace(t, "-- a.toy --\ndef helper\n")
	more := t.TempDir()
	expect(t, fmt.Sprint(p.Folders()), fmt.Sprint([]string{p.root}))
	before := p.Generation()
	for _, change := range [][2][]string{
		{{lib, more, lib}, nil},
		{{lib}, nil},                 // known
		{nil, {more, more, "/none"}}, // one known
		{nil, nil},
	} {
		if err := p.ChangeFolders(change[0], change[1]); err != nil {
			t.Fatal(err)
		}
	}
	if grown := p.Generation() - before; grown != 2 {
		t.Errorf("the generation grew by %d, want 2", grown)
	}
	expect(t, fmt.Sprint(p.Folders()), fmt.Sprint([]string{p.root, lib}))
	p.sync("main.toy", "use helper\n")
	expect(t, said(p.next()), "main.toy 1: ")

	folder := func(path string) string {
		return fmt.Sprintf(`{"uri":%q,"name":%q}`, uri(path), filepath.Base(path))
	}
	told := p.await(2, "notification", "workspace/didChangeWorkspaceFolders")
	for i, want := range []string{
		`{"event":{"added":[` + folder(lib) + `,` + folder(more) + `],"removed":[]}}`,
		`{"event":{"added":[],"removed":[` + folder(more) + `]}}`,
	} {
		if !sameJSON(told[i].Params, raw(want)) {
			t.Errorf("told %s\nwant %s", told[i].Params, want)
		}
	}
	answer := p.await(1, "response", "workspace/workspaceFolders")[0].Result
	if want := `[` + folder(p.root) + `,` + folder(lib) + `]`; !sameJSON(answer, raw(want)) {
		t.Errorf("answered %s\nwant %s", answer, want)
	}
	if n := len(p.entries("notification", "workspace/didChangeWorkspaceFolders")); n != 2 {
		t.Errorf("the server was told %d times, want 2", n)
	}
	p.polite()
}

// A server that registers for folders takes them like one that declares it.
func TestChangeFoldersOfARegistration(t *testing.T) {
	const method = "workspace/didChangeWorkspaceFolders"
	p := start(t, lsptest.Script{
		NoWatch: true, Capabilities: raw(`{"workspace":null}`),
		Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen",
			lsptest.AskFirst("client/registerCapability", `{"registrations":[{"id":"f","method":"`+method+`"}]}`))},
	})
	if p.ChangeFolders([]string{"/x"}, nil) == nil || len(p.Folders()) != 1 {
		t.Errorf("the folders are %v before any are taken", p.Folders())
	}
	p.sync("main.toy", "")
	p.next()
	if err := p.ChangeFolders([]string{"/x"}, []string{p.root}); err != nil {
		t.Fatal(err)
	}
	expect(t, fmt.Sprint(p.Folders()), "[/x]")
	p.await(1, "notification", method)
}

// Who waits for a change of the works hears of a begin, a report and an end,
// and of nothing else.
func TestWorksChanged(t *testing.T) {
	progress := func(token, value string) lsptest.Action {
		return lsptest.Notify("$/progress", `{"token":"`+token+`","value":`+value+`}`)
	}
	p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/foldingRange", 1, progress("a", `{"kind":"begin","title":"load"}`)),
		lsptest.OnNth("textDocument/foldingRange", 2, progress("a", `{"kind":"report","percentage":7}`)),
		lsptest.OnNth("textDocument/foldingRange", 3, progress("b", `{"kind":"report","percentage":8}`), progress("b", `{"kind":"end"}`), progress("a", `{"kind":"partial"}`)),
		lsptest.OnNth("textDocument/foldingRange", 4, progress("a", `{"kind":"end"}`)),
	}})
	var states []string
	for range 4 {
		changed := p.WorksChanged()
		p.alive()
		select {
		case <-changed:
			states = append(states, works(p.Works()))
		default:
			states = append(states, "unchanged")
		}
	}
	expect(t, strings.Join(states, "; "), "load -1; load 7; unchanged; ")
}

func works(list []lsp.Work) string {
	var all []string
	for _, w := range list {
		all = append(all, strings.TrimSpace(fmt.Sprint(w.Title, " ", w.Message, w.Percentage)))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
