package engine

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/policy"
)

// The server that a request names is that of its member of that name, if it is a text.
func TestServerOfARequest(t *testing.T) {
	for _, c := range []struct {
		request any
		want    string
	}{
		{api.ServersRequest{Server: "toy"}, "toy"},
		{api.StatusRequest{}, ""},
		{struct{ Server int }{7}, ""},
		{&api.ServersRequest{Server: "toy"}, ""},
		{"toy", ""},
		{nil, ""},
	} {
		if got := serverOf(c.request); got != c.want {
			t.Errorf("%#v: %q", c.request, got)
		}
	}
}

// A call that may change files as well needs permission for both; it can be put again only if it reads and keeps
// nothing.
func TestClassesOfACall(t *testing.T) {
	type about struct {
		Classes    []api.Class
		Repeatable bool
	}
	for name, c := range map[string]struct {
		call governed
		want about
	}{
		"it reads":        {governed{operation: "check", class: api.Read}, about{[]api.Class{api.Read}, true}},
		"it may edit":     {governed{operation: "fixes", class: api.Read, edits: true}, about{[]api.Class{api.Read, api.Edit}, false}},
		"it edits":        {governed{operation: "edit", class: api.Edit}, about{[]api.Class{api.Edit}, false}},
		"it closes":       {governed{operation: api.CloseTurn.Name, class: api.Read}, about{[]api.Class{api.Read}, false}},
		"it is simulated": {governed{operation: api.Simulate.Name, class: api.Read}, about{[]api.Class{api.Read}, false}},
	} {
		if diff := cmp.Diff(c.want, about{c.call.classes(), c.call.repeatable()}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A question is another one for each request, operation and rule, and the same for the same.
func TestQuestionsAreTold(t *testing.T) {
	ask := func(operation string, request any, number int, source string) string {
		g := governed{operation: operation, request: request}
		return g.questionID(&policy.Decision{Number: number, Rule: policy.Rule{Source: source}})
	}
	seen := map[string]string{}
	for name, id := range map[string]string{
		"one": ask("edit", "a", 1, "s"), "operation": ask("rename", "a", 1, "s"), "request": ask("edit", "b", 1, "s"), "number": ask("edit", "a", 2, "s"), "source": ask("edit", "a", 1, "r"),
		"no JSON": ask("edit", func() {}, 1, "s"),
	} {
		if other, twice := seen[id]; twice || len(id) != 24 {
			t.Errorf("%s has the id of %q: %s", name, other, id)
		}
		seen[id] = name
	}
	if again := ask("edit", "a", 1, "s"); seen[again] != "one" {
		t.Errorf("the same question has another id: %s", again)
	}
}

// Paths are matched as they are named and as they lead, each once: with a relative form only below the root.
func TestPathsForRules(t *testing.T) {
	e, _ := openRecorded(t, "-- a.toy --\n")
	outside := filepath.Join(filepath.Dir(e.Root()), "out.toy")
	inside := filepath.Join(e.Root(), "a.toy")
	want := []policy.Path{{Absolute: filepath.ToSlash(inside), Relative: "a.toy"}, {Absolute: filepath.ToSlash(outside)}}
	if diff := cmp.Diff(want, e.pathsNamed([]string{"a.toy", "./a.toy", outside, inside})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the user of a session said of servers is forgotten with the session; what was allowed stays for all.
func TestForgottenSessions(t *testing.T) {
	e, _ := openRecorded(t, "-- a.toy --\n")
	for _, session := range []string{"one", "two"} {
		e.settleLocked(&inquirer{with: api.Call{Session: session}}, "no", &verdict{refused: true, said: "no", decision: policy.Decision{Action: policy.Ask}})
	}
	e.settleLocked(&inquirer{with: api.Call{Session: "one"}}, "yes", &verdict{allowed: true, said: "yes", decision: policy.Decision{Action: policy.Ask}})
	e.settleLocked(&inquirer{}, "neither", &verdict{decision: policy.Decision{Action: policy.Ask}})
	e.EndSession("one")
	if diff := cmp.Diff(map[string]map[string]bool{"two": {"no": true}}, e.starting.refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]bool{"yes": true}, e.starting.allowed); diff != "" {
		t.Errorf("allowed (-want +got):\n%s", diff)
	}
	want := map[decided]bool{{session: "two", server: "no", said: "no"}: true, {server: "neither"}: true}
	if diff := cmp.Diff(want, e.starting.recorded, cmp.AllowUnexported(decided{})); diff != "" {
		t.Errorf("on record (-want +got):\n%s", diff)
	}
}
