package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// What happens to a server is known at once, although nobody asks it anything: who
// waits is woken, who comes later finds it; a stop is no crash.
func TestEvents(t *testing.T) {
	toy := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.Kill())}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{toy}, MaxRestarts: 1})
	candidate := only(t, w, "a.toy")
	var after uint64
	next := func(want string) {
		t.Helper()
		var kinds []string
		list, last, err := w.Events(t.Context(), after)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			kinds = append(kinds, string(e.Kind))
			if e.Key != candidate.Key() || (e.Reason == "") != (e.Kind == Started || e.Kind == Recovered) {
				t.Errorf("%+v", e)
			}
		}
		if after = last; strings.Join(kinds, " ") != want {
			t.Fatalf("%q, want %s", kinds, want)
		}
	}
	run := func() {
		t.Helper()
		if _, err := w.Server(t.Context(), candidate); err != nil {
			t.Fatal(err)
		}
	}
	crash := func() {
		t.Helper()
		for _, s := range w.Running() {
			_ = s.Barrier(t.Context(), "textDocument/foldingRange", filepath.Join(w.Root(), "a.toy"))
		}
	}
	run()
	next("started")
	w.Stop(t.Context(), candidate.Key())
	run()
	next("started")
	crash()
	next("crashed")
	run()
	next("recovered")
	crash()
	next("given_up")
	if list, last, err := w.Events(t.Context(), 0); err != nil || len(list) != 5 || last != 5 {
		t.Errorf("all: %+v, %d", list, last)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if list, last, err := w.Events(ended, 5); err != nil || list != nil || last != 5 {
		t.Errorf("none: %+v, %d", list, last)
	}
	if list, last, err := w.Events(t.Context(), 6); err != nil || list != nil || last != 5 {
		t.Errorf("yet to come: %+v, %d", list, last)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Events(t.Context(), 5); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
}

// A server that nobody wants for a while is stopped; one that is wanted is not, and
// the next question starts it again.
//
// Requirement: OPTA-3.
func TestIdleServersAreStopped(t *testing.T) {
	clocks := make(chan time.Time, 1)
	clocks <- time.Now()
	clock := func() time.Time {
		now := <-clocks
		clocks <- now
		return now
	}
	pass := func(d time.Duration) { clocks <- (<-clocks).Add(d) }
	toy := lsptest.Script{}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{toy}, Idle: 20 * time.Millisecond, Now: clock})
	candidate := only(t, w, "a.toy")
	run := func() *lsp.Server {
		t.Helper()
		s, err := w.Server(t.Context(), candidate)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := run()
	pass(19 * time.Millisecond)
	if run() != first {
		t.Error("another one was started")
	}
	pass(time.Minute)
	list, last, err := w.Events(t.Context(), 1)
	if err != nil || len(list) != 1 || list[0].Kind != Rested || last != 2 {
		t.Errorf("%+v", list)
	}
	<-first.Done()
	if run() == first || len(w.Running()) != 1 {
		t.Error("it is not started again")
	}
}

// That a server is ready is told once, when it has ended what it began to do; of one that tells nothing of that, nothing is.
//
// Requirement: AGENT-32.
func TestReadyIsToldOnce(t *testing.T) {
	for mode, want := range map[lsptest.Mode][]EventKind{
		lsptest.Progress:      {Started, Ready, Started, Rested},
		lsptest.PushVersioned: {Started, Started, Rested},
	} {
		t.Run(string(mode), func(t *testing.T) {
			toy := lsptest.Script{Mode: mode}.Definition(t)
			w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{toy}})
			candidate := only(t, w, "a.toy")
			kinds := func() (all []EventKind) {
				t.Helper()
				list, _, err := w.Events(t.Context(), 0)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range list {
					all = append(all, e.Kind)
				}
				return all
			}
			for range 2 {
				s, err := w.Server(t.Context(), candidate)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(w.Root(), "a.toy")
				if _, err := s.Sync(path, []byte("def x\n")); err != nil {
					t.Fatal(err)
				}
				if err := s.Barrier(t.Context(), "textDocument/foldingRange", path); err != nil {
					t.Fatal(err)
				}
				if mode == lsptest.Progress {
					lsptest.Eventually(t, 20*time.Second, func() bool { return slices.Contains(kinds(), Ready) }, "the server is ready")
				}
				w.Stop(t.Context(), candidate.Key())
			}
			w.events.add(time.Now(), Rested, candidate.Key(), "it ends the list")
			if diff := cmp.Diff(want, kinds()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
