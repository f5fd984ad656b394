package workspace

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Servers are at work if they used the processor since somebody last asked, and no longer once they
// rest, however much they have used before.
func TestServersAreAtWork(t *testing.T) {
	t.Parallel()
	w, _ := openHanging(t, 1, lsptest.On("textDocument/hover", lsptest.Work(500)))
	atWork := w.AtWork()
	for range 2 {
		lsptest.Eventually(t, patience, func() bool {
			if err := hover(t, w); err != nil {
				t.Fatal(err)
			}
			return atWork()
		}, "a server that has worked is at work")
		lsptest.Eventually(t, patience, func() bool { return !atWork() }, "a server that rests is not at work")
	}
}

// A server is at work from its start on, before it can be asked anything.
func TestServersThatStartAreAtWork(t *testing.T) {
	lsptest.NeedProcessorTime(t, runtime.GOOS != "darwin")
	d := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Work(10_000), lsptest.Hang())}}.Definition(t)
	w := open(t, "-- toy.root --\n-- a.toy --\n", Options{Servers: registry.Table{d}})
	c := only(t, w, "a.toy")
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { _, err := w.Server(ctx, c); failed <- err }()
	lsptest.Eventually(t, patience, func() bool { return w.AtWork()() }, "a server that starts is at work") // all that it has used so far counts
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
