package protocol

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/fspath"
)

// The result of initialize is read as far as it makes sense; what is odd takes
// nothing else away.
//
// Requirement: SYN-5.
func TestInitializeResult(t *testing.T) {
	for _, c := range []struct {
		name, json string
		want       Capabilities
	}{
		{
			"everything", `{"capabilities":{"positionEncoding":"utf-8","textDocumentSync":{"openClose":true,"change":2,"save":{"includeText":true}},
			"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":"id"}}},"serverInfo":{"name":"s","version":"1"}}`,
			Capabilities{ServerName: "s", ServerVersion: "1", Encoding: UTF8, Sync: SyncIncremental, OpenClose: true, Save: true, SaveText: true, FolderChanges: true},
		},
		{"nothing", `{}`, Capabilities{Encoding: UTF16}},
		{"null", `null`, Capabilities{Encoding: UTF16}},
		{"null capabilities", `{"capabilities":null,"serverInfo":null}`, Capabilities{Encoding: UTF16}},
		{"odd server info", `{"capabilities":{"textDocumentSync":1},"serverInfo":"s 1.0"}`, Capabilities{Encoding: UTF16, Sync: SyncFull, OpenClose: true, Save: true}},
		{"odd name", `{"capabilities":{},"serverInfo":{"name":7,"version":null}}`, Capabilities{Encoding: UTF16}},
		{"sync as a number", `{"capabilities":{"textDocumentSync":2}}`, Capabilities{Encoding: UTF16, Sync: SyncIncremental, OpenClose: true, Save: true}},
		{"sync 0", `{"capabilities":{"textDocumentSync":0}}`, Capabilities{Encoding: UTF16}},
		{"sync null", `{"capabilities":{"textDocumentSync":null}}`, Capabilities{Encoding: UTF16}},
		{"sync odd", `{"capabilities":{"textDocumentSync":"full"}}`, Capabilities{Encoding: UTF16}},
		{"save true", `{"capabilities":{"textDocumentSync":{"change":1,"save":true}}}`, Capabilities{Encoding: UTF16, Sync: SyncFull, Save: true}},
		{"save false", `{"capabilities":{"textDocumentSync":{"openClose":true,"change":1,"save":false}}}`, Capabilities{Encoding: UTF16, Sync: SyncFull, OpenClose: true}},
		{"save options", `{"capabilities":{"textDocumentSync":{"save":{}}}}`, Capabilities{Encoding: UTF16, Save: true}},
		{"utf-32", `{"capabilities":{"positionEncoding":"utf-32"}}`, Capabilities{Encoding: UTF32}},
		{"an unknown encoding", `{"capabilities":{"positionEncoding":"latin-1"}}`, Capabilities{Encoding: UTF16}},
		{"an odd encoding", `{"capabilities":{"positionEncoding":8}}`, Capabilities{Encoding: UTF16}},
		{"folders, no changes", `{"capabilities":{"workspace":{"workspaceFolders":{"supported":true}}}}`, Capabilities{Encoding: UTF16}},
		{"odd folders", `{"capabilities":{"workspace":{"workspaceFolders":true}}}`, Capabilities{Encoding: UTF16}},
	} {
		got, err := DecodeInitializeResult(json.RawMessage(c.json))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff(&c.want, got, cmpopts.IgnoreUnexported(Capabilities{})); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
	for _, raw := range []string{``, `7`, `[]`, `{"capabilities":[]}`} {
		if _, err := DecodeInitializeResult(json.RawMessage(raw)); err == nil {
			t.Errorf("%q is a result of initialize", raw)
		}
	}
}

// A provider is declared by true or by options, and by nothing else.
func TestDeclaredProviders(t *testing.T) {
	c, err := DecodeInitializeResult(json.RawMessage(`{"capabilities":{
		"hoverProvider":true,"definitionProvider":{},"referencesProvider":false,"renameProvider":null,
		"documentSymbolProvider":{"label":"x"},"executeCommandProvider":{"commands":["a",7,null,"","b"]},
		"diagnosticProvider":{"identifier":"lint","interFileDependencies":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]bool{
		"textDocument/hover": true, "textDocument/definition": true, "textDocument/documentSymbol": true,
		"workspace/executeCommand": true, "textDocument/diagnostic": true,
		"textDocument/references": false, "textDocument/rename": false, "textDocument/codeAction": false, "who/knows": false, "": false,
	} {
		if c.Supports(method) != want {
			t.Errorf("%s: %t", method, !want)
		}
	}
	if got := c.Commands(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("commands are %q", got)
	}
	if id, ok := c.PullIdentifier(); id != "lint" || !ok {
		t.Errorf("the identifier is %q, %t", id, ok)
	}
	for raw, want := range map[string]bool{
		`{}`: false, `{"capabilities":{"diagnosticProvider":false}}`: false, `{"capabilities":{"diagnosticProvider":true}}`: true,
		`{"capabilities":{"diagnosticProvider":{"identifier":null}}}`: true, `{"capabilities":{"diagnosticProvider":{"identifier":7}}}`: true,
	} {
		c, err := DecodeInitializeResult(json.RawMessage(raw))
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := c.PullIdentifier(); id != "" || ok != want || len(c.Commands()) != 0 {
			t.Errorf("%s: %q, %t, %q", raw, id, ok, c.Commands())
		}
	}
}

// A registration names the files a server wants to hear of, in each of the
// forms there are; one bad watcher costs only itself.
func TestWatches(t *testing.T) {
	drive := "" // where there are some, a path begins with one
	if fspath.Here.Drives {
		drive = "C:"
	}
	for _, c := range []struct {
		name, options string
		want          []Watch
	}{
		{"a glob", `{"watchers":[{"globPattern":"**/*.go"}]}`, []Watch{{"", "**/*.go", 7}}},
		{"a kind", `{"watchers":[{"globPattern":"**/*.go","kind":2}]}`, []Watch{{"", "**/*.go", 2}}},
		{"an odd kind", `{"watchers":[{"globPattern":"**/*.go","kind":null},{"globPattern":"*.c","kind":"all"}]}`, []Watch{{"", "**/*.go", 7}, {"", "*.c", 7}}},
		{"relative to a URI", `{"watchers":[{"globPattern":{"baseUri":"file://DRIVE/a%20b","pattern":"*.go"}}]}`, []Watch{{filepath.FromSlash(drive + "/a b"), "*.go", 7}}},
		{"relative to a folder", `{"watchers":[{"globPattern":{"baseUri":{"uri":"file://DRIVE/a","name":"a"},"pattern":"*.go"}}]}`, []Watch{{filepath.FromSlash(drive + "/a"), "*.go", 7}}},
		{"bad ones", `{"watchers":[7,null,{},{"globPattern":""},{"globPattern":7},{"globPattern":{"pattern":"x"}},{"globPattern":{"baseUri":"http://x","pattern":"x"}},
			{"globPattern":{"baseUri":"file:///a","pattern":7}},{"globPattern":{"baseUri":"file:///a"}},{"globPattern":"good"}]}`, []Watch{{"", "good", 7}}},
		{"none", `{"watchers":[]}`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
		{"no list", `{"watchers":{}}`, nil},
	} {
		if d := cmp.Diff(c.want, Registration{Options: json.RawMessage(strings.ReplaceAll(c.options, "DRIVE", strings.TrimSuffix("/"+drive, "/")))}.Watches()); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
	}
}

// A registration of workspace/executeCommand adds its commands.
func TestRegisteredCommands(t *testing.T) {
	for options, want := range map[string][]string{
		`{"commands":["a","b"]}`: {"a", "b"}, `{"commands":[null,7,"b"]}`: {"b"}, `{"commands":null}`: nil, `{}`: nil, `null`: nil, `[]`: nil, `{"commands":"a"}`: nil,
	} {
		if got := (Registration{Options: json.RawMessage(options)}).Commands(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", options, got, want)
		}
	}
}
