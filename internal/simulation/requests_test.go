package simulation

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// wrongArgument is the argument that an error is about with its reason, "" without an error.
func wrongArgument(err error) string {
	var wrong *api.ArgumentError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &wrong):
		return wrong.Argument + ": " + wrong.Reason
	}
	return err.Error()
}

// Each action takes what it needs and nothing else; what is wrong is named.
func TestWhatActionsTake(t *testing.T) {
	some := []api.SimulatedEdit{{}}
	for _, c := range []struct {
		req  api.SimulateRequest
		want string
	}{
		{api.SimulateRequest{Action: "create"}, ""},
		{api.SimulateRequest{Action: "list"}, ""},
		{api.SimulateRequest{Action: "edit", Session: "s1", Edits: some}, ""},
		{api.SimulateRequest{Action: "evaluate", Session: "s1", OnDisk: true, Scope: "file"}, ""},
		{api.SimulateRequest{Action: "chain", Session: "s1", Edits: some, OnDisk: true, Scope: "workspace"}, ""},
		{api.SimulateRequest{Action: "preview", Edits: some, OnDisk: true, Scope: "dependants"}, ""},
		{api.SimulateRequest{Action: "commit", Session: "s1", Apply: true}, ""},
		{api.SimulateRequest{Action: "discard", Session: "s1"}, ""},
		{api.SimulateRequest{Action: "destroy", Session: "s1"}, ""},
		{api.SimulateRequest{}, "action: it is missing"},
		{api.SimulateRequest{Action: "run"}, `action: "run" is no action`},
		{api.SimulateRequest{Action: "create", Session: "s1"}, "session: create takes none"},
		{api.SimulateRequest{Action: "list", Session: "s1"}, "session: list takes none"},
		{api.SimulateRequest{Action: "preview", Session: "s1", Edits: some}, "session: preview takes none"},
		{api.SimulateRequest{Action: "edit", Edits: some}, "session: it is missing"},
		{api.SimulateRequest{Action: "destroy"}, "session: it is missing"},
		{api.SimulateRequest{Action: "edit", Session: "s1"}, "edits: it is empty"},
		{api.SimulateRequest{Action: "chain", Session: "s1"}, "edits: it is empty"},
		{api.SimulateRequest{Action: "preview"}, "edits: it is empty"},
		{api.SimulateRequest{Action: "create", Edits: some}, "edits: create takes none"},
		{api.SimulateRequest{Action: "evaluate", Session: "s1", Edits: some}, "edits: evaluate takes none"},
		{api.SimulateRequest{Action: "chain", Session: "s1", Edits: some, Apply: true}, "apply: it goes with commit"},
		{api.SimulateRequest{Action: "commit", Session: "s1", OnDisk: true}, "on_disk: it goes with evaluate, chain and preview"},
		{api.SimulateRequest{Action: "evaluate", Session: "s1", Scope: "moon"}, `scope: "moon" is no scope`},
	} {
		if got := wrongArgument(check(&c.req)); got != c.want {
			t.Errorf("%+v: %q, want %q", c.req, got, c.want)
		}
	}
	negative := api.SimulateRequest{Action: "create", Limits: api.Limits{TimeoutMS: -1}}
	if check(&negative) == nil {
		t.Error("less than no time is taken")
	}
}

// An edit says one change; one of a file is any that says no other.
func TestKindsOfAnEdit(t *testing.T) {
	for name, c := range map[string]struct {
		edit   api.SimulatedEdit
		kinds  []string
		ofFile bool
	}{
		"nothing":     {api.SimulatedEdit{}, nil, true},
		"a file":      {api.SimulatedEdit{FileEdit: api.FileEdit{File: "a"}}, []string{"an edit of a file"}, true},
		"a rename":    {api.SimulatedEdit{Rename: &api.RenameRequest{}}, []string{"rename"}, false},
		"a symbol":    {api.SimulatedEdit{EditSymbol: &api.EditSymbolRequest{}}, []string{"edit_symbol"}, false},
		"a fix":       {api.SimulatedEdit{Fix: &api.FixesRequest{}}, []string{"fix"}, false},
		"all of them": {api.SimulatedEdit{Rename: &api.RenameRequest{}, EditSymbol: &api.EditSymbolRequest{}, Fix: &api.FixesRequest{}, FileEdit: api.FileEdit{Delete: true}}, []string{"rename", "edit_symbol", "fix", "an edit of a file"}, false},
	} {
		if diff := cmp.Diff(c.kinds, kindsOf(&c.edit)); diff != "" || isFileEdit(&c.edit) != c.ofFile {
			t.Errorf("%s: of a file %t (-want +got):\n%s", name, isFileEdit(&c.edit), diff)
		}
	}
}

// What a server drafts for a step is not written, and has the time of the step, or else of the call.
func TestDraftsOfSteps(t *testing.T) {
	for name, c := range map[string]struct {
		how   api.Writing
		want  api.Writing
		wrong string
	}{
		"nothing said":  {api.Writing{}, api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 7}}, ""},
		"a preview":     {api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 3}}, api.Writing{Mode: api.Preview, Limits: api.Limits{TimeoutMS: 3}}, ""},
		"to be written": {api.Writing{Mode: api.Apply}, api.Writing{Mode: api.Apply}, "edits[2].mode: a step of a session is not written"},
	} {
		err := drafting(&c.how, api.Limits{TimeoutMS: 7}, "edits[2].")
		if diff := cmp.Diff(c.want, c.how); diff != "" || wrongArgument(err) != c.wrong {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// An error names the argument as the caller counts; any other error stays as it is.
func TestArgumentsAreNamedForTheCaller(t *testing.T) {
	broken := errors.New("it broke")
	argument := func(name string) error {
		return &api.ArgumentError{Argument: name, Reason: "it is wrong", Advice: "mend it"}
	}
	for _, c := range []struct {
		got  error
		want string
	}{
		{renumbered(argument("edits[1].file"), 3), "edits[4].file"},
		{renumbered(argument("edits[12]"), 0), "edits[12]"},
		{renumbered(argument("files"), 3), "files"},
		{renumbered(argument("in edits[1]"), 3), "in edits[1]"},
		{within("edits[2].rename.", argument("to")), "edits[2].rename.to"},
	} {
		var wrong *api.ArgumentError
		if !errors.As(c.got, &wrong) || *wrong != (api.ArgumentError{Argument: c.want, Reason: "it is wrong", Advice: "mend it"}) {
			t.Errorf("%v is not about %s", c.got, c.want)
		}
	}
	var named *api.EditError
	if !errors.As(renumbered(&api.EditError{Argument: "edits[1]", Err: broken}, 3), &named) || *named != (api.EditError{Argument: "edits[4]", Err: broken}) {
		t.Errorf("%v is not about edits[4]", named)
	}
	if renumbered(broken, 3) != broken || within("a", broken) != broken || renumbered(nil, 3) != nil || within("a", nil) != nil {
		t.Error("an error of something else is another one")
	}
}

// A session that is committed or discarded takes nothing more; any other goes on.
func TestStatesThatTakeEdits(t *testing.T) {
	for state, open := range map[string]bool{
		result.SimulationCreated: true, result.SimulationMutated: true, result.SimulationEvaluated: true, result.SimulationDirty: true,
		result.SimulationCommitted: false, result.SimulationDiscarded: false,
	} {
		of := &session{id: "s1", state: state}
		err := of.open("edit")
		var closed *StateError
		if open != (err == nil) || err != nil && (!errors.As(err, &closed) || *closed != (StateError{"s1", state, "edit"})) {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// A plan that follows is one more edit of the session, the same one is none.
func TestPlansThatFollow(t *testing.T) {
	first, second := edit.NewPlan(nil), edit.NewPlan(nil)
	of := newSession("s1", "me", first)
	type step struct {
		Status string
		Steps  int
		Second bool
	}
	var got []step
	for _, plan := range []*edit.Plan{first, second, second} {
		if err := of.follow(plan); err != nil {
			t.Fatal(err)
		}
		got = append(got, step{of.state, of.steps, of.plan == second})
	}
	if diff := cmp.Diff([]step{{result.SimulationCreated, 0, false}, {result.SimulationMutated, 1, true}, {result.SimulationMutated, 1, true}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A keeper counts the sessions of each owner, shows what they are like while they are used, and drops
// those of an owner that is gone, with what was remembered of them.
func TestSessionsOfOwners(t *testing.T) {
	now := time.Unix(1000, 0)
	k := NewKeeper(func() time.Time { return now })
	create := func(owner, label string) *session {
		t.Helper()
		s, err := k.create(owner, label, edit.NewPlan(nil))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	mine, other := create("me", "first"), create("you", "")
	now = now.Add(time.Second)
	want := []result.SimulationSession{{Session: "s1", Label: "first", Status: result.SimulationCreated, IdleMS: 1000}}
	if diff := cmp.Diff(want, k.list("me")); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	release, err := k.use(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	mine.state, mine.steps = result.SimulationMutated, 2
	want[0].IdleMS = 0
	if diff := cmp.Diff(want, k.list("me")); diff != "" {
		t.Errorf("while it is used (-want +got):\n%s", diff)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := k.use(left, mine); !errors.Is(err, context.Canceled) || mine.users != 1 {
		t.Errorf("who leaves before it is free: %v; %d users", err, mine.users)
	}
	release()
	now = now.Add(2 * time.Second)
	want = []result.SimulationSession{{Session: "s1", Label: "first", Status: result.SimulationMutated, Steps: 2, IdleMS: 2000}}
	if diff := cmp.Diff(want, k.list("me")); diff != "" || mine.users != 0 {
		t.Errorf("after that, %d users (-want +got):\n%s", mine.users, diff)
	}
	if _, err := k.find("me", other.id); err == nil {
		t.Error("another's session is found")
	}
	if found, err := k.find("you", other.id); err != nil || found != other {
		t.Errorf("its owner finds %v, %v", found, err)
	}
	gone := create("me", "")
	gone.state = result.SimulationDestroyed
	k.remove(gone)
	if _, err := k.use(t.Context(), gone); err == nil || gone.users != 0 || !gone.busy.TryLock() {
		t.Errorf("what is destroyed is used: %v; %d users", err, gone.users)
	}
	k.EndSession("me")
	var unknown *UnknownSessionError
	if _, err := k.find("me", gone.id); !errors.As(err, &unknown) || unknown.How != "" || len(unknown.Known) != 0 || len(k.list("me")) != 0 || len(k.list("you")) != 1 {
		t.Errorf("after the owner is gone: %+v, %+v", err, k.sessions)
	}
	for range maxSessions - 1 {
		create("you", "")
	}
	var many *TooManyError
	if _, err := k.create("you", "", nil); !errors.As(err, &many) || many.Limit != maxSessions {
		t.Errorf("one more than may be: %v", err)
	}
	create("me", "")
}
