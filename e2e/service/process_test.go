//go:build unix

package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

const (
	// beLSPine makes this test binary the product's, beHost a host that starts it.
	beLSPine = "E2E_BE_LSPINE"
	beHost   = "E2E_BE_HOST"
)

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			switch {
			case os.Getenv("LSPTEST_SCRIPT") != "": // a scripted server, which has its parents' environment
			case os.Getenv(beHost) != "":
				os.Exit(host())
			case os.Getenv(beLSPine) != "":
				os.Exit(cli.Main(os.Args))
			}
		})
}

// A toy is the configuration of a scripted server, as a host gives it.
type toy struct {
	id, marker string
	config     map[string]any
}

func newToy(t *testing.T, script lsptest.Script) toy {
	t.Helper()
	d := script.Definition(t)
	env := make(map[string]string)
	for _, variable := range d.Env {
		name, value, _ := strings.Cut(variable, "=")
		env[name] = value
	}
	return toy{d.ID, lsptest.Marker(d), map[string]any{
		"command": d.Commands[0].Binary, "args": []string{}, "env": env, "extensions": []string{".toy"}, "roots": d.Roots,
	}}
}

// bootstrap returns LSP_BOOTSTRAP for a root with some servers and more settings.
func bootstrap(t *testing.T, root string, more map[string]any, toys ...toy) string {
	t.Helper()
	servers := make(map[string]any)
	for _, s := range toys {
		servers[s.id] = s.config
	}
	config := map[string]any{"servers": servers}
	for name, value := range more {
		config[name] = value
	}
	text, err := json.Marshal(map[string]any{"workspaceRoot": root, "config": config})
	if err != nil {
		t.Fatal(err)
	}
	return "LSP_BOOTSTRAP=" + string(text)
}

// command returns the product as a host starts it.
func command(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "service", "run", "packages/lsp/src/main.ts", "--smol")
	cmd.Env = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0", "XDG_CONFIG_HOME="+t.TempDir(), "LSP_BOOTSTRAP=")
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// A child is a service that runs.
type child struct {
	t      *testing.T
	cmd    *exec.Cmd
	conn   *jsonrpc.Conn
	stdin  io.WriteCloser
	stderr *lines
	ended  chan error
	events chan string // methods of notifications
}

// lines are what was written so far.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// pipes are two standard streams as one.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// Notification implements [jsonrpc.Handler].
func (c *child) Notification(method string, _ json.RawMessage) {
	select {
	case c.events <- method:
	default:
	}
}

// Request implements [jsonrpc.Handler].
func (c *child) Request(string, json.RawMessage) (any, error) { return nil, jsonrpc.ErrMethodNotFound }

// begin starts a service and waits until it is ready.
func begin(t *testing.T, cmd *exec.Cmd) *child {
	t.Helper()
	c := &child{t: t, cmd: cmd, stderr: &lines{}, ended: make(chan error, 1), events: make(chan string, 100)}
	cmd.Stderr = c.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdin = stdin
	stdout, ours, err := os.Pipe() // not of exec: its Wait would close it under the reader
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = ours
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = ours.Close()
	c.conn = jsonrpc.New(pipes{stdout, stdin}, c, jsonrpc.Options{})
	go func() { c.ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = c.conn.Close()
		_ = stdout.Close()
		if err := c.wait(); err != nil {
			t.Errorf("the service ended with %v: %s", err, c.stderr)
		}
	})
	c.await("lsp/ready")
	return c
}

// await waits for a notification.
func (c *child) await(method string) {
	c.t.Helper()
	for {
		select {
		case got := <-c.events:
			if got == method {
				return
			}
		case err := <-c.ended:
			c.ended <- err
			c.t.Fatalf("it ended with %v: %s", err, c.stderr)
		}
	}
}

// wait waits for the end of the process.
func (c *child) wait() error {
	err := <-c.ended
	c.ended <- err
	return err
}

// within is how soon everything must be gone.
const within = 3 * time.Second

// gone waits until the process and its servers are gone, and fails if that takes long.
func (c *child) gone(since time.Time, markers ...string) {
	c.t.Helper()
	err := c.wait()
	if err != nil {
		c.t.Errorf("it ended with %v: %s", err, c.stderr)
	}
	for _, marker := range markers {
		lsptest.Eventually(c.t, within, func() bool { return len(lsptest.Marked(c.t, marker)) == 0 }, "servers are gone: %v", lsptest.Marked(c.t, marker))
	}
	if took := time.Since(since); took > within {
		c.t.Errorf("it was gone after %v", took)
	}
}

// call makes a request and returns its result.
func call[T any](c *child, method string, params any) (result T) {
	c.t.Helper()
	if err := c.ask(context.Background(), method, params, &result); err != nil {
		c.t.Fatalf("%s: %v\n%s", method, err, c.stderr)
	}
	return result
}

func (c *child) ask(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer, err := c.conn.Call(ctx, method, raw)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, result)
}

// A finding is what tests look at of a diagnostic.
type finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// check asks for the diagnostics of a file.
func (c *child) check(path string) []finding {
	c.t.Helper()
	return call[[]finding](c, "lsp/checkFile", map[string]string{"filePath": path})
}

// exitCode returns how a process ended that ends by itself.
func exitCode(err error) int {
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		return exited.ExitCode()
	}
	if err != nil {
		return -1
	}
	return 0
}

// host is a process that starts the service with its own standard streams, and waits for it.
func host() int {
	cmd := exec.Command(os.Args[0], "service")
	cmd.Env = append(os.Environ(), beHost+"=", beLSPine+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	_ = cmd.Run()
	return 0
}

// socketpair returns two ends of a socket.
func socketpair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		syscall.CloseOnExec(fd)
	}
	if err := syscall.SetNonblock(fds[0], true); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
}
