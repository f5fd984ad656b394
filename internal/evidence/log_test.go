package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
)

const (
	writerVariable = "EVIDENCE_WRITER" // a path: record into it
	countVariable  = "EVIDENCE_COUNT"  // how many events
	staysVariable  = "EVIDENCE_STAYS"  // do not close the log
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() {
		if path := os.Getenv(writerVariable); path != "" {
			writeEvents(path)
		}
	})
}

// writeEvents is the life of another process that records events.
func writeEvents(path string) {
	count, _ := strconv.Atoi(os.Getenv(countVariable))
	l := Open(Options{Path: path, Queue: count})
	for i := range count {
		l.Record(Origin{Session: "s", Client: "cli"}, &ToolCall{Operation: fmt.Sprint("op", i), Success: true})
	}
	if os.Getenv(staysVariable) != "" {
		select {}
	}
	l.Close(context.Background())
	os.Exit(0)
}

// another returns the command of another process that records events.
func another(t *testing.T, path string, count int, stays bool) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), writerVariable+"="+path, countVariable+"="+strconv.Itoa(count))
	if stays {
		c.Env = append(c.Env, staysVariable+"=1")
	}
	return c
}

// record writes so many events by a log of its own.
func record(t *testing.T, o Options, events ...Event) {
	t.Helper()
	l := Open(o)
	for _, e := range events {
		l.Record(Origin{Session: "s1", Client: "cli"}, e)
	}
	l.Close(t.Context())
}

func calls(n int) (events []Event) {
	for i := range n {
		events = append(events, &ToolCall{Operation: fmt.Sprint("op", i), Success: true})
	}
	return events
}

// records reads a log back.
func records(t *testing.T, path string) (list []Record) {
	t.Helper()
	if err := Read(path, func(r *Record) error { list = append(list, *r); return nil }); err != nil {
		t.Fatal(err)
	}
	return list
}

// verified returns the report on a log, without its hash.
func verified(t *testing.T, path string) Report {
	t.Helper()
	r, err := Verify(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said are the kinds and places of what a report tells.
func said(list []Problem) (all []string) {
	for _, p := range list {
		all = append(all, fmt.Sprintf("%s %d", p.Kind, p.Seq))
	}
	return all
}

// Every event comes back as it was recorded, with its origin, in one chain that verifies.
func TestEventsComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "evidence.jsonl")
	delta := -1
	events := []Event{
		&QueryBatch{Server: "gopls", Version: "v1", Queries: []Query{{Method: "textDocument/hover", Count: 2, TimedOut: 1}}, Targets: []string{"a.go"}, Outcome: TimedOut, Bytes: 7, DurationMS: 1.5},
		&ToolCall{Operation: "edit", Files: []string{"a.go"}, Edit: "1 file", Applied: true, NetDelta: &delta, Success: true, DurationMS: 3},
		&Validation{Operation: "edit", Verdict: "clean", Files: []Validated{{File: "a.go", Verdict: "clean", Baseline: "session", Fixed: 1}}},
		&Regression{Operation: "edit", Errors: []Finding{{File: "a.go", Line: 1, Column: 2, Code: "C", Message: "m", Server: "gopls"}}, More: 2},
		&GivenUp{Operation: "edit", Rounds: 4, Files: []string{"a.go"}, More: 1},
		&Lifecycle{Server: "gopls", Root: ".", Change: "crashed", Source: "auto-detected", Reason: "signal"},
		&Decision{Operation: "edit", Class: "edit", Path: "a.go", Action: "ask", Said: "no", Rule: 1, Source: "c:2", Reason: "r"},
		&Trust{Root: "/w", Trusted: true, Hash: "h"},
		&Applied{Operation: "edit", Files: []Changed{{File: "a.go", From: "b.go", Before: "1", After: "2"}}},
		&Simulated{Simulation: "s1", Action: "evaluate", Verdict: "clean", Confidence: "high", NetDelta: 1},
	}
	record(t, Options{Path: path, Version: "v9", Program: "test"}, events...)
	var got []Event
	for i, r := range records(t, path) {
		e, err := r.Decode()
		if err != nil || r.Seq != uint64(i+1) || r.Time.IsZero() || len(r.Run) != 16 {
			t.Errorf("%+v, %v", r, err)
		}
		if own := strings.HasPrefix(string(r.Event), "log_"); (r.Session == "s1" && r.Client == "cli") == own {
			t.Errorf("record %d is of %q, %q", r.Seq, r.Session, r.Client)
		}
		got = append(got, e)
	}
	want := append(append([]Event{&Opened{os.Getpid(), "v9", "test"}}, events...), &Closed{uint64(len(events)) + 1})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	report := verified(t, path)
	if diff := cmp.Diff(Report{Path: path, Files: []string{path}, Records: 12, First: 1, Last: 12, Problems: []Problem{}, Notes: []Problem{}}, report, cmpopts.IgnoreFields(Report{}, "Head")); diff != "" {
		t.Error(diff)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, headPath(path): 0o600, filepath.Dir(path): os.ModeDir | 0o700} {
		if info, err := os.Stat(name); lsptest.HasModes() && (err != nil || info.Mode() != mode) {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// A log without a file, or that nobody opened, costs nothing and fails nowhere.
func TestNoLog(t *testing.T) {
	var l *Log
	l.Record(Origin{}, &Trust{})
	l.Close(t.Context())
	if err := l.Flush(t.Context()); err != nil || l.Contents() {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path})
	if _, err := os.Stat(path); err == nil {
		t.Error("a log without an event made its file")
	}
	if report := verified(t, path); report.Records != 0 || len(report.Problems) > 0 {
		t.Errorf("%+v", report)
	}
}

// Several processes that write to one file at the same time make one chain, in which no event is
// missing.
func TestProcessesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	const processes, count = 4, 300
	var all sync.WaitGroup
	for range processes {
		all.Go(func() {
			if out, err := another(t, path, count, false).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	all.Wait()
	report := verified(t, path)
	if report.Records != processes*(count+2) || len(report.Problems)+len(report.Notes) > 0 {
		t.Errorf("%d records, %v, %v", report.Records, report.Problems, report.Notes)
	}
	runs := make(map[string]int)
	for _, r := range records(t, path) {
		runs[r.Run]++
	}
	if len(runs) != processes {
		t.Errorf("records of each run: %v", runs)
	}
}

// A process that is killed while it records ten thousand events leaves a chain that verifies up to
// its last whole line; that it has no end is told. The next one goes on with the chain.
func TestKilledInTheMiddle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	const count = 10_000
	c := another(t, path, count, true)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lsptest.Eventually(t, 30*time.Second, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 100_000
	}, "it writes")
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	report := verified(t, path)
	if report.Records < 200 || report.Records > count+1 || report.Last != report.Records || len(report.Problems) > 0 {
		t.Errorf("%d records to %d: %v", report.Records, report.Last, report.Problems)
	}
	if kinds := said(report.Notes); !slices.Contains(kinds, "unfinished 1") {
		t.Errorf("it is not said that something is missing: %v", report.Notes)
	}
	record(t, Options{Path: path}, calls(3)...)
	after := verified(t, path)
	if len(after.Problems) > 0 || after.Last < report.Last+5 {
		t.Errorf("%d, after %d: %v", after.Last, report.Last, after.Problems)
	}
}

// A record that was cut off when its process ended is no problem: it is told, and the next process
// notes how much it found, so that nobody can take it away either.
func TestCutOffRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path}, calls(2)...)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(`{"seq":5,"time":"2026-01-`)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	report := verified(t, path)
	if diff := cmp.Diff([]string{"cut_off 0"}, said(report.Notes)); diff != "" || len(report.Problems) > 0 {
		t.Error(diff, report.Problems)
	}
	record(t, Options{Path: path}, calls(1)...)
	report = verified(t, path)
	if diff := cmp.Diff([]string{"lost 0"}, said(report.Notes)); diff != "" || len(report.Problems) > 0 || report.Records != 8 {
		t.Error(diff, report.Problems, report.Records)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, path, strings.Replace(string(text), `"time":"2026-01-`+"\n", `"time":"2027-01-`+"\n", 1))
	if report = verified(t, path); !slices.Contains(said(report.Problems), "unreadable 0") {
		t.Errorf("a change of it is not found: %v", report.Problems)
	}
}

// A byte that is changed, a line that is removed, a pair that is swapped and a file that is cut are
// each found, and named by their records: wherever they are, at the end, too.
func TestTamperingIsFound(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: whole}, calls(10)...) // 12 records
	text, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(headPath(whole))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))[:12]
	for _, c := range []struct {
		name   string
		change func([][]byte) [][]byte
		want   []string
	}{
		{"nothing", func(l [][]byte) [][]byte { return l }, nil},
		{"a byte in the middle", func(l [][]byte) [][]byte { l[4] = bytes.Replace(l[4], []byte("op3"), []byte("op4"), 1); return l }, []string{"changed 5"}},
		{"a byte of the first", func(l [][]byte) [][]byte {
			l[0] = bytes.Replace(l[0], []byte(`"pid":`), []byte(`"pid":1`), 1)
			return l
		}, []string{"changed 1"}},
		{"a byte of the last", func(l [][]byte) [][]byte {
			l[11] = bytes.Replace(l[11], []byte(`"events":`), []byte(`"events":1`), 1)
			return l
		}, []string{"changed 12"}},
		{"a byte of the JSON", func(l [][]byte) [][]byte { l[4][0] = '['; return l }, []string{"unreadable 0"}},
		{"a line ending", func(l [][]byte) [][]byte { l[4][len(l[4])-1] = ' '; return l }, []string{"unreadable 0"}},
		{"a line is removed", func(l [][]byte) [][]byte { return slices.Delete(l, 4, 5) }, []string{"missing 6"}},
		{"three lines are removed", func(l [][]byte) [][]byte { return slices.Delete(l, 4, 7) }, []string{"missing 8"}},
		{"the last line is removed", func(l [][]byte) [][]byte { return l[:11] }, []string{"missing 11"}},
		{"two lines are swapped", func(l [][]byte) [][]byte { l[4], l[5] = l[5], l[4]; return l }, []string{"missing 6", "swapped 5", "missing 7"}},
		{"a line stands twice", func(l [][]byte) [][]byte { return slices.Insert(l, 4, l[4]) }, []string{"swapped 5"}},
		{"the file is cut", func(l [][]byte) [][]byte { l[8] = l[8][:20]; return l[:9] }, []string{"cut_off 0", "missing 8"}},
		{"the file is empty", func([][]byte) [][]byte { return nil }, []string{"missing 0"}},
	} {
		path := filepath.Join(t.TempDir(), "evidence.jsonl")
		copied := make([][]byte, len(lines))
		for i := range lines {
			copied[i] = slices.Clone(lines[i])
		}
		lsptest.WriteFile(t, path, string(bytes.Join(c.change(copied), nil)))
		lsptest.WriteFile(t, headPath(path), string(head))
		if diff := cmp.Diff(c.want, said(verified(t, path).Problems)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A file that has become large is followed by another, with the chain carried over; what is missing
// of the older ones is told.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	for range 6 {
		record(t, Options{Path: path, MaxBytes: 600}, calls(1)...)
	}
	report := verified(t, path)
	if len(report.Files) < 3 || len(report.Problems)+len(report.Notes) > 0 || report.First != 1 || report.Last != report.Records {
		t.Fatalf("%+v", report)
	}
	list := records(t, path)
	if n := len(list); uint64(n) != report.Records || list[n-1].Seq != report.Last {
		t.Errorf("%d records are read of %d", n, report.Records)
	}
	if err := os.Remove(report.Files[0]); err != nil {
		t.Fatal(err)
	}
	after := verified(t, path)
	if kinds := said(after.Notes); len(after.Problems) > 0 || len(kinds) == 0 || !strings.HasPrefix(kinds[0], "earlier ") {
		t.Errorf("%v, %v", after.Problems, after.Notes)
	}
	if err := os.Remove(after.Files[1]); err != nil {
		t.Fatal(err)
	}
	if kinds := said(verified(t, path).Problems); len(kinds) != 1 || !strings.HasPrefix(kinds[0], "missing ") {
		t.Errorf("a file out of the middle is missing: %v", kinds)
	}
}

// Who records does not wait: what does not fit into the queue is counted, and the count is on
// record.
func TestLossIsRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	busy := flock.New(lockPath(path)) // another process, which writes for long
	if err := busy.Lock(); err != nil {
		t.Fatal(err)
	}
	l := Open(Options{Path: path, Queue: 10})
	const recorded = 5000
	for _, e := range calls(recorded) {
		l.Record(Origin{}, e)
	}
	if err := busy.Close(); err != nil {
		t.Fatal(err)
	}
	l.Close(t.Context())
	report, lost, written := verified(t, path), uint64(0), uint64(0)
	for _, r := range records(t, path) {
		e, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case *Loss:
			lost += e.Events
		case *ToolCall:
			written++
		}
	}
	if written+lost != recorded || lost < recorded-maxBatch-10 || len(report.Problems) > 0 {
		t.Errorf("%d are written and %d lost, of %d: %v", written, lost, recorded, report.Problems)
	}
}

// Secrets of the environment are not written, also where they stand within a text or need escapes;
// numbers and names of members stay, and the chain verifies.
func TestSecretsAreHidden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	record(t, Options{Path: path, Secrets: []string{`to"ken\`, "operation", "123456", "short"}},
		&ToolCall{Operation: "operation", Error: `said to"ken\ and 123456`, DurationMS: 123456, Files: []string{"short"}})
	r := records(t, path)[1]
	if want := `{"operation":"(hidden)","files":["short"],"success":false,"error":"said (hidden) and (hidden)","duration_ms":123456}`; string(r.Data) != want {
		t.Errorf("%s", r.Data)
	}
	if report := verified(t, path); len(report.Problems) > 0 {
		t.Error(report.Problems)
	}
}
