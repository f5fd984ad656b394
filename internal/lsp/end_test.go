package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A server that does as it is told ends by shutdown and exit, which has no
// params member, and nothing is said after.
func TestPoliteEnd(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{})
	p.sync("main.toy", "x")
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	p.gone()
	p.polite() // exit with params would be a violation
	said := slices.DeleteFunc(lsptest.ReadJournal(t, p.journal), func(e lsptest.Entry) bool { return e.Kind == "response" })
	last := said[len(said)-2:]
	if last[0].Method != "shutdown" || last[1].Method != "exit" || last[1].Params != nil {
		t.Errorf("the last messages are %+v", last)
	}
	if err := p.Err(); err != nil {
		t.Errorf("a closed server has the error %v", err)
	}
	if p.heard.ended[0] != nil {
		t.Errorf("the observer heard %v", p.heard.ended[0])
	}
	if err := p.Close(t.Context()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

// Close ends every server, however it resists, and all that it started.
func TestCloseEndsTheStubborn(t *testing.T) {
	t.Parallel()
	child := filepath.Join(t.TempDir(), "child")
	for name, script := range map[string]lsptest.Script{
		"hangs in shutdown":      {Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.Hang())}},
		"ends at end of input":   {Rules: []lsptest.Rule{lsptest.On("exit", lsptest.Hang())}},
		"ignores exit and input": {IgnoreEOF: true, Rules: []lsptest.Rule{lsptest.On("exit", lsptest.Hang())}},
		"ignores SIGTERM too": {
			IgnoreEOF: true, IgnoreTerm: true, Rules: []lsptest.Rule{lsptest.On("exit", lsptest.Hang())},
		},
		"stalls":         {IgnoreTerm: true, Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.Stall())}},
		"stops reading":  {Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.StopReading())}},
		"crashes in it":  {Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.Crash(9))}},
		"refuses":        {Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.ReplyError(-32603, "no", ""))}},
		"has a child":    {Rules: []lsptest.Rule{lsptest.On("initialized", lsptest.Grandchild(child))}},
		"half a goodbye": {Rules: []lsptest.Rule{lsptest.On("shutdown", lsptest.HalfFrame())}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, script)
			p.alive()
			if name == "has a child" {
				lsptest.Eventually(t, patience, func() bool { return len(lsptest.Marked(t, lsptest.Marker(p.def))) == supervisors+2 },
					"supervisor, server and child")
			}
			_ = p.Close(t.Context())
			p.gone()
			if err := p.Err(); err != nil {
				t.Errorf("a closed server has the error %v", err)
			}
		})
	}
}

// When the caller has no time, Close kills at once.
func TestCloseWithoutTime(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{IgnoreEOF: true, IgnoreTerm: true, Rules: []lsptest.Rule{
		lsptest.On("shutdown", lsptest.Hang()), lsptest.On("exit", lsptest.Hang()),
	}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = p.Close(ctx)
	p.gone()
}

// Who closes a server that another one closes already waits until nothing of it is left.
func TestCloseBesideClose(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{IgnoreEOF: true, Rules: []lsptest.Rule{lsptest.On("exit", lsptest.Hang())}})
	first := make(chan error, 1)
	go func() { first <- p.Close(t.Context()) }() // received below
	p.await(1, "notification", "exit")
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	p.gone()
	if err := <-first; err != nil {
		t.Error(err)
	}
}

// Close fails what is pending, and ends with it.
func TestCloseFailsWhatIsPending(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/foldingRange", lsptest.Hang())}})
	failed := make(chan error, 1)
	go func() { failed <- p.Barrier(p.context(), "textDocument/foldingRange", p.path("main.toy")) }()
	p.await(1, "request", "textDocument/foldingRange")
	_ = p.Close(t.Context())
	if err := <-failed; !errors.Is(err, jsonrpc.ErrClosed) {
		t.Errorf("error %v", err)
	}
}

// A server that reads no more blocks neither a change nor the end.
func TestServerThatStopsReading(t *testing.T) {
	t.Parallel()
	p := start(t, lsptest.Script{Rules: []lsptest.Rule{lsptest.On("textDocument/didOpen", lsptest.StopReading())}})
	p.sync("a.toy", "x")
	p.next()
	for i := range 4 {
		p.sync("a.toy", strings.Repeat("y", i)+lsptest.LongText(1<<20))
	}
	_ = p.Close(t.Context())
	p.gone()
}

// A peer that somebody else runs is served over TCP like any other, and lives
// on when we leave: our documents are closed, it is not shut down.
func TestPeerOutlivesUs(t *testing.T) {
	t.Parallel()
	p, opts := prepare(t, lsptest.Script{MayOutlive: true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cmd := exec.Command(p.def.Commands[0].Binary)
	cmd.Env = append(os.Environ(), p.def.Env...)
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() { _, _ = io.Copy(conn, stdout) }()
		_, _ = io.Copy(stdin, conn) // stdin stays open: the peer has other clients
		_ = conn.Close()
	}()
	p.def.Connect = listener.Addr().String()
	if p.Server, err = lsp.Dial(p.context(), p.def, p.root, opts); err != nil {
		t.Fatal(err)
	}
	p.sync("a.toy", "x ERROR broken")
	expect(t, said(p.next()), "a.toy 1: broken")
	if pid := p.Info().Pid; pid != 0 {
		t.Errorf("a peer has the pid %d", pid)
	}
	var init struct{ ProcessID *int }
	if err := json.Unmarshal(p.entries("request", "initialize")[0].Params, &init); err != nil || init.ProcessID != nil {
		t.Errorf("the peer was told our pid: it would end with us (%v)", err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	<-left
	p.await(1, "notification", "textDocument/didClose")
	all := lsptest.ReadJournal(t, p.journal)
	if slices.ContainsFunc(all, func(e lsptest.Entry) bool { return e.Method == "shutdown" || e.Method == "exit" }) {
		t.Error("somebody else's server was told to end")
	}
	if alive := lsptest.Marked(t, lsptest.Marker(p.def)); len(alive) != 1 {
		t.Errorf("alive: %v", alive)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// A peer that hangs up fails what is pending; one that is not there cannot be
// dialled.
func TestPeerThatIsGone(t *testing.T) {
	t.Parallel()
	p, opts := prepare(t, lsptest.Script{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.def.Connect = listener.Addr().String()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			_ = conn.Close()
		}
	}()
	var failure *lsp.ServerError
	if _, err := lsp.Dial(p.context(), p.def, p.root, opts); !errors.As(err, &failure) || failure.Phase != "initialize" {
		t.Errorf("hung up: %v", err)
	}
	_ = listener.Close()
	// Nobody listens on the port of tcpmux. The one just closed may be another
	// test's by now.
	p.def.Connect = "127.0.0.1:1"
	var away *lsp.DialError
	if _, err := lsp.Dial(p.context(), p.def, p.root, opts); !errors.As(err, &away) || !strings.HasPrefix(err.Error(), "toy: connect to "+p.def.Connect+": connect") || !strings.Contains(strings.ToLower(err.Error()), "connection re") || !strings.Contains(away.Hint(), p.def.Connect) {
		t.Errorf("not there: %v", err)
	}
	_, timeout := net.DialTimeout("tcp", p.def.Connect, 1)
	late := &lsp.ServerError{Server: "toy", Phase: "connect to x:1", Err: &lsp.DialError{Address: "x:1", Err: timeout}}
	if errors.Is(late, context.DeadlineExceeded) || late.Kind() != result.Unavailable || late.Error() != "toy: connect to x:1: i/o timeout" {
		t.Errorf("nobody answers: %v, %s", late, late.Kind())
	}
}
