package types_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/pkg/types"
)

// A program outside of the module can make requests, read answers and decide by errors, with these
// types alone.
func TestTypes(t *testing.T) {
	request, err := json.Marshal(types.CheckRequest{Files: []string{"a.go"}, TimeoutMS: 100})
	if err != nil || string(request) != `{"files":["a.go"],"timeout_ms":100}` {
		t.Errorf("%s %v", request, err)
	}
	var check types.Check
	if err := json.Unmarshal([]byte(`{"verdict":"unknown","files":[{"path":"a.go","diagnostics":[{"line":3,"severity":"error"}]}]}`), &check); err != nil {
		t.Fatal(err)
	}
	want := types.Check{Verdict: types.Unknown, Files: []types.File{{Path: "a.go", Diagnostics: []types.Diagnostic{{Line: 3, Severity: "error"}}}}}
	if diff := cmp.Diff(want, check); diff != "" {
		t.Error(diff)
	}
	if of := types.ErrorOf(fmt.Errorf("wrapped: %w", &types.Error{Kind: "denied", Message: "no"})); of.Kind != "denied" {
		t.Errorf("%+v", of)
	}
}

// Of the six verdicts five are classes; the one that is not known is not available, and never clean.
//
// Requirement: LSP-FH-006.
func TestFiveClasses(t *testing.T) {
	got := make(map[string]string)
	for _, verdict := range []string{types.Clean, types.WarningsOnly, types.BaselineError, types.Unknown, types.LSPUnavailable, types.NewErrors} {
		got[verdict] = types.ClassOf(verdict)
	}
	want := map[string]string{
		"clean": "clean", "warnings_only": "warnings_only", "baseline_error": "baseline_error", "unknown": "lsp_unavailable",
		"lsp_unavailable": "lsp_unavailable", "new_errors": "new_errors",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
