//go:build unix

package service

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

// A service that is configured wrongly says so in one line, which names the field, and ends
// with exit code 1 before it says that it is ready.
//
// Requirement: REQ-START-040, REQ-GRACE-045.
func TestWrongBootstrap(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.toy --\n")
	for env, want := range map[string]string{
		"LSP_BOOTSTRAP=": "LSP_BOOTSTRAP environment variable is required",
		`LSP_BOOTSTRAP={"workspaceRoot":"` + root + `/none"}`:                                             "LSP_BOOTSTRAP.workspaceRoot must be a folder; " + root + "/none is none",
		`LSP_BOOTSTRAP={"workspaceRoot":"` + root + `","config":{"maxDiagnosticsPerFile":"x"}}`:           "LSP_BOOTSTRAP.config.maxDiagnosticsPerFile must be a whole number, not a string",
		`LSP_BOOTSTRAP={"workspaceRoot":"` + root + `","config":{"includeSeverities":["fatal"]}}`:         `LSP_BOOTSTRAP.config.includeSeverities there is no severity "fatal" (known are error, warning, info, hint)`,
		`LSP_BOOTSTRAP={"workspaceRoot":"` + root + `","config":{"servers":{"my":{"command":["a",1]}}}}`:  "LSP_BOOTSTRAP.config.servers.my.command must be a string or an array of strings, and has the number 1 in it",
		`LSP_BOOTSTRAP={"workspaceRoot":"` + root + `","config":{"servers":{"gopls":{"enabled":"yes"}}}}`: "LSP_BOOTSTRAP.config.servers.gopls.enabled must be true or false, not a string",
	} {
		cmd := command(t, env)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		code := exitCode(cmd.Run())
		if code != 1 || stdout.Len() > 0 || stderr.String() != want+"\n" {
			t.Errorf("%s: exit code %d, %q, stderr %q, want %q", env, code, &stdout, &stderr, want)
		}
	}
}

// However the host leaves, the service and its servers are gone soon, and it ends well: at the
// end of its input, by a signal, and when it was told to shut down.
//
// Requirement: REQ-LIFE-040, REQ-LIFE-050, REQ-LIFE-060, BR-24, BR-71, BR-72.
func TestEnds(t *testing.T) {
	for name, leave := range map[string]func(c *child){
		"input":    func(c *child) { _ = c.stdin.Close() },
		"SIGTERM":  func(c *child) { _ = c.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":   func(c *child) { _ = c.cmd.Process.Signal(syscall.SIGINT) },
		"shutdown": func(c *child) { _ = call[*int](c, "lsp/shutdown", struct{}{}) },
		"closed":   func(c *child) { _ = c.conn.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\nERROR one\n")
			toy := newToy(t, lsptest.Script{IgnoreEOF: true, IgnoreTerm: true})
			c := begin(t, command(t, bootstrap(t, root, nil, toy)))
			if got := c.check(root + "/a.toy"); len(got) != 1 {
				t.Fatalf("%v", got)
			}
			if len(lsptest.Marked(t, toy.marker)) == 0 {
				t.Fatal("there is no server")
			}
			since := time.Now()
			leave(c)
			c.gone(since, toy.marker)
		})
	}
}

// A host that vanishes while a server still starts takes both with it.
//
// Requirement: REQ-LIFE-040, REQ-LIFE-080.
func TestHostVanishesDuringAStart(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\nERROR one\n")
	journal := filepath.Join(t.TempDir(), "journal")
	toy := newToy(t, lsptest.Script{JournalFile: journal, Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Hang())}})
	c := begin(t, command(t, bootstrap(t, root, nil, toy)))
	asking, stop := context.WithCancel(t.Context())
	defer stop()
	asked := make(chan error, 1)
	go func() {
		asked <- c.ask(asking, "lsp/checkFile", map[string]string{"filePath": root + "/a.toy"}, new([]finding))
	}()
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(lsptest.ReadJournal(t, journal)) > 0 }, "the server is started")
	since := time.Now()
	_ = c.stdin.Close()
	c.gone(since, toy.marker)
	<-asked
}

// A host that is killed while others hold its pipes, so that nothing ever ends them, is
// noticed all the same.
//
// Requirement: REQ-LIFE-080.
func TestHostIsKilled(t *testing.T) {
	root := lsptest.Workspace(t, "-- toy.root --\n-- a.toy --\nERROR one\n")
	toy := newToy(t, lsptest.Script{IgnoreEOF: true})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), beHost+"=1", bootstrap(t, root, nil, toy), toy.marker)
	c := &child{t: t, cmd: cmd, stderr: &lines{}, ended: make(chan error, 1), events: make(chan string, 100)}
	stdin, feed, err := os.Pipe() // we hold both ends, as a sibling would
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	defer feed.Close()
	read, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer stdout.Close()
	errs, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const request = `{"jsonrpc":"2.0","id":1,"method":"lsp/checkFile","params":{"filePath":"a.toy"}}`
	if _, err := feed.WriteString("Content-Length: " + itoa(len(request)) + "\r\n\r\n" + request); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 0, 1000)
	for !strings.Contains(string(answer), `"message":"one"`) {
		part := make([]byte, 1000)
		n, err := read.Read(part)
		if err != nil {
			t.Fatal(err)
		}
		answer = append(answer, part[:n]...)
	}
	if len(lsptest.Marked(t, toy.marker)) < 3 { // host, service, supervisor, server
		t.Fatalf("%v", lsptest.Marked(t, toy.marker))
	}
	since := time.Now()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	c.ended <- nil
	c.gone(since, toy.marker)
}
