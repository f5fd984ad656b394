package simulation_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

const toys = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
`

// simulate runs a step that must succeed.
func simulate(t *testing.T, caller api.Caller, req api.SimulateRequest) result.Simulation {
	t.Helper()
	req.TimeoutMS = 60_000
	return enginetest.Do(t, caller, api.Simulate, req)
}

// refused runs a step that must fail, and returns the error as callers see it.
func refused(t *testing.T, caller api.Caller, req api.SimulateRequest) *result.Error {
	t.Helper()
	answer, err := api.Simulate.Do(t.Context(), caller, req)
	if err == nil {
		t.Fatalf("%+v was answered: %+v", req, answer)
	}
	return result.ErrorOf(err)
}

func edits(list ...api.FileEdit) (all []api.SimulatedEdit) {
	for _, e := range list {
		all = append(all, api.SimulatedEdit{FileEdit: e})
	}
	return all
}

// said states an evaluation: its verdict, its confidence, and the errors with + or -.
func said(e *result.Evaluation) string {
	text := e.Verdict + " " + e.Confidence
	for _, f := range e.Introduced {
		text += " +" + f.File + ": " + f.Message
	}
	for _, f := range e.Resolved {
		text += " -" + f.File + ": " + f.Message
	}
	return text
}

// A session goes through its states: nothing of it is on disk, or said to anybody else, until it
// is committed; then all of it is.
func TestSessionFromCreateToCommit(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	s.Expect("main.toy clean")
	made := simulate(t, s, api.SimulateRequest{Action: "create", Label: "a rename"})
	if made.Status != "created" || made.Session == "" {
		t.Fatalf("%+v", made)
	}
	step := func(action string, list ...api.SimulatedEdit) result.Simulation {
		t.Helper()
		return simulate(t, s, api.SimulateRequest{Action: action, Session: made.Session, Edits: list})
	}
	if answer := step("edit", edits(enginetest.Replacing("lib.toy", "helper", "helped"))...); answer.Status != "mutated" || answer.Steps != 1 || answer.Done != "the session has 1 edits, which change 1 files; nothing is written" {
		t.Errorf("%+v", answer)
	}
	answer := step("evaluate")
	if got, want := said(answer.Evaluation), "new_errors high +main.toy: undefined: helper"; got != want || answer.Status != "evaluated" || answer.Evaluation.NetDelta != 1 {
		t.Errorf("got %s (%s), want %s", got, answer.Status, want)
	}
	s.Expect("main.toy clean")
	if got := s.Read("lib.toy"); got != "def helper\n" {
		t.Errorf("the disk has %q", got)
	}
	// The next edit is of the text that the session has.
	step("edit", edits(enginetest.Replacing("lib.toy", "helped", "aide"), enginetest.Replacing("main.toy", "helper", "aide"))...)
	if got := said(step("evaluate").Evaluation); got != "clean high" {
		t.Errorf("got %s", got)
	}
	patch := step("commit")
	if want := []string{"-def helper", "+def aide", "-use helper", "+use aide"}; !containsAll(patch.Diff, want) || patch.Status != "evaluated" || patch.Done != "the changes of 2 files as a patch; nothing is written" {
		t.Errorf("%s, %s: %s", patch.Status, patch.Done, patch.Diff)
	}
	committed := simulate(t, s, api.SimulateRequest{Action: "commit", Session: made.Session, Apply: true})
	if committed.Status != "committed" || !committed.Commit.Applied || committed.Commit.Verdict != "clean" {
		t.Errorf("%+v %+v", committed, committed.Commit)
	}
	if got := s.Read("lib.toy") + s.Read("main.toy"); got != "def aide\nuse aide\n" {
		t.Errorf("the disk has %q", got)
	}
	for _, action := range []string{"edit", "evaluate", "chain", "commit", "discard"} {
		req := api.SimulateRequest{Action: action, Session: made.Session}
		if action == "edit" || action == "chain" {
			req.Edits = edits(enginetest.Replacing("lib.toy", "aide", "x"))
		}
		if err := refused(t, s, req); err.Kind != result.Argument || !strings.Contains(err.Message, "is committed: it cannot "+action) {
			t.Errorf("%s: %+v", action, err)
		}
	}
	if again := simulate(t, s, api.SimulateRequest{Action: "create"}); simulate(t, s, api.SimulateRequest{Action: "edit", Session: again.Session, Edits: edits(enginetest.Replacing("lib.toy", "aide", "x"))}).Steps != 1 {
		t.Errorf("%+v", again)
	} else if dropped := simulate(t, s, api.SimulateRequest{Action: "discard", Session: again.Session}); dropped.Status != "discarded" || dropped.Done != "the 1 edits of "+again.Session+" are dropped; the disk is as it was" {
		t.Errorf("%+v", dropped)
	}
	if gone := step("destroy"); gone.Status != "destroyed" || gone.Done != made.Session+" is gone" {
		t.Errorf("%+v", gone)
	}
	if err := refused(t, s, api.SimulateRequest{Action: "evaluate", Session: made.Session}); err.Kind != result.NotFound || !strings.Contains(err.Message, "it was destroyed") {
		t.Errorf("%+v", err)
	}
}

func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}

// A chain says through which step its edits are safe, what each adds, and ends before an edit that
// cannot be made; the session keeps the steps before.
//
// Requirement: AGENT-25.
func TestChainSaysThroughWhichStepItIsSafe(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	made := simulate(t, s, api.SimulateRequest{Action: "create"})
	answer := simulate(t, s, api.SimulateRequest{Action: "chain", Session: made.Session, Edits: edits(
		enginetest.Replacing("lib.toy", "helper", "aide"),
		enginetest.Replacing("main.toy", "helper", "aide"),
		enginetest.Writing("new.toy", "use nothing\n"),
		enginetest.Replacing("lib.toy", "no such text", "x"),
		enginetest.Writing("new.toy", ""),
	)})
	type step struct {
		Delta       int
		New         string
		Verdict, No string
	}
	var got []step
	for _, c := range answer.Chain.Steps {
		one := step{Delta: c.NetDelta, Verdict: c.Verdict}
		for _, f := range c.Introduced {
			one.New += f.File + ": " + f.Message
		}
		if c.Error != nil {
			one.No = string(c.Error.Kind)
		}
		got = append(got, one)
	}
	want := []step{{1, "main.toy: undefined: helper", "new_errors", ""}, {-1, "", "clean", ""}, {1, "new.toy: undefined: nothing", "new_errors", ""}, {0, "", "", "no_match"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if answer.Chain.SafeThrough != 2 || answer.Chain.CumulativeDelta != 1 || answer.Steps != 3 {
		t.Errorf("safe through %d, delta %d, %d steps", answer.Chain.SafeThrough, answer.Chain.CumulativeDelta, answer.Steps)
	}
	if s.Exists("new.toy") {
		t.Error("the disk has new.toy")
	}
	s.Expect("main.toy clean")
}

// Whoever leaves a preview while a server is asked gets no answer that looks like one, and leaves
// nothing behind.
func TestPreviewThatIsLeft(t *testing.T) {
	script := lsptest.Script{Mode: lsptest.Pull}
	script.Rules = []lsptest.Rule{lsptest.On("textDocument/diagnostic", lsptest.Hang())}
	s := enginetest.OpenToy(t, script, toys)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	answer, err := api.Simulate.Do(ctx, s, api.SimulateRequest{Action: "preview", Edits: edits(enginetest.Replacing("lib.toy", "helper", "aide"))})
	if !errors.Is(err, context.Canceled) || answer.Diff != "" {
		t.Errorf("%v, and %+v", err, answer)
	}
	if list := simulate(t, s, api.SimulateRequest{Action: "list"}); len(list.Sessions) > 0 || s.Read("lib.toy") != "def helper\n" {
		t.Errorf("left are %+v, and %q", list.Sessions, s.Read("lib.toy"))
	}
}

// A preview leaves no session, and says what an evaluation would.
//
// Requirement: AGENT-26.
func TestPreviewLeavesNothing(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	answer := simulate(t, s, api.SimulateRequest{Action: "preview", Edits: edits(enginetest.Replacing("lib.toy", "helper", "aide"))})
	if got := said(answer.Evaluation); got != "new_errors high +main.toy: undefined: helper" || answer.Session+answer.Done != "" || !strings.Contains(answer.Diff, "+def aide") {
		t.Errorf("%s %q\n%s", got, answer.Session, answer.Diff)
	}
	if err := refused(t, s, api.SimulateRequest{Action: "preview", Edits: edits(enginetest.Replacing("lib.toy", "nobody", "aide"))}); !strings.Contains(err.Message, "the old text is not in the file") {
		t.Errorf("%+v", err)
	}
	if list := simulate(t, s, api.SimulateRequest{Action: "list"}); len(list.Sessions) > 0 {
		t.Errorf("%+v", list.Sessions)
	}
	s.Expect("main.toy clean")
}

// What a session would write can be had without writing it: as a patch, and as whole texts, where a name that goes
// has none. A commit of many files names the first, and says how many more there are.
func TestTextsOfASession(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	made := simulate(t, s, api.SimulateRequest{Action: "create"})
	list := edits(enginetest.Replacing("lib.toy", "helper", "helped"), api.FileEdit{File: "main.toy", RenameTo: "sub/moved.toy"}, enginetest.Writing("new.toy", "def new\n"))
	simulate(t, s, api.SimulateRequest{Action: "edit", Session: made.Session, Edits: list})
	answer := simulate(t, s, api.SimulateRequest{Action: "commit", Session: made.Session, WithTexts: true})
	want := []result.FileText{{Path: "lib.toy", Text: "def helped\n"}, {Path: "new.toy", Text: "def new\n"}, {Path: "main.toy"}, {Path: "sub/moved.toy", Text: "use helper\n"}}
	if diff := cmp.Diff(want, answer.Texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if answer.Done != "the changes of 3 files as a patch; nothing is written" || !containsAll(answer.Diff, []string{"-def helper", "+def helped", "+def new"}) || s.Exists("new.toy") || !s.Exists("main.toy") {
		t.Errorf("%s\n%s", answer.Done, answer.Diff)
	}
	if without := simulate(t, s, api.SimulateRequest{Action: "commit", Session: made.Session}); without.Texts != nil || without.Diff != answer.Diff {
		t.Errorf("without texts: %+v", without)
	}
	many := simulate(t, s, api.SimulateRequest{Action: "create"})
	var files []api.FileEdit
	for _, name := range strings.Fields("a b c d e f g h i j") {
		files = append(files, enginetest.Writing(name+".toy", "def "+name+"\n"))
	}
	simulate(t, s, api.SimulateRequest{Action: "edit", Session: many.Session, Edits: edits(files...)})
	committed := simulate(t, s, api.SimulateRequest{Action: "commit", Session: many.Session, Apply: true})
	if diff := cmp.Diff("Committed "+many.Session+": 10 files written (a.toy, b.toy, c.toy, d.toy, e.toy, f.toy, g.toy, h.toy, 2 more).", committed.Commit.Summary); diff != "" || committed.Status != "committed" || s.Read("j.toy") != "def j\n" {
		t.Errorf("%s (-want +got):\n%s", committed.Status, diff)
	}
}
