package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

func TestMain(m *testing.M) { Main(m) }

// client is the barest peer: raw frames in, raw frames out.
type client struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr *bytes.Buffer
	nextID int
	root   string
	def    registry.Definition
	notes  []message // notifications and requests read while waiting
}

const files = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def other
`

const announced = `{"window":{"workDoneProgress":true},"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}},
	"textDocument":{"diagnostic":{"dynamicRegistration":true}}}`

// start runs the script's server in a workspace of the files above; it is
// killed at the end of the test if it is still there.
func start(t *testing.T, s Script) *client {
	t.Helper()
	d := s.Definition(t)
	cmd := exec.Command(d.Commands[0].Binary, d.Commands[0].Args...)
	cmd.Env = append(os.Environ(), d.Env...)
	c := &client{t: t, cmd: cmd, stderr: &bytes.Buffer{}, root: Workspace(t, files), def: d}
	cmd.Stderr = c.stderr
	var err error
	if c.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.stdout = bufio.NewReader(stdout)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return c
}

// open runs the script's server and brings it to where requests are served.
func open(t *testing.T, s Script) *client {
	t.Helper()
	c := start(t, s)
	c.initialize()
	return c
}

func (c *client) initialize() message {
	c.t.Helper()
	reply := c.call("initialize", `{"rootUri":`+quote(c.uri(""))+`,"capabilities":`+announced+`}`)
	c.notify("initialized", "{}")
	return reply
}

func quote(s string) string { return string(encode(s)) }

func (c *client) uri(name string) string {
	return fspath.Here.URI(filepath.Join(c.root, name))
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := c.stdin.Write(frame([]byte(text))); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) notify(method, params string) {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`)
}

func (c *client) request(method, params string) (id string) {
	c.t.Helper()
	c.nextID++
	id = string(encode(c.nextID))
	c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	return id
}

// read returns the next message; the end of the stream fails the test.
func (c *client) read() message {
	c.t.Helper()
	body, err := readFrame(c.stdout)
	if err != nil {
		c.t.Fatalf("the server's stream ended: %v\nstderr: %.500s", err, c.stderr)
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		c.t.Fatalf("%v: %.200s", err, body)
	}
	if m.isRequest() {
		c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":null}`)
	}
	return m
}

// call returns the response; what comes before it is kept in notes.
func (c *client) call(method, params string) message {
	c.t.Helper()
	id := c.request(method, params)
	for {
		m := c.read()
		if m.Method == "" && string(m.ID) == id {
			return m
		}
		c.notes = append(c.notes, m)
	}
}

// next returns the next message with the method, kept or read.
func (c *client) next(method string) message {
	c.t.Helper()
	for {
		var m message
		if len(c.notes) > 0 {
			m, c.notes = c.notes[0], c.notes[1:]
		} else {
			m = c.read()
		}
		if m.Method == method {
			return m
		}
	}
}

// published returns the next publish as "name version: message, message".
func (c *client) published() string {
	c.t.Helper()
	return c.describe(c.next("textDocument/publishDiagnostics"))
}

func (c *client) describe(m message) string {
	c.t.Helper()
	var p publishParams
	if err := json.Unmarshal(m.Params, &p); err != nil {
		c.t.Fatal(err)
	}
	return strings.TrimSpace(filepath.Base(p.URI)+" "+string(p.Version)) + ": " + c.messages(p.Diagnostics)
}

func (c *client) messages(items []json.RawMessage) string {
	var texts []string
	for _, item := range items {
		var d diagnostic
		if json.Unmarshal(item, &d) == nil && d.Message != "" {
			texts = append(texts, d.Message)
		} else {
			texts = append(texts, "(bad)")
		}
	}
	return strings.Join(texts, ", ")
}

func (c *client) didOpen(name, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", `{"textDocument":{"uri":`+quote(c.uri(name))+
		`,"languageId":"toy","version":1,"text":`+quote(text)+`}}`)
}

func (c *client) didChange(name string, version int, changes string) {
	c.t.Helper()
	c.notify("textDocument/didChange", `{"textDocument":{"uri":`+quote(c.uri(name))+
		`,"version":`+string(encode(version))+`},"contentChanges":[`+changes+`]}`)
}

// in makes params with the document and a position.
func (c *client) in(name string, line, character int) string {
	return `{"textDocument":{"uri":` + quote(c.uri(name)) + `},"position":` + string(encode(position{line, character})) + `}`
}

func (c *client) journal() []Entry {
	c.t.Helper()
	var entries []Entry
	if err := json.Unmarshal(c.call("toy/journal", "{}").Result, &entries); err != nil {
		c.t.Fatal(err)
	}
	return entries
}

func (c *client) violations() (texts []string) {
	c.t.Helper()
	for _, e := range c.journal() {
		if e.Kind == "violation" {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

func (c *client) marker() string { return Marker(c.def) }

// wait ends stdin and returns the exit code; -1 means a signal.
func (c *client) wait() int {
	c.t.Helper()
	_ = c.stdin.Close()
	_, _ = io.Copy(io.Discard, c.stdout)
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}
