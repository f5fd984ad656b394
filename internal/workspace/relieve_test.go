package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Where one server more than may runs, or servers use too much memory, the one that was asked
// longest ago is stopped, and says why: never the newest, never one that was wanted just now or
// that somebody waits for.
func TestLeastRecentlyUsedServerMakesRoom(t *testing.T) {
	const none = "-- one/toy.root --\n-- one/a.toy --\n-- two/toy.root --\n-- two/a.toy --\n-- three/toy.root --\n-- three/a.toy --\n"
	for name, tt := range map[string]struct {
		opts      Options
		rest      time.Duration // before the third starts
		owing     string        // whom somebody waits for
		runs      []string      // then
		why       string
		onlyLinux bool
	}{
		"no bound":             {Options{}, time.Hour, "", []string{"one", "three", "two"}, "", false},
		"as many as may":       {Options{MaxServers: 3}, time.Hour, "", []string{"one", "three", "two"}, "", false},
		"one too many":         {Options{MaxServers: 2}, time.Hour, "", []string{"one", "three"}, "more than 2 servers ran; it was asked longest ago", false},
		"two too many":         {Options{MaxServers: 1}, time.Hour, "", []string{"three"}, "more than 1 servers ran; it was asked longest ago", false},
		"one in use":           {Options{MaxServers: 1}, 0, "", []string{"one", "three"}, "more than 1 servers ran; it was asked longest ago", false},
		"somebody waits":       {Options{MaxServers: 2}, time.Hour, "two", []string{"three", "two"}, "more than 2 servers ran; it was asked longest ago", false},
		"memory that is there": {Options{MaxMemory: 1 << 40}, time.Hour, "", []string{"one", "three", "two"}, "", true},
		"too much memory":      {Options{MaxMemory: 1 << 20}, time.Hour, "", []string{"three"}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			now := &clock{now: time.Unix(1_000_000, 0)}
			opts := tt.opts
			opts.Servers, opts.Now = registry.Table{lsptest.Script{}.Definition(t)}, now.Now
			w := open(t, none, opts)
			ask := func(dir string) *lsp.Server {
				t.Helper()
				s, err := w.Server(t.Context(), only(t, w, dir+"/a.toy"))
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			if _, known := ask("two").Memory(); !known && tt.onlyLinux {
				return // nothing is promised here
			}
			now.pass(time.Minute)
			ask("one")
			if tt.owing != "" {
				defer ask(tt.owing).Owes()(true)
				now.pass(-time.Minute) // as if it had been asked long ago
				ask(tt.owing)
				now.pass(time.Minute)
			}
			now.pass(tt.rest)
			if s := ask("three"); s == nil {
				t.Fatal("no server")
			}
			var why string
			lsptest.Eventually(t, 10*time.Second, func() bool {
				var runs []string
				for _, s := range w.Running() {
					runs = append(runs, filepath.Base(s.Root()))
				}
				return cmp.Equal(tt.runs, sorted(runs))
			}, "these run: %v", tt.runs)
			list, _, err := w.Events(context.Background(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				if e.Kind == Rested {
					why = e.Reason
				}
			}
			if tt.why != "" && why != tt.why {
				t.Errorf("the reason is %q", why)
			}
			ask("two") // whatever was stopped starts again
		})
	}
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// A tenant is stopped, once, if nobody has used it since it was listed, nor just now; of one that
// is not there none is stopped.
func TestRestOfATenant(t *testing.T) {
	now := &clock{now: time.Unix(1_000_000, 0)}
	w := open(t, lsptest.Project, Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}, Now: now.Now})
	ask := func() Tenant {
		t.Helper()
		if _, err := w.Server(t.Context(), only(t, w, "main.toy")); err != nil {
			t.Fatal(err)
		}
		return w.Tenants()[0]
	}
	type outcome struct {
		Stopped bool
		Running int
	}
	rest := func(of Tenant) outcome {
		stopped := w.Rest(of, "others need its memory")
		return outcome{stopped, len(w.Running())}
	}
	first := ask()
	got := map[string]outcome{"in use": rest(first)}
	now.pass(time.Hour)
	second := ask()
	now.pass(time.Hour)
	got["used since"] = rest(first)
	got["another"] = rest(Tenant{ID: second.ID, Root: "elsewhere", Obtained: second.Obtained})
	got["idle"] = rest(second)
	got["again"] = rest(second)
	want := map[string]outcome{"in use": {false, 1}, "used since": {false, 1}, "another": {false, 1}, "idle": {true, 0}, "again": {false, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
