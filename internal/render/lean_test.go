package render

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/lspine/lspine/internal/result"
)

// The lean structured forms are what they were meant to be, member for member.
func TestLeanForms(t *testing.T) {
	positions := samplePlaces(12, false)
	tight := edited()
	Fit(tight, 300)
	check := &result.Check{
		Verdict: "new_errors", Incomplete: true,
		Files: []result.File{
			{Path: "a.go", Verdict: "new_errors", Baseline: "session", Diagnostics: many(3), Servers: []result.Answer{{Server: "gopls", Freshness: "fresh"}}},
			{Path: "b.go", Verdict: "unknown", Servers: []result.Answer{{Server: "gopls", Freshness: "timeout", Reason: "no answer in time", Hint: "ask again"}}},
			{Path: "c.go", Verdict: "clean", Servers: []result.Answer{{Server: "gopls", Freshness: "fresh"}}},
			{Path: "gone.go", Error: &result.Error{Kind: "not_found", Message: "no such file", Hint: "nearest: a.go"}},
		},
		Others: []result.File{{Path: "d/e.go", Verdict: "new_errors", Diagnostics: many(1)}},
	}
	var all bytes.Buffer
	for _, reply := range []result.Result{
		check, &result.Check{Verdict: "clean", Files: []result.File{{Path: "a.go", Verdict: "clean"}}}, edited(), tight,
		samplePlaces(4, true), positions, &result.Places{Symbol: "Load", What: "implementation"}, sampleDefinition(2), sampleTree(2), sampleFound(2), sampleSource(4), sampleHierarchy(2), sampleInspection(2), sampleImpact(2),
		&result.Fixes{Path: "a.go", Total: 1, Actions: []result.FixAction{{Number: 1, Title: "Organize imports", Kind: "source.organizeImports", Server: "gopls", Diff: "-a\n+b\n"}}},
		&result.Status{Root: "/r", Servers: []result.Server{{ID: "gopls", State: "active", Root: "/r", Pid: 7}, {ID: "clangd", State: "unavailable", Reason: "not found", Hint: "install it: apt install clangd"}}},
	} {
		raw, err := LeanJSON(reply, Brief(reply))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&all, raw, "", " "); err != nil {
			t.Fatal(err)
		}
		all.WriteByte('\n')
	}
	golden(t, "lean", all.String())
}

// References cost in JSON what they cost as text, and not three times as much.
func TestLeanReferencesAreCheap(t *testing.T) {
	for _, lines := range []bool{false, true} {
		p := samplePlaces(44, lines)
		text := Brief(p)
		form, _ := Lean(p)
		raw, err := marshal(form)
		if err != nil || len(raw) > len(text)*13/10 {
			t.Errorf("%d bytes of JSON, %d of text, %v", len(raw), len(text), err)
		}
	}
}
