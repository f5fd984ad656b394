package render

import (
	"bytes"
	"encoding/json"
	"testing"
)

// The lean structured forms are what they were meant to be, member for member.
func TestLeanForms(t *testing.T) {
	positions := samplePlaces(12, false)
	tight := edited()
	tight.Fit(300)
	check := &Check{
		Verdict: "new_errors", Incomplete: true,
		Files: []File{
			{Path: "a.go", Verdict: "new_errors", Baseline: "session", Diagnostics: many(3), Servers: []Answer{{Server: "gopls", Freshness: "fresh"}}},
			{Path: "b.go", Verdict: "unknown", Servers: []Answer{{Server: "gopls", Freshness: "timeout", Reason: "no answer in time", Hint: "ask again"}}},
			{Path: "c.go", Verdict: "clean", Servers: []Answer{{Server: "gopls", Freshness: "fresh"}}},
			{Path: "gone.go", Error: &Problem{Kind: "not_found", Message: "no such file", Hint: "nearest: a.go"}},
		},
		Others: []File{{Path: "d/e.go", Verdict: "new_errors", Diagnostics: many(1)}},
	}
	var all bytes.Buffer
	for _, reply := range []Leaner{
		check, &Check{Verdict: "clean", Files: []File{{Path: "a.go", Verdict: "clean"}}}, edited(), tight,
		samplePlaces(4, true), positions, &Places{Symbol: "Load", What: "implementation"}, sampleDefinition(2), sampleTree(2), sampleFound(2), sampleSource(4), sampleHierarchy(2), sampleInspection(2), sampleImpact(2),
		&Fixes{Path: "a.go", Total: 1, Actions: []FixAction{{Number: 1, Title: "Organize imports", Kind: "source.organizeImports", Server: "gopls", Diff: "-a\n+b\n"}}},
		&Status{Root: "/r", Servers: []Server{{ID: "gopls", State: "active", Root: "/r", Pid: 7}, {ID: "clangd", State: "unavailable", Reason: "not found", Hint: "install it: apt install clangd"}}},
	} {
		raw, err := LeanJSON(reply, reply.Brief())
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
		text := p.Brief()
		raw, err := marshal(p.Lean())
		if err != nil || len(raw) > len(text)*13/10 {
			t.Errorf("%d bytes of JSON, %d of text, %v", len(raw), len(text), err)
		}
	}
}
