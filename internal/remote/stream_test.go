package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// A call tells of its progress over the stream while others are answered beside it, and
// when its caller cancels it, the language server is told.
func TestProgressAndCancellationCrossTheStream(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	toy := lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("textDocument/definition", lsptest.Hang())}}
	root := lsptest.Workspace(t, "-- toy.root --\n-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n")
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	cfg.Servers = registry.Table{toy.Definition(t)}
	e, err := engine.New(engine.Options{Root: root, Config: cfg, State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	client := connect(t, e)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := make(chan api.Progress)
	asking := api.Call{Progress: func(ctx context.Context, p api.Progress) {
		select {
		case told <- p:
		case <-ctx.Done():
		}
	}}.In(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := api.Definition.Do(asking, client, api.DefinitionRequest{Selector: api.Selector{At: "main.toy:1 helper"}})
		ended <- err
	}()
	received := func(method string) func() bool {
		return func() bool {
			for _, entry := range lsptest.ReadJournal(t, journal) {
				if entry.Method == method {
					return true
				}
			}
			return false
		}
	}
	lsptest.Eventually(t, 30*time.Second, received("textDocument/definition"), "the server is asked")
	for p := range told {
		if len(p.Servers) == 1 && p.Servers[0].ID == "toy" && p.Servers[0].State == "active" {
			break
		}
	}
	status, err := api.Status.Do(t.Context(), client, api.StatusRequest{Scope: "running"})
	if err != nil || len(status.Servers) != 1 {
		t.Errorf("beside it: %+v, %v", status, err)
	}
	cancel()
	err = <-ended
	if !errors.Is(err, context.Canceled) || result.ErrorOf(err).Kind != result.Canceled {
		t.Errorf("the call ended with %v", err)
	}
	lsptest.Eventually(t, 30*time.Second, received("$/cancelRequest"), "the server is told")
}

// A caller that tells what it was called with, and waits for its context if it is asked to.
type echo struct{ began chan struct{} }

func (c *echo) Call(ctx context.Context, name string, req, res any) error {
	if name == "check" { // for ever
		close(c.began)
		<-ctx.Done()
		return ctx.Err()
	}
	call := api.CallOf(ctx)
	if name == "doctor" { // until the deadline, and what is known by then
		<-ctx.Done()
		res.(*result.Doctor).Level = ctx.Err().Error()
		return nil
	}
	_, limited := ctx.Deadline()
	said := []string{call.Session, call.Principal}
	if call.Dir != "" {
		said = append(said, "in "+call.Dir)
	}
	if call.Last {
		said = append(said, "last")
	}
	if call.Absolute {
		said = append(said, "absolute")
	}
	if call.Client != "" {
		said = append(said, fmt.Sprint("from ", call.Client, " ", call.Tool, call.Own, call.Permission, call.Asks, call.Answers))
	}
	if limited {
		said = append(said, "limited")
	}
	res.(*result.Status).Root = strings.Join(append(said, string(req.(json.RawMessage))), " ")
	return nil
}

// What goes with a call reaches the other end: whose it is, how files are named, and that
// it has a deadline.
func TestWhatGoesWithACallCrossesTheStream(t *testing.T) {
	t.Parallel()
	client := connect(t, &echo{})
	for want, call := range map[string]api.Call{
		`  {"scope":"all"}`:                     {},
		`one  in /w/sub last {"scope":"all"}`:   {Session: "one", Dir: "/w/sub", Last: true},
		`one ann absolute {"scope":"all"}`:      {Session: "one", Principal: "ann", Absolute: true},
		` bob limited {"scope":"all"}`:          {Principal: "bob"},
		`two  absolute limited {"scope":"all"}`: {Session: "two", Absolute: true},
		`  from cli findtrue {ask allow here do} true [{q yes}] {"scope":"all"}`: {
			Client: "cli", Tool: "find", Own: true, Permission: api.Permission{Action: api.Ask, Fallback: api.Allow, Source: "here", Advice: "do"},
			Asks: true, Answers: []api.Answer{{Question: "q", Said: api.Yes}},
		},
	} {
		ctx := call.In(t.Context())
		if strings.Contains(want, "limited") {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Hour)
			defer cancel()
		}
		got, err := api.Status.Do(ctx, client, api.StatusRequest{Scope: "all"})
		if diff := cmp.Diff(want, got.Root); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// What is known by the deadline of a call is its answer over the stream, too: the caller's
// own deadline does not come before it.
func TestWhatIsKnownByTheDeadlineCrossesTheStream(t *testing.T) {
	t.Parallel()
	client := connect(t, &echo{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	got, err := api.Doctor.Do(ctx, client, api.DoctorRequest{})
	if err != nil || got.Level != context.DeadlineExceeded.Error() {
		t.Errorf("%+v, %v", got, err)
	}
}

// The end of the stream ends the calls: at the far end with their context, at the near one
// with an error that says that the service is gone. Later calls end at once.
func TestTheEndOfAStreamEndsItsCalls(t *testing.T) {
	t.Parallel()
	caller := &echo{began: make(chan struct{})}
	ours, theirs := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), theirs, caller, Options{}) }()
	client := NewClient(ours)
	ended := make(chan error, 1)
	go func() {
		_, err := api.Check.Do(t.Context(), client, api.CheckRequest{})
		ended <- err
	}()
	<-caller.began
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("the service ended with %v", err)
	}
	_, later := api.Check.Do(t.Context(), client, api.CheckRequest{})
	for _, err := range []error{<-ended, later} {
		if of := result.ErrorOf(err); of == nil || of.Kind != result.Unavailable || of.Hint == "" {
			t.Errorf("%v: %+v", err, of)
		}
	}
}

// A service that is told to end ends the calls that it is at work on.
func TestTheEndOfAServiceEndsItsCalls(t *testing.T) {
	t.Parallel()
	caller := &echo{began: make(chan struct{})}
	ours, theirs := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, theirs, caller, Options{}) }()
	client := NewClient(ours)
	defer func() { _ = client.Close() }()
	ended := make(chan error, 1)
	go func() {
		_, err := api.Check.Do(t.Context(), client, api.CheckRequest{})
		ended <- err
	}()
	<-caller.began
	cancel()
	if err := <-served; err != nil {
		t.Errorf("the service ended with %v", err)
	}
	if err := <-ended; err == nil {
		t.Error("the call has a result")
	}
}

// stranger answers with JSON that is no result of any operation.
type stranger struct{}

func (stranger) Call(_ context.Context, _ string, _, res any) error {
	return json.Unmarshal([]byte(`{"root":"/r"}`), res)
}

// An answer that is not the result of the operation is an error, and no empty result.
func TestAnswerOfAnotherKind(t *testing.T) {
	t.Parallel()
	client := connect(t, stranger{})
	var answer struct{ Root int }
	err := client.Call(t.Context(), "check", api.CheckRequest{}, &answer)
	if err == nil || answer.Root != 0 || !strings.Contains(err.Error(), "check") {
		t.Errorf("%v, and %+v", err, answer)
	}
}

// A service that is about to end says so: the client hears it, and its calls are still answered.
func TestAServiceAnnouncesItsEnd(t *testing.T) {
	t.Parallel()
	ours, theirs := net.Pipe()
	ending, served := make(chan struct{}), make(chan error, 1)
	go func() { served <- Serve(context.Background(), theirs, &echo{}, Options{Ending: ending}) }()
	client := NewClient(ours)
	select {
	case <-client.Ending():
		t.Error("it is announced too early")
	default:
	}
	close(ending)
	<-client.Ending()
	if got, err := api.Status.Do(t.Context(), client, api.StatusRequest{Scope: "all"}); err != nil || got.Root != `  {"scope":"all"}` {
		t.Errorf("%q, %v", got.Root, err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Errorf("the service ended with %v", err)
	}
}
