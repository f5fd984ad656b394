package workspace

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"
)

// A server that ends again and again waits longer each time until it is given up; a peer is never given up, and that it
// is still away is told once.
func TestWhatFollowsACrash(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	type after struct {
		State   roots.State
		Crashes int
		Delay   time.Duration
		Away    bool
		Events  []string
	}
	for name, c := range map[string]struct {
		peer bool
		ends []error
		want after
	}{
		"once":       {false, []error{errors.New("gone")}, after{roots.Stopped, 1, 200 * time.Millisecond, false, []string{"crashed: gone"}}},
		"unasked":    {false, []error{nil}, after{roots.Stopped, 1, 200 * time.Millisecond, false, []string{"crashed: it ended"}}},
		"as may be":  {false, make([]error, 2), after{roots.Stopped, 2, 400 * time.Millisecond, false, []string{"crashed: it ended", "crashed: it ended"}}},
		"too often":  {false, make([]error, 3), after{roots.Broken, 3, 800 * time.Millisecond, false, []string{"crashed: it ended", "crashed: it ended", "given_up: it ended"}}},
		"a peer":     {true, make([]error, 1), after{roots.Stopped, 1, 400 * time.Millisecond, true, []string{"crashed: it ended"}}},
		"still away": {true, make([]error, 5), after{roots.Stopped, 5, 400 * time.Millisecond, true, []string{"crashed: it ended"}}},
	} {
		w := open(t, "", Options{Root: t.TempDir(), MaxRestarts: 2, Now: func() time.Time { return now }})
		i := w.instance(roots.Key{ID: "toy", Root: w.Root()})
		i.peer = c.peer
		if c.peer {
			i.refused = 2 // connections failed before
		}
		for _, err := range c.ends {
			i.endedLocked(err)
		}
		got := after{State: i.state, Crashes: i.crashes, Delay: i.notBefore.Sub(now), Away: i.away}
		list, _, err := w.Events(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			got.Events = append(got.Events, fmt.Sprintf("%s: %s", e.Kind, e.Reason))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if last := c.ends[len(c.ends)-1]; !errors.Is(i.err, last) {
			t.Errorf("%s: the reason is %v", name, i.err)
		}
	}
}
