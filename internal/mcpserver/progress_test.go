package mcpserver

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// Who waits reads how far it is, where there are several files, and what each server is doing that does
// something.
func TestWhatIsWaitedFor(t *testing.T) {
	working := result.Server{ID: "toy", State: "active", Works: []string{"loading", "indexing 3/7"}}
	for want, p := range map[string]api.Progress{
		"waiting for the servers": {},
		"toy: indexing 3/7":       {Total: 1, Servers: []result.Server{working}},
		"1 of 2 files":            {Done: 1, Total: 2, Servers: []result.Server{{ID: "idle", State: "active"}, {ID: "gone", State: "broken", Works: []string{"loading"}}}},
		"2 of 3 files · toy: indexing 3/7 · other: starting": {Done: 2, Total: 3, Servers: []result.Server{working, {ID: "other", State: "starting"}}},
	} {
		if got := waitingFor(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

// A server that starts, or does anything, has not finished loading.
func TestServersThatLoad(t *testing.T) {
	for name, c := range map[string]struct {
		servers []result.Server
		want    bool
	}{
		"none":     {nil, false},
		"idle":     {[]result.Server{{State: "active"}, {State: "stopped"}}, false},
		"starting": {[]result.Server{{State: "active"}, {State: "starting"}}, true},
		"working":  {[]result.Server{{State: "active", Works: []string{"loading"}}}, true},
	} {
		if got := indexing(c.servers); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A call for both directions, which is what no direction means, is split; one for a single direction is
// not.
func TestDirectionsAreSplit(t *testing.T) {
	split := bothWays(`"up"`, `"down"`)
	name := json.RawMessage(`"Load"`)
	with := func(direction string) arguments {
		return arguments{"symbol": name, "direction": json.RawMessage(direction)}
	}
	both := []arguments{with(`"up"`), with(`"down"`)}
	for given, c := range map[string]struct{ args, want any }{
		"both": {with(`"both"`), both}, "none": {arguments{"symbol": name}, both}, "one": {with(`"down"`), []arguments{with(`"down"`)}},
	} {
		if diff := cmp.Diff(c.want, split(c.args.(arguments))); diff != "" {
			t.Errorf("%s: %s", given, diff)
		}
	}
}

// A wrong argument is named with the reason, and with an example where there is one.
//
// Requirement: AGENT-40.
func TestWrongArgumentsHaveExamples(t *testing.T) {
	for name, advice := range map[string]string{"line": "for example line: 42", "unheard_of": ""} {
		p := parameter{name: name}
		var wrong *api.ArgumentError
		if err := p.wrong("it is odd"); !errors.As(err, &wrong) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&api.ArgumentError{Argument: name, Reason: "it is odd", Advice: advice}, wrong); diff != "" {
			t.Error(diff)
		}
	}
}
