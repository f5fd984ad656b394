package checking_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// versioned opens an engine over a committed project of the toy language.
func versioned(t *testing.T, archive string) *enginetest.Shop {
	t.Helper()
	s := enginetest.OpenToy(t, lsptest.Script{}, archive)
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("commit", "-q", "-m", "one")
	return s
}

func begin(t *testing.T, s *enginetest.Shop) result.Turn {
	t.Helper()
	return enginetest.Do(t, s, api.BeginTurn, api.BeginTurnRequest{})
}

func closeIt(t *testing.T, s *enginetest.Shop) result.ClosedTurn {
	t.Helper()
	return enginetest.Do(t, s, api.CloseTurn, api.CloseTurnRequest{TimeoutMS: 20_000})
}

// A turn is also judged by a file that got the time back that it had when the turn began, with another text of the same size.
func TestTurnFindsWhatGotItsTimeBack(t *testing.T) {
	t.Parallel()
	lsptest.NeedTimesOfChange(t)
	s := versioned(t, "-- toy.root --\n-- lib.toy --\ndef one\n-- main.toy --\nuse one\n")
	long := time.Now().Add(-time.Hour)
	back := func() {
		t.Helper()
		if err := os.Chtimes(filepath.Join(s.Folder, "main.toy"), long, long); err != nil {
			t.Fatal(err)
		}
	}
	back()
	begin(t, s)
	lsptest.Tick(t)
	s.Write("main.toy", "use two\n")
	back()
	got := closeIt(t, s)
	if diff := cmp.Diff([]result.TurnFile{{Path: "main.toy", Change: "modified", Class: "new_errors", Baseline: "head"}}, got.Files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A turn is judged by everything that changed in it, by whatever means: files that it created,
// changed and deleted, and those that this broke. Each is compared with its state when the turn
// began, so earlier errors and changes do not count. Files that no server judges are listed, and a
// file that was only touched is not.
//
// Requirement: INV-LSP-006, LSP-004, SYN-14.
func TestTurn(t *testing.T) {
	t.Parallel()
	s := versioned(t, "-- toy.root --\n-- lib.toy --\ndef helper\ndef spare\n-- main.toy --\nuse helper\n-- old.toy --\nuse nothing\n-- dirty.toy --\ndef dirty\n-- same.toy --\ndef same\n-- gone.toy --\ndef gone\n-- user.toy --\nuse gone\n")
	s.Write("dirty.toy", "def dirty\nuse before\n")
	s.Write("loose.toy", "use loose\n")
	begun := begin(t, s)
	if begun.Turn != "t1" || begun.Commit == "" || begun.Files != 9 || begun.Kept != 2 || begun.Notes != nil {
		t.Errorf("%+v", begun)
	}
	s.Write("main.toy", "use helper\nuse spare\n")
	s.Write("dirty.toy", "def dirty\nuse before\nuse helper\n")
	s.Write("new.toy", "use helper\n")
	s.Write("same.toy", "def other\n")
	s.Write("same.toy", "def same\n")
	s.Write("notes.txt", "hello\n")
	got := closeIt(t, s)
	want := []result.TurnFile{
		{Path: "dirty.toy", Change: "modified", Class: "baseline_error", Baseline: "before"},
		{Path: "main.toy", Change: "modified", Class: "clean", Baseline: "head"},
		{Path: "new.toy", Change: "created", Class: "clean", Baseline: "head"},
		{Path: "notes.txt", Change: "created"},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" || got.Outcome != result.TurnClosed || got.Class != result.BaselineError || got.Turn != "t1" || got.Round != 0 {
		t.Errorf("%+v\n%s", got, diff)
	}
	begin(t, s)
	s.Remove("gone.toy")
	got = closeIt(t, s)
	want = []result.TurnFile{{Path: "gone.toy", Change: "deleted"}}
	if diff := cmp.Diff(want, got.Files); diff != "" || got.Class != result.NewErrors || got.Outcome != result.TurnSelfCorrect || len(got.Check.Others) != 1 || got.Check.Others[0].Path != "user.toy" {
		t.Errorf("%+v\n%s", got, diff)
	}
	if len(got.Items) == 0 || got.Items[0].Kind != result.ContextDiagnostics || got.Items[0].Text != "user.toy: 1 finding\n  error 1:5 undefined: gone\n" || got.Items[0].Record.Server != "toy" {
		t.Errorf("%+v", got.Items)
	}
}

// Errors introduced in a turn are reported back to its model as often as is allowed, even if an
// answer has reported them already; after that, a person is to decide. Once they are fixed, the
// turn is over.
//
// Requirement: SYN-15, SYN-16.
func TestSelfCorrectionOfATurn(t *testing.T) {
	t.Parallel()
	s := versioned(t, lsptest.Project)
	begin(t, s)
	write := func(text string) { // by a tool, which tells of the errors
		t.Helper()
		enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "main.toy", Content: &text}}})
	}
	write("use helper\nuse one\n")
	type round struct {
		Outcome, Class string
		Round, Limit   int
		New            int
	}
	closed := func() round {
		t.Helper()
		got := closeIt(t, s)
		fresh := 0
		for _, f := range got.Check.Files {
			for _, d := range f.Diagnostics {
				if d.New {
					fresh++
				}
			}
		}
		return round{got.Outcome, got.Class, got.Round, got.Limit, fresh}
	}
	if diff := cmp.Diff(round{"self_correct", "new_errors", 1, 2, 1}, closed()); diff != "" {
		t.Error(diff)
	}
	write("use helper\nuse two\nuse three\n")
	if diff := cmp.Diff(round{"self_correct", "new_errors", 2, 2, 2}, closed()); diff != "" {
		t.Error(diff)
	}
	write("use helper\n")
	if diff := cmp.Diff(round{"closed", "clean", 2, 2, 0}, closed()); diff != "" {
		t.Error(diff)
	}
	begin(t, s)
	s.Write("main.toy", "use one\n")
	for i, outcome := range []string{"self_correct", "self_correct", "escalate"} {
		if diff := cmp.Diff(round{outcome, "new_errors", i + 1, 2, 1}, closed()); diff != "" {
			t.Error(diff)
		}
	}
	_, err := api.CloseTurn.Do(t.Context(), s, api.CloseTurnRequest{})
	var none *api.ArgumentError
	if !errors.As(err, &none) || none.Argument != "turn" || none.Reason != "no turn is open in this session" {
		t.Errorf("it is over: %v", err)
	}
}

// A turn in which nothing can be judged says so and is over; one in which nothing changed is clean.
// Files are compared with their earlier texts even outside a checkout. A session has one turn at a
// time, which is its own.
//
// Requirement: INV-LSP-005, LSP-FH-006.
func TestTurnWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	if begun := begin(t, s); begun.Commit != "" || begun.Kept != 2 {
		t.Errorf("%+v", begun)
	}
	if got := closeIt(t, s); got.Class != result.Clean || got.Outcome != result.TurnClosed || len(got.Files) != 0 {
		t.Errorf("nothing changed: %+v", got)
	}
	begin(t, s)
	if again := begin(t, s); again.Turn != "t3" || len(again.Notes) != 1 || !strings.Contains(again.Notes[0], "t2 was not closed") {
		t.Errorf("%+v", again)
	}
	other := api.Call{Session: "other"}.In(t.Context())
	if _, err := api.CloseTurn.Do(other, s, api.CloseTurnRequest{}); result.ErrorOf(err).Kind != result.Failed && err == nil {
		t.Error("another session closed it")
	}
	s.Write("main.toy", "use helper\nuse other\n")
	s.Write("new.toy", "use new\n")
	got := closeIt(t, s)
	want := []result.TurnFile{{Path: "main.toy", Change: "modified", Class: "new_errors", Baseline: "before"}, {Path: "new.toy", Change: "created", Class: "new_errors", Baseline: "before"}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	texts := versioned(t, lsptest.Project)
	begin(t, texts)
	texts.Write("notes.txt", "hello\n")
	if got := closeIt(t, texts); got.Class != result.LSPUnavailable || got.Outcome != result.TurnClosed || len(got.Files) != 1 || got.Files[0].Class != "" || len(got.Notes) != 1 {
		t.Errorf("no server judges it: %+v", got)
	}
	dead := enginetest.OpenToy(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Crash(1))}}, lsptest.Project)
	begin(t, dead)
	dead.Write("main.toy", "use other\n")
	got = closeIt(t, dead)
	if len(got.Files) != 1 || got.Files[0].Class != result.LSPUnavailable || got.Files[0].Reason == "" || got.Class != result.LSPUnavailable || got.Outcome != result.TurnClosed || len(got.Items) != 0 {
		t.Errorf("no server is there: %+v", got)
	}
}

// A file is looked at again because the session was told that it is broken. If it is as it was before, an old error in it decides
// no verdict: asked again, when nothing is left to tell of it, the answer is the same.
func TestFilesThatDidNotChangeDecideNoVerdict(t *testing.T) {
	t.Parallel()
	s := versioned(t, "-- toy.root --\n-- old.toy --\nuse nothing\n")
	verdict := func() string {
		t.Helper()
		return s.Check(api.CheckRequest{TimeoutMS: 60_000}).Verdict
	}
	if got := verdict(); got != "clean" {
		t.Errorf("before anything changed: %s", got)
	}
	s.Write("old.toy", "use nothing\nuse missing\n")
	broken := verdict()
	s.Git("checkout", "-q", ".")
	back := s.Check(api.CheckRequest{TimeoutMS: 60_000})
	if diff := cmp.Diff([]string{"new_errors", "clean", "clean"}, []string{broken, back.Verdict, verdict()}); diff != "" {
		t.Errorf("broken, taken back, asked again (-want +got):\n%s", diff)
	}
	if len(back.Files) != 1 || len(back.Files[0].Fixed) != 1 {
		t.Errorf("what was fixed is not told: %+v", back.Files)
	}
}
