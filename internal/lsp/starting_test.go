package lsp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// A server that works while it starts is waited for beyond its time; one that does nothing
// is given up then, and nothing of it is left.
func TestStartFollowsTheServer(t *testing.T) {
	t.Parallel()
	soon := func(_ *registry.Definition, o *lsp.Options) { o.StartTimeout = 1800 * time.Millisecond }
	idle, opts := prepare(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stall())}}, soon)
	_, err := lsp.Start(t.Context(), idle.def, idle.root, opts)
	var gaveUp *lsp.StartError
	if !errors.As(err, &gaveUp) || gaveUp.Worked || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if left := lsptest.Marked(t, lsptest.Marker(idle.def)); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	start(t, lsptest.Script{}).watched() // else nobody can tell that one works
	start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Work(3500))}}, soon).alive()
}
