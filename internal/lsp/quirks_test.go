package lsp_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
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

// References without the declaration are asked for with it where servers leave out too much, and lack
// what the server says is the definition, however it spells the file. Of what is no file nothing is taken out.
func TestUsesAreFoundByHand(t *testing.T) {
	const (
		elsewhere = `{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}`
		first     = `{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}`
	)
	place := func(uri, r string) string { return `{"uri":"` + uri + `","range":` + r + `}` }
	definition := `[` + place("$main", first) + `,` + place("untitled:x", first) + `]`
	references := `[` + place("$main", first) + `,` + place("$main", elsewhere) + `,` + place("$other", first) + `,` + place("untitled:x", first) + `]`
	folder := lsptest.Workspace(t, "-- main.toy --\nx\nx\n-- other.toy --\nx\n")
	definition = strings.ReplaceAll(withURIs(folder, definition), "main.toy", "m%61in.toy")
	ask := func(quirk registry.Quirk, defined, referred lsptest.Action) ([]protocol.Location, error) {
		p := start(t, lsptest.Script{NoWatch: true, Rules: []lsptest.Rule{
			lsptest.On("textDocument/definition", defined), lsptest.On("textDocument/references", referred),
		}}, func(d *registry.Definition, _ *lsp.Options) { d.Quirks = []registry.Quirk{quirk} })
		return p.References(p.context(), filepath.Join(folder, "main.toy"), at(0, 0), false)
	}
	main, other := protocol.URIFromPath(filepath.Join(folder, "main.toy")), protocol.URIFromPath(filepath.Join(folder, "other.toy"))
	uses := []protocol.Location{{URI: main, Range: span(1, 0, 1, 1)}, {URI: other, Range: span(0, 0, 0, 1)}, {URI: "untitled:x", Range: span(0, 0, 0, 1)}}
	answer := lsptest.Reply(withURIs(folder, references))

	got, err := ask(registry.DeclarationsByHand, lsptest.Reply(definition), answer)
	same(t, uses, got, err)
	got, err = ask("", lsptest.Reply(definition), answer)
	same(t, append([]protocol.Location{{URI: main, Range: span(0, 0, 0, 1)}}, uses...), got, err)
	for name, replies := range map[string][2]lsptest.Action{
		"the definition": {lsptest.ContentModified(), answer}, "the references": {lsptest.Reply(definition), lsptest.ContentModified()},
	} {
		var refused *jsonrpc.ResponseError
		if got, err := ask(registry.DeclarationsByHand, replies[0], replies[1]); !errors.As(err, &refused) || got != nil {
			t.Errorf("without %s: %+v, %v", name, got, err)
		}
	}
}

// A command that says nothing about a file, which is open by now, is tried once more; one about a file
// that is not there fails.
func TestCommandAboutAFileThatIsOpen(t *testing.T) {
	p := start(t, lsptest.Script{Mode: lsptest.Command, Rules: []lsptest.Rule{lsptest.On(execute, lsptest.Reply("null"))}},
		func(d *registry.Definition, _ *lsp.Options) { d.Quirks = []registry.Quirk{registry.LoadsByOpening} })
	p.sync("main.toy", "def shown\n")
	if _, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], p.path("main.toy")); err != nil {
		t.Error(err)
	}
	if asked, opened := len(p.entries("request", execute)), len(p.entries("notification", "textDocument/didOpen")); asked != 2 || opened != 1 {
		t.Errorf("asked %d times, opened %d times", asked, opened)
	}
	if _, err := p.Diagnose(p.context(), p.def.Diagnostics.Commands[0], p.path("none.toy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if asked := len(p.entries("request", execute)); asked != 3 {
		t.Errorf("asked %d times, want no second try about a file that is not there", asked)
	}
}
