package simulation_test

import (
	"context"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A request that cannot be is refused, with its argument and the way out.
func TestRequestsThatCannotBe(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	for range 2 {
		simulate(t, s, api.SimulateRequest{Action: "create"})
	}
	some := edits(enginetest.Writing("main.toy", ""))
	nowhere := api.SimulatedEdit{EditSymbol: &api.EditSymbolRequest{Action: "delete", Selector: api.Selector{Symbol: "absent", File: "main.toy"}}}
	for _, c := range []struct {
		req        api.SimulateRequest
		kind       result.Kind
		says, hint string
	}{
		{api.SimulateRequest{}, result.Argument, "action: it is missing", "create, edit"},
		{api.SimulateRequest{Action: "try"}, result.Argument, `"try" is no action`, "create, edit"},
		{api.SimulateRequest{Action: "evaluate"}, result.Argument, "session: it is missing", "action create"},
		{api.SimulateRequest{Action: "evaluate", Session: "s9"}, result.NotFound, `no session "s9"`, "sessions are s1, s2"},
		{api.SimulateRequest{Action: "preview", Session: "s1", Edits: some}, result.Argument, "session: preview takes none", "leave it out"},
		{api.SimulateRequest{Action: "edit", Session: "s1"}, result.Argument, "edits: it is empty", "for example"},
		{api.SimulateRequest{Action: "commit", Session: "s1", Edits: some}, result.Argument, "edits: commit takes none", "action edit"},
		{api.SimulateRequest{Action: "evaluate", Session: "s1", Apply: true}, result.Argument, "apply: it goes with commit", "action commit"},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: some, OnDisk: true}, result.Argument, "on_disk: it goes with", "leave it out"},
		{api.SimulateRequest{Action: "evaluate", Session: "s1", Scope: "all"}, result.Argument, `"all" is no scope`, "file, dependants and workspace"},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: edits(enginetest.Replacing("main.toy", "absent", "x"))}, result.NoMatch, "main.toy", ""},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: edits(enginetest.Writing("lib.toy", ""), enginetest.Replacing("main.toy", "absent", "x"))}, result.NoMatch, "edits[1]: ", ""},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: append(edits(enginetest.Writing("lib.toy", "")), nowhere)}, result.NotFound, "edits[1]: no symbol absent", ""},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: edits(enginetest.Writing("../main.toy", ""))}, result.Outside, "main.toy", ""},
		{api.SimulateRequest{Action: "commit", Session: "s1", Apply: true}, result.Failed, "nothing would change", ""},
	} {
		if err := refused(t, s, c.req); err.Kind != c.kind || !strings.Contains(err.Message, c.says) || !strings.Contains(err.Hint, c.hint) {
			t.Errorf("%+v:\n%+v", c.req, err)
		}
	}
	if empty := simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: "s1"}); said(empty.Evaluation) != "clean high" {
		t.Errorf("nothing is %s", said(empty.Evaluation))
	}
}

// A session belongs to the conversation that made it: others cannot use it, nor see it, and it
// ends with that.
func TestSessionsBelongToConversations(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	as := func(name string) context.Context { return api.Call{Session: name}.In(t.Context()) }
	do := func(owner string, req api.SimulateRequest) (result.Simulation, *result.Error) {
		answer, err := api.Simulate.Do(as(owner), s, req)
		if err != nil {
			return answer, result.ErrorOf(err)
		}
		return answer, nil
	}
	made, err := do("one", api.SimulateRequest{Action: "create"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := do("two", api.SimulateRequest{Action: "destroy", Session: made.Session}); err == nil || err.Kind != result.NotFound || strings.Contains(err.Hint, made.Session) {
		t.Errorf("another may use it: %+v", err)
	}
	if list, _ := do("two", api.SimulateRequest{Action: "list"}); len(list.Sessions) > 0 {
		t.Errorf("another sees %+v", list.Sessions)
	}
	if list, _ := do("one", api.SimulateRequest{Action: "list"}); len(list.Sessions) != 1 || list.Done != "1 sessions" {
		t.Errorf("its owner sees %+v: %s", list.Sessions, list.Done)
	}
	s.EndSession("one")
	if _, err := do("one", api.SimulateRequest{Action: "evaluate", Session: made.Session}); err == nil || err.Kind != result.NotFound {
		t.Errorf("after the conversation: %+v", err)
	}
}

// A session over a file that somebody else changed is neither judged nor written. The error says
// what changed and whether its own change still fits; its patch goes on in another session.
func TestSessionOverAFileThatChanged(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	first := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
	simulate(t, s, api.SimulateRequest{Action: "edit", Session: first, Edits: edits(
		enginetest.Replacing("lib.toy", "helper", "aide"), enginetest.Replacing("main.toy", "helper", "aide"),
	)})
	s.Write("main.toy", "use helper\n\n\n\n\ndef mine\n")
	for _, req := range []api.SimulateRequest{{Action: "evaluate", Session: first}, {Action: "commit", Session: first, Apply: true}} {
		err := refused(t, s, req)
		if err.Kind != result.Stale || !strings.Contains(err.Message, "main.toy changed on disk") || !strings.Contains(err.Message, "still fits") || !strings.Contains(err.Hint, "as a patch") {
			t.Errorf("%s: %+v", req.Action, err)
		}
	}
	if got := s.Read("lib.toy") + s.Read("main.toy"); got != "def helper\nuse helper\n\n\n\n\ndef mine\n" {
		t.Errorf("the disk has %q", got)
	}
	patch := simulate(t, s, api.SimulateRequest{Action: "commit", Session: first}).Diff
	second := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
	simulate(t, s, api.SimulateRequest{Action: "edit", Session: second, Edits: edits(api.FileEdit{Patch: patch})})
	if got := said(simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: second}).Evaluation); got != "clean high" {
		t.Errorf("with the patch: %s", got)
	}
	simulate(t, s, api.SimulateRequest{Action: "commit", Session: second, Apply: true})
	if got := s.Read("lib.toy") + s.Read("main.toy"); got != "def aide\nuse aide\n\n\n\n\ndef mine\n" {
		t.Errorf("the disk has %q", got)
	}
	if err := refused(t, s, api.SimulateRequest{Action: "commit", Session: first, Apply: true}); !strings.Contains(err.Message, "no longer fits") || !strings.Contains(err.Hint, "anew") {
		t.Errorf("where it no longer fits: %+v", err)
	}
}

// A thousand sessions come and go; so many at once are refused, and one that goes makes room.
func TestThousandSessions(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, toys)
	create := api.SimulateRequest{Action: "create"}
	for range 1000 {
		made := simulate(t, s, create)
		simulate(t, s, api.SimulateRequest{Action: "edit", Session: made.Session, Edits: edits(enginetest.Writing("new.toy", "def x\n"))})
		simulate(t, s, api.SimulateRequest{Action: "destroy", Session: made.Session})
	}
	var last result.Simulation
	refusedAt := 0
	for n := 1; n <= 1000; n++ {
		answer, err := api.Simulate.Do(t.Context(), s, create)
		if err != nil {
			if failed := result.ErrorOf(err); failed.Kind != result.Argument || !strings.Contains(failed.Hint, "destroy ends one") {
				t.Errorf("%+v", failed)
			}
			refusedAt = n
			break
		}
		last = answer
	}
	if refusedAt != 101 {
		t.Errorf("refused at %d", refusedAt)
	}
	if list := simulate(t, s, api.SimulateRequest{Action: "list"}).Sessions; len(list) != 100 {
		t.Errorf("there are %d", len(list))
	}
	simulate(t, s, api.SimulateRequest{Action: "destroy", Session: last.Session})
	simulate(t, s, create)
	if s.Exists("new.toy") {
		t.Error("the disk has new.toy")
	}
}
