package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// TestProgress proves that a person at a terminal who waits is told which
// server is waited for and what it says it is doing, on standard error, and
// that the line is gone in the end; and that a script is told nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	slow := lsptest.Script{
		Start: []lsptest.Action{lsptest.Notify("$/progress", `{"token":1,"value":{"kind":"begin","title":"Loading","message":"packages","percentage":40}}`)},
		Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.Delay(700))},
	}
	s := newShop(t, "-- a.toy --\nfine\n", slow)
	s.change = func(streams *Streams) { streams.ErrTerminal = true }
	got := s.run("check", "a.toy")
	if got.code != exitClean || got.stdout != "" {
		t.Errorf("exit code %d, stdout %q", got.code, got.stdout)
	}
	if !strings.Contains(got.stderr, "toy: Loading packages 40%") {
		t.Errorf("stderr does not say what is waited for: %q", got.stderr)
	}
	if !strings.HasSuffix(got.stderr, "\r\x1b[Klspine: no errors (1 file checked)\n") {
		t.Errorf("the line is left on the terminal: %q", got.stderr)
	}
	s.stdin = "*** Begin Patch\n*** Update File: a.toy\n-fine\n+good\n*** End Patch\n"
	for _, args := range []string{"simulate -", "edit"} {
		got := s.run(strings.Fields(args)...)
		if waited := strings.LastIndex(got.stderr, "\r\x1b[K"); got.code != exitClean || waited < 1 || strings.Contains(got.stderr[waited:], "toy: ") {
			t.Errorf("%s leaves its line on the terminal: %+v", args, got)
		}
	}
	lsptest.WriteFile(t, filepath.Join(s.root, "a.toy"), "fine\n")
	s.stdin, s.change = "", nil
	s.expect("in a script", s.run("check", "a.toy"), exitClean, "", "lspine: no errors (1 file checked)")
}

// TestWaitingFor proves that each phase has its words and that the line fits a
// terminal.
func TestWaitingFor(t *testing.T) {
	t.Parallel()
	servers := []result.Server{
		{ID: "a", State: "starting"},
		{ID: "b", State: "active"},
		{ID: "c", State: "active", Works: []string{"one", "two"}},
		{ID: "d", State: "stopped"},
	}
	for p, want := range map[int]string{
		0: "a: starting · b: diagnosing · c: two",
		1: "a: starting · b: diagnosing · c: two",
		2: "1 of 2 files · a: starting · b: diagnosing · c: two",
	} {
		if line := waitingFor(api.Progress{Servers: servers, Done: 1, Total: p}); line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
	for letters, want := range map[int]string{75: "a: " + strings.Repeat("é", 75), 76: "a: " + strings.Repeat("é", 74) + "…", 200: "a: " + strings.Repeat("é", 74) + "…"} {
		line := waitingFor(api.Progress{Servers: []result.Server{{ID: "a", State: "active", Works: []string{strings.Repeat("é", letters)}}}})
		if line != want {
			t.Errorf("%d letters: %q, want %q", letters, line, want)
		}
	}
}
