package lsp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server of components is shown other texts of the scripts that these import, in its way; and later that what is on disk counts again. The
// worlds are those of a server that reads the same on disk.
func TestTextsBeside(t *testing.T) {
	for quirk, want := range map[registry.Quirk][]string{
		registry.BesideOpened: {
			"textDocument/didOpen disk", "textDocument/didChange former", "workspace/didChangeWatchedFiles", // shown
			"textDocument/didChange older", "workspace/didChangeWatchedFiles", // another one
			"textDocument/didChange disk", "textDocument/didClose", "workspace/didChangeWatchedFiles", // taken back
		},
		registry.BesideNotified: {
			"$/onDidChangeTsOrJsFile former", "$/onDidChangeTsOrJsFile older", "workspace/didChangeWatchedFiles",
		},
		"": nil,
	} {
		t.Run(string(quirk), func(t *testing.T) {
			p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) {
				d.Languages = []registry.Language{{ID: "svelte", Patterns: []string{"*.svelte"}}}
				d.Quirks = []registry.Quirk{quirk}
			})
			lsptest.WriteFile(t, p.path("a.ts"), "disk")
			lsptest.WriteFile(t, p.path("a.py"), "disk")
			path := p.path("a.ts")
			former, older := p.WorldWith(map[string][]byte{path: []byte("former")}), p.WorldWith(map[string][]byte{path: []byte("older")})
			present := p.World()
			for _, step := range []struct {
				texts map[string][]byte
				world lsp.World
			}{
				{map[string][]byte{path: []byte("former"), p.path("a.py"): []byte("x"), p.path("b.svelte"): []byte("x"), p.path("gone.ts"): []byte("x")}, former},
				{map[string][]byte{path: []byte("former")}, former},
				{map[string][]byte{path: []byte("older")}, older},
				{nil, present},
				{nil, present},
			} {
				if err := p.ShowBeside(step.texts); err != nil {
					t.Fatal(err)
				}
				if is := p.World() == step.world; is != (quirk != "" || step.world == present) {
					t.Errorf("with %q, the world is right: %t", step.texts, is)
				}
			}
			p.alive()
			var sent []string
			for _, e := range p.entries("notification", "") {
				var params struct {
					TextDocument   struct{ Text string }
					ContentChanges []struct{ Text string }
					Changes        []struct{ Text string }
				}
				if err := json.Unmarshal(e.Params, &params); err != nil {
					t.Fatal(err)
				}
				text := params.TextDocument.Text
				for _, c := range append(params.ContentChanges, params.Changes...) {
					text += c.Text
				}
				switch {
				case e.Method == "initialized":
				case text != "":
					sent = append(sent, e.Method+" "+text)
				default:
					sent = append(sent, e.Method)
				}
			}
			if diff := cmp.Diff(want, sent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
