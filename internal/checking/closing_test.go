package checking

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What changed in a turn is compared with the commit or, where that does not have it, with the texts
// that the turn kept; outside a checkout what was created had no text.
func TestWhatATurnIsComparedWith(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := func(name string) string { return filepath.Join(s.root, name) }
	changed := turnChanges{
		path("new.toy"): result.TurnCreated, path("main.toy"): result.TurnModified, path("lib.toy"): result.TurnModified,
		path("gone.toy"): result.TurnDeleted, path("notes.txt"): result.TurnModified,
	}
	kept := map[string][]byte{path("main.toy"): []byte("kept"), path("gone.toy"): []byte("kept"), path("notes.txt"): []byte("kept"), path("new.toy"): []byte("kept")}
	files := []string{path("gone.toy"), path("lib.toy"), path("main.toy"), path("new.toy")}
	req := api.CloseTurnRequest{Severities: []string{"hint"}, TimeoutMS: 7}
	for name, c := range map[string]struct {
		turn turn
		want api.CheckRequest
	}{
		"in a checkout": {turn{commit: "abc", texts: kept}, api.CheckRequest{
			Files: files, Before: map[string]string{path("main.toy"): "kept"}, Baseline: api.BaselineHead, Revision: "abc", Severities: []string{"hint"}, TimeoutMS: 7, MaxBytes: -1,
		}},
		"outside": {turn{texts: kept}, api.CheckRequest{
			Files: files, Before: map[string]string{path("main.toy"): "kept", path("new.toy"): ""}, Severities: []string{"hint"}, TimeoutMS: 7, MaxBytes: -1,
		}},
	} {
		if diff := cmp.Diff(c.want, changed.request(t.Context(), s.Checker, &c.turn, req)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Each changed file has the class of its verdict, with the reason where it could not be judged, and
// none where no server judges it.
func TestClassesOfATurn(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	changed := turnChanges{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		changed[filepath.Join(s.root, name)] = result.TurnModified
	}
	answer := result.ClosedTurn{Check: result.Check{Verdict: "unknown", Files: []result.File{
		{Path: "a", Verdict: "clean", Baseline: "head"},
		{Path: "b", Verdict: "unknown", Baseline: "before", Servers: []result.Answer{{Server: "toy", Freshness: "timeout", Reason: "late"}}},
		{Path: "c", Verdict: "clean", Error: &result.Error{Message: "it cannot be read"}},
		{Path: "e", Verdict: "new_errors", Baseline: "none"},
	}}}
	changed.classify(s.Checker, &answer)
	want := []result.TurnFile{
		{Path: "a", Change: "modified", Class: "clean", Baseline: "head"},
		{Path: "b", Change: "modified", Class: "lsp_unavailable", Baseline: "before", Reason: "toy: late"},
		{Path: "c", Change: "modified", Class: "lsp_unavailable", Reason: "it cannot be read"},
		{Path: "d", Change: "modified"},
		{Path: "e", Change: "modified", Class: "new_errors", Baseline: "none"},
	}
	if diff := cmp.Diff(want, answer.Files); diff != "" || answer.Class != "lsp_unavailable" {
		t.Errorf("%s (-want +got):\n%s", answer.Class, diff)
	}
}

// A turn with new errors goes on for as many rounds as are allowed; whichever turn is open then stays
// so, if it is another one.
func TestEndsOfATurn(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	type ended struct {
		Outcome string
		Round   int
		Open    bool
	}
	one, other := &turn{name: "t1"}, &turn{name: "t2"}
	var got []ended
	for _, c := range []struct {
		turn  *turn
		class string
	}{{one, "new_errors"}, {one, "new_errors"}, {one, "new_errors"}, {one, "clean"}, {other, "clean"}, {other, "baseline_error"}} {
		s.session.turn = one
		answer := result.ClosedTurn{Class: c.class, Limit: 2}
		s.endTurn(c.turn, &answer)
		got = append(got, ended{answer.Outcome, answer.Round, s.session.turn == one})
	}
	want := []ended{{result.TurnSelfCorrect, 1, true}, {result.TurnSelfCorrect, 2, true}, {result.TurnEscalate, 3, false}, {result.TurnClosed, 3, false}, {result.TurnClosed, 0, true}, {result.TurnClosed, 0, true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A request about a turn that makes no sense names what is wrong with it; the open turn may be named,
// or not.
func TestRequestsOfTurns(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	wrong := func(err error) string {
		var argument *api.ArgumentError
		if !errors.As(err, &argument) || argument.Advice == "" {
			return "nothing"
		}
		return argument.Argument + ": " + argument.Reason
	}
	opened := func(req api.CloseTurnRequest) string {
		t.Helper()
		open, err := s.openTurn(req)
		if err == nil {
			return "open " + open.name
		}
		return wrong(err)
	}
	_, early := s.BeginTurn(t.Context(), api.BeginTurnRequest{TimeoutMS: -1})
	once := s.For(Caller{Names: s.names, View: s.view, Files: s.files, Last: true})
	_, last := once.BeginTurn(t.Context(), api.BeginTurnRequest{})
	got := []string{wrong(early), wrong(last), opened(api.CloseTurnRequest{})}
	if _, err := s.BeginTurn(t.Context(), api.BeginTurnRequest{TimeoutMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	got = append(got, opened(api.CloseTurnRequest{}), opened(api.CloseTurnRequest{Turn: "t1"}), opened(api.CloseTurnRequest{Turn: "t2"}), opened(api.CloseTurnRequest{BudgetBytes: -1}))
	want := []string{
		"timeout_ms: a deadline is at least 1 ms", "turn: this process makes one call only", "turn: no turn is open in this session",
		"open t1", "open t1", `turn: "t2" is not open`, "budget_bytes: a budget is at least 1 byte",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
