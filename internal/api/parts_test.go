package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What every request of an operation contains stands here for each that contains anything; what a request contains
// besides depends on what it asks for. Parts of parts are parts.
//
// Requirement: SYN-10.
func TestWhatOperationsContain(t *testing.T) {
	got := make(map[string]string)
	for _, op := range Operations() {
		if parts := op.Parts(json.RawMessage(`{}`)); len(parts) > 0 {
			got[op.Name] = strings.Join(parts, " ")
		}
	}
	want := map[string]string{
		"assemble":              "inspect definition source type_definition signature_help outline inlay_hints symbols",
		"check":                 "diagnostics",
		"close_turn":            "check diagnostics",
		"cross_repo_references": "references workspace_folders definition",
		"diagnostics":           "check",
		"documentation":         "inspect definition outline symbols",
		"editing_context":       "outline hierarchy symbols references definition",
		"execute_code_lens":     "code_lenses execute_command",
		"explore":               "inspect source references hierarchy definition outline symbols",
		"find_symbol":           "symbols",
		"format":                "format_edits",
		"hierarchy":             "references definition",
		"impact":                "outline references tests_for symbols definition",
		"inspect":               "definition outline symbols",
		"outline":               "symbols",
		"references":            "definition",
		"source":                "definition outline symbols",
		"tests_for":             "outline references symbols definition",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, c := range []struct {
		op            Operation
		request, want string
	}{
		{Assemble.Operation(), `{"include":["diagnostics"]}`, "diagnostics check"},
		{Assemble.Operation(), `{"include":["hints"],"symbols":["a.go A"]}`, "inlay_hints source definition outline symbols"},
		{Assemble.Operation(), `{"include":["hints"],"text":"mend it"}`, "inlay_hints find_symbol source symbols definition outline"},
		{Revalidate.Operation(), `{"items":[{"kind":"signature"},{"kind":"type"}]}`, "signature_help inspect definition outline symbols"},
		{Symbols.Operation(), `{"file":"a.go"}`, "outline"},
		{Symbols.Operation(), `{"query":"a","hover":true}`, "find_symbol inspect definition outline"},
		{EditSymbol.Operation(), `{"at":"a.go A","action":"delete"}`, "references definition"},
		{EditSymbol.Operation(), `{"at":"a.go A","action":"replace"}`, ""},
		{Simulate.Operation(), `{"action":"preview","edits":[{"file":"a.go","content":""}]}`, ""},
		{Simulate.Operation(), `{"action":"preview","on_disk":true,"edits":[{"file":"a.go","content":""}]}`, "edit"},
		{Simulate.Operation(), `{"action":"edit","edits":[{"rename":{"at":"a.go A"}},{"fix":{"apply":1}},{"edit_symbol":{"action":"delete"}}]}`, "rename fixes edit_symbol references definition"},
		{Simulate.Operation(), `{"action":"commit","session":"s1"}`, ""},
		{Simulate.Operation(), `{"action":"commit","session":"s1","apply":true}`, "edit"},
		{Impact.Operation(), `{"files":7}`, "outline references tests_for symbols definition"},
	} {
		if got := strings.Join(c.op.Parts(json.RawMessage(c.request)), " "); got != c.want {
			t.Errorf("%s %s contains %q, want %q", c.op.Name, c.request, got, c.want)
		}
	}
}

// Every part is an operation, and every name that contains some is one.
func TestPartsAreOperations(t *testing.T) {
	known := make(map[string]bool)
	for _, op := range Operations() {
		known[op.Name] = true
	}
	for name, parts := range contained {
		for _, part := range append([]string{name}, parts...) {
			if !known[part] {
				t.Errorf("%s: there is no operation %q", name, part)
			}
		}
	}
	for _, kind := range ContextKinds {
		if len(itemParts[kind]) == 0 {
			t.Errorf("nothing is said to make items of the kind %q", kind)
		}
	}
}
