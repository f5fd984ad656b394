//lint:file-ignore SA1019 older clients have logging

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// A client that set a level of logging is told at once when a language server
// starts that nobody named, crashes, runs again and is given up, with a payload for programs;
// nothing below its level, and nothing after its session.
//
// Requirement: SYN-2, AGENT-33.
func TestCrashesAreTold(t *testing.T) {
	const hover = "textDocument/hover"
	for _, way := range []string{"memory", "http"} {
		for _, c := range []struct{ level, want string }{
			{"debug", "notice started, warning crashed, notice recovered, error given_up"},
			{"warning", "warning crashed, error given_up"},
		} {
			t.Run(way+" "+c.level, func(t *testing.T) {
				d := openDesk(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On(hover, lsptest.Kill())}}, project)
				messages := make(chan *mcp.LoggingMessageParams, 100)
				session := d.connect(way, "2025-06-18", &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) { messages <- r.Params }})
				if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: mcp.LoggingLevel(c.level)}); err != nil {
					t.Fatal(err)
				}
				call(t, session, "status", `{}`)
				for range 3 {
					call(t, session, "inspect", `{"at":"main.toy:1 helper"}`)
				}
				var told []string
				for range strings.Count(c.want, ",") + 1 {
					select {
					case m := <-messages:
						text, _ := json.Marshal(m.Data)
						var o occurrence
						if err := json.Unmarshal(text, &o); err != nil || o.Workspace != d.root || o.Server != "toy" || o.Number == 0 || o.Source != "auto-detected" {
							t.Errorf("%s: %v", text, err)
						}
						if first := o.Kind == "started"; first != strings.Contains(o.Note, "no configuration names it") {
							t.Errorf("%s: announced: %t, %q", o.Kind, !first, o.Note)
						}
						told = append(told, fmt.Sprintf("%s %s", m.Level, o.Kind))
					case <-time.After(20 * time.Second):
						t.Fatalf("told only %q", told)
					}
				}
				if got := strings.Join(told, ", "); got != c.want {
					t.Errorf("told %s, want %s", got, c.want)
				}
				_ = session.Close()
				lsptest.Eventually(t, 10*time.Second, func() bool {
					d.server.mu.Lock()
					defer d.server.mu.Unlock()
					return len(d.server.feeds) == 0
				}, "nobody answers any more")
			})
		}
	}
}

// Files that others change on disk are told to whoever subscribed to them, and to clients that hear messages, although nobody
// asks anything; they are judged, and what that finds is known.
//
// Requirement: AGENT-34.
func TestChangesOfOthersAreTold(t *testing.T) {
	for _, revision := range []string{"2025-06-18", newestEra} {
		t.Run(revision, func(t *testing.T) {
			d := openDesk(t, lsptest.Script{}, project)
			updates, messages := make(chan string, 100), make(chan string, 100)
			session := d.connect("memory", revision, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI },
				LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
					text, _ := json.Marshal(r.Params.Data)
					var o occurrence
					_ = json.Unmarshal(text, &o)
					if o.Kind == "files_changed" {
						messages <- fmt.Sprintf("%s %q %q %d", r.Params.Level, o.Server, o.Files, o.More)
					}
				},
			})
			call(t, session, "check", `{"files":["main.toy","lib.toy"]}`)
			const uri = "lsp-diagnostics:///main.toy"
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			lsptest.WriteFile(t, filepath.Join(d.root, "go.mod"), "module m\n") // which may change anything
			if got := receive(t, updates); got != uri {
				t.Errorf("update of %s", got)
			}
			if revision != newestEra { // whose messages belong to requests
				if got, want := receive(t, messages), `notice "" ["go.mod"] 0`; got != want {
					t.Errorf("told %s, want %s", got, want)
				}
			}
			lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "use helper\nx ERROR broken\n")
			if got := receive(t, updates); got != uri {
				t.Errorf("update of %s", got)
			}
			if revision != newestEra { // whose messages belong to requests
				if got, want := receive(t, messages), `notice "" ["main.toy"] 0`; got != want {
					t.Errorf("told %s, want %s", got, want)
				}
			}
			lsptest.Eventually(t, 20*time.Second, func() bool {
				caller, err := d.server.opts.Engines.Engine(t.Context(), d.root)
				if err != nil {
					t.Fatal(err)
				}
				known, err := api.Diagnostics.Do(api.Own(t.Context()), caller, api.DiagnosticsRequest{})
				return err == nil && len(known.Files) == 1 && known.Files[0].Path == "main.toy"
			}, "the error is known")
		})
	}
}

// receive returns what comes next.
func receive(t *testing.T, from <-chan string) string {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was told")
		return ""
	}
}

// In the newest revision messages belong to requests: a call that names a level is told what happened
// to servers during it, and one that names none is not.
func TestStartsAreToldInTheNewestRevision(t *testing.T) {
	for _, c := range []struct {
		level string
		want  []string
	}{{"info", []string{"started toy auto-detected true"}}, {"error", nil}, {"", nil}} {
		d := openDesk(t, lsptest.Script{}, project)
		var mu sync.Mutex
		var told []string
		session := d.connect("memory", newestEra, &mcp.ClientOptions{LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			text, _ := json.Marshal(r.Params.Data)
			var o occurrence
			_ = json.Unmarshal(text, &o)
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprintf("%s %s %s %t", o.Kind, o.Server, o.Source, o.Note != ""))
		}})
		params := &mcp.CallToolParams{Name: "inspect", Arguments: json.RawMessage(`{"at":"main.toy:1 helper"}`)}
		if c.level != "" {
			params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: c.level}
		}
		for range 2 { // the second starts nothing
			if answer, err := session.CallTool(t.Context(), params); err != nil || answer.IsError {
				t.Fatalf("%v %+v", err, answer)
			}
		}
		mu.Lock()
		if diff := cmp.Diff(c.want, told); diff != "" {
			t.Errorf("%q: %s", c.level, diff)
		}
		mu.Unlock()
	}
}

// silent is an engine whose events cannot be had: to wait for them panics until they can.
type silent struct {
	Engines
	answers *atomic.Bool
}

func (d silent) Engine(ctx context.Context, root string) (api.Caller, error) {
	caller, err := d.Engines.Engine(ctx, root)
	return silentCaller{caller, d.answers}, err
}

type silentCaller struct {
	api.Caller
	answers *atomic.Bool
}

func (d silentCaller) Call(ctx context.Context, name string, req, res any) error {
	if asked, ok := req.(api.EventsRequest); ok && asked.TimeoutMS > 0 && !d.answers.Load() {
		panic("kaboom")
	}
	return d.Caller.Call(ctx, name, req, res)
}

// A panic while events are waited for ends that feed, and is logged; the next call begins another one.
func TestPanicOfAHearing(t *testing.T) {
	answers := &atomic.Bool{}
	var log bytes.Buffer // a handler writes one record at a time
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) {
		o.Engines, o.Log = silent{o.Engines, answers}, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError}))
	})
	session := d.connect("memory", "2025-06-18", &mcp.ClientOptions{LoggingMessageHandler: func(context.Context, *mcp.LoggingMessageRequest) {}})
	if err := session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	heard := func() int {
		d.server.mu.Lock()
		defer d.server.mu.Unlock()
		return len(d.server.feeds)
	}
	call(t, session, "status", `{}`)
	lsptest.Eventually(t, 10*time.Second, func() bool { return heard() == 0 }, "the feed ends")
	if said := log.String(); !strings.Contains(said, `msg="events of servers end" workspace=`) || !strings.Contains(said, "error=") || !strings.Contains(said, "kaboom") {
		t.Errorf("its log: %s", said)
	}
	answers.Store(true)
	call(t, session, "status", `{}`)
	if heard() != 1 {
		t.Error("there is no new feed")
	}
}
