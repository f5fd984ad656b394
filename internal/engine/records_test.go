package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/policy"
)

// openRecorded returns an engine over files, whose evidence is in the file that recorded reads.
func openRecorded(t *testing.T, archive string) (e *Engine, recorded func() []evidence.Record) {
	t.Helper()
	cfg, problems := config.Load(config.Options{Environ: []string{"LSPINE_TRUST=always"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	log := evidence.Open(evidence.Options{Path: path})
	e, err := New(Options{Root: lsptest.Workspace(t, archive), Config: cfg, State: t.TempDir(), Evidence: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = e.Close(context.Background())
		log.Close(context.Background())
	})
	return e, func() (all []evidence.Record) {
		t.Helper()
		if err := log.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := evidence.Read(path, func(r *evidence.Record) error { all = append(all, *r); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
}

// decoded are the events of records, with the sessions that they are of.
func decoded(t *testing.T, records []evidence.Record, kind evidence.Kind) (events []evidence.Event, sessions []string) {
	t.Helper()
	for _, r := range records {
		if r.Event != kind {
			continue
		}
		event, err := r.Decode()
		if err != nil {
			t.Fatal(err)
		}
		events, sessions = append(events, event), append(sessions, r.Session)
	}
	return events, sessions
}

// A request that a server is asked outside of a call, or after its call has ended, is on record at once and alone; one
// within a call is when the call ends, with its operation.
func TestRequestsOutsideOfCalls(t *testing.T) {
	e, recorded := openRecorded(t, "-- a.toy --\n")
	x := lsp.Exchange{ID: "toy", Version: "1.2", Root: e.Root(), Method: "hover", Path: filepath.Join(e.Root(), "a.toy"), Bytes: 3, Took: 1240 * time.Microsecond}
	session := api.Call{Session: "s1"}.In(t.Context())
	called := e.forCall(governed{operation: "definition"})
	within, end := called.beginRecord(session)
	e.recordExchange(t.Context(), x)
	e.recordExchange(within, x)
	e.recordExchange(within, x)
	end(nil, errors.New("failed"))
	e.recordExchange(within, x)
	got, sessions := decoded(t, recorded(), evidence.KindQueryBatch)
	alone := func(operation string, count int) *evidence.QueryBatch {
		return &evidence.QueryBatch{
			Server: "toy", Version: "1.2", Root: ".", Operation: operation, Outcome: evidence.Responded, Targets: []string{"a.toy"},
			Queries: []evidence.Query{{Method: "hover", Count: count}}, Bytes: int64(3 * count), DurationMS: map[int]float64{1: 1.2, 2: 2.4}[count],
		}
	}
	if diff := cmp.Diff([]evidence.Event{alone("", 1), alone("definition", 2), alone("", 1)}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"", "s1", "s1"}, sessions); diff != "" {
		t.Error(diff)
	}
	calls, _ := decoded(t, recorded(), evidence.KindToolCall)
	want := []evidence.Event{&evidence.ToolCall{Operation: "definition", Root: e.Root(), ErrorKind: "failed", Error: "failed"}}
	if diff := cmp.Diff(want, calls, cmpopts.IgnoreFields(evidence.ToolCall{}, "DurationMS")); diff != "" {
		t.Error(diff)
	}
	if waiting, none := e.forCall(governed{operation: api.Events.Name}).beginRecord(session); waiting != session {
		t.Error("a call that waits for events is on record")
	} else {
		none(nil, nil)
	}
}

// The files of the requests of a call are listed once each, and at most so many.
func TestTargetsOfRequests(t *testing.T) {
	e, _ := openRecorded(t, "-- a.toy --\n")
	var of []*evidence.QueryBatch
	want := make([]string, 0, maxListed)
	for n := range maxListed + 2 {
		name := fmt.Sprintf("%d.toy", n)
		if len(want) < maxListed {
			want = append(want, name)
		}
		for range 2 {
			of = e.withExchange(of, &lsp.Exchange{ID: "toy", Root: filepath.Join(e.Root(), "sub"), Method: "hover", Path: filepath.Join(e.Root(), name)})
		}
	}
	if len(of) != 1 || of[0].Root != "sub" || of[0].Queries[0].Count != 2*(maxListed+2) {
		t.Fatalf("%+v", of)
	}
	if diff := cmp.Diff(want, of[0].Targets); diff != "" {
		t.Error(diff)
	}
}

// The files that a request names are on record from the root, at most so many; where a symbol may follow, only a file
// that is there is one.
func TestFilesOfACallOnRecord(t *testing.T) {
	e, _ := openRecorded(t, "-- a.toy --\n-- with space.toy --\n-- sub/b.toy --\n")
	base := filepath.Join(e.Root(), "sub")
	named := []string{"b.toy", "../a.toy", "gone.toy", "../with space.toy", "b.toy symbol", filepath.Join(e.Root(), "a.toy")}
	want := []string{"sub/b.toy", "a.toy", "sub/gone.toy", "with space.toy", "a.toy"}
	if diff := cmp.Diff(want, pathsOf(e.workspace, base, named)); diff != "" {
		t.Error(diff)
	}
	var many []string
	for n := range maxListed + 1 {
		many = append(many, fmt.Sprintf("%d.toy", n))
	}
	if diff := cmp.Diff(many[:maxListed], pathsOf(e.workspace, e.Root(), many)); diff != "" {
		t.Error(diff)
	}
}

// What is written is on record with where a file came from and the hashes of its texts: without one before it was made,
// and without one when it is gone.
func TestWritesOnRecord(t *testing.T) {
	e, recorded := openRecorded(t, "-- a.toy --\n")
	in := func(name string) string { return filepath.Join(e.Root(), name) }
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	e.forCall(governed{operation: "rename", origin: evidence.Origin{Session: "s1"}}).recordWritten([]edit.Change{
		{Path: in("a.toy"), Before: []byte("1"), After: []byte("2")},
		{Path: in("made.toy"), Created: true, After: []byte("3")},
		{Path: in("gone.toy"), Deleted: true, Before: []byte("4")},
		{Path: in("there.toy"), From: in("here.toy"), Before: []byte("5"), After: []byte("5")},
	})
	got, sessions := decoded(t, recorded(), evidence.KindEditApplied)
	want := []evidence.Event{&evidence.Applied{Operation: "rename", Files: []evidence.Changed{
		{File: "a.toy", Before: hash("1"), After: hash("2"), Replaced: []evidence.Replaced{{Line: 1, OldLines: 1, NewLines: 1}}},
		{File: "made.toy", After: hash("3"), Replaced: []evidence.Replaced{{Line: 1, NewLines: 1}}},
		{File: "gone.toy", Before: hash("4"), Replaced: []evidence.Replaced{{Line: 1, OldLines: 1}}},
		{File: "there.toy", From: "here.toy", Before: hash("5"), After: hash("5")},
	}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"s1"}, sessions); diff != "" {
		t.Error(diff)
	}
}

// A decision is on record unless a built-in rule allowed the call: then nobody decided anything.
func TestDecisionsOnRecord(t *testing.T) {
	e, recorded := openRecorded(t, "-- a.toy --\n")
	subject := &policy.Subject{Operation: "op"}
	for _, d := range []policy.Decision{
		{Action: policy.Allow}, {Action: policy.Allow, Number: 1, Path: "a.toy", Rule: policy.Rule{Source: "file:1", Reason: "mine"}}, {Action: policy.Deny}, {Action: policy.Ask, Number: 2},
	} {
		e.forCall(governed{class: api.Edit}).recordDecision(t.Context(), subject, &ruling{Decision: d}, "said", d.Number == 1)
		for range 2 { // of a start it is on record once
			e.recordLocked(&inquirer{}, "toy", &verdict{decision: d, allowed: d.Number == 1})
		}
	}
	made := func(class, path, action, said string, allowed bool, rule int, source, reason string) *evidence.Decision {
		return &evidence.Decision{Operation: "op", Class: class, Path: path, Action: action, Said: said, Allowed: allowed, Rule: rule, Source: source, Reason: reason}
	}
	of := func(action string, allowed bool, rule int, source, reason string) *evidence.Decision {
		return &evidence.Decision{Operation: "start_server", Class: "admin", Server: "toy", Action: action, Allowed: allowed, Rule: rule, Source: source, Reason: reason}
	}
	want := []evidence.Event{
		made("edit", "a.toy", "allow", "said", true, 1, "file:1", "mine"), of("allow", true, 1, "file:1", "mine"),
		made("edit", "", "deny", "said", false, 0, "", ""), of("deny", false, 0, "", ""),
		made("edit", "", "ask", "said", false, 2, "", ""),
	}
	got, _ := decoded(t, recorded(), evidence.KindPolicy)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
