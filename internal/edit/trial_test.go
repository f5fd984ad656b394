package edit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// plans are a plan of every kind of change, and one of one file, which a commit
// replaces at once.
var plans = map[string]func(testing.TB, string) *Plan{
	"five": planFive,
	"one": func(t testing.TB, root string) *Plan {
		p := planIn(t, root)
		if err := p.Write("a.sh", "1\n"); err != nil {
			t.Fatal(err)
		}
		return p
	},
}

// A trial that is kept is a commit; one that is taken back leaves everything as it was:
// contents, modes, folders, the very files. Only the times of the changed files are new,
// so that a build that saw the edit builds again. Neither leaves anything beside.
func TestTrial(t *testing.T) {
	for name, plan := range plans {
		for _, kept := range []bool{false, true} {
			root, journal := putFive(t), t.TempDir()
			path := filepath.Join(root, "a.sh")
			long := time.Now().Add(-time.Hour)
			was, err := os.Stat(path)
			if err := errors.Join(err, os.Chtimes(path, long, long), os.Chtimes(filepath.Join(root, "c.txt"), long, long)); err != nil {
				t.Fatal(err)
			}
			want := seen(t, root)
			trial, err := Try(t.Context(), plan(t, root), journal)
			if err != nil {
				t.Fatal(err)
			}
			if text := seen(t, root)["a.sh"]; text != mode("-rwxr-x--x")+" 1\n" {
				t.Errorf("%s on trial: %q", name, text)
			}
			if kept {
				trial.Keep()
				want = map[string]map[string]string{"five": fiveAfter, "one": withA(want)}[name]
			} else if err := trial.TakeBack(); err != nil {
				t.Error(err)
			}
			now := seen(t, root)
			if kept {
				now = withoutFolders(now)
			}
			if d := cmp.Diff(want, now); d != "" {
				t.Errorf("%s, kept %t: %s", name, kept, d)
			}
			if left := seen(t, journal); len(left) != 2 {
				t.Errorf("the journal folder has %q", left)
			}
			if info, err := os.Stat(path); err != nil || !kept && !os.SameFile(info, was) || time.Since(info.ModTime()) > time.Minute {
				t.Errorf("%s, kept %t: %v %v", name, kept, info.ModTime(), err)
			}
			if info, err := os.Stat(filepath.Join(root, "c.txt")); name == "five" && !kept && (err != nil || time.Since(info.ModTime()) > time.Minute) {
				t.Errorf("the file that came back: %v %v", info, err)
			}
			if err := Commit(t.Context(), plans["one"](t, putFive(t)), journal); err != nil { // nobody holds it
				t.Error(err)
			}
		}
	}
}

// withA returns a tree in which a.sh is as the plans make it.
func withA(all map[string]string) map[string]string {
	all = withoutFolders(all)
	all["a.sh"] = mode("-rwxr-x--x") + " 1\n"
	return all
}

// What somebody else wrote, made or deleted while an edit was on trial is not
// overwritten: the error names it, and where the text from before is. All others go back.
func TestTakingBackLeavesWhatOthersWrote(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	want := withoutFolders(seen(t, root))
	trial, err := Try(t.Context(), planFive(t, root), journal)
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(root, name) }
	if err := errors.Join(os.WriteFile(in("a.sh"), []byte("mine\n"), 0o600), os.WriteFile(in("c.txt"), []byte("mine\n"), 0o600), os.Remove(in("sub/b.txt"))); err != nil {
		t.Fatal(err)
	}
	var torn *TornError
	if err := trial.TakeBack(); !errors.As(err, &torn) || !strings.Contains(err.Error(), "is not wanted") {
		t.Fatal(err)
	}
	kept := make(map[string]string)
	for _, s := range torn.States {
		if s.State == StateForeign {
			text, err := os.ReadFile(s.Backup)
			if err != nil {
				t.Error(err)
			}
			kept[filepath.Base(s.Path)] = string(text)
		} else if s.State != StateBefore {
			t.Errorf("%+v", s)
		}
	}
	if d := cmp.Diff(map[string]string{"a.sh": "one\n", "c.txt": "gone\n", "b.txt": "one\r\ntwo\r\n"}, kept); d != "" {
		t.Error(d)
	}
	want["a.sh"], want["c.txt"] = mode("-rwxr-x--x")+" mine\n", mode("-rw-------")+" mine\n"
	delete(want, "sub/b.txt")
	if d := cmp.Diff(want, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
}

// Whatever step of taking back fails, the error says what is where, and a recovery makes
// the tree from before; only where it could not begin the whole edit stands.
func TestFailureAtEachStepOfTakingBack(t *testing.T) {
	for _, all := range []bool{false, true} {
		failures := 0
		for n := int64(1); ; n++ {
			root, journal := putFive(t), t.TempDir()
			before := withoutFolders(seen(t, root))
			c := &committer{keeps: true}
			trial, err := c.try(t.Context(), planFive(t, root), journal)
			if err != nil {
				t.Fatal(err)
			}
			fails, steps := failing(n, all, syscall.EIO)
			c.before = func(step, path string) error {
				if step == "remove folder" { // it would only stay, empty
					return nil
				}
				return fails.before(step, path)
			}
			err = trial.TakeBack()
			if err == nil && n > steps.Load() {
				break
			}
			if n == 1 {
				before = fiveAfter
			}
			if torn := (*TornError)(nil); errors.As(err, &torn) {
				failures++
			} else if n == 1 {
				t.Errorf("the edit stands, and nobody says so: %v", err)
			}
			if left := seen(t, journal); n == 1 && !all && len(left) != 2 {
				t.Errorf("it stands, and the journal folder has %q", left)
			}
			if _, err := Recover(t.Context(), journal, root); err != nil {
				t.Errorf("step %d: %v", n, err)
			}
			if d := cmp.Diff(before, withoutFolders(seen(t, root))); d != "" {
				t.Errorf("step %d, %v: %s", n, err, d)
			}
		}
		if failures < 7 {
			t.Errorf("%d failures", failures)
		}
	}
}

// While an edit is on trial nobody else can commit to the tree, but to another.
func TestTrialsKeepOthersAway(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	trial, err := Try(t.Context(), plans["one"](t, root), journal)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := Commit(ctx, plans["one"](t, putFive(t)), journal); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := Commit(t.Context(), plans["one"](t, putFive(t)), t.TempDir()); err != nil {
		t.Error(err)
	}
	trial.Keep()
}

// A trial that cannot be begun changes nothing.
func TestTrialThatCannotBegin(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	plan := planFive(t, root)
	if err := os.WriteFile(filepath.Join(root, "a.sh"), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := seen(t, root)
	_, err := Try(t.Context(), plan, journal)
	if conflict := (*ConflictError)(nil); !errors.As(err, &conflict) {
		t.Error(err)
	}
	if d := cmp.Diff(want, seen(t, root)); d != "" {
		t.Error(d)
	}
	if err := Commit(t.Context(), plans["one"](t, root), journal); err != nil {
		t.Error(err)
	}
}
