//go:build unix

package daemon

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// Of a client that makes hundreds of calls at once, 64 are in progress. Eight others are answered beside it, as is who
// asks for the status; and the daemon stops when it is told to, although those calls never end.
func TestAClientThatFloods(t *testing.T) {
	s := newShop(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Hang())}})
	first := s.dial()
	s.mustDef(first)
	flooding := s.dial(func(o *Options) { o.Name, o.RunningOnly, o.Own, o.Fell = "floods", true, nil, nil })
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var calls sync.WaitGroup
	for range 1000 {
		calls.Go(func() {
			_, err := api.Inspect.Do(ctx, flooding, api.InspectRequest{Selector: api.Selector{At: "main.toy:1 helper"}})
			if err == nil {
				t.Error("a server that hangs has answered")
			}
		})
	}
	inProgress := func() (n int) {
		status, err := s.place().ask(t.Context())
		must(t, err)
		for _, session := range status.Sessions {
			if session.Name == "floods" {
				n = session.Calls
			}
		}
		return n
	}
	most := 0
	lsptest.Eventually(t, 30*time.Second, func() bool { most = max(most, inProgress()); return most >= 64 }, "64 calls are in progress")
	var clients sync.WaitGroup
	for range 8 {
		client := s.dial()
		clients.Go(func() {
			for range 5 {
				if path, err := s.def(t.Context(), client); path != "lib.toy" || err != nil {
					t.Errorf("definition: %q, %v", path, err)
				}
			}
		})
	}
	clients.Wait()
	if most = max(most, inProgress()); most > 64 {
		t.Errorf("%d calls of one client are in progress", most)
	}
	list, err := List(t.Context(), s.environ, "")
	must(t, err)
	for _, f := range list {
		must(t, f.Stop(t.Context()))
		s.isGone(f.Record.PID)
	}
	leave()
	calls.Wait()
}

// Beside a client that asks without a pause, hundreds of times at once, eight others wait about equally long, and not for what it has
// queued. Waiting is measured by the order of answers: how many of its calls are answered while another's call waits. Some are at work
// together with that call, at most 64; if calls had to wait for what is queued, it would be two hundred and more.
func TestAFloodDelaysOthersAlike(t *testing.T) {
	const atOnce, calls = 1000, 20
	s := newShop(t, lsptest.Script{})
	s.mustDef(s.dial())
	flooding := s.dial(func(o *Options) { o.Name, o.RunningOnly, o.Own, o.Fell = "floods", true, nil, nil })
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var answered atomic.Int64
	var flood sync.WaitGroup
	for range atOnce {
		flood.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.def(ctx, flooding); err == nil {
					answered.Add(1)
				}
			}
		})
	}
	lsptest.Eventually(t, 30*time.Second, func() bool { return answered.Load() > atOnce }, "it is flooded")
	waits := make([]int64, 8)
	var clients sync.WaitGroup
	for i := range waits {
		client := s.dial()
		clients.Go(func() {
			for range calls {
				before := answered.Load()
				if path, err := s.def(t.Context(), client); path != "lib.toy" || err != nil {
					t.Errorf("definition: %q, %v", path, err)
				}
				waits[i] += answered.Load() - before
			}
		})
	}
	clients.Wait()
	leave()
	flood.Wait()
	slices.Sort(waits)
	t.Logf("answers to the client that floods, during %d calls of each other one: %v", calls, waits)
	median, most := waits[len(waits)/2], waits[len(waits)-1]
	if most > 3*median {
		t.Errorf("the slowest waited for %d of its answers, the median for %d", most, median)
	}
	if median/calls > 3*64 {
		t.Errorf("a call waits for %d of its answers: for what is queued, too", median/calls)
	}
}
