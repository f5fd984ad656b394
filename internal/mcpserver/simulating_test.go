package mcpserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A session is led by one tool: what its edits would break is told before anything is written,
// and the next call is named.
func TestSimulateIsOneTool(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	session := d.connect("memory", newestEra, nil)
	call(t, session, "simulate", `{"action":"create"}`).says(t, "s1: created", `next: simulate with action edit, session "s1" and edits`)
	call(t, session, "simulate", `{"action":"edit","session":"s1","edits":[{"file":"lib.toy","old_text":"helper","new_text":"aide"}]}`).says(t, "s1: mutated, 1 edit of lib.toy", "nothing is written")
	a := call(t, session, "simulate", `{"action":"evaluate","session":"s1"}`)
	a.says(t, "1 new error; net delta +1, confidence high", "Other files that it would break (1 of 1 shown)", "ERROR [1:5] undefined: helper")
	type lean struct {
		Verdict, Confidence, Status string
		NetDelta                    int `json:"net_delta"`
	}
	if diff := cmp.Diff(lean{"new_errors", "high", "evaluated", 1}, structured[lean](t, a)); diff != "" {
		t.Error(diff)
	}
	call(t, session, "simulate", `{"action":"edit","session":"s2","edits":[{"file":"lib.toy","delete":true}]}`).fails(t, result.NotFound, `no session "s2"`, "sessions are s1")
	call(t, session, "simulate", `{"action":"edit","session":"s1","edits":[{"file":"main.toy","old_text":"helper","new_text":"aide"}]}`).says(t, "s1: mutated, 2 edits")
	call(t, session, "simulate", `{"action":"evaluate","session":"s1"}`).says(t, "no new errors", `next: simulate with action commit, session "s1" and apply true`)
	call(t, session, "simulate", `{"action":"commit","session":"s1","apply":true}`).says(t, "Committed s1: 2 files written", "no new errors")
	if text, err := os.ReadFile(filepath.Join(d.root, "lib.toy")); err != nil || string(text) != "def aide\n" {
		t.Errorf("%s %v", text, err)
	}
}

// The eight tools of agent-lsp take its arguments and answer with its members.
//
// Requirement: AGENT-25.
func TestSimulationToolsOfAgentLSP(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Profile = "full" })
	session := d.connect("memory", newestEra, nil)
	type answer struct {
		Session    string            `json:"session_id"`
		Status     string            `json:"status"`
		Applied    bool              `json:"edit_applied"`
		Version    int               `json:"version_after"`
		Introduced []introduced      `json:"errors_introduced"`
		Resolved   []introduced      `json:"errors_resolved"`
		NetDelta   int               `json:"net_delta"`
		Scope      string            `json:"scope"`
		Confidence string            `json:"confidence"`
		Timeout    bool              `json:"timeout"`
		Safe       int               `json:"safe_to_apply_through_step"`
		Cumulative int               `json:"cumulative_delta"`
		Steps      []chainStep       `json:"steps"`
		Written    []string          `json:"files_written"`
		Patch      map[string]string `json:"patch"`
	}
	ask := func(tool, args string, want answer) {
		t.Helper()
		a := call(t, session, tool, args)
		if a.IsError {
			t.Fatalf("%s %s: %s", tool, args, a.text)
		}
		if diff := cmp.Diff(want, structured[answer](t, a)); diff != "" {
			t.Errorf("%s %s:\n%s", tool, args, diff)
		}
	}
	none, broken := []introduced{}, []introduced{{"main.toy", 1, 5, "undefined: helper"}}
	span := func(text string) string {
		return `"start_line":1,"start_column":5,"end_line":1,"end_column":11,"new_text":"` + text + `"`
	}
	ask("create_simulation_session", `{"workspace_root":"`+filepath.ToSlash(d.root)+`","language":"toy"}`, answer{Session: "s1", Status: "created"})
	ask("simulate_edit", `{"session_id":"s1","file_path":"lib.toy",`+span("aide")+`}`, answer{Session: "s1", Applied: true, Version: 1})
	ask("evaluate_session", `{"session_id":"s1","scope":"file"}`, answer{Session: "s1", Introduced: none, Resolved: none, Scope: "file", Confidence: "high"})
	ask("evaluate_session", `{"session_id":"s1","timeout_ms":20000}`, answer{Session: "s1", Introduced: broken, Resolved: none, NetDelta: 1, Scope: "dependants", Confidence: "high"})
	ask("simulate_chain", `{"session_id":"s1","edits":[{"file_path":"main.toy",`+span("aide")+`},{"file_path":"main.toy",`+span("x")+`}]}`, answer{
		Session: "s1", Safe: 1, Cumulative: 1, Steps: []chainStep{
			{Step: 1, Introduced: none, Verdict: "clean", Confidence: "high"},
			{Step: 2, NetDelta: 1, Introduced: []introduced{{"main.toy", 1, 5, "undefined: x"}}, Verdict: "new_errors", Confidence: "high"},
		},
	})
	ask("commit_session", `{"session_id":"s1","target":"x"}`, answer{
		Session: "s1", Status: "evaluated", Written: []string{}, Patch: map[string]string{"lib.toy": "def aide\n", "main.toy": "use x\n"},
	})
	ask("preview_edit", `{"workspace_root":"`+filepath.ToSlash(d.root)+`","language":"toy","file_path":"lib.toy",`+span("x")+`}`, answer{
		Introduced: broken, Resolved: none, NetDelta: 1, Scope: "dependants", Confidence: "high",
	})
	ask("discard_session", `{"session_id":"s1"}`, answer{Session: "s1", Status: "discarded"})
	ask("destroy_session", `{"session_id":"s1"}`, answer{Session: "s1", Status: "destroyed"})
	call(t, session, "evaluate_session", `{"session_id":"s1"}`).fails(t, result.NotFound, "it was destroyed", "create_simulation_session makes one")
	call(t, session, "create_simulation_session", `{"workspace_root":"`+filepath.ToSlash(d.root)+`","language":"toy"}`)
	ask("simulate_edit", `{"session_id":"s2","file_path":"main.toy",`+span("x")+`}`, answer{Session: "s2", Applied: true, Version: 1})
	ask("commit_session", `{"session_id":"s2","apply":true}`, answer{Session: "s2", Status: "committed", Written: []string{"main.toy"}, Patch: map[string]string{}})
}
