//go:build unix

package edit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// Variables that make the test binary a child: its root and journal, and the
// step at which it kills itself or, with writerName, what it writes.
const (
	childRoot    = "LSPINE_EDIT_CHILD_ROOT"
	childJournal = "LSPINE_EDIT_CHILD_JOURNAL"
	childKill    = "LSPINE_EDIT_CHILD_KILL"
	childWriter  = "LSPINE_EDIT_CHILD_WRITER"
	childSingle  = "LSPINE_EDIT_CHILD_SINGLE"
	childTrial   = "LSPINE_EDIT_CHILD_TRIAL"
	childSteps   = "LSPINE_EDIT_CHILD_STEPS"
)

func TestMain(m *testing.M) {
	if os.Getenv(childRoot) != "" {
		if err := child(os.Getenv(childRoot), os.Getenv(childJournal)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child commits a plan and is killed on the way, or writes all files of a tree
// again and again.
func child(root, journal string) error {
	if writer := os.Getenv(childWriter); writer != "" {
		return writeAll(root, journal, writer, 15)
	}
	kill, err := strconv.ParseInt(os.Getenv(childKill), 10, 64)
	if err != nil {
		return err
	}
	var steps atomic.Int64
	c := &committer{before: func(string, string) error {
		if steps.Add(1) == kill {
			return errors.Join(syscall.Kill(os.Getpid(), syscall.SIGKILL), errors.New("still alive"))
		}
		return nil
	}}
	plan := planFive
	if os.Getenv(childSingle) != "" {
		plan = planOne
	}
	if os.Getenv(childSteps) != "" {
		plan = planSteps
	}
	if os.Getenv(childTrial) == "" {
		return c.commit(context.Background(), plan(inChild{}, root), journal)
	}
	c.keeps = true
	trial, err := c.try(context.Background(), plan(inChild{}, root), journal)
	if err != nil {
		return err
	}
	return trial.TakeBack()
}

// inChild stands for a test where there is none.
type inChild struct{ testing.TB }

func (inChild) Helper()           {}
func (inChild) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func planOne(t testing.TB, root string) *Plan {
	p := planIn(t, root)
	if err := p.Write("a.sh", "1\n"); err != nil {
		t.Fatal(err)
	}
	return p
}

func runChild(t *testing.T, root, journal string, env ...string) (killed bool) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(append(os.Environ(), childRoot+"="+root, childJournal+"="+journal), env...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return false
}

// Killed at any step, a commit leaves a tree that a recovery makes exactly what
// it was before or exactly what it was to be; a second recovery finds nothing.
func TestKilledAtEachStep(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   string
		after map[string]string
		least int
	}{
		{"five files", "", fiveAfter, 40},
		{"one file", childSingle + "=1", nil, 8},
		{"ten files in steps", childSteps + "=1", stepsAfter(), 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			befores, afters := 0, 0
			for step := 1; ; step++ {
				root, journal := putFive(t), t.TempDir()
				before := withoutFolders(seen(t, root))
				after := c.after
				if after == nil {
					after = withoutFolders(seen(t, root))
					after["a.sh"] = "-rwxr-x--x 1\n"
				}
				if !runChild(t, root, journal, childKill+"="+strconv.Itoa(step), c.env) {
					if d := cmp.Diff(after, withoutFolders(seen(t, root))); d != "" {
						t.Error(d)
					}
					break
				}
				report, err := Recover(t.Context(), journal, root)
				if err != nil || len(report.Changed) > 0 {
					t.Errorf("step %d: %+v, %v", step, report, err)
				}
				now := withoutFolders(seen(t, root))
				switch isBefore, isAfter := cmp.Equal(before, now), cmp.Equal(after, now); {
				case isBefore:
					befores++
				case isAfter:
					afters++
				default:
					t.Errorf("step %d: neither before nor after: %s", step, cmp.Diff(before, now))
				}
				if left := seen(t, journal); len(left) != 2 {
					t.Errorf("step %d: the journal folder has %q", step, left)
				}
				if again, err := Recover(t.Context(), journal, root); err != nil || len(again.Undone)+len(again.Finished) > 0 {
					t.Errorf("step %d again: %+v, %v", step, again, err)
				}
			}
			if befores+afters < c.least || afters == 0 || befores == 0 {
				t.Errorf("%d before and %d after", befores, afters)
			}
		})
	}
}

// Killed at any step, a trial that is taken back leaves a tree that a recovery makes what
// it was before or, between its end and the decision to take it back, what it was to be.
func TestTrialKilledAtEachStep(t *testing.T) {
	for name, env := range map[string]string{"five": childTrial + "=1", "one": childSingle + "=1"} {
		befores, afters := 0, 0
		for step := 1; ; step++ {
			root, journal := putFive(t), t.TempDir()
			before := withoutFolders(seen(t, root))
			after := map[string]map[string]string{"five": fiveAfter, "one": withA(before)}[name]
			killed := runChild(t, root, journal, childKill+"="+strconv.Itoa(step), env, childTrial+"=1")
			if _, err := Recover(t.Context(), journal, root); err != nil {
				t.Errorf("step %d: %v", step, err)
			}
			now := withoutFolders(seen(t, root))
			switch {
			case cmp.Equal(before, now):
				befores++
			case killed && cmp.Equal(after, now):
				afters++
			default:
				t.Errorf("%s, step %d: %s", name, step, cmp.Diff(before, now))
			}
			if left := seen(t, journal); len(left) != 2 {
				t.Errorf("%s, step %d: the journal folder has %q", name, step, left)
			}
			if !killed {
				break
			}
		}
		if afters != 1 || befores < 10 {
			t.Errorf("%s: %d before and %d after", name, befores, afters)
		}
	}
}

// stepOf returns at which step of a commit of planFive something is done first
// or, of several, last.
func stepOf(t *testing.T, name string) int {
	t.Helper()
	var mu sync.Mutex
	n, found := 0, 0
	c := &committer{before: func(step, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if n++; step == name {
			found = n
		}
		return nil
	}}
	root := putFive(t)
	if err := c.commit(t.Context(), planFive(t, root), t.TempDir()); err != nil || found == 0 {
		t.Fatal(err, found)
	}
	return found
}

// Files that somebody wrote after a crash are left alone: the report names them,
// and what they were before the commit is kept beside the journal. All others go
// back.
func TestRecoveryLeavesWhatOthersWrote(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	before := withoutFolders(seen(t, root))
	if !runChild(t, root, journal, childKill+"="+strconv.Itoa(stepOf(t, "mark "+decided))) {
		t.Fatal("the child lives")
	}
	a, c, made := filepath.Join(root, "a.sh"), filepath.Join(root, "c.txt"), filepath.Join(root, "made", "new.txt")
	for _, path := range []string{a, c, made} {
		if err := os.WriteFile(path, []byte("mine\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, err := Recover(t.Context(), journal, root)
	if err != nil || len(report.Changed) != 3 {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, f := range report.Changed {
		kept := map[string]string{a: "one\n", c: "gone\n", made: ""}[f.Path]
		if content, err := os.ReadFile(f.Kept); kept != "" && (err != nil || string(content) != kept) || kept == "" && f.Kept != "" {
			t.Errorf("%+v: %q, %v", f, content, err)
		}
	}
	before["a.sh"], before["c.txt"] = "-rwxr-x--x mine\n", "-rw-r--r-- mine\n"
	before["made"], before["made/new.txt"] = "", "-rw-r--r-- mine\n"
	if d := cmp.Diff(before, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
}

// A crash before any file is moved has nothing to do with what others write
// afterwards: the report does not speak of it.
func TestRecoveryOfPreparations(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	if !runChild(t, root, journal, childKill+"="+strconv.Itoa(stepOf(t, "make folder")+1)) {
		t.Fatal("the child lives")
	}
	if err := os.WriteFile(filepath.Join(root, "a.sh"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := withoutFolders(seen(t, root))
	for path := range want {
		if strings.HasPrefix(path, "made") || strings.HasPrefix(path, "right") || strings.Contains(path, tempPrefix) {
			delete(want, path)
		}
	}
	if report, err := Recover(t.Context(), journal, root); err != nil || len(report.Changed)+len(report.Undone)+len(report.Finished) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if d := cmp.Diff(want, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
}

// The owner of a file is kept, where this process may give it away.
func TestOwnerIsKept(t *testing.T) {
	root := put(t, map[string]string{"a": "a\n", "b": "b\n"})
	const somebody = 12345
	for _, name := range []string{"a", "b"} {
		if err := os.Chown(filepath.Join(root, name), somebody, somebody); err != nil {
			t.Skip("only root gives files away: ", err)
		}
	}
	p := planIn(t, root)
	if err := errors.Join(p.Write("a", "A\n"), p.Rename("b", "c", Existing{}), Commit(t.Context(), p, t.TempDir())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "c"} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != somebody || st.Gid != somebody {
			t.Errorf("%s is of %d:%d", name, st.Uid, st.Gid)
		}
	}
}

// A commit recovers what a dead process left before it looks at files, and says
// so instead of going on with what it read. Journals of other roots stay.
func TestCommitRecoversFirst(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	before := seen(t, root)
	if !runChild(t, root, journal, childKill+"="+strconv.Itoa(stepOf(t, "mark "+decided))) {
		t.Fatal("the child lives")
	}
	if report, err := Recover(t.Context(), journal, t.TempDir()); err != nil || len(report.Undone) > 0 {
		t.Errorf("of another root: %+v, %v", report, err)
	}
	p := planIn(t, root)
	if _, err := p.Replace("a.sh", "1", "2", false); err != nil {
		t.Fatal(err)
	}
	err := Commit(t.Context(), p, journal)
	var unfinished *UnfinishedError
	if !errors.As(err, &unfinished) || !strings.Contains(err.Error(), "a.sh") {
		t.Error(err)
	}
	if d := cmp.Diff(before, seen(t, root)); d != "" {
		t.Error(d)
	}
	if err := Commit(t.Context(), planFive(t, root), journal); err != nil {
		t.Error(err)
	}
}

// writeAll sets each file of the tree to lines of its own, times times; a
// conflict is tried again.
func writeAll(root, journal, writer string, times int) error {
	tree, err := NewTree(1<<20, root)
	if err != nil {
		return err
	}
	for i := 0; i < times; {
		p := NewPlan(tree)
		for _, name := range []string{"a", "b", "c"} {
			if err := p.Write(name, strings.Repeat(fmt.Sprintf("%s %d\n", writer, i), 2000)); err != nil {
				return err
			}
		}
		var conflict *ConflictError
		switch err := Commit(context.Background(), p, journal); {
		case errors.As(err, &conflict):
		case err != nil:
			return err
		default:
			i++
		}
	}
	return nil
}

// Two processes, each with two goroutines, that write the same three files at
// once: who looks while none writes finds all three of one writer, whole.
func TestWritersDoNotMix(t *testing.T) {
	root, journal := put(t, map[string]string{"a": "0\n", "b": "0\n", "c": "0\n"}), t.TempDir()
	var all sync.WaitGroup
	for _, name := range []string{"p1", "p2"} {
		all.Go(func() { runChild(t, root, journal, childWriter+"="+name) })
	}
	for _, name := range []string{"g1", "g2"} {
		all.Go(func() {
			if err := writeAll(root, journal, name, 15); err != nil {
				t.Error(err)
			}
		})
	}
	all.Go(func() {
		for range 30 {
			unlock, err := lock(t.Context(), journal)
			if err != nil {
				t.Error(err)
				return
			}
			if err := ofOneWriter(root); err != nil {
				t.Error(err)
			}
			unlock()
		}
	})
	all.Wait()
	if err := ofOneWriter(root); err != nil {
		t.Error(err)
	}
}

func ofOneWriter(root string) error {
	lines := make(map[string]bool)
	for _, name := range []string{"a", "b", "c"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(content)) {
			lines[line] = true
		}
	}
	if len(lines) != 1 {
		return fmt.Errorf("a mix: %v", lines)
	}
	return nil
}
