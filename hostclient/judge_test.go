package hostclient

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A file is in one of five classes; what cannot be judged is lsp_unavailable with its reason: a file that no server knows, one
// whose server does not answer, and every file without a service.
//
// Requirement: LSP-FH-001, LSP-FH-006.
func TestJudge(t *testing.T) {
	opts := options(t, "-- clean.toy --\n\n-- broken.toy --\nERROR one\n-- a.unknown --\n", lsptest.Script{})
	c := started(t, opts)
	warned := "WARN look\n"
	one := Diagnostic{File: "broken.toy", Line: 1, Character: 1, Column: 1, EndLine: 1, EndCharacter: 6, Severity: "error", Message: "one", Source: "toy"}
	look := Diagnostic{File: "clean.toy", Line: 1, Character: 1, Column: 1, EndLine: 1, EndCharacter: 5, Severity: "warning", Message: "look", Source: "toy"}
	got := []Judgement{
		c.Judge(t.Context(), opts.Root+"/clean.toy", nil), c.Judge(t.Context(), opts.Root+"/broken.toy", nil), c.Judge(t.Context(), opts.Root+"/clean.toy", &warned),
		c.Judge(t.Context(), opts.Root+"/a.unknown", nil),
	}
	want := []Judgement{
		{Class: "clean"},
		{Class: "new_errors", Diagnostics: []Diagnostic{one}},
		{Class: "warnings_only", Diagnostics: []Diagnostic{look}},
		{Class: "lsp_unavailable", Reason: "no server judges it"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	c.Shutdown(context.Background())
	if diff := cmp.Diff(Judgement{Class: "lsp_unavailable", Reason: "service was shut down"}, c.Judge(t.Context(), opts.Root+"/clean.toy", nil)); diff != "" {
		t.Error(diff)
	}
	var none *Client
	if diff := cmp.Diff(Judgement{Class: "lsp_unavailable", Reason: "service was not configured"}, none.Judge(t.Context(), "a", nil)); diff != "" {
		t.Error(diff)
	}
}

// A service of a host that declared five classes answers so, also where a host of package host is over it.
func TestFiveClasses(t *testing.T) {
	opts := options(t, "-- a.toy --\n\n", lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Crash(1))}})
	opts.FiveClasses = true
	c := started(t, opts)
	if j := c.Judge(t.Context(), opts.Root+"/a.toy", nil); j.Class != "lsp_unavailable" || j.Reason == "" {
		t.Errorf("%+v", j)
	}
	for _, s := range c.Status(t.Context()) {
		if s.Status == "broken" {
			t.Errorf("%+v", s)
		}
	}
}
