package ui

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

const (
	// turn is the duration of one wait for something to happen, in milliseconds.
	turn = 60_000
	// settle is how long changes of files are collected, in milliseconds.
	settle = 300
	// rest is how long nothing more of a kind is sent after it was: who does much wants one event.
	rest = 250 * time.Millisecond
	// records is how many records of the evidence are shown.
	records = 200
	// maxVerified is how long a log may be that is checked without being asked, in bytes.
	maxVerified = 32 << 20
)

// A follower sends what happens to one page. Each of its follow methods runs until ctx ends or it fails.
type follower struct {
	*View
	feed *feed
	// status and trail hold a token if the servers or the evidence may have changed.
	status, trail chan struct{}
}

// wake leaves a token, unless there is one.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// pause waits for rest, or until ctx ends.
func pause(ctx context.Context) error {
	select {
	case <-time.After(rest):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tell sends why a part shows nothing more. It fails if the page should begin anew instead.
func (f *follower) tell(part string, err error) error {
	of := result.ErrorOf(err)
	if failed := send(f.feed, "trouble", trouble{part, of.Message, of.Hint}); failed != nil {
		return failed
	}
	if part == "evidence" || of.Kind == result.Denied {
		return nil
	}
	return err
}

// followServers sends the states of the servers, and what was measured of them, when they may have changed.
func (f *follower) followServers(ctx context.Context) error {
	for {
		status, err := api.Status.Do(ctx, f.Caller, api.StatusRequest{Measurements: true})
		if err == nil {
			err = send(f.feed, "servers", status)
		}
		if err == nil {
			err = pause(ctx)
		}
		if err != nil {
			return err
		}
		select {
		case <-f.status:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watched returns a context whose calls tell the page what servers work on.
func (f *follower) watched(ctx context.Context) context.Context {
	with := api.CallOf(ctx)
	said := ""
	with.Progress = func(_ context.Context, p api.Progress) {
		var works []result.Server
		for _, s := range p.Servers {
			works = append(works, result.Server{ID: s.ID, Root: s.Root, State: s.State, Works: s.Works})
		}
		text, _ := json.Marshal(works) // texts and numbers always encode
		if said == string(text) {
			return
		}
		said = string(text)
		_ = send(f.feed, "works", works) // that the page has gone is noticed elsewhere
	}
	return with.In(ctx)
}

// isBusy reports whether a server is at work on something that it tells.
func isBusy(servers []result.Server) bool {
	for i := range servers {
		if len(servers[i].Works) > 0 || servers[i].State == "starting" {
			return true
		}
	}
	return false
}

// A change is what the page does not know yet of the diagnostics.
type change struct {
	// All says that the files are all that there are.
	All   bool          `json:"all,omitempty"`
	Files []result.File `json:"files,omitempty"`
	Gone  []string      `json:"gone,omitempty"`
	// Verdict is that on all files, and Unknown what could not be found out.
	Verdict string   `json:"verdict"`
	Unknown []string `json:"unknown,omitempty"`
}

var severities = []string{"error", "warning", "info", "hint"}

// followDiagnostics sends what is known to be wrong, and then what changes of it.
func (f *follower) followDiagnostics(ctx context.Context) error {
	told := make(map[string]string)
	for epoch := uint64(0); ; {
		request := api.DiagnosticsRequest{Severities: severities, MaxBytes: -1, AfterEpoch: epoch, TimeoutMS: turn}
		known, err := api.Diagnostics.Do(ctx, f.Caller, request)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if known.Epoch == epoch && epoch > 0 {
			continue
		}
		now, err := changed(told, &known)
		if err != nil {
			return err
		}
		now.All = epoch == 0
		if epoch = max(known.Epoch, 1); now.All || len(now.Files) > 0 || len(now.Gone) > 0 {
			if err := send(f.feed, "diagnostics", now); err != nil {
				return err
			}
		}
		wake(f.status)
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// changed returns what is not told yet, and notes it in told: the diagnostics of each path as text.
func changed(told map[string]string, known *result.Check) (c change, err error) {
	c = change{Verdict: known.Verdict, Unknown: known.Unknown}
	there := make(map[string]bool)
	for i := range known.Files {
		of := &known.Files[i]
		file := result.File{Path: of.Path, Verdict: of.Verdict, Diagnostics: of.Diagnostics, Servers: of.Servers}
		if len(file.Diagnostics) == 0 {
			continue
		}
		there[file.Path] = true
		text, err := json.Marshal(file.Diagnostics)
		if err != nil {
			return c, err
		}
		if told[file.Path] != string(text) {
			told[file.Path] = string(text)
			c.Files = append(c.Files, file)
		}
	}
	for path := range told {
		if !there[path] {
			delete(told, path)
			c.Gone = append(c.Gone, path)
		}
	}
	return c, nil
}

// followFiles has files judged: at first those that changed since the last commit, then those that change. What that finds,
// followDiagnostics sends.
func (f *follower) followFiles(ctx context.Context) error {
	past, err := api.Events.Do(ctx, f.Caller, api.EventsRequest{After: 1<<64 - 1, SettleMS: settle}) // from now on, changes are noticed
	if err != nil {
		return err
	}
	if err := f.judge(ctx, nil); err != nil {
		return err
	}
	for after := past.Last; ; {
		now, err := f.await(ctx, after)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if after = now.Last; len(now.Events) == 0 {
			continue
		}
		wake(f.status)
		wake(f.trail)
		var files []string
		changed, more := false, false
		for i := range now.Events {
			files = append(files, now.Events[i].Files...)
			changed = changed || len(now.Events[i].Files) > 0
			more = more || now.Events[i].More > 0
		}
		if !changed {
			continue
		}
		if more { // those that changed since the last commit
			files = nil
		}
		if err := f.judge(ctx, files); err != nil {
			return err
		}
		again := api.DiagnosticsRequest{Severities: severities, MaxBytes: -1, Refresh: true}
		if _, err := api.Diagnostics.Do(f.watched(ctx), f.Caller, again); err != nil {
			return err
		}
	}
}

// await waits for events after one. While servers work, it tells the page on what, until they do no more.
func (f *follower) await(ctx context.Context, after uint64) (result.Events, error) {
	status, err := api.Status.Do(ctx, f.Caller, api.StatusRequest{Scope: "running"})
	if err != nil {
		return result.Events{}, err
	}
	waiting, idle := context.WithCancel(ctx)
	defer idle()
	if isBusy(status.Servers) {
		waiting = f.watched(waiting)
		with := api.CallOf(waiting)
		tell := with.Progress
		with.Progress = func(ctx context.Context, p api.Progress) {
			tell(ctx, p)
			if !isBusy(p.Servers) {
				wake(f.status)
				idle()
			}
		}
		waiting = with.In(waiting)
	}
	now, err := api.Events.Do(waiting, f.Caller, api.EventsRequest{After: after, TimeoutMS: turn, SettleMS: settle})
	if waiting.Err() != nil && ctx.Err() == nil {
		return result.Events{Last: after}, nil
	}
	return now, err
}

// judge has files checked, without any those that changed since the last commit. That they cannot be is told and no failure, unless
// the page may not ask.
func (f *follower) judge(ctx context.Context, files []string) error {
	request := api.CheckRequest{Files: files, Severities: severities, Baseline: api.BaselineNone, MaxBytes: -1}
	_, err := api.Check.Do(f.watched(ctx), f.Caller, request)
	wake(f.status)
	of := result.ErrorOf(err)
	if of == nil || of.Kind == result.Denied || ctx.Err() != nil {
		return err
	}
	return send(f.feed, "trouble", trouble{"files", of.Message, of.Hint})
}

// followSessions sends who works here.
func (f *follower) followSessions(ctx context.Context) error {
	for last := uint64(0); ; {
		now, err := api.Sessions.Do(ctx, f.Caller, api.SessionsRequest{After: last, TimeoutMS: turn})
		if err != nil {
			return err
		}
		if now.Last != last || last == 0 {
			if err := send(f.feed, "sessions", now); err != nil {
				return err
			}
			wake(f.trail)
		}
		last = max(now.Last, 1)
		if err := pause(ctx); err != nil {
			return err
		}
	}
}
