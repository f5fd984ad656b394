package lsp_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// A cancelled request is told to the server by its id, and the caller does not
// wait for the answer.
func TestCancellationReachesTheServer(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/hover", lsptest.Hang())}})
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := p.Hover(ctx, p.path("main.toy"), protocol.Position{})
		failed <- err
	}()
	asked := p.await(1, "request", "textDocument/hover")
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	told := p.await(1, "notification", "$/cancelRequest")
	expect(t, string(told[0].Params), `{"id":`+string(asked[0].ID)+`}`)
	p.alive()
}

// A server that ends while requests are pending fails all of them at once, each
// with the way it ended and its last words; so does whatever comes after.
//
// Requirement: AGENT-42.
func TestCrashFailsEverythingPending(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		end  lsptest.Action
		want string
	}{
		"exit":   {lsptest.Crash(3), "exited with code 3"},
		"signal": {lsptest.Kill(), killed},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, lsptest.Script{Rules: []lsptest.Rule{
				lsptest.On("textDocument/hover", lsptest.Hang()),
				lsptest.OnNth("textDocument/foldingRange", 2, lsptest.Stderr("panic: out of luck"), tt.end),
			}})
			p.alive()
			failures := make(chan error, 4)
			var pending sync.WaitGroup
			for range 3 {
				pending.Go(func() {
					_, err := p.Hover(p.context(), p.path("main.toy"), protocol.Position{})
					failures <- err
				})
			}
			p.await(3, "request", "textDocument/hover")
			failures <- p.Barrier(p.context(), "textDocument/foldingRange", p.path("main.toy"))
			pending.Wait()
			for range 4 {
				checkEnd(t, <-failures, tt.want)
			}
			<-p.Done()
			checkEnd(t, p.Err(), tt.want)
			_, err := p.Hover(p.context(), p.path("main.toy"), protocol.Position{})
			checkEnd(t, err, tt.want)
			_, err = p.Sync(p.path("main.toy"), []byte("x"))
			checkEnd(t, err, tt.want)
			p.heard.mu.Lock()
			defer p.heard.mu.Unlock()
			if len(p.heard.ended) != 1 {
				t.Errorf("the observer heard %d ends", len(p.heard.ended))
			}
		})
	}
}

func checkEnd(t *testing.T, err error, want string) {
	t.Helper()
	var ended *lsp.ServerError
	if !errors.As(err, &ended) {
		t.Errorf("error %v, want a ServerError", err)
		return
	}
	if !strings.Contains(ended.Error(), want) || !strings.Contains(ended.Stderr, "panic: out of luck") {
		t.Errorf("error %q, stderr %q", ended, ended.Stderr)
	}
}

// missing is how systems say that a file is not there.
var missing = regexp.MustCompile(`(?i)(no such file or directory|cannot find the file specified\.|file not found\.)$`)

// A server that ends before it is up says so with its last words, and leaves
// nothing behind; so does one that is no language server, or not there.
func TestFailedStart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script lsptest.Script
		binary string
		want   []string
	}{
		"ends in initialize": {
			lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Stderr("no licence"), lsptest.Crash(4))}},
			"",
			[]string{"initialize", "exited with code 4", "no licence"},
		},
		"ends at once": {
			lsptest.Script{Start: []lsptest.Action{lsptest.Stderr("bad flag"), lsptest.Crash(2)}},
			"",
			[]string{"exited with code 2", "bad flag"},
		},
		"refuses": {
			lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.ReplyError(-32603, "not today", ""))}},
			"",
			[]string{"initialize", "not today"},
		},
		"answers nonsense": {
			lsptest.Script{Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Reply(`"hello"`))}},
			"",
			[]string{"initialize"},
		},
		"prints its usage": {
			lsptest.Script{Start: []lsptest.Action{lsptest.Raw("usage: toy [flags]\n"), lsptest.Crash(64)}},
			"",
			[]string{"exited with code 64"},
		},
		"is not there": {lsptest.Script{}, lsptest.Rooted("/nowhere/toy"), []string{"start", lsptest.Rooted("/nowhere/toy")}},
	} {
		t.Run(name, func(t *testing.T) {
			p, opts := prepare(t, tt.script)
			if tt.binary != "" {
				opts.Binary = tt.binary
			}
			_, err := lsp.Start(p.context(), p.def, p.root, opts)
			var failure *lsp.ServerError
			if !errors.As(err, &failure) {
				t.Fatalf("error %v, want a ServerError", err)
			}
			if name == "is not there" && !missing.MatchString(err.Error()) {
				t.Errorf("error %v", err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q, want %q in it", err, want)
				}
			}
			p.gone()
		})
	}
}

// A server that never answers initialize is killed when the caller's time is
// over.
func TestHangInInitialize(t *testing.T) {
	t.Parallel()
	for name, action := range map[string]lsptest.Action{"hang": lsptest.Hang(), "stall": lsptest.Stall(), "half": lsptest.HalfFrame()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, opts := prepare(t, lsptest.Script{
				IgnoreTerm: true, IgnoreEOF: true, Rules: []lsptest.Rule{lsptest.On("initialize", action)},
			})
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, err := lsp.Start(ctx, p.def, p.root, opts)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
			p.gone()
		})
	}
}
