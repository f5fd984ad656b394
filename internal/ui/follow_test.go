package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// A script answers the calls of one operation one after the other; those beyond it wait until their caller leaves.
func script[Req, Res any](answers ...func(ctx context.Context, req Req, res *Res) error) func(context.Context, any, any) error {
	next := 0
	return func(ctx context.Context, req, res any) error {
		if next++; next <= len(answers) {
			return answers[next-1](ctx, req.(Req), res.(*Res))
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

func is[Req, Res any](value Res) func(context.Context, Req, *Res) error {
	return func(_ context.Context, _ Req, res *Res) error {
		*res = value
		return nil
	}
}

// Files that change are judged, with all that is known to be wrong; of many files, those that changed since the last commit, which are
// judged at the beginning, too. What happens to servers has nothing judged. What cannot be judged is told, and no end.
func TestFilesThatChangeAreJudged(t *testing.T) {
	asked := make(chan string, 20)
	crashed, changedOnDisk, many := result.Event{Kind: "crashed", Server: "toy"}, result.Event{Kind: "files_changed", Files: []string{"a", "b"}}, result.Event{Kind: "files_changed", Files: []string{"c"}, More: 9}
	caller := &answering{do: map[string]func(context.Context, any, any) error{
		"status": answered(result.Status{}),
		"events": script(is[api.EventsRequest](result.Events{Last: 4}), is[api.EventsRequest](result.Events{Last: 5, Events: []result.Event{crashed}}),
			func(_ context.Context, req api.EventsRequest, res *result.Events) error {
				asked <- fmt.Sprintf("events after %d, settled after %d ms", req.After, req.SettleMS)
				*res = result.Events{Last: 7, Events: []result.Event{crashed, changedOnDisk}}
				return nil
			}, is[api.EventsRequest](result.Events{Last: 7}), is[api.EventsRequest](result.Events{Last: 8, Events: []result.Event{many}})),
		"check": func(_ context.Context, req, _ any) error {
			of := req.(api.CheckRequest)
			asked <- fmt.Sprintf("check %q against %s", of.Files, of.Baseline)
			if len(of.Files) > 0 {
				return nil
			}
			return &result.Error{Kind: result.Argument, Message: "git cannot say what changed"}
		},
		"diagnostics": func(ctx context.Context, req, _ any) error {
			if !req.(api.DiagnosticsRequest).Refresh {
				<-ctx.Done()
				return ctx.Err()
			}
			asked <- "refresh"
			return nil
		},
	}}
	var troubles []string
	for _, event := range events(t, &View{Caller: caller}, 12, func(event string) bool {
		return strings.HasPrefix(event, "trouble") && len(asked) >= 5
	}) {
		if strings.HasPrefix(event, "trouble") {
			troubles = append(troubles, event)
		}
	}
	close(asked)
	var got []string
	for a := range asked {
		got = append(got, a)
	}
	want := []string{"check [] against none", "events after 5, settled after 300 ms", `check ["a" "b"] against none`, "refresh", "check [] against none"}
	if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
		t.Error(diff)
	}
	if want := `trouble {"part":"files","message":"git cannot say what changed"}`; len(troubles) == 0 || slices.ContainsFunc(troubles, func(s string) bool { return s != want }) {
		t.Errorf("%q", troubles)
	}
}

// While a server works, the page is told on what, each time that it changes; when it does no more, nobody reports it any longer.
func TestWorksAreTold(t *testing.T) {
	busy := []result.Server{{ID: "toy", Root: "/w", State: "active", Works: []string{"Loading 40%"}, Pid: 7}}
	idle := []result.Server{{ID: "toy", Root: "/w", State: "active"}}
	reporting := make(chan bool, 3)
	caller := &answering{do: map[string]func(context.Context, any, any) error{
		"check": answered(result.Check{}),
		"status": func(_ context.Context, req, res any) error {
			switch status := res.(*result.Status); {
			case len(reporting) == 2:
				status.Root = "afterwards"
			case len(reporting) == 0 && !req.(api.StatusRequest).Measurements:
				status.Servers = busy
			}
			return nil
		},
		"events": script(is[api.EventsRequest](result.Events{Last: 1}),
			func(ctx context.Context, _ api.EventsRequest, _ *result.Events) error {
				progress := api.CallOf(ctx).Progress
				reporting <- progress != nil
				for _, servers := range [][]result.Server{busy, busy, idle} {
					progress(ctx, api.Progress{Servers: servers})
				}
				<-ctx.Done()
				return ctx.Err()
			},
			func(ctx context.Context, req api.EventsRequest, res *result.Events) error {
				reporting <- api.CallOf(ctx).Progress != nil || req.After != 1
				*res = result.Events{Last: 2, Events: []result.Event{{Kind: "ready"}}} // so that something is sent
				return nil
			}),
	}}
	var works []string
	for _, event := range events(t, &View{Caller: caller}, 20, func(event string) bool { return strings.Contains(event, "afterwards") }) {
		if strings.HasPrefix(event, "works") {
			works = append(works, event)
		}
	}
	want := []string{`works [{"id":"toy","state":"active","root":"/w","works":["Loading 40%"]}]`, `works [{"id":"toy","state":"active","root":"/w"}]`}
	if diff := cmp.Diff(want, works); diff != "" {
		t.Error(diff)
	}
	if first, second := <-reporting, <-reporting; !first || second {
		t.Errorf("progress is reported while a server works: %t, afterwards: %t", first, second)
	}
}

// The diagnostics and the sessions are asked for after what is known of them, and told when they have changed; then the servers are
// looked at again.
func TestChangesAreAwaited(t *testing.T) {
	broken := result.File{Path: "a", Diagnostics: []result.Diagnostic{{Severity: "error", Message: "x"}}}
	var after []uint64
	since := func(n uint64) { after = append(after, n) }
	diagnostics := func(epoch uint64, files ...result.File) func(context.Context, api.DiagnosticsRequest, *result.Check) error {
		return func(_ context.Context, req api.DiagnosticsRequest, res *result.Check) error {
			since(req.AfterEpoch)
			*res = result.Check{Epoch: epoch, Files: files}
			return nil
		}
	}
	sessions := func(last uint64, all ...result.Session) func(context.Context, api.SessionsRequest, *result.Sessions) error {
		return func(_ context.Context, req api.SessionsRequest, res *result.Sessions) error {
			if req.After != 0 && req.After != 3 && req.After != 4 {
				return fmt.Errorf("sessions after %d", req.After)
			}
			*res = result.Sessions{Last: last, Sessions: all}
			return nil
		}
	}
	looked := make(chan struct{}, 20)
	caller := &answering{do: map[string]func(context.Context, any, any) error{
		"status": func(context.Context, any, any) error {
			looked <- struct{}{}
			return nil
		},
		"diagnostics": script(diagnostics(0), diagnostics(0), diagnostics(5, broken), diagnostics(5, broken), diagnostics(6, broken), diagnostics(7)),
		"sessions":    script(sessions(3), sessions(3), sessions(4, result.Session{Number: 1, Client: "cli"})),
	}}
	gone := func(event string) bool { return strings.Contains(event, `"gone"`) }
	var got []string
	for _, event := range events(t, &View{Caller: caller}, 40, gone) {
		if name, _, _ := strings.Cut(event, " "); name == "diagnostics" || name == "sessions" || name == "trouble" {
			got = append(got, event)
		}
	}
	slices.Sort(got)
	const times = `"began":"0001-01-01T00:00:00Z","last":"0001-01-01T00:00:00Z"`
	want := []string{
		`diagnostics {"all":true,"verdict":""}`,
		`diagnostics {"files":[{"path":"a","diagnostics":[{"line":0,"column":0,"end_line":0,"end_column":0,"severity":"error","message":"x","server":"","new":false}]}],"verdict":""}`,
		`diagnostics {"gone":["a"],"verdict":""}`,
		`sessions {"sessions":[{"number":1,"client":"cli",` + times + `,"calls":0}],"last":4}`,
		`sessions {"sessions":null,"last":3}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{0, 1, 1, 5, 5, 6}, after); diff != "" {
		t.Errorf("after the epochs: %s", diff)
	}
	if len(looked) < 4 {
		t.Errorf("the servers were looked at %d times", len(looked))
	}
}

// When the engine is gone the stream says so and ends, so that the page opens another; that the evidence cannot be read is no end.
func TestEndOfAStream(t *testing.T) {
	broken := errors.New("the log is a folder")
	caller := &answering{do: map[string]func(context.Context, any, any) error{
		"status":   answered(result.Status{}),
		"sessions": func(context.Context, any, any) error { return errors.New("the daemon has ended") },
	}}
	var troubles []string
	for _, event := range events(t, &View{Caller: caller, Trail: unreadable{broken}}, 100) { // as many as there are
		if strings.HasPrefix(event, "trouble") {
			troubles = append(troubles, event)
		}
	}
	if !slices.Contains(troubles, `trouble {"part":"sessions","message":"the daemon has ended"}`) {
		t.Errorf("%q", troubles)
	}
	caller.do["sessions"] = answered(result.Sessions{Last: 1})
	got := events(t, &View{Caller: caller, Trail: unreadable{broken}}, 20, func(event string) bool { return strings.HasPrefix(event, "trouble") })
	if last := got[len(got)-1]; last != `trouble {"part":"evidence","message":"the log is a folder"}` {
		t.Errorf("%q", got)
	}
}

// An unreadable trail fails.
type unreadable struct{ err error }

func (u unreadable) Last(uint64, int) ([]Record, error) { return nil, u.err }

func (u unreadable) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

func (u unreadable) Verify(int64) (Verification, error) { return Verification{}, u.err }
