package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// Whoever watches sees the sessions of all clients with their simulations, and none of what fronts ask for themselves.
// Each begin and each end wakes who waits for it; a session that has ended is gone with what it held.
func TestSessionsOfAllClients(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	watching := api.Call{Own: true, Client: "ui", Session: "watch"}.In(t.Context())
	look := func(ctx context.Context, req api.SessionsRequest) result.Sessions {
		t.Helper()
		answer, err := api.Sessions.Do(ctx, s.Engine, req)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	noTimes := []cmp.Option{cmpopts.IgnoreTypes(time.Time{}), cmpopts.IgnoreFields(result.SimulationSession{}, "IdleMS", "Session")}
	if got := look(watching, api.SessionsRequest{}); len(got.Sessions) > 0 {
		t.Errorf("before anybody called: %+v", got)
	}
	as := func(session, client string) context.Context {
		return api.Call{Session: session, Client: client}.In(t.Context())
	}
	call := func(ctx context.Context, req api.SimulateRequest) {
		t.Helper()
		if _, err := api.Simulate.Do(ctx, s.Engine, req); err != nil {
			t.Fatal(err)
		}
	}
	call(as("1", "mcp/ada"), api.SimulateRequest{Action: api.SimulateList})
	call(as("2", "mcp/ci"), api.SimulateRequest{Action: api.SimulateCreate, Label: "a rename"})
	if _, err := api.Status.Do(as("2", "mcp/ci"), s.Engine, api.StatusRequest{}); err != nil {
		t.Fatal(err)
	}
	got := look(watching, api.SessionsRequest{})
	want := result.Sessions{
		Sessions: []result.Session{
			{Number: 1, Client: "mcp/ada", Operation: "simulate", Calls: 1},
			{Number: 2, Client: "mcp/ci", Operation: "status", Calls: 2},
		},
		Simulations: []result.HeldSimulation{{Holder: 2, SimulationSession: result.SimulationSession{Label: "a rename", Status: "created"}}},
		Last:        7,
	}
	if diff := cmp.Diff(want, got, noTimes...); diff != "" {
		t.Error(diff)
	}
	ended := make(chan result.Sessions)
	go func() {
		answer, err := api.Sessions.Do(watching, s.Engine, api.SessionsRequest{After: got.Last, TimeoutMS: 60_000})
		if err != nil {
			t.Error(err)
		}
		ended <- answer
	}()
	s.Engine.EndSession("2")
	s.Engine.EndSession("nobody")
	want = result.Sessions{Sessions: want.Sessions[:1], Last: 8}
	if diff := cmp.Diff(want, <-ended, noTimes...); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, look(watching, api.SessionsRequest{After: 8, TimeoutMS: 1}), noTimes...); diff != "" {
		t.Errorf("nothing has changed: %s", diff)
	}
}
