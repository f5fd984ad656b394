package lsp_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A file that came back is asked for once whether the server may miss it, and a server
// misses nothing that the go command leaves out.
func TestFilesThatReturn(t *testing.T) {
	p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = append(d.Quirks, registry.OpenReturned) })
	p.sync("main.toy", "def x\n")
	p.next() // it watches by now
	gone := p.path("gone.toy")
	if p.Returns(gone) {
		t.Error("returns without having gone")
	}
	if n, err := p.FilesChanged([]protocol.FileEvent{{URI: protocol.URIFromPath(gone), Type: protocol.Deleted}}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if first, second := p.Returns(gone), p.Returns(gone); !first || second {
		t.Errorf("returns %v, then %v", first, second)
	}
	refused := &jsonrpc.ResponseError{Method: "textDocument/hover", Message: "no package metadata for file"}
	for name, text := range map[string]string{
		"a.go": "package a\n", "windows.go": "//go:build windows && plan9\n\npackage a\n", "a_plan9.go": "package a\n",
		"testdata/a.go": "package a\n", "_old/a.go": "package a\n",
	} {
		lsptest.WriteFile(t, p.path(name), text)
	}
	for name, want := range map[string]bool{
		"a.go": true, "gone.toy": true, "windows.go": false, "a_plan9.go": false, "testdata/a.go": false, "_old/a.go": false, "none.go": false,
	} {
		if got := p.Misses(p.path(name), refused); got != want {
			t.Errorf("%s: misses %v, want %v", name, got, want)
		}
	}
	for _, other := range []error{nil, errors.New("no package metadata"), &jsonrpc.ResponseError{Message: "no identifier found"}} {
		if p.Misses(p.path("a.go"), other) {
			t.Errorf("misses because of %v", other)
		}
	}
}

// A server that never asks for its settings is sent them, those of its root included, once
// it is initialized and before any document; others are sent none.
func TestSettingsArePushed(t *testing.T) {
	for _, pushes := range []bool{true, false} {
		p := start(t, lsptest.Script{}, func(d *registry.Definition, o *lsp.Options) {
			d.Settings = json.RawMessage(`{"toy":{"strict":true}}`)
			o.Settings = func(string) json.RawMessage { return json.RawMessage(`{"toy":{"paths":["/packages"]}}`) }
			if pushes {
				d.Quirks = append(d.Quirks, registry.PushSettings)
			}
		})
		p.sync("main.toy", "def x\n")
		p.next()
		var heard []string
		for _, e := range lsptest.ReadJournal(t, p.journal) {
			switch e.Method {
			case "initialized", "textDocument/didOpen":
				heard = append(heard, e.Method)
			case "workspace/didChangeConfiguration":
				heard = append(heard, e.Method+" "+string(e.Params))
			}
		}
		want := []string{"initialized", `workspace/didChangeConfiguration {"settings":{"toy":{"paths":["/packages"],"strict":true}}}`, "textDocument/didOpen"}
		if !pushes {
			want = slices.Delete(want, 1, 2)
		}
		if diff := cmp.Diff(want, heard); diff != "" {
			t.Error(diff)
		}
	}
}
