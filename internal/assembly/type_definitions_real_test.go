package assembly_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// unnamed is a function that uses a value whose type it does not name.
const unnamed = `
-- go.mod --
module example.com/m

go 1.24
-- app/app.go --
package app

import "example.com/m/config"

func Run(names map[string]int) int {
	cfg := config.Load()
	return cfg.Size + len(names)
}
-- config/config.go --
package config

// Config says how large it is.
type Config struct{ Size int }

func Load() *Config { return nil }
`

// The type of a local variable is given though its name does not stand in the focus, as the answer to
// the question at the variable. After a change it is asked for again where the variable now stands, and
// is stale once nothing is of that type.
//
// Requirement: LSP-FH-005, INV-LSP-001, INV-LSP-003, SYN-7.
func TestContextOfTheTypeOfAVariable(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenReal(t, unnamed, "gopls")
	got := enginetest.Do(t, s, api.Assemble, around("definition"))
	const config, load = "definition: config/config.go:3-4 Config\n// Config says how large it is.\ntype Config struct{ Size int }\n", "definition: config/config.go:6-6 Load\nfunc Load() *Config { return nil }\n"
	if diff := cmp.Diff([]string{config, load}, told(got)); diff != "" || got.Failures != nil {
		t.Fatalf("%+v (-want +got):\n%s", got.Failures, diff)
	}
	type record struct {
		Query  string
		Target result.ContextPlace
		Files  []string
		Stale  bool
		Reason string
	}
	recordOf := func(item *result.ContextItem) record {
		r := record{Query: item.Record.Query, Target: item.Record.Target, Stale: item.Record.Stale, Reason: item.Record.Reason}
		for _, f := range item.Record.Files {
			r.Files = append(r.Files, f.Path)
		}
		return r
	}
	files := []string{"app/app.go", "config/config.go"}
	first := record{"textDocument/typeDefinition", result.ContextPlace{Path: "app/app.go", Line: 6, Column: 2, EndLine: 6}, files, false, ""}
	if diff := cmp.Diff(first, recordOf(&got.Items[0])); diff != "" || got.Items[0].Name != "Config" || got.Items[0].Record.Server != "gopls" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again := func() *result.ContextItem {
		return &enginetest.Do(t, s, api.Revalidate, api.RevalidateRequest{Items: got.Items[:1]}).Items[0]
	}
	s.Write("app/app.go", strings.Replace(s.Read("app/app.go"), "\tcfg", "\n\n\tcfg", 1))
	moved := first
	moved.Target.Line, moved.Target.EndLine = 8, 8
	now := again()
	if diff := cmp.Diff(moved, recordOf(now)); diff != "" || now.Text != got.Items[0].Text {
		t.Errorf("moved: %q (-want +got):\n%s", now.Text, diff)
	}
	s.Write("app/app.go", strings.ReplaceAll(s.Read("app/app.go"), "config.Load()", "struct{ Size int }{}"))
	gone := first
	gone.Stale, gone.Reason = true, "Config is no longer found in app/app.go"
	now = again()
	if diff := cmp.Diff(gone, recordOf(now)); diff != "" || now.Text != got.Items[0].Text {
		t.Errorf("gone: %q (-want +got):\n%s", now.Text, diff)
	}
}

// Types are asked for where definitions are wanted and the server offers to say what declares them,
// once for a name however often it stands there.
//
// Requirement: LSP-FH-004, INV-LSP-002.
func TestTypesThatAreAskedFor(t *testing.T) {
	t.Parallel()
	const offered = `{"typeDefinitionProvider":true}`
	for name, c := range map[string]struct {
		capabilities, kind string
		want               []string
		asked              int
	}{
		"definitions": {offered, result.ContextDefinition, []string{"definition: lib.toy:1-1 shape\ndef shape\n"}, 1},
		"types":       {offered, result.ContextType, nil, 0},
		"not offered": {`{}`, result.ContextDefinition, nil, 0},
	} {
		journal := filepath.Join(t.TempDir(), "journal")
		root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\ndef helper\nuse helper\nuse helper\n-- lib.toy --\ndef shape\n")
		shape := fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}}`, protocol.URIFromPath(filepath.Join(root, "lib.toy")))
		script := lsptest.Script{
			JournalFile: journal, Capabilities: json.RawMessage(c.capabilities),
			Rules: []lsptest.Rule{lsptest.On("textDocument/typeDefinition", lsptest.Reply(shape))},
		}
		cfg := enginetest.Configure(t, root)
		cfg.Servers = registry.Table{script.Definition(t)}
		s := enginetest.OpenWith(t, enginetest.Options{Root: root, Config: cfg, State: t.TempDir()})
		got := enginetest.Do(t, s, api.Assemble, api.AssembleRequest{Files: []string{"main.toy"}, Include: []string{c.kind}})
		asked := 0
		for _, e := range lsptest.ReadJournal(t, journal) {
			if e.Kind == "request" && e.Method == "textDocument/typeDefinition" {
				asked++
			}
		}
		if diff := cmp.Diff(c.want, told(got)); diff != "" || asked != c.asked || got.Failures != nil {
			t.Errorf("%s: asked %d times, %+v (-want +got):\n%s", name, asked, got.Failures, diff)
		}
	}
}
