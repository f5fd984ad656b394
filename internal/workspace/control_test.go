package workspace

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server that was stopped is restarted for the next who needs it, also where
// it had failed too often before.
func TestStopForgetsCrashes(t *testing.T) {
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Crash(7))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	for range 2 {
		if _, err := w.Server(t.Context(), c); err == nil {
			t.Fatal("it started")
		}
	}
	if s := w.Statuses()[0]; s.State != roots.Broken || s.Binary != c.Binary || s.Binary == "" {
		t.Fatalf("state %s of %q", s.State, s.Binary)
	}
	starts := w.Statuses()[0].Starts
	if w.Stop(t.Context(), c.Key()) {
		t.Error("a broken server ran")
	}
	if s := w.Statuses()[0]; s.State != roots.Stopped || s.Crashes != 0 || s.Reason != "" {
		t.Errorf("after the stop: %+v", s)
	}
	_, _ = w.Server(t.Context(), c) // fails again, but is tried
	if s := w.Statuses()[0]; s.Starts != starts+1 {
		t.Errorf("%d starts, want one more than %d", s.Starts, starts)
	}
}

// Stop ends the process, and one that is about to start as well.
func TestStopEnds(t *testing.T) {
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Delay(50))}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	if w.Stop(t.Context(), c.Key()) {
		t.Error("it ran before it was asked for")
	}
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = w.Server(hurried, c) // the start goes on
	if !w.Stop(t.Context(), c.Key()) {
		t.Error("the start under way was not awaited")
	}
	lsptest.Eventually(t, patience, func() bool { return len(lsptest.Marked(t, lsptest.Marker(d))) == 0 }, "the server is still there")
	first, err := w.Server(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if running := w.Running(); len(running) != 1 || running[0] != first || len(w.Keys()) != 1 {
		t.Errorf("running %v, keys %v", running, w.Keys())
	}
}

// What servers are told of a file is what the disk says, whoever says otherwise.
func TestAnnounceTellsTheDisk(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	d := lsptest.Script{JournalFile: journal}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\nfine\n", Options{Servers: registry.Table{d}})
	s, err := w.Server(t.Context(), only(t, w, "a.toy"))
	if err != nil {
		t.Fatal(err)
	}
	a, gone := filepath.Join(w.Root(), "a.toy"), filepath.Join(w.Root(), "gone.toy")
	if _, err := s.Sync(a, []byte("other\n")); err != nil {
		t.Fatal(err)
	}
	told, swept, err := w.Announce(t.Context(), []string{a, gone}, []string{gone}, nil)
	if err != nil || !swept.Told || len(told) != 2 || told[0].Type != protocol.Changed || told[1].Type != protocol.Deleted {
		t.Errorf("told %+v, swept %+v, %v", told, swept, err)
	}
	if _, text, _ := s.Document(a); string(text) != "fine\n" {
		t.Errorf("the open document is %q", text)
	}
	info, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, a, "evil\n") // of the same size and, now, time
	if err := os.Chtimes(a, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Announce(t.Context(), []string{a}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, text, _ := s.Document(a); string(text) != "evil\n" {
		t.Errorf("the open document is %q", text)
	}
}
