//lint:file-ignore SA1019 older clients have logging

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// A failure is logged with what it is about and, if somebody panicked, here or in an engine, where; the caller is told
// which tool failed and why, and not where.
func TestFailuresAreLogged(t *testing.T) {
	here := guard.Do(func() error { panic("broken") })
	there := &result.Error{Kind: result.Failed, Message: "broken", Data: result.Data{Stack: "engine.go:7"}}
	for name, c := range map[string]struct {
		err         error
		stack, said string
	}{
		"no panic":           {errors.New("odd"), "", "toy: odd"},
		"a panic here":       {fmt.Errorf("it is %w", here), "logged_test.go", "toy: it is " + here.Error()},
		"a panic elsewhere":  {fmt.Errorf("it is %w", there), "engine.go:7", "broken"},
		"an error elsewhere": {&result.Error{Kind: result.Failed, Message: "odd"}, "", "odd"},
	} {
		var log bytes.Buffer
		s := &Server{log: slog.New(slog.NewJSONHandler(&log, nil))}
		answer := s.failed("toy", c.err)
		var record struct{ Level, Msg, Name, Error, Stack string }
		if err := json.Unmarshal(log.Bytes(), &record); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if (record.Stack == "") != (c.stack == "") || !strings.Contains(record.Stack, c.stack) {
			t.Errorf("%s: the stack is %q", name, record.Stack)
		}
		if diff := cmp.Diff([]string{"ERROR", "tool", "toy", c.err.Error()}, []string{record.Level, record.Msg, record.Name, record.Error}); diff != "" {
			t.Errorf("%s: the log (-want +got):\n%s", name, diff)
		}
		if text := answer.Content[0].(*mcp.TextContent).Text; !answer.IsError || strings.Contains(text, ".go:") || !strings.HasPrefix(text, c.said) {
			t.Errorf("%s: %t, %s, want %s", name, answer.IsError, text, c.said)
		}
	}
	if stack := stackOf(nil); stack != "" {
		t.Errorf("without an error: %q", stack)
	}
}

// That a client goes away is no error, in whatever way its stream tells it; anything else is one.
func TestClientsThatGoAway(t *testing.T) {
	for _, err := range []error{nil, io.EOF, io.ErrClosedPipe, io.ErrUnexpectedEOF, fs.ErrClosed, net.ErrClosed, syscall.EPIPE, syscall.ECONNRESET, mcp.ErrConnectionClosed} {
		if !left(err) {
			t.Errorf("%v is an error", err)
		}
		if err != nil && !left(fmt.Errorf("reading: %w", err)) {
			t.Errorf("%v in another error is one", err)
		}
	}
	for _, err := range []error{errors.New("odd"), syscall.EIO, fs.ErrPermission, io.ErrShortWrite} {
		if left(err) {
			t.Errorf("%v is none", err)
		}
	}
}

// The rules of the policy know a client by its name, without slashes; one without a name, and none, are those of MCP.
func TestNamesOfClients(t *testing.T) {
	for want, info := range map[string]*mcp.Implementation{"mcp": nil, "mcp/toy": {Name: "toy"}, "mcp/a-b-c": {Name: "a/b/c"}} {
		if got := clientOf(t.Context(), info); got != want {
			t.Errorf("%+v: %s", info, got)
		}
	}
	if got := clientOf(t.Context(), &mcp.Implementation{Version: "1"}); got != "mcp" {
		t.Errorf("without a name: %s", got)
	}
	for action, want := range map[string]api.Said{"accept": api.Yes, "decline": api.No, "cancel": api.No, "": api.No} {
		if got := saidBy(&mcp.ElicitResult{Action: action}); got != want {
			t.Errorf("%q: %v", action, got)
		}
	}
}

// What users said before is in the state of a call and in the answers that it brings, which count more; what is no
// answer says nothing.
func TestAnswersOfEarlierRounds(t *testing.T) {
	req := func(state string, responses map[string]mcp.InputResponse) *mcp.CallToolRequest {
		return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{RequestState: state, InputResponses: responses}}
	}
	yes, no := &mcp.ElicitResult{Action: "accept"}, &mcp.ElicitResult{Action: "decline"}
	before, err := json.Marshal(map[string]api.Said{"a": api.Yes, "b": api.No})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		req  *mcp.CallToolRequest
		want map[string]api.Said
	}{
		"none":            {req("", nil), map[string]api.Said{}},
		"a state":         {req(string(before), nil), map[string]api.Said{"a": api.Yes, "b": api.No}},
		"answers":         {req("", map[string]mcp.InputResponse{"c": yes, "d": no}), map[string]api.Said{"c": api.Yes, "d": api.No}},
		"both":            {req(string(before), map[string]mcp.InputResponse{"b": yes}), map[string]api.Said{"a": api.Yes, "b": api.Yes}},
		"another's state": {req("theirs", map[string]mcp.InputResponse{"b": no}), map[string]api.Said{"b": api.No}},
		//lint:ignore SA1019 older clients have it
		"another's answer": {req("", map[string]mcp.InputResponse{"b": &mcp.ListRootsResult{}}), map[string]api.Said{}},
	} {
		if diff := cmp.Diff(c.want, saidBefore(c.req)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A profile that imitates another product has its name and no instructions of ours; one that is switched off says so.
func TestWhatAServerSaysOfItself(t *testing.T) {
	type words struct{ Name, Instructions string }
	for name, c := range map[string]struct {
		opts Options
		want words
	}{
		"default":                {Options{}, words{"lspine", instructions}},
		"full":                   {Options{Profile: "full"}, words{"lspine", instructionsOfPeer}},
		"llxprt":                 {Options{Profile: "llxprt"}, words{"lsp-navigation", ""}},
		"opta":                   {Options{Profile: "opta"}, words{"lspine", ""}},
		"disabled":               {Options{Disabled: true}, words{"lspine", "LSP is disabled by configuration: no server runs. status says so."}},
		"disabled, another name": {Options{Disabled: true, Profile: "llxprt"}, words{"lsp-navigation", "LSP is disabled by configuration: no server runs. status says so."}},
	} {
		if diff := cmp.Diff(c.want, words{c.opts.serverName(), c.opts.instructions()}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An answer that does not fit the budget of its call is cut until it does, also where its text is JSON; where nothing
// more can be left out it is as short as can be, and without a budget it is whole.
func TestAnswersFitTheirBudget(t *testing.T) {
	reply := func() []result.Result {
		check := &result.Check{Verdict: "new_errors"}
		for n := range 60 {
			check.Files = append(check.Files, result.File{Path: fmt.Sprintf("file%d.toy", n), Diagnostics: []result.Diagnostic{{Line: 1, Column: 1, Severity: "error", Message: strings.Repeat("wrong \"x\" ", 8)}}})
		}
		return []result.Result{check}
	}
	size := func(profile string, budget int) int {
		s := &Server{opts: Options{Profile: profile}}
		var op api.Operation
		for _, known := range api.Operations() {
			if known.Name == "check" {
				op = known
			}
		}
		answer := s.fitting(&tool{name: "check", operation: "check", op: op}, reply(), budget, false)
		return len(answer.Content[0].(*mcp.TextContent).Text)
	}
	for _, profile := range []string{"", profileFull} {
		whole := size(profile, -1)
		half := size(profile, whole/2)
		if least := size(profile, 1); half > whole/2 || half < whole/8 || least >= half || size(profile, whole) != whole {
			t.Errorf("profile %q: %d bytes, for half of them %d, at least %d; the least budget is %d", profile, whole, half, least, render.LeastBytes)
		}
	}
}

// A client of an older revision hears what happens to servers, although it has set no level, and what our own log says from that
// level on; over HTTP, where the log is about other clients as well, only the former.
//
// Requirement: AGENT-32, AGENT-35, AGENT-38.
func TestClientsHearWithoutALevel(t *testing.T) {
	for way, wantLine := range map[string]bool{"memory": true, "http": false} {
		t.Run(way, func(t *testing.T) {
			d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(io.Discard, nil)) })
			messages := make(chan string, 100)
			session := d.connect(way, "2025-06-18", &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
				said := r.Params.Data.(map[string]any)
				messages <- fmt.Sprintf("%s %v %v %v", r.Params.Level, said["kind"], said["message"], said["name"])
			}})
			call(t, session, "status", `{}`)
			d.server.log.Info("too quiet")
			d.server.log.With("name", "a").Warn("odd")
			call(t, session, "inspect", `{"at":"main.toy:1 helper"}`)
			want := map[string]bool{"notice started <nil> <nil>": true}
			if wantLine {
				want["warning <nil> odd a"] = true
			}
			got := make(map[string]bool)
			for len(got) < len(want) {
				select {
				case m := <-messages:
					got[m] = true
				case <-time.After(20 * time.Second):
					t.Fatalf("told only %v", got)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The level of the log is the whole server's: a client over HTTP sets only that of its own messages, and is told so by the tool.
//
// Requirement: AGENT-24.
func TestTheLevelIsNotThatOfOneClient(t *testing.T) {
	for way, want := range map[string]slog.Level{"memory": slog.LevelDebug, "http": slog.LevelWarn} {
		var level slog.LevelVar
		level.Set(slog.LevelWarn)
		d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Level, o.Profile = &level, "full" })
		session := d.connect(way, "2025-06-18", nil)
		if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		answer := call(t, session, "set_log_level", `{"level":"debug"}`)
		if answer.IsError != (way == "http") || level.Level() != want {
			t.Errorf("%s: %s, level %v", way, answer.text, level.Level())
		}
	}
}
