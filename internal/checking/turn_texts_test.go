package checking

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// What changed in a turn is what was created, deleted or has another text: compared with the text
// that was kept or committed. What was only written again has not changed.
func TestWhatChangedInATurn(t *testing.T) {
	t.Parallel()
	const archive = lsptest.Project + "-- same.toy --\nsame\n-- gone.toy --\ngone\n-- notes.txt --\none\n-- again.txt --\none\n-- dirty.toy --\none\n"
	for name, c := range map[string]struct {
		versioned bool
		want      map[string]string
	}{
		"in a checkout": {true, map[string]string{"main.toy": "modified", "gone.toy": "deleted", "new.toy": "created", "notes.txt": "modified", "loose.toy": "modified"}},
		"outside":       {false, map[string]string{"main.toy": "modified", "gone.toy": "deleted", "new.toy": "created", "notes.txt": "modified", "again.txt": "modified", "loose.toy": "modified"}},
	} {
		s := openToy(t, lsptest.Script{}, archive)
		write := func(name, text string) {
			path := filepath.Join(s.root, name)
			_ = os.Remove(path) // so that the file has another stamp in any case
			lsptest.WriteFile(t, path, text)
		}
		if c.versioned {
			s.commit()
		}
		write("dirty.toy", "two\n")
		write("loose.toy", "one\n")
		begun, err := s.BeginTurn(t.Context(), api.BeginTurnRequest{})
		if err != nil {
			t.Fatal(err)
		}
		kept := map[bool]int{true: 2, false: 6}[c.versioned]
		if begun.Turn != "t1" || begun.Kept != kept || begun.Began.IsZero() || (begun.Commit != "") != c.versioned {
			t.Errorf("%s: %+v", name, begun)
		}
		for file, text := range map[string]string{"main.toy": "two\n", "same.toy": "same, for now\n", "dirty.toy": "two, for now\n", "new.toy": "new\n", "notes.txt": "two\n", "again.txt": "two, for now\n", "loose.toy": "two, for longer\n"} {
			write(file, text)
		}
		for file, text := range map[string]string{"same.toy": "same\n", "dirty.toy": "two\n", "again.txt": "one\n"} {
			later := s.session.turn.began.Add(3e9)
			write(file, text)
			if err := os.Chtimes(filepath.Join(s.root, file), later, later); err != nil {
				t.Fatal(err)
			}
		}
		s.remove("gone.toy")
		changed, err := s.changedIn(t.Context(), s.session.turn)
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for path, change := range changed {
			got[s.names.Relative(path)] = change
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A turn keeps texts up to a limit, and says how many of them it does not: the text that reaches the
// limit is kept. What cannot be read is not counted.
func TestTextsThatATurnKeeps(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- zero.toy --\n\x00\n-- zone.txt --\nx\n")
	size := int(s.opts.Config.Settings.MaxFileBytes)
	first := filepath.Join(s.root, "a00.toy")
	lsptest.WriteFile(t, first, strings.Repeat("#", size))
	most := maxKept / size
	for i := range most - 1 {
		if err := os.Link(first, filepath.Join(s.root, "a"+strings.Repeat("1", i+1)+".toy")); err != nil {
			t.Fatal(err)
		}
	}
	begun, err := s.BeginTurn(t.Context(), api.BeginTurnRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2 files are not compared with what they are now: no commit has them, and there are too many"}
	if diff := cmp.Diff(want, begun.Notes); diff != "" || begun.Kept != most || maxKept%size != 0 {
		t.Errorf("kept %d of %d bytes each (-want +got):\n%s", begun.Kept, size, diff)
	}
}

// Who leaves while a turn begins or is closed changes nothing: the turn before stays open, and can be
// closed later.
func TestTurnsThatNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	s.commit()
	if _, err := s.BeginTurn(t.Context(), api.BeginTurnRequest{}); err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(s.root, "main.toy"), "use nothing\n")
	left, leave := context.WithCancel(t.Context())
	leave()
	if _, err := s.BeginTurn(left, api.BeginTurnRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("begun: %v", err)
	}
	if _, err := s.CloseTurn(left, api.CloseTurnRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("closed: %v", err)
	}
	answer, err := s.CloseTurn(t.Context(), api.CloseTurnRequest{Turn: "t1", TimeoutMS: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	files := []result.TurnFile{{Path: "main.toy", Change: "modified", Class: "new_errors", Baseline: "head"}}
	want := result.ClosedTurn{Turn: "t1", Class: "new_errors", Outcome: result.TurnSelfCorrect, Round: 1, Limit: s.opts.Config.Settings.SelfCorrectionLimit, Files: files}
	if diff := cmp.Diff(want, answer, cmpopts.IgnoreFields(result.ClosedTurn{}, "Check"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"main.toy"}, paths(answer.Check.Files)); diff != "" || answer.Check.Root != s.root {
		t.Errorf("the check (-want +got):\n%s", diff)
	}
}

// A turn in which only files changed that nobody judges, or none, has an answer without a check.
func TestTurnsWithoutACheck(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	closed := func() result.ClosedTurn {
		t.Helper()
		answer, err := s.CloseTurn(t.Context(), api.CloseTurnRequest{TimeoutMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	begun := func() string {
		t.Helper()
		begun, err := s.BeginTurn(t.Context(), api.BeginTurnRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return begun.Turn
	}
	limit := s.opts.Config.Settings.SelfCorrectionLimit
	want := result.ClosedTurn{
		Turn: begun(), Class: "clean", Outcome: result.TurnClosed, Limit: limit, Files: []result.TurnFile{}, Check: result.Check{Root: s.root, Verdict: "clean", Files: []result.File{}},
	}
	epoch := cmpopts.IgnoreFields(result.Check{}, "Epoch")
	if diff := cmp.Diff(want, closed(), epoch); diff != "" {
		t.Errorf("nothing changed (-want +got):\n%s", diff)
	}
	want.Turn, want.Class, want.Check.Verdict = begun(), "lsp_unavailable", "lsp_unavailable"
	want.Notes, want.Files = []string{"no server judges the files that changed"}, []result.TurnFile{{Path: "notes.txt", Change: "created"}}
	lsptest.WriteFile(t, filepath.Join(s.root, "notes.txt"), "x")
	if diff := cmp.Diff(want, closed(), epoch); diff != "" {
		t.Errorf("notes changed (-want +got):\n%s", diff)
	}
}

// Judged are the files that some server judges, even if it is not there, those that configure
// projects, and data that a file of a known language imports, as long as it does.
func TestFilesThatAreJudged(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{}.Definition(t)
	d.Reads = []string{".mts"} // or nobody reads what imports data
	s := open(t, lsptest.Project+"-- user.mts --\nimport d from \"./data.json\";\n-- data.json --\n{}\n-- other.json --\n{}\n", registry.Table{d})
	got, isJudged := make(map[string]bool), s.judging(t.Context())
	for _, name := range []string{"main.toy", "never.toy", "notes.txt", "tsconfig.json", "data.json", "other.json"} {
		got[name] = isJudged(filepath.Join(s.root, name))
	}
	want := map[string]bool{"main.toy": true, "never.toy": true, "notes.txt": false, "tsconfig.json": true, "data.json": true, "other.json": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
