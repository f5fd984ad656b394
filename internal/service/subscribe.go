package service

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/result"
)

// eventMethod is the notification of an event that the host has subscribed to.
const eventMethod = "lspine/event"

// An event is the params of eventMethod.
type event struct {
	// Topic is servers, files or diagnostics.
	Topic string `json:"topic"`
	// Server is what happened to a server.
	Server *result.Event `json:"server,omitempty"`
	// Files are those that changed on disk, whoever changed them: at most 20, and More others.
	Files []string `json:"files,omitempty"`
	More  int      `json:"more,omitempty"`
	// Epoch is the epoch of the diagnostics; lsp/diagnostics returns them.
	Epoch uint64 `json:"epoch,omitempty"`
}

// A subscription is the result of lspine/subscribe.
type subscription struct {
	Topics []string `json:"topics"`
}

// topics are the available subscriptions. Each function sends events until ctx ends.
var topics = map[string]func(t *conversation, ctx context.Context, tell func(event) error) error{
	"servers":     (*conversation).tellServers,
	"files":       (*conversation).tellFiles,
	"diagnostics": (*conversation).tellDiagnostics,
}

// subscribe answers lspine/subscribe. It adds topics to those of earlier subscriptions.
func (t *conversation) subscribe(_ context.Context, c *jsonrpc.Conn, params json.RawMessage) (any, error) {
	var asked struct {
		Topics []string `json:"topics"`
	}
	if err := read(params, &asked); err != nil {
		return nil, err
	}
	var known []string
	for name := range topics {
		known = append(known, name)
	}
	slices.Sort(known)
	if len(asked.Topics) == 0 {
		return nil, &paramError{"topics", "must name some of " + strings.Join(known, ", ")}
	}
	for _, name := range asked.Topics {
		if topics[name] == nil {
			return nil, &paramError{"topics", "must be of " + strings.Join(known, ", ")}
		}
	}
	tell := func(e event) error {
		raw, err := json.Marshal(e)
		if err == nil {
			err = c.Notify(eventMethod, raw)
		}
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range asked.Topics {
		if t.ctx.Err() != nil || slices.Contains(t.subscribed, name) {
			continue
		}
		t.subscribed = append(t.subscribed, name)
		t.watching.Go(func() {
			if err := guard.Do(func() error { return topics[name](t, t.ctx, tell) }); err != nil && t.ctx.Err() == nil {
				t.log.Warn("a subscription ended", "topic", name, "error", err)
			}
		})
	}
	slices.Sort(t.subscribed)
	return subscription{slices.Clone(t.subscribed)}, nil
}

// turn is the duration of one wait for events, in milliseconds.
const turn = 60_000

func (t *conversation) tellServers(ctx context.Context, tell func(event) error) error {
	return t.follow(ctx, func(e *result.Event) error {
		if len(e.Files) > 0 {
			return nil
		}
		return tell(event{Topic: "servers", Server: e})
	})
}

func (t *conversation) tellFiles(ctx context.Context, tell func(event) error) error {
	return t.follow(ctx, func(e *result.Event) error {
		if len(e.Files) == 0 {
			return nil
		}
		return tell(event{Topic: "files", Files: e.Files, More: e.More})
	})
}

// follow passes on all events, until ctx ends or take fails.
func (t *conversation) follow(ctx context.Context, take func(*result.Event) error) error {
	for last := uint64(0); ; {
		events, err := api.Events.Do(ctx, t.host.Caller, api.EventsRequest{After: last, TimeoutMS: turn})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		last = events.Last
		for i := range events.Events {
			if err := take(&events.Events[i]); err != nil {
				return err
			}
		}
	}
}

func (t *conversation) tellDiagnostics(ctx context.Context, tell func(event) error) error {
	for last := uint64(0); ; {
		known, err := api.Diagnostics.Do(api.Own(ctx), t.host.Caller, api.DiagnosticsRequest{AfterEpoch: last, TimeoutMS: turn})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if known.Epoch == last {
			continue
		}
		last = known.Epoch
		if err := tell(event{Topic: "diagnostics", Epoch: last}); err != nil {
			return err
		}
	}
}

// logServers logs server events, and the statistics of each server when it ends.
func (t *conversation) logServers() {
	_ = guard.Do(func() error { // ends with the conversation
		return t.tellServers(t.ctx, func(e event) error {
			t.log.Debug("server", "event", e.Server.Kind, "id", e.Server.Server, "root", e.Server.Root, "reason", e.Server.Reason)
			return nil
		})
	})
}

// logFigures logs the statistics of each server.
func (t *conversation) logFigures(ctx context.Context) {
	if !t.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	status, err := api.Status.Do(api.Own(ctx), t.host.Caller, api.StatusRequest{Scope: "all"})
	if err != nil {
		return
	}
	for i := range status.Servers {
		s := &status.Servers[i]
		if f := s.Figures; f != nil {
			t.log.Debug("figures", "id", s.ID, "root", s.Root, "starts", s.Starts, "crashes", s.Crashes, "checks", f.Checks,
				"timeouts", f.Timeouts, "median_ms", f.MedianMS, "slow_ms", f.SlowMS, "diagnostics", f.Diagnostics)
		}
	}
}
