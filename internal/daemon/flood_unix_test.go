//go:build unix

package daemon

import (
	"context"
	"sync"
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
