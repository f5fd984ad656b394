package lsp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server has loaded its project when it says so in its log, in the words of
// its entry and no others; the words change what is waited for.
func TestLoadedByTheLog(t *testing.T) {
	t.Parallel()
	script := lsptest.Script{Rules: []lsptest.Rule{
		lsptest.OnNth("textDocument/didChange", 1, lsptest.Notify("window/logMessage", `{"type":3,"message":"Found no folder"}`), lsptest.Notify("window/logMessage", `"odd"`), lsptest.Answer()),
		lsptest.OnNth("textDocument/didChange", 2, lsptest.Notify("window/logMessage", `{"type":3,"message":"Found 12 source files"}`), lsptest.Answer()),
	}}
	p := start(t, script, func(d *registry.Definition, _ *lsp.Options) { d.LoadedLog = `^Found \d+ source files?` })
	if !p.FirstOpened().IsZero() {
		t.Error("a document was opened before any was")
	}
	before := time.Now()
	p.sync("main.toy", "a")
	if at := p.FirstOpened(); at.Before(before) || at.After(time.Now()) {
		t.Errorf("first opened at %v", at)
	}
	p.next()
	changed := p.WorksChanged()
	p.sync("main.toy", "b")
	p.next()
	if p.Loaded() {
		t.Error("other words counted")
	}
	p.sync("main.toy", "c")
	p.next()
	if !p.Loaded() {
		t.Error("the words did not count")
	}
	select {
	case <-changed:
	default:
		t.Error("nobody was told")
	}
	other := start(t, lsptest.Script{})
	if !other.Loaded() {
		t.Error("a server that never says it counts as not loaded")
	}
}

// A server that looks at none of the documents that are opened before it has loaded is not shown any:
// its start takes until then.
func TestOpensWhenLoaded(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{
		lsptest.On("initialized", lsptest.Notify("window/logMessage", `{"type":3,"message":"12:00 Found"}`), lsptest.Answer()),
	}}, func(d *registry.Definition, _ *lsp.Options) {
		d.LoadedLog, d.Quirks = "Found", []registry.Quirk{registry.OpensWhenLoaded}
	})
	if !p.Loaded() {
		t.Error("it was begun with before it had loaded")
	}
}

// A work counts as begun, each time, also when it has ended since.
func TestBegins(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen",
		lsptest.Notify("$/progress", `{"token":1,"value":{"kind":"begin","title":"indexing files"}}`),
		lsptest.Notify("$/progress", `{"token":1,"value":{"kind":"end"}}`), lsptest.Answer())}})
	if len(p.Begins()) != 0 {
		t.Error("begun before it began")
	}
	p.sync("main.toy", "a")
	p.next()
	if begins := p.Begins(); len(begins) != 1 || begins["indexing files"] != 1 {
		t.Errorf("begun: %v", begins)
	}
}

// Where a cancelled request for references would break the server, it is left
// to end: the caller is free at once, the server hears nothing, and Close still
// ends everything.
func TestKeptReferences(t *testing.T) {
	t.Parallel()
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/references", lsptest.Hang())}}
	p := start(t, script, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = []registry.Quirk{registry.KeepReferences} })
	p.sync("main.toy", "a")
	p.next()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := p.References(ctx, p.path("main.toy"), protocol.Position{}, true)
		ended <- err
	}()
	p.await(1, "request", "textDocument/references")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if told := p.entries("notification", "$/cancelRequest"); len(told) != 0 {
		t.Errorf("the server was told %+v", told)
	}
}
