package workspace

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

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
		list, last := w.Events(t.Context(), after)
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
	if list, last := w.Events(t.Context(), 0); len(list) != 5 || last != 5 {
		t.Errorf("all: %+v, %d", list, last)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if list, last := w.Events(ended, 5); list != nil || last != 5 {
		t.Errorf("none: %+v, %d", list, last)
	}
	if list, last := w.Events(t.Context(), 6); list != nil || last != 5 {
		t.Errorf("yet to come: %+v, %d", list, last)
	}
}
