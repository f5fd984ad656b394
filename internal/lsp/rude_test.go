package lsp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

const opened = "textDocument/didOpen"

// What a server writes wrong costs at most the message that is wrong: the truth
// before and after it arrives, and the connection goes on.
func TestRudeStream(t *testing.T) {
	for name, script := range map[string]lsptest.Script{
		"bad JSON":       {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.BadJSON())}},
		"text":           {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Raw("warning: deprecated\n"))}},
		"text, no end":   {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Raw("loading..."))}},
		"text at start":  {Start: []lsptest.Action{lsptest.Raw("Toy server 1.0\n\n")}},
		"string ids":     {StringIDs: true, Rules: []lsptest.Rule{lsptest.On("*", lsptest.StringID())}},
		"grease":         {Grease: 11},
		"nulls":          {Nulls: true},
		"grease, nulls":  {Grease: 12, Nulls: true, StringIDs: true},
		"split frame":    {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.SplitFrame(30))}},
		"bad elements":   {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.BadElement())}},
		"stderr flood":   {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.StderrFlood(4))}},
		"its own asking": {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.AskAll())}},
		"unknown things": {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Notify("toy/whatever", `[1]`), lsptest.Ask("toy/what", `null`))}},
		"odd progress":   {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Notify("$/progress", `{"token":{},"value":7}`))}},
		"odd publish":    {Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Notify("textDocument/publishDiagnostics", `{"uri":"untitled:1","diagnostics":{}}`))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, script)
			p.sync("a.toy", "x ERROR broken")
			expect(t, said(p.next()), "a.toy 1: broken")
			p.sync("a.toy", "fine")
			expect(t, said(p.next()), "a.toy 2: ")
			p.alive()
			p.polite()
		})
	}
}

// What is wrong in a list of diagnostics is left out, and counted.
func TestBadElementsAreCounted(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On(opened, lsptest.BadElement())}})
	p.sync("a.toy", "x ERROR broken")
	published := p.next()
	expect(t, said(published), "a.toy 1: broken")
	if dropped := p.Info().Dropped; dropped == 0 || dropped != published.Skipped {
		t.Errorf("%d were left out, %d are counted", published.Skipped, dropped)
	}
}

// Places that are none cost neither the good findings nor the server.
func TestBadPositions(t *testing.T) {
	for _, encoding := range []string{"utf-8", "utf-16", "utf-32"} {
		p := start(t, lsptest.Script{PositionEncoding: encoding, Rules: []lsptest.Rule{lsptest.On(opened, lsptest.BadPositions())}})
		p.sync("a.toy", "x ERROR broken")
		published := p.next()
		if len(published.Items) < 2 || published.Items[0].Message != "broken" {
			t.Errorf("%s: %+v", encoding, published.Items)
		}
		for _, d := range published.Items {
			if d.Range.End.Before(d.Range.Start) {
				t.Errorf("%s: %q ends before it begins", encoding, d.Message)
			}
		}
		p.alive()
	}
}

// A message of 50 MB is read where it is allowed, and where it is not the
// connection ends with an error that says so, without the process left over.
func TestHugeFrame(t *testing.T) {
	script := lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.HugeFrame(50))}}
	t.Run("under the limit", func(t *testing.T) {
		start(t, script).alive()
	})
	t.Run("over the limit", func(t *testing.T) {
		p := start(t, script, func(_ *registry.Definition, o *lsp.Options) { o.MaxFrame = 1 << 20 })
		err := p.Barrier(p.context(), "textDocument/foldingRange", p.path("main.toy"))
		var frame *jsonrpc.FrameError
		var ended *lsp.ServerError
		if !errors.As(err, &frame) || !errors.As(err, &ended) {
			t.Errorf("error %v", err)
		}
		<-p.Done()
		p.gone()
	})
	t.Run("no length", func(t *testing.T) {
		p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.ContentLength("many"))}})
		var frame *jsonrpc.FrameError
		if err := p.Barrier(p.context(), "textDocument/foldingRange", p.path("main.toy")); !errors.As(err, &frame) {
			t.Errorf("error %v", err)
		}
	})
}

// Half a message is no answer: the caller's time ends the wait, and Close the
// server.
func TestHalfFrame(t *testing.T) {
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.HalfFrame())}})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := p.Barrier(ctx, "textDocument/foldingRange", p.path("main.toy")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	p.sync("a.toy", "x")
	_ = p.Close(t.Context())
	p.gone()
}

// When a request returns, everything the server said before its answer has been
// heard.
func TestAnswersComeAfterWhatWasSaidBefore(t *testing.T) {
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On(opened, lsptest.Twice())}})
	for i := range 20 {
		p.sync(string(rune('a'+i))+".toy", "x ERROR broken")
		p.alive()
		if n := len(p.heard.published); n != 2*(i+1) {
			t.Fatalf("%d publishes were heard before the answer, want %d", n, 2*(i+1))
		}
	}
}
