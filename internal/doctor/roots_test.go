package doctor_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A server of two projects is listed once, and is started, restarted and stopped for each of them
// alone; the status and the doctor tell of each.
func TestServersOfTwoRoots(t *testing.T) {
	s := enginetest.Open(t, "-- a/toy.root --\n-- a/x.one --\nfine\n-- b/toy.root --\n-- b/x.one --\nfine\n-- b/y.one --\nfine\n", registry.Table{
		withID(t, lsptest.Script{ID: "one"}, func(d *registry.Definition) { d.SingleFile = false }),
	})
	type state struct{ Root, State string }
	do := func(action string, want ...state) {
		t.Helper()
		var got []state
		for _, server := range enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: action}).Servers {
			root := server.Root
			if root != "" {
				root = s.Relative(root)
			}
			got = append(got, state{root, server.State})
		}
		less := func(a, b state) bool { return a.Root < b.Root }
		if diff := cmp.Diff(want, got, cmpopts.SortSlices(less)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", action, diff)
		}
	}
	do("list", state{"", "found"})
	do("detect", state{"a", "installed"}, state{"b", "installed"})
	s.Check(api.CheckRequest{Files: []string{"a/x.one"}})
	do("detect", state{"a", "active"}, state{"b", "installed"})
	do("restart", state{"a", "active"})
	do("start", state{"a", "active"}, state{"b", "active"})
	do("list", state{"", "found"})
	var roots []string
	for _, server := range enginetest.Do(t, s, api.Status, api.StatusRequest{Scope: "running"}).Servers {
		roots = append(roots, s.Relative(server.Root))
	}
	if diff := cmp.Diff([]string{"a", "b"}, roots); diff != "" {
		t.Errorf("running (-want +got):\n%s", diff)
	}
	do("stop", state{"a", "stopped"}, state{"b", "stopped"})
	type report struct {
		Root, Probe string
		Files       int
	}
	var reports []report
	for _, r := range enginetest.Do(t, s, api.Doctor, api.DoctorRequest{}).Servers {
		reports = append(reports, report{s.Relative(r.Root), r.Probe, r.Files})
	}
	want := []report{{"b", "b/x.one", 2}, {"a", "a/x.one", 1}}
	if diff := cmp.Diff(want, reports); diff != "" {
		t.Errorf("examined (-want +got):\n%s", diff)
	}
	if answer, err := api.Servers.Do(t.Context(), s.Engine, api.ServersRequest{Action: "list", File: filepath.Join("..", "x.one")}); err == nil || len(answer.Servers) > 0 {
		t.Errorf("a file outside: %+v", answer)
	}
}

// A server that offers nothing is told as such, without a list of all that it does not offer; one that
// has ended with its engine tells no events.
func TestServerThatOffersNothing(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n", registry.Table{withID(t, lsptest.Script{ID: "one", Capabilities: json.RawMessage(
		`{"definitionProvider":false,"documentSymbolProvider":false,"foldingRangeProvider":false,"hoverProvider":false,"referencesProvider":false,"workspace":{}}`,
	)})})
	r := enginetest.Do(t, s, api.Doctor, api.DoctorRequest{}).Servers[0]
	want := result.Symptom{Level: result.LevelOK, Step: "operations", Message: "0 of 30"}
	if diff := cmp.Diff(want, r.Symptoms[len(r.Symptoms)-1]); diff != "" || len(r.Operations) > 0 || len(r.Missing) != 30 {
		t.Errorf("%q and not %q (-want +got):\n%s", r.Operations, r.Missing, diff)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if events, err := api.Events.Do(t.Context(), s.Engine, api.EventsRequest{}); err == nil || events.Events != nil {
		t.Errorf("after the end: %+v", events)
	}
}

// A server that no file needs any more is stopped before a restart, and not started again; another one
// that did not run is not started either.
func TestRestartOfWhatIsNotNeeded(t *testing.T) {
	s := enginetest.Open(t, "-- toy.root --\n-- a.one --\nfine\n-- a.two --\nfine\n", registry.Table{withID(t, lsptest.Script{ID: "one"}), withID(t, lsptest.Script{ID: "two"})})
	s.Check(api.CheckRequest{Files: []string{"a.one"}})
	s.Remove("a.one")
	want := result.Servers{Action: "restart", Servers: []result.ServerState{}}
	if diff := cmp.Diff(want, enginetest.Do(t, s, api.Servers, api.ServersRequest{Action: "restart"})); diff != "" || len(s.Workspace().Running()) > 0 {
		t.Errorf("running are %v (-want +got):\n%s", s.Workspace().Running(), diff)
	}
}
