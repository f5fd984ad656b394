package workspace

import (
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// The tenants are the servers that run, each with its id, its root and when it was wanted last, the one wanted
// longest ago first. One that is stopped is none, and the reason of that is told once.
func TestTenants(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	now := &clock{now: start}
	w := open(t, "-- b/toy.root --\n-- b/a.toy --\n-- a/toy.root --\n-- a/a.toy --\n-- c/toy.root --\n-- c/a.toy --\n",
		Options{Servers: registry.Table{lsptest.Script{ID: "toy"}.Definition(t)}, Now: now.Now})
	ask := func(dir string) string {
		t.Helper()
		s, err := w.Server(t.Context(), only(t, w, dir+"/a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		return s.Root()
	}
	b, a := ask("b"), ask("a") // at one time: by root then
	now.pass(-time.Minute)
	c := ask("c")
	compare := func(what string, want []Tenant) {
		t.Helper()
		if diff := cmp.Diff(want, w.Tenants(), cmpopts.IgnoreFields(Tenant{}, "Memory")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	first, second, third := Tenant{ID: "toy", Root: c, Obtained: start.Add(-time.Minute)}, Tenant{ID: "toy", Root: a, Obtained: start}, Tenant{ID: "toy", Root: b, Obtained: start}
	compare("all", []Tenant{first, second, third})
	now.pass(time.Minute + inUse - 1)
	if w.Rest(second, "too soon") {
		t.Error("one that was used just now was stopped")
	}
	now.pass(1)
	if !w.Rest(second, "room for others") {
		t.Error("one that was not used for a second is still there")
	}
	compare("without one", []Tenant{first, third})
	list, _, err := w.Events(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	type happened struct {
		Kind   EventKind
		Root   string
		Reason string
	}
	var got []happened
	for _, e := range list {
		got = append(got, happened{e.Kind, e.Key.Root, e.Reason})
	}
	if diff := cmp.Diff([]happened{{Started, b, ""}, {Started, a, ""}, {Started, c, ""}, {Rested, a, "room for others"}}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// Where servers use more memory than they may, the reason names what they use and what they may.
func TestMemoryIsAReason(t *testing.T) {
	now := &clock{now: time.Unix(1_000_000, 0)}
	w := open(t, "-- b/toy.root --\n-- b/a.toy --\n-- a/toy.root --\n-- a/a.toy --\n", Options{MaxMemory: 1 << 20, Servers: registry.Table{lsptest.Script{}.Definition(t)}, Now: now.Now})
	for _, dir := range []string{"b", "a"} {
		s, err := w.Server(t.Context(), only(t, w, dir+"/a.toy"))
		if err != nil {
			t.Fatal(err)
		}
		if _, known := s.Memory(); !known {
			return // nothing is promised here
		}
		now.pass(time.Hour)
	}
	var reasons []string
	lsptest.Eventually(t, time.Minute, func() bool {
		list, _, err := w.Events(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		reasons = nil
		for _, e := range list {
			if e.Kind == Rested {
				reasons = append(reasons, filepath.Base(e.Key.Root)+": "+e.Reason)
			}
		}
		return len(reasons) > 0
	}, "one is stopped")
	if len(reasons) != 1 || !regexp.MustCompile(`^b: servers used [1-9]\d{0,3} MiB, more than 1; it was asked longest ago$`).MatchString(reasons[0]) {
		t.Errorf("%q", reasons)
	}
	if _, unmeasured := w.tenants(false); unmeasured != 0 {
		t.Errorf("nobody measures, and %d bytes are used", unmeasured)
	}
}
