package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// conversationOf returns a conversation whose calls are answered by a function.
func conversationOf(h Host, answer caller) *conversation {
	h.Caller = answer
	return &conversation{host: &h, log: slog.New(slog.DiscardHandler)}
}

// The states of servers have the words of hosts, sorted by id and root; a root is named only if it is another than that
// of the workspace, and one that was never started says so.
func TestStatesOfServers(t *testing.T) {
	root := lsptest.Rooted("/w")
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	figures := &result.Figures{Checks: 3}
	status := &result.Status{Root: root, Servers: []result.Server{
		{ID: "b", State: "active", Root: in("sub/z"), Language: "toy", Pid: 7, Figures: figures},
		{ID: "b", State: "starting", Root: in("sub/a")},
		{ID: "a", State: "broken", Root: root, Reason: "it failed"},
		{ID: "c", State: "disabled", Root: lsptest.Rooted("/other")},
		{ID: "d", State: "stopped", Root: root},
		{ID: "e", State: "stopped", Root: root, Reason: "nobody asked it"},
		{ID: "f", State: "unavailable"},
		{ID: "g", State: "untrusted", Root: in("..g")},
	}}
	want := []ServerStatus{
		{ID: "a", ServerID: "a", Status: "broken", State: "broken", Reason: "it failed"},
		{ID: "b", ServerID: "b", Status: "starting", State: "starting", Root: "sub/a"},
		{ID: "b", ServerID: "b", Status: "active", State: "ok", Root: "sub/z", Language: "toy", PID: 7, Figures: figures},
		{ID: "c", ServerID: "c", Status: "disabled", State: "idle", Root: lsptest.Rooted("/other")},
		{ID: "d", ServerID: "d", Status: "unavailable", State: "idle", Reason: "not started yet: no file of its language was checked"},
		{ID: "e", ServerID: "e", Status: "unavailable", State: "idle", Reason: "nobody asked it"},
		{ID: "f", ServerID: "f", Status: "unavailable", State: "idle"},
	}
	got := statusesOf(status)
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" || len(got) != len(want)+1 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Params that cannot be read are named by the field and what it must be, or are no object at all.
func TestParamsThatCannotBeRead(t *testing.T) {
	for params, want := range map[string]string{
		`{}`: "", `{"text":"a","topics":["b"],"number":1,"plain":"c"}`: "", `null`: "",
		``: "params must be an object", `[]`: "params must be an object", `7`: "params must be an object", `{`: "params must be an object",
		`{"plain":1}`: "plain must be a string", `{"text":1}`: "text must be a string", `{"topics":"a"}`: "topics must be a list of strings", `{"number":"a"}`: "number must be a number",
	} {
		var asked struct {
			Plain  string   `json:"plain"`
			Text   *string  `json:"text"`
			Topics []string `json:"topics"`
			Number *float64 `json:"number"`
		}
		got := ""
		if err := read(json.RawMessage(params), &asked); err != nil {
			got = err.Error()
			of := result.ErrorOf(err)
			if of.Kind != result.Argument || of.Data.Argument+" "+of.Data.Reason != got {
				t.Errorf("%s: %+v", params, of)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
}

// How long diagnostics are waited for is what the host says, within bounds; what is no number of an epoch, or no time,
// is refused by its name.
func TestWaitsForDiagnostics(t *testing.T) {
	for params, want := range map[string]string{
		`{"afterEpoch":0}`:                                "0 250",
		`{"afterEpoch":7,"waitMs":1500.9}`:                "7 1500",
		`{"afterEpoch":7,"waitMs":0}`:                     "7 1",
		`{"afterEpoch":7,"waitMs":1e300}`:                 fmt.Sprint("7 ", maxWait),
		fmt.Sprintf(`{"afterEpoch":%d}`, math.MaxInt32):   fmt.Sprint(math.MaxInt32, " 250"),
		fmt.Sprintf(`{"afterEpoch":%d}`, math.MaxInt32+1): "afterEpoch must be a whole number, from 0",
		`{"afterEpoch":1.5}`:                              "afterEpoch must be a whole number, from 0",
		`{"afterEpoch":-1}`:                               "afterEpoch must be a whole number, from 0",
		`{"afterEpoch":null}`:                             "afterEpoch must be a whole number, from 0",
		`{"waitMs":1}`:                                    "afterEpoch must be a whole number, from 0",
		`{"afterEpoch":1,"waitMs":-0.5}`:                  "waitMs must be a number of milliseconds, from 0",
		`{"afterEpoch":"1"}`:                              "afterEpoch must be a number",
	} {
		got := ""
		k := conversationOf(Host{}, func(_ context.Context, name string, req, _ any) error {
			asked := req.(api.DiagnosticsRequest)
			if !asked.Refresh || asked.MaxBytes != -1 || name != "diagnostics" {
				t.Errorf("%s: asked is %s %+v", params, name, asked)
			}
			got = fmt.Sprint(asked.AfterEpoch, " ", asked.TimeoutMS)
			return nil
		})
		if _, err := k.diagnosticsAfter(t.Context(), json.RawMessage(params)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
}

// Files with diagnostics are told by their names, relative ones from the host's root unless it wants those; files
// without any are left out, and a failure is no file.
func TestFilesWithDiagnostics(t *testing.T) {
	root := lsptest.Rooted("/w")
	one := []result.Diagnostic{{Line: 1, Column: 2, EndLine: 3, EndColumn: 4, Severity: "error", Message: "a\x1b", Code: "C", Source: "s"}}
	said := func(file string) []Diagnostic {
		return []Diagnostic{{File: file, Line: 1, Character: 2, Column: 2, EndLine: 3, EndCharacter: 4, Severity: "error", Message: `a\u001b`, Code: "C", Source: "s"}}
	}
	outside := lsptest.Rooted("/out/b.toy")
	for name, c := range map[string]struct {
		host Host
		err  error
		want map[string][]Diagnostic
	}{
		"absolute":  {Host{Root: root}, nil, map[string][]Diagnostic{filepath.Join(root, "sub", "a.toy"): said("sub/a.toy"), outside: said(outside)}},
		"relative":  {Host{Root: root, Relative: true}, nil, map[string][]Diagnostic{"sub/a.toy": said("sub/a.toy"), outside: said(outside)}},
		"a failure": {Host{Root: root}, errors.New("failed"), map[string][]Diagnostic{}},
	} {
		k := conversationOf(c.host, func(_ context.Context, _ string, _, res any) error {
			res.(*result.Check).Files = []result.File{{Path: "sub/a.toy", Diagnostics: one}, {Path: "clean.toy"}, {Path: outside, Diagnostics: one}}
			return c.err
		})
		got, err := k.known(t.Context(), api.DiagnosticsRequest{})
		files, ok := got.(map[string][]Diagnostic)
		if err != nil || !ok {
			t.Fatalf("%s: %T, %v", name, got, err)
		}
		for _, list := range files {
			for i := range list {
				if list[i].Message != "a\x1b" { // however it is escaped
					list[i].Message = `a\u001b`
				}
			}
		}
		if diff := cmp.Diff(c.want, files); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A check of a file asks for just that one; what is no regular file, or was not judged, has no diagnostics, and who is
// not waited for any more gets an error.
func TestCheckOfAFile(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.toy --\n-- sub/x --\n")
	path := filepath.Join(root, "a.toy")
	var asked []api.CheckRequest
	files := 1
	k := conversationOf(Host{Root: root}, func(ctx context.Context, _ string, req, res any) error {
		asked = append(asked, req.(api.CheckRequest))
		res.(*result.Check).Files = make([]result.File, files)
		for i := range files {
			res.(*result.Check).Files[i] = result.File{Path: "a.toy", Diagnostics: []result.Diagnostic{{Message: "m" + strconv.Itoa(i)}}}
		}
		return ctx.Err()
	})
	check := func(ctx context.Context, params any) string {
		raw, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.checkFile(ctx, raw)
		if err != nil {
			return err.Error()
		}
		list := got.([]Diagnostic)
		if len(list) == 0 {
			return "none"
		}
		return fmt.Sprint(len(list), " ", list[0].File, " ", list[0].Message)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	got := []string{
		check(t.Context(), map[string]any{"filePath": "a.toy"}), check(t.Context(), map[string]any{"filePath": path}), check(t.Context(), map[string]any{"filePath": "gone.toy", "text": "x"}),
		check(t.Context(), map[string]any{"filePath": "gone.toy"}), check(t.Context(), map[string]any{"filePath": "sub"}), check(t.Context(), map[string]any{"filePath": ""}),
		check(t.Context(), map[string]any{"filePath": 7}), check(over, map[string]any{"filePath": "a.toy"}),
	}
	files = 2
	got = append(got, check(t.Context(), map[string]any{"filePath": "a.toy"}))
	want := []string{
		"1 a.toy m0", "1 a.toy m0", "1 a.toy m0", "none", "none", "filePath must be a non-empty string", "filePath must be a string", "context canceled", "none",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	plain := api.CheckRequest{Files: []string{path}, Baseline: api.BaselineNone, MaxBytes: -1}
	gone := filepath.Join(root, "gone.toy")
	given := api.CheckRequest{Files: []string{gone}, Baseline: api.BaselineNone, MaxBytes: -1, Contents: map[string]string{gone: "x"}}
	if diff := cmp.Diff([]api.CheckRequest{plain, plain, given, plain, plain}, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// Events of servers are told one by one, each once, until that fails or nobody listens any more.
func TestEventsAreTold(t *testing.T) {
	failed, deaf := errors.New("failed"), errors.New("deaf")
	batches := [][]result.Event{{{Number: 1, Server: "a"}, {Number: 2, Server: "b"}}, nil, {{Number: 5, Server: "c"}}}
	for name, c := range map[string]struct {
		hears int // how many events are heard
		told  []uint64
		after []uint64
		err   error
	}{
		"all": {9, []uint64{1, 2, 5}, []uint64{0, 2, 2, 5}, failed}, "one": {1, []uint64{1, 2}, []uint64{0}, deaf},
	} {
		var after, told []uint64
		k := conversationOf(Host{}, func(_ context.Context, _ string, req, res any) error {
			asked := req.(api.EventsRequest)
			if asked.TimeoutMS != turn {
				t.Errorf("%+v", asked)
			}
			if after = append(after, asked.After); len(after) > len(batches) {
				return failed
			}
			answer := res.(*result.Events)
			answer.Events, answer.Last = batches[len(after)-1], []uint64{2, 2, 5}[len(after)-1]
			return nil
		})
		err := k.tellServers(t.Context(), func(e event) error {
			if told = append(told, e.Server.Number); e.Topic != "servers" || e.Epoch != 0 {
				t.Errorf("%+v", e)
			}
			if len(told) > c.hears {
				return deaf
			}
			return nil
		})
		if diff := cmp.Diff([][]uint64{c.told, c.after}, [][]uint64{told, after}); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// Epochs of diagnostics are told as they grow; one that is the same is none.
func TestEpochsAreTold(t *testing.T) {
	failed, deaf := errors.New("failed"), errors.New("deaf")
	epochs := []uint64{3, 3, 4}
	for name, c := range map[string]struct {
		hears       int
		told, after []uint64
		err         error
	}{
		"all": {9, []uint64{3, 4}, []uint64{0, 3, 3, 4}, failed}, "one": {1, []uint64{3, 4}, []uint64{0, 3, 3}, deaf},
	} {
		var after, told []uint64
		k := conversationOf(Host{}, func(_ context.Context, _ string, req, res any) error {
			asked := req.(api.DiagnosticsRequest)
			if after = append(after, asked.AfterEpoch); len(after) > len(epochs) {
				return failed
			}
			res.(*result.Check).Epoch = epochs[len(after)-1]
			return nil
		})
		err := k.tellDiagnostics(t.Context(), func(e event) error {
			if told = append(told, e.Epoch); e.Topic != "diagnostics" || e.Server != nil {
				t.Errorf("%+v", e)
			}
			if len(told) > c.hears {
				return deaf
			}
			return nil
		})
		if diff := cmp.Diff([][]uint64{c.told, c.after}, [][]uint64{told, after}); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	k := conversationOf(Host{}, func(context.Context, string, any, any) error { cancel(); return nil })
	silent := func(event) error { t.Error("somebody was told after the end"); return nil }
	for _, err := range []error{k.tellServers(over, silent), k.tellDiagnostics(over, silent)} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	}
}

// A time is one of milliseconds up to an hour; of less than one, one is waited.
func TestTimesOfHosts(t *testing.T) {
	for text, want := range map[string]time.Duration{"0.5": time.Millisecond, "1": time.Millisecond, "1.9": time.Millisecond, "3600000": time.Hour, "3600000.5": 0, "0": 0} {
		b, err := ReadBootstrap(`{"workspaceRoot":"/w","config":{"navigationTimeoutMs":` + text + `}}`)
		if (err == nil) != (want > 0) || err == nil && b.Answer != want {
			t.Errorf("%s: %+v, %v", text, b, err)
		}
	}
	for value, want := range map[string]bool{` {}`: true, `{`: true, `[1]`: false, ``: false, ` `: false} {
		if got := isA('{', json.RawMessage(value)); got != want {
			t.Errorf("%q is an object: %t", value, got)
		}
	}
}
