package lsp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// impatient makes a server that works and answers nothing be given up after 1.8 seconds.
func impatient(_ *registry.Definition, o *lsp.Options) { o.Still = 100 * time.Millisecond }

// miss asks with so little time that there is no answer.
func (p *peer) miss() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Hover(ctx, p.path("main.toy"), protocol.Position{}); !errors.Is(err, context.DeadlineExceeded) {
		p.t.Fatalf("error %v, want that it ran into its deadline", err)
	}
}

// A server that works all the time and answers nothing is put to a test after three requests in a
// row that ran into their deadline, and ended when it fails.
//
// Requirement: LSP-FH-002.
func TestServerThatAnswersNothingIsEnded(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Work(60_000))}}, impatient)
	p.sync("main.toy", "use helper\n")
	for range 3 {
		p.miss()
	}
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("it runs on")
	}
	var unhealthy *lsp.HealthError
	if err := p.Err(); !errors.As(err, &unhealthy) || unhealthy.For < 1800*time.Millisecond {
		t.Errorf("it ended by %v", err)
	}
}

// Two in a row are too few, and an answer between them begins the count anew.
func TestAnswersBetweenTimeouts(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Hang())}})
	p.sync("main.toy", "use helper\n")
	for range 3 {
		p.miss()
		p.miss()
		p.alive()
	}
	if n := len(p.entries("request", "textDocument/documentSymbol")); n > 0 {
		t.Errorf("it was put to the test %d times", n)
	}
}

// A server that answers the test, or shows by anything that it sends that it is there, or says that
// it is loading something and works, is left alone.
func TestServersThatPassTheTest(t *testing.T) {
	t.Parallel()
	const begin = `{"token":"t","value":{"kind":"begin","title":"Loading"}}`
	for name, actions := range map[string][]lsptest.Action{
		"answers others": {lsptest.Hang()},
		"talks":          {lsptest.PublishForever(100), lsptest.Hang()},
		"loads":          {lsptest.Notify("$/progress", begin), lsptest.Answer(), lsptest.Work(2500)},
		"is busy":        {lsptest.Work(1000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.OnNth("textDocument/hover", 1, actions...)}}, impatient)
			p.watched()
			p.sync("main.toy", "use helper\n")
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			_, _ = p.Hover(ctx, p.path("main.toy"), protocol.Position{})
			cancel()
			for range 3 {
				p.Missed()
			}
			p.await(1, "request", "textDocument/documentSymbol")
			p.alive()
		})
	}
}
