package lsp_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What is told to a server that has ended, or asked of it, is an error, and nothing else comes of it: a document that
// could not be opened is not open, and one that could not be changed has the version and the text that it had.
func TestNothingIsToldAfterTheEnd(t *testing.T) {
	capabilities := strings.TrimSuffix(everything, "}") + `,"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true},"fileOperations":{"willRename":{},"didRename":{}}}}`
	p := start(t, lsptest.Script{Capabilities: raw(capabilities)}, func(d *registry.Definition, _ *lsp.Options) { d.Sharing = registry.TakesFolders })
	lsptest.WriteFile(t, p.path("saved.toy"), "saved\n")
	p.sync("main.toy", "other\n") // than on disk
	p.sync("saved.toy", "saved\n")
	p.sync("closed.toy", "closed\n")
	p.alive()
	if err := p.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, main, saved, at, item := p.context(), p.path("main.toy"), p.path("saved.toy"), protocol.Position{}, protocol.HierarchyItem{Raw: raw(`{}`), URI: protocol.URIFromPath(p.path("main.toy"))}
	renames := []lsp.FileRename{{From: main, To: p.path("new.toy")}}
	alone := func(err error) (any, error) { return nil, err }
	for name, tell := range map[string]func() (any, error){
		"open":    func() (any, error) { return p.Sync(p.path("new.toy"), []byte("new\n")) },
		"change":  func() (any, error) { return p.Sync(main, []byte("another\n")) },
		"again":   func() (any, error) { return p.Reopen(saved) },
		"twice":   func() (any, error) { return p.Reopen(main) },
		"resend":  func() (any, error) { synced, _, err := p.Resend(main, 1); return synced, err },
		"save":    func() (any, error) { return alone(p.Save(saved)) },
		"close":   func() (any, error) { _, err := p.CloseDocument(p.path("closed.toy")); return alone(err) },
		"folders": func() (any, error) { return alone(p.ChangeFolders([]string{p.path("more")}, nil)) },
		"renamed": func() (any, error) { return alone(p.DidRenameFiles(renames)) },
		"on disk": func() (any, error) {
			_, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(main), Type: protocol.Changed}})
			return alone(err)
		},
		"renaming": func() (any, error) { return p.WillRenameFiles(ctx, renames) },
		"command":  func() (any, error) { return p.ExecuteCommand(ctx, "toy.one", nil) },
		"hover":    func() (any, error) { return p.HoverAt(ctx, main, at) },
		"text":     func() (any, error) { return p.Hover(ctx, main, at) },
		"help":     func() (any, error) { return p.SignatureHelp(ctx, main, at) },
		"complete": func() (any, error) { return p.Completions(ctx, main, at) },
		"marks":    func() (any, error) { return p.Highlights(ctx, main, at) },
		"hints":    func() (any, error) { return p.InlayHints(ctx, main, protocol.Range{}) },
		"folds":    func() (any, error) { return p.FoldingRanges(ctx, main) },
		"tokens":   func() (any, error) { return p.SemanticTokens(ctx, main, nil) },
		"some":     func() (any, error) { return p.SemanticTokens(ctx, main, &protocol.Range{}) },
		"find":     func() (any, error) { return p.WorkspaceSymbols(ctx, "x") },
		"calls":    func() (any, error) { return p.PrepareCallHierarchy(ctx, main, at) },
		"callers":  func() (any, error) { return p.IncomingCalls(ctx, item) },
		"callees":  func() (any, error) { return p.OutgoingCalls(ctx, item) },
		"types":    func() (any, error) { return p.PrepareTypeHierarchy(ctx, main, at) },
		"above":    func() (any, error) { return p.Supertypes(ctx, item) },
		"below":    func() (any, error) { return p.Subtypes(ctx, item) },
		"name":     func() (any, error) { return p.PrepareRename(ctx, main, at) },
		"rename":   func() (any, error) { return p.Rename(ctx, main, at, "x") },
		"actions":  func() (any, error) { return p.CodeActions(ctx, main, protocol.Range{}, nil, nil) },
		"action": func() (any, error) {
			_, err := p.ResolveCodeAction(ctx, protocol.CodeAction{Raw: raw(`{}`)})
			return alone(err)
		},
		"format": func() (any, error) { return p.Format(ctx, main, nil, protocol.FormattingOptions{}) },
		"part":   func() (any, error) { return p.Format(ctx, main, &protocol.Range{}, protocol.FormattingOptions{}) },
		"lenses": func() (any, error) { return p.CodeLenses(ctx, main) },
		"lens": func() (any, error) {
			_, err := p.ResolveCodeLens(ctx, protocol.CodeLens{Raw: raw(`{}`)})
			return alone(err)
		},
		"outline": func() (any, error) { return p.Symbols(ctx, main) },
		"places":  func() (any, error) { return p.Locations(ctx, "textDocument/definition", main, at) },
		"uses":    func() (any, error) { return p.References(ctx, main, at, true) },
		"pull":    func() (any, error) { return p.Pull(ctx, main, "", "") },
		"diagnose": func() (any, error) {
			return p.Diagnose(ctx, registry.CommandCall{Command: "toy.one", Arguments: []json.RawMessage{raw(`"${path}"`)}, Result: registry.ResultTSServer}, main)
		},
		"barrier": func() (any, error) { return alone(p.Barrier(ctx, "textDocument/foldingRange", main)) },
	} {
		got, err := tell()
		if err == nil || got != nil && !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	type document struct {
		Version int32
		Text    string
		Open    bool
	}
	got := make(map[string]document)
	for _, name := range []string{"main.toy", "saved.toy", "closed.toy", "new.toy"} {
		version, text, open := p.Document(p.path(name))
		got[name] = document{version, string(text), open}
	}
	if diff := cmp.Diff(map[string]document{"main.toy": {1, "other\n", true}, "saved.toy": {1, "saved\n", true}, "closed.toy": {}, "new.toy": {}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that believes only changes is sent one right after each opening, whose version is the document's from then on.
func TestChangeAfterOpening(t *testing.T) {
	p := start(t, lsptest.Script{NoWatch: true}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = []registry.Quirk{registry.ChangeAfterOpen} })
	lsptest.WriteFile(t, p.path("a.toy"), "one\n")
	versions := []int32{p.sync("a.toy", "one\n").Version}
	again, err := p.Reopen(p.path("a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	versions = append(versions, again.Version, p.sync("a.toy", "two\n").Version)
	if diff := cmp.Diff([]int32{2, 4, 5}, versions); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	p.alive()
	var sent []string
	for _, e := range p.entries("notification", "") {
		if strings.HasPrefix(e.Method, "textDocument/did") {
			var about struct {
				TextDocument struct{ Version json.RawMessage }
			}
			if err := json.Unmarshal(e.Params, &about); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, strings.TrimSpace(strings.TrimPrefix(e.Method, "textDocument/did")+" "+string(about.TextDocument.Version)))
		}
	}
	if diff := cmp.Diff([]string{"Open 1", "Change 2", "Close", "Open 3", "Change 4", "Change 5"}, sent); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	p.polite()
}
