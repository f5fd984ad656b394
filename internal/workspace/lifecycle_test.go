package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

const patience = time.Minute

// only returns the one candidate for a file.
func only(t *testing.T, w *Workspace, name string) roots.Candidate {
	t.Helper()
	found := w.Candidates(filepath.Join(w.Root(), name))
	if len(found) != 1 || found[0].Unavailable != nil {
		t.Fatalf("candidates for %s: %+v", name, found)
	}
	return found[0]
}

// starts counts how often a server with a journal was asked to initialize.
func starts(t *testing.T, journal string) (n int) {
	for _, e := range lsptest.ReadJournal(t, journal) {
		if e.Method == "initialize" {
			n++
		}
	}
	return n
}

// Nothing is started before it is asked for; all who ask at once get the one
// server that is started for them.
func TestOneStartForAll(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Delay(50))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	if alive := lsptest.Marked(t, lsptest.Marker(d)); len(alive) > 0 || w.Statuses()[0].Starts != 0 {
		t.Errorf("started unasked: %v", alive)
	}
	servers := make([]*lsp.Server, 20)
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			var err error
			if servers[i], err = w.Server(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, s := range servers {
		if s == nil || s != servers[0] {
			t.Fatal("they got different servers")
		}
	}
	if n := starts(t, journal); n != 1 {
		t.Errorf("%d starts", n)
	}
	if s := w.Statuses()[0]; s.State != roots.Active || s.Starts != 1 || s.Info.Name != "toy" {
		t.Errorf("status %+v", s)
	}
}

// A start that fails fails for all who wait, with the same reason; after as
// many as are allowed nothing is tried again.
func TestFailedStartIsShared(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{
		lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(7)),
	}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			_, err := w.Server(t.Context(), c)
			var failed *lsp.ServerError
			var broken *roots.UnavailableError
			if !errors.As(err, &failed) && !errors.As(err, &broken) || !strings.Contains(err.Error(), "no licence") {
				t.Errorf("error %v", err)
			}
		})
	}
	all.Wait()
	_, err := w.Server(t.Context(), c)
	var broken *roots.UnavailableError
	if !errors.As(err, &broken) || broken.State != roots.Broken || !strings.Contains(broken.Reason, "exited with code 7") {
		t.Errorf("error %v", err)
	}
	if n := starts(t, journal); n != 1 {
		t.Errorf("%d starts", n)
	}
}

// A restart waits for its delay, by the workspace's clock.
func TestRestartDelay(t *testing.T) {
	for crashes, want := range map[int]time.Duration{1: 200 * time.Millisecond, 2: 400 * time.Millisecond, 50: 6400 * time.Millisecond} {
		if got := restartDelay(crashes); got != want {
			t.Errorf("after %d crashes %v, want %v", crashes, got, want)
		}
	}
	now := time.Now()
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.Crash(1))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{
		Servers: registry.Table{d}, MaxRestarts: 5, Now: func() time.Time { return now },
	})
	c := only(t, w, "a.toy")
	for range 3 {
		s, err := w.Server(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		_ = s.Barrier(t.Context(), "textDocument/foldingRange", "/a.toy")
		<-s.Done()
		if state := w.Statuses()[0]; state.State != roots.Stopped || !strings.Contains(state.Reason, "exited with code 1") {
			t.Errorf("status %+v", state)
		}
		i := w.instance(c.Key())
		if want := now.Add(restartDelay(i.crashes)); !i.notBefore.Equal(want) {
			t.Errorf("not before %v, want %v", i.notBefore, want)
		}
		now = now.Add(time.Minute) // so that nobody waits
	}
}

// The crash of one server leaves the others working.
//
// Requirement: LSP-005.
func TestOthersOutliveACrash(t *testing.T) {
	bad := lsptest.Script{ID: "bad", Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.Kill())}}.Definition(t)
	good := lsptest.Script{ID: "good"}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{bad, good}})
	for _, c := range w.Candidates(filepath.Join(w.Root(), "a.toy")) {
		s, err := w.Server(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Barrier(t.Context(), "textDocument/foldingRange", "/a.toy")
		if (err == nil) != (c.Definition.ID == "good") {
			t.Errorf("%s: %v", c.Definition.ID, err)
		}
	}
	statuses := w.Statuses()
	if statuses[0].State != roots.Broken || statuses[1].State != roots.Active {
		t.Errorf("statuses %+v", statuses)
	}
	if running := w.running(); len(running) != 1 || running[0].Definition().ID != "good" {
		t.Errorf("running: %d", len(running))
	}
}

// Who gives up waiting for a start does not end it: the next one uses it.
func TestStartOutlivesItsRequest(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{
		JournalFile: journal, NoWatch: true,
		Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Delay(200))},
	}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { _, err := w.Server(ctx, c); failed <- err }()
	lsptest.Eventually(t, patience, func() bool { return starts(t, journal) == 1 }, "the start")
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if s, err := w.Server(t.Context(), c); err != nil || s.Info().Name != "toy" {
		t.Errorf("the next request: %v", err)
	}
	if n := starts(t, journal); n != 1 {
		t.Errorf("%d starts", n)
	}
}

// Closing the workspace in the middle of a start leaves nothing, and nothing
// starts after it.
func TestCloseDuringAStart(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal, IgnoreTerm: true, IgnoreEOF: true, Rules: []lsptest.Rule{
		lsptest.On("initialize", lsptest.Hang()),
	}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	failed := make(chan error, 1)
	go func() { _, err := w.Server(t.Context(), c); failed <- err }()
	lsptest.Eventually(t, patience, func() bool { return starts(t, journal) == 1 }, "the start")
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-failed; err == nil {
		t.Error("the start succeeded")
	}
	if left := lsptest.Marked(t, lsptest.Marker(d)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := w.Server(t.Context(), c); err == nil {
		t.Error("a closed workspace starts a server")
	}
	if n := starts(t, journal); n != 1 {
		t.Errorf("%d starts", n)
	}
}

// A start that takes longer than it may is given up, and its process killed.
func TestStartTimeout(t *testing.T) {
	d := lsptest.Script{IgnoreTerm: true, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stall())}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}, StartTimeout: 300 * time.Millisecond})
	_, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if left := lsptest.Marked(t, lsptest.Marker(d)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Each root has a server of its own, which knows that root alone.
func TestTwoRootsTwoServers(t *testing.T) {
	d := lsptest.Script{}.Definition(t)
	w := open(t, "-- one/toy.root --\n-- one/a.toy --\n-- two/toy.root --\n-- two/deep/a.toy --\n", Options{Servers: registry.Table{d}})
	roots := map[string]*lsp.Server{}
	for _, name := range []string{"one/a.toy", "two/deep/a.toy"} {
		s, err := w.Server(t.Context(), only(t, w, name))
		if err != nil {
			t.Fatal(err)
		}
		roots[w.Relative(s.Root())] = s
	}
	if len(roots) != 2 || roots["one"] == nil || roots["two"] == nil || roots["one"] == roots["two"] {
		t.Errorf("roots %v", roots)
	}
	if statuses := w.Statuses(); len(statuses) != 2 || statuses[0].Root >= statuses[1].Root {
		t.Errorf("statuses %+v", statuses)
	}
}

// A panic while a server starts is the error of that start; one while it is looked whether it
// rests long enough leaves it running.
func TestPanicAroundAServer(t *testing.T) {
	var starting, resting atomic.Bool
	rested := make(chan struct{})
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{
		Servers: registry.Table{lsptest.Script{}.Definition(t)}, Idle: time.Millisecond, MaxRestarts: 1,
		Observe: func(roots.Key) lsp.Observer {
			if starting.Load() {
				panic("started")
			}
			return nil
		},
		Now: func() time.Time {
			if resting.CompareAndSwap(true, false) {
				defer close(rested)
				panic("rested")
			}
			return time.Unix(1_000_000, 0)
		},
	})
	c := only(t, w, "a.toy")
	starting.Store(true)
	_, err := w.Server(t.Context(), c)
	var failed *guard.PanicError
	if !errors.As(err, &failed) || failed.Value != "started" {
		t.Errorf("%v", err)
	}
	starting.Store(false)
	s, err := w.Server(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	resting.Store(true)
	<-rested
	if again, err := w.Server(t.Context(), c); err != nil || again != s {
		t.Errorf("%v, another one: %t", err, again != s)
	}
}
