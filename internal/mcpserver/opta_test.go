package mcpserver

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

func asOpta(o *Options) { o.Profile = profileOpta }

// The tools of the opta profile have the arguments of that plan and no others, and cost a
// model 900 tokens at most; all of them say that they only read.
//
// Requirement: OPTA-1.
func TestOptaTools(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, asOpta)
	listed, err := d.connect("memory", "2025-06-18", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, size := make(map[string]string), 0
	for _, tool := range listed.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		got[tool.Name] = string(raw)
		size += len(raw) + len(tool.Name) + len(tool.Description)
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.DestructiveHint {
			t.Errorf("%s is not said to read alone", tool.Name)
		}
	}
	const (
		path      = `"path":{"description":"File path (relative to cwd)","type":"string"}`
		line      = `"line":{"description":"Line number (1-based)","type":"number"}`
		character = `"character":{"description":"Column number (0-based)","type":"number"}`
		needed    = `"required":["path","line","character"`
	)
	want := map[string]string{
		"lsp_definition":       `{"properties":{` + character + `,` + line + `,` + path + `},` + needed + `],"type":"object"}`,
		"lsp_hover":            `{"properties":{` + character + `,` + line + `,` + path + `},` + needed + `],"type":"object"}`,
		"lsp_references":       `{"properties":{` + character + `,"include_declaration":{"description":"Include the declaration itself (default: true)","type":"boolean"},` + line + `,` + path + `},` + needed + `],"type":"object"}`,
		"lsp_rename":           `{"properties":{` + character + `,` + line + `,"new_name":{"description":"New name for the symbol","type":"string"},` + path + `},` + needed + `,"new_name"],"type":"object"}`,
		"lsp_symbols":          `{"properties":{"query":{"description":"Symbol name or partial name to search for","type":"string"}},"required":["query"],"type":"object"}`,
		"lsp_document_symbols": `{"properties":{` + path + `},"required":["path"],"type":"object"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	const bytesPerToken = 4
	if size > 900*bytesPerToken {
		t.Errorf("the tools are %d bytes", size)
	}
}

// Lines count from 1, and 0 means 1; characters count from 0, in arguments and in answers.
// Nothing found is said in the plan's words, and what is wrong by the name of the argument. What
// only reads needs no permission.
//
// Requirement: PERM-1, OPTA-2, OPTA-9.
func TestOptaAnswers(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, asOpta)
	session := d.connect("memory", "2025-06-18", nil)
	for _, c := range []struct {
		tool, args, want string
		fails            bool
	}{
		{"lsp_definition", `{"path":"main.toy","line":1,"character":4}`, "lib.toy:1:4", false},
		{"lsp_definition", `{"path":"main.toy","line":0,"character":4}`, "lib.toy:1:4", false},
		{"lsp_definition", `{"path":"main.toy","line":2,"character":0}`, "No results found.", false},
		{"lsp_document_symbols", `{"path":"lib.toy"}`, "function helper lib.toy:1:4", false},
		{"lsp_definition", `{"path":"main.toy","line":1,"character":-1}`, "character: it is -1\na whole number, from 0", true},
		{"lsp_definition", `{"path":"main.toy","line":2147483647,"character":0}`, "line: 2147483647 is past the end of main.toy, which has 2 lines\nname the symbol by its path instead: main.toy Name", true},
		{"lsp_definition", `{"path":"main.toy","line":2147483648,"character":0}`, "line: it is 2147483648\na whole number, from 1", true},
		{"lsp_definition", `{"path":"main.toy","line":1.5,"character":0}`, "line: it is 1.5\na whole number, from 1", true},
		{"lsp_definition", `{"path":"main.toy","line":1}`, "character: it is missing; a number is needed", true},
		{"lsp_hover", `{"path":"notes.xyz","line":1,"character":0}`, "No LSP server configured for .xyz files\n\nSuggested alternative: Use search_files to find definitions:\n" +
			`  search_files({ pattern: "(function|class|interface|type|enum|const|let|var|def|func|fn|struct|trait)\\s+word\\b|word\\s*[:=(]", glob: "*.xyz" })`, true},
	} {
		if err := os.WriteFile(filepath.Join(d.root, "notes.xyz"), []byte("word\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		a := call(t, session, c.tool, c.args)
		if diff := cmp.Diff(c.want, a.text); diff != "" || a.IsError != c.fails {
			t.Errorf("%s %s: error %t, -want +got:\n%s", c.tool, c.args, a.IsError, diff)
		}
	}
}

// A place that is named twice is listed once, and nothing else of an answer is lost.
func TestOptaPlacesOnce(t *testing.T) {
	text, structured := zeroBased(&result.Places{Files: []result.PlaceFile{{Path: "a.go", Places: []result.Place{{Line: 1, Column: 1}, {Line: 1, Column: 1}, {Line: 2, Column: 8}}}}})
	want := navigated{Locations: []navigatedTo{{"a.go", 1, 0}, {"a.go", 2, 7}}}
	if diff := cmp.Diff(want, structured); diff != "" || text != "a.go:1:0\na.go:2:7\n" {
		t.Errorf("%q\n%s", text, diff)
	}
}

// A server that is not there is named, with what installs it and a search to make instead.
//
// Requirement: OPTA-8.
func TestOptaWithoutServer(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, asOpta)
	of := &result.Error{Kind: result.Unavailable, Data: result.Data{Server: "gopls", Install: []string{"go install gopls", "another"}}}
	args := arguments{"file": json.RawMessage(`"main.toy"`), "line": json.RawMessage("1"), "column": json.RawMessage("5")}
	said := d.server.instead(&tool{operation: "references"}, d.root, args, of)
	want := "LSP server \"gopls\" is not available.\nInstall it with: go install gopls\n\n" +
		"Suggested alternative: Use search_files to find uses:\n  search_files({ pattern: \"\\\\bhelper\\\\b\", glob: \"*.toy\" })"
	if diff := cmp.Diff(want, answerOf(t, said).text); diff != "" || !said.IsError {
		t.Error(diff)
	}
	cannot := &result.Error{Kind: result.Unsupported, Message: "toy does not rename"}
	want = "toy does not rename\n\nSuggested alternative: Use search_files to find uses:\n  search_files({ pattern: \"\\\\bhelper\\\\b\", glob: \"*.toy\" })"
	if diff := cmp.Diff(want, answerOf(t, d.server.instead(&tool{operation: "rename"}, d.root, args, cannot)).text); diff != "" {
		t.Error(diff)
	}
	for _, kind := range []result.Kind{result.Crashed, result.Timeout, result.NotReady} {
		broken := &result.Error{Kind: kind, Message: "toy does not rename"}
		if diff := cmp.Diff(want, answerOf(t, d.server.instead(&tool{operation: "rename"}, d.root, args, broken)).text); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
	unknown := &result.Error{Kind: result.Unavailable, Data: result.Data{Path: "notes.xyz"}}
	for file, kind := range map[string]string{"notes.xyz": ".xyz", "sub/Makefile": "Makefile"} {
		said := d.server.instead(&tool{operation: "outline"}, d.root, arguments{"file": json.RawMessage(`"` + file + `"`)}, unknown)
		if diff := cmp.Diff("No LSP server configured for "+kind+" files", answerOf(t, said).text); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	for _, other := range []*result.Error{{Kind: result.NotFound, Data: result.Data{Path: "x"}}, {Kind: result.Unavailable}} {
		if said := d.server.instead(&tool{}, d.root, args, other); said != nil {
			t.Errorf("%+v: %s", other, answerOf(t, said).text)
		}
	}
}

// A rename shows the edits and makes none. It asks the user, in the way of the client's revision;
// where the client cannot, the fallback holds, which is to deny. A rule can be given for every
// tool.
//
// Requirement: PERM-2, OPTA-10.
func TestOptaPermissions(t *testing.T) {
	const rename = `{"path":"lib.toy","line":1,"character":4,"new_name":"assistant"}`
	const (
		hint    = "\nthe user can allow it: lspine mcp --profile opta --permission lsp_rename=allow"
		denied  = "rename is denied by the permission of lsp_rename" + hint
		refused = "rename is not allowed: the user was asked, and did not agree; the question is of the permission of lsp_rename" + hint
		unasked = "rename is denied: nobody could be asked, or nobody answered; the question is of the permission of lsp_rename" + hint
	)
	answering := func(action string) *mcp.ClientOptions {
		return &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if want := "Allow lsp_rename with " + rename + "?\nthe permission of lsp_rename asks first"; req.Params.Message != want {
				t.Errorf("the user is asked %q, want %q", req.Params.Message, want)
			}
			return &mcp.ElicitResult{Action: action}, nil
		}}
	}
	for _, c := range []struct {
		name   string
		rule   string
		client *mcp.ClientOptions
		denial string // "" where it is allowed
	}{
		{"nobody can be asked", "", nil, unasked},
		{"the user agrees", "", answering("accept"), ""},
		{"the user declines", "", answering("decline"), refused},
		{"the user goes away", "", answering("cancel"), refused},
		{"it is allowed", "allow", nil, ""},
		{"it is denied, and nobody is asked", "deny", answering("accept"), denied},
		{"who cannot be asked may", "ask:allow", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := lsptest.Workspace(t, project)
			lib := filepath.Join(root, "lib.toy")
			edits, err := json.Marshal(map[string]json.RawMessage{string(protocol.URIFromPath(lib)): json.RawMessage(`[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":10}},"newText":"assistant"}]`)})
			if err != nil {
				t.Fatal(err)
			}
			script := lsptest.Script{
				Capabilities: json.RawMessage(`{"renameProvider":true}`),
				Rules:        []lsptest.Rule{lsptest.On("textDocument/rename", lsptest.Reply(`{"changes":`+string(edits)+`}`))},
			}
			d := openDesk(t, script, project, asOpta, func(o *Options) {
				o.Root, o.Dir = root, root
				if c.rule != "" {
					p, err := ParsePermission(c.rule)
					if err != nil {
						t.Fatal(err)
					}
					o.Permissions = map[string]api.Permission{"lsp_rename": p}
				}
			})
			for _, revision := range []string{"2025-06-18", newestEra} {
				a := call(t, d.connect("memory", revision, c.client), "lsp_rename", rename)
				if c.denial != "" {
					if diff := cmp.Diff(c.denial, a.text); diff != "" || !a.IsError {
						t.Errorf("%s: %s", revision, diff)
					}
					continue
				}
				if a.IsError || !strings.HasPrefix(a.text, "Nothing was changed; these are the edits to apply:\n") || !strings.Contains(a.text, "+def assistant") {
					t.Errorf("%s: error %t: %s", revision, a.IsError, a.text)
				}
			}
			if text, err := os.ReadFile(lib); err != nil || string(text) != "def helper\n" {
				t.Errorf("%v: the file is %q", err, text)
			}
		})
	}
}

// What is no rule, and no tool, is said by the name of the option.
func TestOptaPermissionsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "maybe", "deny:allow", "ask:perhaps", "allow:"} {
		if p, err := ParsePermission(text); err == nil {
			t.Errorf("%q is taken for %+v", text, p)
		}
	}
	_, err := New(Options{Profile: profileOpta, Permissions: map[string]api.Permission{"lsp_renam": {Action: api.Allow}}})
	want := (&api.ArgumentError{Argument: "permission", Reason: `there is no tool "lsp_renam"`, Advice: `did you mean "lsp_rename"?`}).Error()
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Where LSP is disabled there are no tools at all.
//
// Requirement: OPTA-7.
func TestOptaDisabled(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, asOpta, func(o *Options) { o.Disabled = true })
	listed, err := d.connect("memory", "2025-06-18", nil).ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) != 0 {
		t.Errorf("%v: %d tools", err, len(listed.Tools))
	}
}
