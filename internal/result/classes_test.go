package result

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// For hosts with five classes whatever is unknown is not available, with its reason, wherever a verdict stands; nothing
// becomes clean, what is known stays, and a broken server reads as one that is not available.
//
// Requirement: LSP-FH-003, LSP-FH-006, SYN-14.
func TestInFiveClasses(t *testing.T) {
	unsure := func() File {
		return File{Path: "a", Verdict: Unknown, Servers: []Answer{
			{Server: "one", Freshness: "timeout", Reason: "it had not answered after 3 s"}, {Server: "two", Freshness: "fresh"}, {Server: "three", Freshness: "timeout", Dispensable: true},
		}}
	}
	broken := File{Path: "b", Verdict: NewErrors, Servers: []Answer{{Server: "one", Freshness: "partial"}}}
	const why = "one: it had not answered after 3 s"
	told := unsure()
	told.Verdict, told.Reason = LSPUnavailable, why
	for name, c := range map[string]struct{ is, want Result }{
		"a check": {
			&Check{Verdict: Unknown, Files: []File{unsure(), {Path: "c", Verdict: Clean}}, Unknown: []string{"who uses it"}},
			&Check{Verdict: LSPUnavailable, Reason: why + "; who uses it", Files: []File{told, {Path: "c", Verdict: Clean}}, Unknown: []string{"who uses it"}},
		},
		"new errors beside what is unknown": {
			&Check{Verdict: NewErrors, Files: []File{broken}, Others: []File{unsure()}},
			&Check{Verdict: NewErrors, Files: []File{broken}, Others: []File{told}},
		},
		"a file that failed": {
			&Check{Verdict: LSPUnavailable, Files: []File{{Path: "d", Error: &Error{Message: "it is too large"}}}},
			&Check{Verdict: LSPUnavailable, Reason: "it is too large", Files: []File{{Path: "d", Verdict: LSPUnavailable, Reason: "it is too large", Error: &Error{Message: "it is too large"}}}},
		},
		"no reason is given": {&Edit{Verdict: Unknown}, &Edit{Verdict: LSPUnavailable, Reason: "some part of the answer is not known"}},
		"an edit by a fix":   {&Fixes{Edit: &Edit{Verdict: Unknown, Files: []File{unsure()}}}, &Fixes{Edit: &Edit{Verdict: LSPUnavailable, Reason: why, Files: []File{told}}}},
		"one by a command":   {&Command{Edit: &Edit{Verdict: Clean}}, &Command{Edit: &Edit{Verdict: Clean}}},
		"a turn": {
			&ClosedTurn{Class: LSPUnavailable, Check: Check{Verdict: Unknown, Files: []File{unsure()}}},
			&ClosedTurn{Class: LSPUnavailable, Check: Check{Verdict: LSPUnavailable, Reason: why, Files: []File{told}}},
		},
		"a simulation": {
			&Simulation{Evaluation: &Evaluation{Verdict: Unknown, Files: []File{unsure()}}, Chain: &Chain{Steps: []ChainStep{{Verdict: Unknown}, {Verdict: Clean}}}},
			&Simulation{Evaluation: &Evaluation{Verdict: LSPUnavailable, Reason: why, Files: []File{told}}, Chain: &Chain{Steps: []ChainStep{{Verdict: LSPUnavailable}, {Verdict: Clean}}}},
		},
		"servers": {
			&Status{Servers: []Server{{ID: "one", State: "broken", Reason: "it crashed"}, {ID: "two", State: "active"}}},
			&Status{Servers: []Server{{ID: "one", State: "unavailable", Reason: "it crashed"}, {ID: "two", State: "active"}}},
		},
		"servers that were started": {&Servers{Servers: []ServerState{{State: "broken"}}}, &Servers{Servers: []ServerState{{State: "unavailable"}}}},
	} {
		InFiveClasses(c.is)
		if diff := cmp.Diff(c.want, c.is); diff != "" {
			t.Error(name, diff)
		}
	}
}
