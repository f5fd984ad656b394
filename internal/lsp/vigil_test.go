package lsp_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// watchful makes a server be asked soon whether it is there.
func watchful(_ *registry.Definition, o *lsp.Options) { o.Still = 300 * time.Millisecond }

// watched skips a test where the processor time of a server is not known.
func (p *peer) watched() {
	p.t.Helper()
	_, known := p.CPUTime()
	lsptest.NeedProcessorTime(p.t, known)
}

func (p *peer) hover() error {
	_, err := p.Hover(p.context(), p.path("main.toy"), protocol.Position{})
	return err
}

// A server that owes an answer and does nothing is ended, and all that wait for it are told
// why, whether it reads what it is sent or not.
func TestServerThatHangsIsEnded(t *testing.T) {
	t.Parallel()
	for name, action := range map[string]lsptest.Action{"stalls": lsptest.Stall(), "stops reading": lsptest.StopReading()} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", action, lsptest.Hang())}}, watchful)
			p.watched()
			p.sync("main.toy", "use helper\n")
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					var hung *lsp.HangError
					if err := p.hover(); !errors.As(err, &hung) {
						t.Errorf("error %v, want that it hangs", err)
					}
				})
			}
			all.Wait()
			<-p.Done()
			var ended *lsp.ServerError
			if !errors.As(p.Err(), &ended) || ended.Phase != "run" {
				t.Errorf("it ended by %v", p.Err())
			}
		})
	}
}

// A server that nobody waits for any more is watched to the end: who asks with little time
// must not keep it alive.
func TestServerThatHangsIsEndedForThoseWhoLeft(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Stall())}}, watchful)
	p.watched()
	for end := time.Now().Add(patience); ; {
		// On a busy machine a server may still be at its last work when the first leaves.
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		_, err := p.Hover(ctx, p.path("main.toy"), protocol.Position{})
		cancel()
		var hung *lsp.HangError
		switch {
		case errors.As(err, &hung):
			<-p.Done()
			return
		case err == nil:
			t.Fatal("it answered")
		case time.Now().After(end):
			t.Fatal("it runs on")
		}
	}
}

// A server that works is never ended, however long that takes, nor one that answers other
// questions, nor one that says that it is loading something.
func TestServerThatWorksIsLeftAlone(t *testing.T) {
	t.Parallel()
	const begin = `{"token":"t","value":{"kind":"begin","title":"Loading"}}`
	for name, actions := range map[string][]lsptest.Action{
		"busy":    {lsptest.Work(1500)},
		"loading": {lsptest.Notify("$/progress", begin), lsptest.Pause(1500)},
		"talking": {lsptest.PublishForever(100), lsptest.Delay(1500)},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", actions...)}}, watchful)
			p.watched()
			p.sync("main.toy", "use helper\n")
			if err := p.hover(); err != nil {
				t.Errorf("error %v", err)
			}
			p.alive()
		})
	}
}

// Who owes one answer, and gives others, is asked whether it is there, about the document
// that was used last, and goes on. It is doubted no more.
func TestServerThatOwesOneAnswerIsAsked(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Hang())}}, watchful)
	p.watched()
	p.sync("main.toy", "use helper\n")
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = p.Hover(ctx, p.path("main.toy"), protocol.Position{})
	}()
	p.await(2, "request", "textDocument/documentSymbol") // the second comes when the first was answered
	if p.Doubted() {
		t.Error("it answered, and is doubted")
	}
	cancel()
	<-left
	p.alive()
}

// Nothing is asked of a server that owes nothing.
func TestServerThatOwesNothingIsNotAsked(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{}, watchful)
	p.watched()
	p.sync("main.toy", "use helper\n")
	settled := p.Owes()
	p.await(1, "request", "textDocument/documentSymbol")
	settled(true)
	p.alive() // what was decided before is sent by now
	asked := len(p.entries("request", "textDocument/documentSymbol"))
	p.alive()
	if p.Doubted() || len(p.entries("request", "textDocument/documentSymbol")) != asked {
		t.Error("it is still watched")
	}
}

// A server that is asked whether it is there, and owes nothing any more before it answered, is
// left alone.
func TestServerThatSettlesWhileItIsAskedIsLeftAlone(t *testing.T) {
	t.Parallel()
	patient := func(_ *registry.Definition, o *lsp.Options) { o.Still = 2 * time.Second }
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/documentSymbol", lsptest.Hang())}}, patient)
	p.watched()
	p.sync("main.toy", "use helper\n")
	settled := p.Owes()
	p.await(1, "request", "textDocument/documentSymbol")
	settled(true)
	for range 3 {
		p.alive()
	}
}
