package mcpserver

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// The tools of the llxprt profile have the arguments of that service and no others, and its
// texts. There is one workspace, so that no call names one.
//
// Requirement: REQ-NAV-010, REQ-NAV-020, REQ-NAV-030, BR-34, BR-51, EC-29.
func TestLLXPRTProfile(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile = profileLLXPRT })
	session := d.connect("memory", "2025-06-18", nil)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, tool := range listed.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		got[tool.Name] = string(raw)
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s is not said to read alone", tool.Name)
		}
	}
	const (
		file     = `"file":{"description":"path, relative to the workspace","type":"string"}`
		position = `{"properties":{"character":{"description":"from 1","type":"integer"},` + file + `,"line":{"description":"from 1","type":"integer"}},"required":["file","line","character"],"type":"object"}`
	)
	want := map[string]string{
		"lsp_goto_definition": position, "lsp_find_references": position, "lsp_hover": position,
		"lsp_document_symbols":  `{"properties":{` + file + `},"required":["file"],"type":"object"}`,
		"lsp_workspace_symbols": `{"properties":{"query":{"description":"a name, or a part of it","type":"string"}},"required":["query"],"type":"object"}`,
		"lsp_diagnostics":       `{"properties":{},"type":"object"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		tool, args, text, structured string
		fails                        bool
	}{
		{"lsp_goto_definition", `{"file":"main.toy","line":1,"character":5}`, "lib.toy:1:5", `{"locations":[{"character":5,"file":"lib.toy","line":1}]}`, false},
		{"lsp_goto_definition", `{"file":"main.toy","line":2,"character":1}`, "No definition found", `{"locations":[]}`, false},
		{"lsp_document_symbols", `{"filePath":"lib.toy"}`, "helper - 1:5", `{"symbols":[{"kind":"function","name":"helper","range":{"character":5,"endLine":1,"line":1}}]}`, false},
		{"lsp_diagnostics", `{}`, "No diagnostics", `{"diagnostics":{}}`, false},
		{"lsp_hover", `{"file":"none.toy","line":1,"character":1}`, filepath.Join(d.root, "none.toy") + ": no such file", "", true},
		{"lsp_hover", `{"file":"../x.toy","line":1,"character":1}`, outsideText, "", true},
		{"lsp_hover", `{"line":1,"character":1}`, "file: it is missing; a string is needed", "", true},
	} {
		called, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(c.args)})
		if err != nil {
			t.Fatal(err)
		}
		a := answerOf(t, called)
		raw, err := json.Marshal(a.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if c.fails {
			if !a.IsError || len(a.text) < len(c.text) || a.text[:len(c.text)] != c.text {
				t.Errorf("%s %s: error %t: %s", c.tool, c.args, a.IsError, a.text)
			}
			continue
		}
		if a.IsError || a.text != c.text || string(raw) != c.structured {
			t.Errorf("%s %s: error %t: %s\n%s", c.tool, c.args, a.IsError, a.text, raw)
		}
	}
}

// Symbols are listed with the file that each is in, if that is not the one that was asked about.
func TestLLXPRTSymbolsNameTheirFiles(t *testing.T) {
	text, structured := declared(&result.Symbols{Symbols: []result.Symbol{
		{Name: "C", Kind: "class", Path: "a.go", Line: 1, Column: 6, EndLine: 9, Children: []result.Symbol{{Name: "m", Kind: "method", Line: 2, Column: 3, EndLine: 4}}},
	}})
	if diff := cmp.Diff("C - a.go:1:6\nm - 2:3\n", text); diff != "" {
		t.Error(diff)
	}
	want := listedSymbols{Symbols: []listedSymbol{{"C", "class", "a.go", symbolRange{1, 6, 9}}, {"m", "method", "", symbolRange{2, 3, 4}}}}
	if diff := cmp.Diff(want, structured); diff != "" {
		t.Error(diff)
	}
}
