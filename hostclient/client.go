// Package hostclient embeds the service in an agent written in Go: it starts `lspine service` as a
// child process and asks it for diagnostics after edits.
//
// It never makes an edit fail: no method except [Client.Call] returns an error, and none panics.
// Without a service, every answer is empty at once, and [Client.UnavailableReason] says why.
package hostclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
)

// A State is the state of a client. Dead is final: a service is started only once.
type State int

// The states.
const (
	NeverStarted State = iota
	Alive
	Dead
)

func (s State) String() string { return [...]string{"never started", "alive", "dead"}[s] }

// DisabledReason is the reason why a disabled client is unavailable.
const DisabledReason = "LSP disabled by configuration"

// Time-outs that apply if Options do not set them.
const (
	readyTimeout  = 10 * time.Second
	callTimeout   = 15 * time.Second
	shutdownGrace = 3 * time.Second
)

// Options configure a client.
type Options struct {
	// Root is the workspace root, absolute.
	Root string
	// Config is the "lsp" object of the user's settings, as JSON; empty means the defaults,
	// and false disables the client.
	Config json.RawMessage
	// Command starts the service; empty means lspine service.
	Command []string
	// Env is added to the environment of this process.
	Env []string
	// Ready limits the wait for the service (10 s), Call each call (15 s), in addition to the
	// caller's context.
	Ready, Call time.Duration
	// Stderr gets what the service logs; nil discards it.
	Stderr io.Writer
	// Ask, if not nil, puts a question of the policy to the user. nil means that nobody can be
	// asked, so the fallback of the rule decides. It may be called several times concurrently. It
	// must return when its context ends, which happens when it is too late for an answer; that
	// counts as [Nothing]. Time during which the user is asked does not count against Call.
	Ask func(ctx context.Context, q Question) Said
	// FiveClasses says that the host knows five classes of verdicts: results of [Client.Call] have
	// lsp_unavailable, with the reason, instead of unknown. [Client.Judge] always uses the five
	// classes.
	FiveClasses bool
	// Navigation opens the file descriptors for the MCP tools; see [Client.MCPStreams].
	Navigation bool
}

// A Client is one service, for one session. It is safe for concurrent use; a nil Client is dead.
type Client struct {
	opts     Options
	starting sync.Mutex // held by Start

	mu     sync.Mutex
	state  State
	reason string
	// leaving means that Shutdown was called: the process may end before it returns.
	leaving bool
	conn    *jsonrpc.Conn
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process has ended
	ready   chan struct{} // closed with the first lsp/ready
	once    sync.Once
	read    *os.File // for MCP
	write   *os.File
	// questions counts the questions that the user is being asked; settled counts those that are
	// over.
	questions, settled atomic.Int64
}

// New returns a client that has not been started.
func New(opts Options) *Client {
	return &Client{opts: opts, ended: make(chan struct{}), ready: make(chan struct{})}
}

// Start starts the service and waits until it is ready. If that fails, [Client.UnavailableReason]
// says why, and the client stays unavailable.
func (c *Client) Start(ctx context.Context) {
	if c == nil {
		return
	}
	c.starting.Lock()
	defer c.starting.Unlock()
	if c.State() != NeverStarted {
		return
	}
	var why error
	if err := guard.Do(func() error { why = c.start(ctx); return nil }); err != nil {
		why = err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case why != nil:
		c.state, c.reason = Dead, why.Error()
	case c.hasEnded():
		c.state, c.reason = Dead, "service ended"
	default:
		c.state = Alive
	}
	if c.state == Dead {
		c.killLocked()
	}
}

// hasEnded reports whether the process has ended.
func (c *Client) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

func (c *Client) start(ctx context.Context) error {
	if strings.TrimSpace(string(c.opts.Config)) == "false" {
		return errors.New(DisabledReason)
	}
	config := c.opts.Config
	if len(config) == 0 {
		config = json.RawMessage("{}")
	}
	classes := "all"
	if c.opts.FiveClasses {
		classes = "five"
	}
	boot, err := json.Marshal(map[string]any{"workspaceRoot": c.opts.Root, "config": config, "asks": c.opts.Ask != nil, "classes": classes})
	if err != nil {
		return fmt.Errorf("the configuration is not JSON: %w", err)
	}
	command := c.opts.Command
	if len(command) == 0 {
		command = []string{"lspine", "service"}
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return fmt.Errorf("%s not found in PATH", command[0])
	}
	said := &firstLine{}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = c.opts.Root
	cmd.Env = append(append(os.Environ(), c.opts.Env...), "LSP_BOOTSTRAP="+string(boot))
	cmd.Stderr = said
	if c.opts.Stderr != nil {
		cmd.Stderr = io.MultiWriter(said, c.opts.Stderr)
	}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	pipe := func(toChild bool) (mine *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		if toChild {
			theirs = append(theirs, r)
			return w, nil
		}
		theirs = append(theirs, w)
		return r, nil
	}
	stdin, err := pipe(true)
	if err != nil {
		return err
	}
	stdout, err := pipe(false)
	if err != nil {
		return errors.Join(err, stdin.Close())
	}
	cmd.Stdin, cmd.Stdout = theirs[0], theirs[1]
	if c.opts.Navigation {
		if c.write, err = pipe(true); err == nil {
			c.read, err = pipe(false)
		}
		if err != nil {
			return errors.Join(err, stdin.Close(), stdout.Close())
		}
		cmd.ExtraFiles = theirs[2:]
	}
	c.mu.Lock()
	err = cmd.Start()
	if err == nil {
		c.cmd, c.conn = cmd, jsonrpc.New(pipes{stdout, stdin}, c, jsonrpc.Options{Server: questions{c}})
	}
	c.mu.Unlock()
	if err != nil {
		return errors.Join(fmt.Errorf("service startup failed: %w", err), stdin.Close(), stdout.Close())
	}
	go c.watch(cmd) // ends with the process, which Shutdown waits for
	timer := time.NewTimer(or(c.opts.Ready, readyTimeout))
	defer timer.Stop()
	select {
	case <-c.ready:
		return nil
	case <-c.ended:
		return fmt.Errorf("service startup failed: %s", said.orElse("it ended before it was ready"))
	case <-timer.C:
		return fmt.Errorf("service startup failed: it was not ready within %v", or(c.opts.Ready, readyTimeout))
	case <-ctx.Done():
		return fmt.Errorf("service startup failed: %w", ctx.Err())
	}
}

func or(asked, usual time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return usual
}

// pipes are the standard streams of the service.
type pipes struct {
	*os.File // its output
	in       *os.File
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Close() error                { return errors.Join(p.in.Close(), p.File.Close()) }

// watch records the end of the process.
func (c *Client) watch(cmd *exec.Cmd) {
	err := cmd.Wait()
	close(c.ended)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Alive {
		c.state, c.reason = Dead, "service ended"
		switch {
		case c.leaving:
			c.reason = shutDown
		case err != nil:
			c.reason = "service ended: " + err.Error()
		}
	}
}

// firstLine keeps the first line that is written to it.
type firstLine struct {
	mu   sync.Mutex
	text string
	full bool
}

func (f *firstLine) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.full {
		line, _, ended := strings.Cut(string(p), "\n")
		f.text, f.full = f.text+line, ended
	}
	return len(p), nil
}

func (f *firstLine) orElse(other string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.text == "" {
		return other
	}
	return f.text
}

// Notification implements the handler of the connection.
func (c *Client) Notification(method string, _ json.RawMessage) {
	if method == "lsp/ready" {
		c.once.Do(func() { close(c.ready) })
	}
}

// Request implements the handler of the connection; [questions] answers requests from the service.
func (c *Client) Request(string, json.RawMessage) (any, error) { return nil, jsonrpc.ErrMethodNotFound }

// State returns the current state.
func (c *Client) State() State {
	if c == nil {
		return Dead
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Alive reports whether the service is running.
func (c *Client) Alive() bool { return c.State() == Alive }

// UnavailableReason says why a client is not alive, "" if it is.
func (c *Client) UnavailableReason() string {
	if c == nil {
		return "service was not configured"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == NeverStarted {
		return "service was not started"
	}
	return c.reason
}

// MCPStreams returns the streams over which the MCP tools are served, as lines of JSON: the host
// reads from one and writes to the other. They are nil without Options.Navigation or if the client
// is not alive.
func (c *Client) MCPStreams() (read io.ReadCloser, write io.WriteCloser) {
	if !c.Alive() || c.read == nil {
		return nil, nil
	}
	return c.read, c.write
}

// call makes a request and decodes its result. It returns false if anything fails.
func (c *Client) call(ctx context.Context, method string, params, result any) bool {
	if !c.Alive() {
		return false
	}
	err := guard.Do(func() error {
		ctx, cancel := c.bounded(ctx, or(c.opts.Call, callTimeout))
		defer cancel()
		raw, err := json.Marshal(params)
		if err != nil {
			return err
		}
		answer, err := c.conn.Call(ctx, method, raw)
		if err != nil {
			return err
		}
		return json.Unmarshal(answer, result)
	})
	return err == nil
}

// shutDown is the reason of a client whose host has shut the service down.
const shutDown = "service was shut down"

// Shutdown ends the service and its language servers, and waits for them. The client is then dead.
func (c *Client) Shutdown(ctx context.Context) {
	if c == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	c.mu.Lock()
	c.leaving = true
	c.mu.Unlock()
	c.call(ctx, "lsp/shutdown", struct{}{}, new(json.RawMessage))
	c.mu.Lock()
	if c.state != Dead {
		c.state, c.reason = Dead, shutDown
	}
	conn := c.conn
	c.mu.Unlock()
	if conn == nil {
		return
	}
	_ = conn.Close() // ends the service's input
	select {
	case <-c.ended:
	case <-ctx.Done():
		c.mu.Lock()
		c.killLocked()
		c.mu.Unlock()
	}
	<-c.ended
	for _, f := range []*os.File{c.read, c.write} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// killLocked kills the process, which also ends its language servers.
func (c *Client) killLocked() {
	if c.cmd == nil || c.cmd.Process == nil {
		return
	}
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(shutdownGrace)
	defer timer.Stop()
	select {
	case <-c.ended:
	case <-timer.C:
		_ = c.cmd.Process.Kill()
	}
}
