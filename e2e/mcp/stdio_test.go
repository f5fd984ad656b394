package mcp

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

// The built binary serves the oldest revision, one between and the newest over
// standard input and output.
//
// Requirement: AGENT-2.
func TestStdioAtEveryRevision(t *testing.T) {
	lsptest.Require(t, "gopls")
	for _, revision := range []string{"2024-11-05", "2025-06-18", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			session := start(t, lsptest.Workspace(t, projects[0].archive), revision)
			if got := session.InitializeResult().ProtocolVersion; got != revision {
				t.Errorf("negotiated %s", got)
			}
			_, text, err := call(t.Context(), session, "definition", `{"at":"b.go:4:7"}`)
			if err != nil || !strings.Contains(text, "Add: definition at a.go:4:6") {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}

// A client that goes away without reading its answers is the end of the server,
// and no failure.
func TestBrokenPipeIsACleanEnd(t *testing.T) {
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, projects[0].archive)
	cmd := exec.Command(os.Args[0], "mcp", "--root", root)
	cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = &testLog{t: t}
	in, out := lsptest.Piped(t, cmd)
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	lines := bufio.NewReader(out)
	if answer, err := lines.ReadString('\n'); err != nil || !strings.Contains(answer, `"id":1`) {
		t.Fatalf("%v: %s", err, answer)
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	_ = out.Close()
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"definition","arguments":{"at":"b.go:4:7"}}}`)
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	defer kill.Stop()
	defer func() { _ = in.Close() }() // so that the broken pipe alone is the end
	if err := cmd.Wait(); err != nil {
		t.Errorf("the end: %v", err)
	}
}
