package evidence

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recordOf returns the record that an event becomes.
func recordOf(t *testing.T, client string, e Event) *Record {
	t.Helper()
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return &Record{Seq: 7, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local), Client: client, Event: e.Kind(), Data: data}
}

// For people each event is one line that says what it is about.
func TestRecordsForPeople(t *testing.T) {
	more, none := 2, 0
	for _, c := range []struct {
		event  Event
		client string
		want   string
	}{
		{
			&QueryBatch{Server: "gopls", Queries: []Query{{Method: "hover", Count: 2}, {Method: "rename", Count: 1}}, Outcome: TimedOut, Bytes: 7, DurationMS: 1.54},
			"cli", "lsp_query_batch cli: gopls 2 hover, 1 rename: timed_out, 7 bytes, 1.5 ms",
		},
		{&ToolCall{Operation: "edit", Files: []string{"a.go", "b.go"}, Edit: "2 files", NetDelta: &more, Success: true, DurationMS: 3}, "", "tool_call: edit a.go b.go: 2 files, +2 errors, 3 ms"},
		{&ToolCall{Operation: "status", NetDelta: &none, Success: true}, "", "tool_call: status, +0 errors, 0 ms"},
		{&ToolCall{Operation: "status", ErrorKind: "failed", Error: "gone", DurationMS: 1}, "", "tool_call: status: failed: gone, 1 ms"},
		{&Validation{Operation: "edit", Verdict: "clean", Files: []Validated{{File: "a.go"}}, More: 2}, "", "diagnostic_validation: edit: clean, 3 files"},
		{&GivenUp{Operation: "edit", Rounds: 4, Files: []string{"a.go", "b.go"}, More: 1}, "", "self_correction_given_up: edit: after 4 rounds there are errors in 3 files: a.go b.go"},
		{&Regression{Operation: "edit", Errors: []Finding{{File: "a.go", Line: 1, Column: 2, Message: "m"}, {File: "b.go"}}, More: 2}, "", "diagnostic_regression: edit made 4 errors, the first at a.go:1:2: m"},
		{&Lifecycle{Server: "gopls", Root: ".", Change: "crashed", Reason: "signal"}, "", "server_lifecycle: gopls crashed (.): signal"},
		{&Lifecycle{Server: "gopls", Root: ".", Change: "started"}, "", "server_lifecycle: gopls started (.)"},
		{&Decision{Operation: "edit", Path: "a.go", Action: "ask", Said: "no", Rule: 1, Source: "c:2"}, "", "policy_decision: edit of a.go: ask, no was said, not allowed by rule 1 (c:2)"},
		{&Decision{Operation: "command", Server: "gopls", Action: "allow", Allowed: true}, "", "policy_decision: command gopls: allow, allowed"},
		{&Trust{Root: "w", Trusted: true}, "", "trust_change: w is trusted"},
		{&Trust{Root: "w"}, "", "trust_change: w is no longer trusted"},
		{&Applied{Operation: "edit", Files: []Changed{{File: "a.go"}, {File: "b.go"}}}, "", "edit_applied: edit wrote a.go b.go"},
		{&Simulated{Simulation: "s1", Action: "evaluate", Verdict: "clean", NetDelta: -1}, "", "simulation: s1 evaluate clean, -1 errors"},
		{&Opened{PID: 3, Program: "lspine", Version: "v9"}, "", "log_opened: process 3 lspine v9"},
		{&Opened{PID: 3}, "", "log_opened: process 3"},
		{&Closed{Events: 4}, "", "log_closed: 4 events"},
		{&Loss{Events: 4, Reason: "the queue was full"}, "", "log_loss: 4 events: the queue was full"},
		{&Rotated{Previous: "old.jsonl"}, "", "log_rotated: after old.jsonl"},
		{&Recovered{Bytes: 5}, "", "log_recovered: after 5 bytes of a record that was cut off"},
	} {
		if diff := cmp.Diff("7 2026-01-02 03:04:05 "+c.want, recordOf(t, c.client, c.event).Line()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	unknown := Record{Seq: 1, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local), Event: "later_kind", Data: json.RawMessage(`{"a":1}`)}
	if diff := cmp.Diff(`1 2026-01-02 03:04:05 later_kind: {"a":1}`, unknown.Line()); diff != "" {
		t.Errorf("of another version (-want +got):\n%s", diff)
	}
}

// A record is about the files that its event names: asked for by their paths, by the end of these, or
// by a folder.
func TestFilesOfRecords(t *testing.T) {
	for name, e := range map[string]Event{
		"queries": &QueryBatch{Targets: []string{"other.go", "pkg/a.go"}}, "a call": &ToolCall{Files: []string{"other.go", "pkg/a.go"}},
		"a verdict": &Validation{Files: []Validated{{File: "other.go"}, {File: "pkg/a.go"}}}, "errors": &Regression{Errors: []Finding{{File: "other.go"}, {File: "pkg/a.go"}}},
		"what was written": &Applied{Files: []Changed{{File: "other.go"}, {File: "pkg/a.go"}}}, "a decision": &Decision{Path: "pkg/a.go"},
	} {
		r := recordOf(t, "", e)
		got := make(map[string]bool)
		for _, file := range []string{"pkg/a.go", "pkg", "pkg/", "a.go", "pk", "g/a.go", "pkg/a", "b.go"} {
			got[file] = r.About(file)
		}
		want := map[string]bool{"pkg/a.go": true, "pkg": true, "pkg/": true, "a.go": true, "pk": false, "g/a.go": false, "pkg/a": false, "b.go": false}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for name, r := range map[string]*Record{
		"an event without files": recordOf(t, "", &Closed{}), "another version": {Event: "later_kind", Data: json.RawMessage(`{"file":"a.go"}`)},
		"what is no event": {Event: KindToolCall, Data: json.RawMessage(`[]`)},
	} {
		if r.About("a.go") {
			t.Errorf("%s is about a.go", name)
		}
	}
}

// Reading ends where the reader has enough, without an error.
func TestReadingEndsEarly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(5)...)
	var seen []uint64
	err := Read(path, func(r *Record) error {
		if seen = append(seen, r.Seq); r.Seq == 3 {
			return ErrEnough
		}
		return nil
	})
	if diff := cmp.Diff([]uint64{1, 2, 3}, seen); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A problem is told with its place; of a whole file with the file alone.
func TestPlacesOfProblems(t *testing.T) {
	for want, p := range map[string]Problem{
		"a.jsonl:3: changed": {File: "a.jsonl", Line: 3, Message: "changed"}, "a.jsonl: missing": {File: "a.jsonl", Message: "missing"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An event that is made later is recorded in its turn; whoever waits for the log finds it there.
func TestEventsMadeLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	l := Open(Options{Path: path})
	l.RecordLater(Origin{Client: "cli"}, func() Event { return &ToolCall{Operation: "made later", Success: true} })
	l.Record(Origin{Client: "cli"}, &ToolCall{Operation: "at once", Success: true})
	if err := l.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	var got []string
	for _, r := range records(t, path) {
		if e, err := r.Decode(); err != nil {
			t.Error(err)
		} else if call, is := e.(*ToolCall); is {
			got = append(got, r.Client+" "+call.Operation)
		}
	}
	if diff := cmp.Diff([]string{"cli made later", "cli at once"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	l.Close(t.Context())
}

// Nobody waits for a log that has ended, though its queue has room.
func TestFlushOfALogThatHasEnded(t *testing.T) {
	l := Open(Options{Path: filepath.Join(t.TempDir(), "evidence.jsonl")})
	l.Close(t.Context())
	for range 50 { // of the two ways to notice, each is taken half of the times
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if err := l.Flush(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
}

// The newest records are found without the older ones being read: as many as are wanted, after the one that is known, and no line that
// is still being written. A log that is longer than what is read of it begins with a whole record.
func TestLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	if list, err := Last(path, 0, 5); err != nil || list != nil {
		t.Errorf("of no log: %v, %v", list, err)
	}
	log := Open(Options{Path: path})
	const all = 3000
	for i := range all {
		log.Record(Origin{Client: "cli"}, &ToolCall{Operation: "check", Files: []string{strings.Repeat("x", 400)}, DurationMS: int64(i)})
		if i%1000 == 0 {
			if err := log.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	log.Close(t.Context())
	if size, err := Size(path); err != nil || size < lastBytes {
		t.Fatalf("the log has %d bytes, %v", size, err)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"seq":9999`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	numbers := func(after uint64, n int) (list []uint64) {
		t.Helper()
		found, err := Last(path, after, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			list = append(list, r.Seq)
		}
		return list
	}
	const last = all + 2 // with the record that the log was opened, and that it was closed
	if diff := cmp.Diff([]uint64{last - 2, last - 1, last}, numbers(0, 3)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint64{last}, numbers(last-1, 3)); diff != "" {
		t.Error(diff)
	}
	if got := numbers(last, 3); got != nil {
		t.Errorf("after the last: %v", got)
	}
	if got := numbers(0, all*2); len(got) < 1000 || len(got) == last || got[len(got)-1]-got[0] != uint64(len(got)-1) {
		t.Errorf("%d of %d records are read", len(got), last)
	}
}
