package lsp_test

import (
	"encoding/json"
	"fmt"
	"strings"
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

// A server of scripts is shown other texts of data that these import, and only of that: no configuration, and nothing that may be one. Data
// that is gone comes and goes.
func TestDataBeside(t *testing.T) {
	const watched = "workspace/didChangeWatchedFiles"
	for quirk, want := range map[registry.Quirk][]string{
		registry.BesideOpened: {
			"textDocument/didOpen", "textDocument/didChange", watched + " 2", "textDocument/didChange", "textDocument/didClose", watched + " 2",
			"textDocument/didOpen", "textDocument/didChange", watched + " 1", "textDocument/didClose", watched + " 3",
		},
		registry.BesideRequested: {
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["updateOpen",{"openFiles":[{"file":"ROOT/en.json","fileContent":"{\"a\": 1}"}]}]}`,
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["updateOpen",{"closedFiles":["ROOT/en.json"]}]}`,
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["updateOpen",{"openFiles":[{"file":"ROOT/gone.json","fileContent":"{}"}]}]}`,
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["reloadProjects",{}]}`,
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["updateOpen",{"closedFiles":["ROOT/gone.json"]}]}`,
			`workspace/executeCommand {"command":"typescript.tsserverRequest","arguments":["reloadProjects",{}]}`,
		},
	} {
		t.Run(string(quirk), func(t *testing.T) {
			p := start(t, lsptest.Script{}, func(d *registry.Definition, _ *lsp.Options) {
				d.Languages = []registry.Language{{ID: "typescript", Patterns: []string{"*.ts"}}}
				d.Reads, d.Quirks = []string{".json"}, []registry.Quirk{quirk}
			})
			texts := make(map[string][]byte)
			for name, disk := range map[string]string{
				"en.json": "{}", "tsconfig.json": "{}", "package.json": "{}", "base.json": `{"compilerOptions": {}}`, "a.vue": "", "a.py": "",
			} {
				lsptest.WriteFile(t, p.path(name), disk)
				texts[p.path(name)] = []byte(`{"a": 1}`)
			}
			texts[p.path("gone/tsconfig.json")] = []byte("{}")
			shown, present := p.WorldWith(map[string][]byte{p.path("en.json"): texts[p.path("en.json")]}), p.World()
			if err := p.ShowBeside(texts); err != nil {
				t.Fatal(err)
			}
			if p.World() != shown {
				t.Error("it is in another world than with that text on disk")
			}
			if err := p.ShowBeside(nil); err != nil {
				t.Fatal(err)
			}
			if p.World() != present {
				t.Error("it is in another world than before")
			}
			for _, texts := range []map[string][]byte{{p.path("gone.json"): []byte("{}")}, nil} {
				if err := p.ShowBeside(texts); err != nil {
					t.Fatal(err)
				}
			}
			p.alive()
			var sent []string
			for _, e := range lsptest.ReadJournal(t, p.journal) {
				switch {
				case e.Method == "workspace/executeCommand":
					sent = append(sent, e.Method+" "+strings.ReplaceAll(string(e.Params), p.root, "ROOT"))
				case e.Method == watched:
					var params struct{ Changes []struct{ Type int } }
					if err := json.Unmarshal(e.Params, &params); err != nil || len(params.Changes) != 1 {
						t.Fatal(params, err)
					}
					sent = append(sent, fmt.Sprint(watched, " ", params.Changes[0].Type))
				case e.Kind == "notification" && e.Method != "initialized":
					sent = append(sent, e.Method)
				}
			}
			if diff := cmp.Diff(want, sent); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
