//go:build unix

package hostile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// patience is how long the caller of a front waits. What is not answered by then hangs.
const patience = 40 * time.Second

// An answer is what a front said.
type answer struct {
	// refused says that it was an error.
	refused bool
	// text is what a person or a model reads, wire all that came.
	text, wire string
}

// A person starts programs in a project.
type person struct {
	t       *testing.T
	root    string
	environ []string
}

// start prepares a command, which ends with the test.
func (p *person) start(args ...string) *exec.Cmd {
	p.t.Helper()
	program, err := exec.LookPath("lspine")
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = p.root, p.environ
	return cmd
}

// run runs a command to its end. It is refused if it says so by its exit code; err is set if the command cannot be given, or hangs.
func (p *person) run(stdin string, args ...string) (answer, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	ready := p.start(args...)
	cmd := exec.CommandContext(ctx, ready.Path, ready.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = ready.Dir, ready.Env, strings.NewReader(stdin), time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		return answer{text: out.String()}, errors.Join(err, ctx.Err())
	}
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 3 {
		return answer{}, fmt.Errorf("exit code %d:\n%s", code, out.String())
	}
	return answer{cmd.ProcessState.ExitCode() == 2, out.String(), out.String()}, nil
}

// A talk is a process that is asked in JSON, in lines or in frames.
type talk struct {
	p      *person
	in     io.Writer
	framed bool
	came   chan string // messages, closed at the end of the process
	next   int
}

// talkTo starts a process, and ends it with the test.
func (p *person) talkTo(framed bool, args ...string) *talk {
	p.t.Helper()
	cmd := p.start(args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	talk := &talk{p: p, in: in, framed: framed, came: make(chan string, 64)}
	go func() { // ends with the output of the process
		defer close(talk.came)
		r := bufio.NewReader(out)
		for {
			message, err := talk.read(r)
			if err != nil {
				return
			}
			talk.came <- message
		}
	}()
	p.t.Cleanup(func() {
		_ = in.Close()
		for range talk.came {
		}
		_ = cmd.Wait()
	})
	return talk
}

func (k *talk) read(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil || !k.framed {
		return line, err
	}
	length, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "Content-Length:")))
	if err != nil {
		return "", err
	}
	if _, err := r.ReadString('\n'); err != nil {
		return "", err
	}
	body := make([]byte, length)
	_, err = io.ReadFull(r, body)
	return string(body), err
}

// say sends a message.
func (k *talk) say(message string) error {
	if k.framed {
		message = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
	} else {
		message += "\n"
	}
	_, err := io.WriteString(k.in, message)
	return err
}

// ask sends a request, and returns the answer to it, with everything that came before.
func (k *talk) ask(method, params string) (answer, error) {
	k.next++
	id := k.next
	if err := k.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)); err != nil {
		return answer{}, err
	}
	return k.hear(id)
}

func (k *talk) hear(id int) (a answer, err error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case message, more := <-k.came:
			if !more {
				return a, errors.New("the process has ended")
			}
			a.wire += message
			if answered(message) == id || strings.Contains(message, `"id":null,"error"`) { // its id could not be read
				last := told(message)
				a.text, a.refused = last.text, last.refused
				return a, nil
			}
		case <-late.C:
			return a, errors.New("no answer")
		}
	}
}

// answered returns the id of an answer, -1 of another message.
func answered(message string) int {
	var m struct {
		ID     *int            `json:"id"`
		Method json.RawMessage `json:"method"`
	}
	if json.Unmarshal([]byte(message), &m) != nil || m.ID == nil || m.Method != nil {
		return -1
	}
	return *m.ID
}

// told returns what an answer in JSON tells a model, or a person.
func told(message string) answer {
	var m struct {
		Error  *struct{ Message string } `json:"error"`
		Result struct {
			IsError bool `json:"isError"`
			Content []struct{ Text string }
		} `json:"result"`
	}
	_ = json.Unmarshal([]byte(message), &m) // of lsp/checkFile it is a list
	a := answer{refused: m.Error != nil || m.Result.IsError, wire: message}
	if m.Error != nil {
		a.text = m.Error.Message
	}
	for _, c := range m.Result.Content {
		a.text += c.Text
	}
	return a
}

const hello = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"hostile","version":"1"}}`

// mcp starts an MCP server on standard input and output.
func (p *person) mcp(args ...string) *talk {
	p.t.Helper()
	k := p.talkTo(false, append([]string{"mcp", "--root", p.root}, args...)...)
	_, err := k.ask("initialize", hello)
	if err := errors.Join(err, k.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		p.t.Fatal(err)
	}
	return k
}

// A post is an MCP session over HTTP.
type post struct {
	p                *person
	address, session string
	next             int
}

// http starts an MCP server over HTTP, and ends it with the test.
func (p *person) http() *post {
	p.t.Helper()
	cmd := p.start("mcp", "--root", p.root, "--http", "--no-auth", "--port", "0")
	said, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	drained := make(chan struct{})
	go func() { // ends with the standard error of the process
		defer close(drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-drained
		_ = cmd.Wait()
	})
	h := &post{p: p, address: strings.TrimPrefix(strings.TrimSpace(line), "lspine: serving MCP at ")}
	if _, err := h.ask("initialize", hello); err != nil {
		p.t.Fatal(err)
	}
	if _, err := h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		p.t.Fatal(err)
	}
	return h
}

func (h *post) ask(method, params string) (answer, error) {
	h.next++
	return h.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, h.next, method, params))
}

// send posts a message, and returns what comes back.
func (h *post) send(message string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.p.t.Context()), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address, strings.NewReader(message))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if h.session != "" {
		request.Header.Set("Mcp-Session-Id", h.session)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	if session := response.Header.Get("Mcp-Session-Id"); session != "" {
		h.session = session
	}
	body, err := io.ReadAll(response.Body)
	if response.StatusCode/100 != 2 {
		return answer{true, string(body), string(body)}, err
	}
	a := answer{wire: string(body), text: string(body)}
	for line := range strings.Lines(string(body)) {
		if data, event := strings.CutPrefix(line, "data: "); event || strings.HasPrefix(line, "{") {
			last := told(data)
			a.text, a.refused = last.text, last.refused
		}
	}
	return a, err
}

// service starts the service for hosts.
func (p *person) service() *talk {
	p.t.Helper()
	former := p.environ
	root, err := json.Marshal(p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	p.environ = append(p.environ[:len(p.environ):len(p.environ)], `LSP_BOOTSTRAP={"workspaceRoot":`+string(root)+`,"config":{}}`)
	defer func() { p.environ = former }()
	return p.talkTo(true, "service")
}

// knock sends something to the daemon's socket as another program of the user could, and waits until the daemon hangs up, or says
// something.
func (p *person) knock(run, message string) error {
	socket := ""
	err := filepath.WalkDir(run, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type() == fs.ModeSocket {
			socket = path
		}
		return err
	})
	if err != nil {
		return err
	}
	conn, err := net.DialTimeout("unix", socket, patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, err = fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", len(message), message)
	if unix, ok := conn.(*net.UnixConn); ok && err == nil {
		err = unix.CloseWrite()
	}
	var hangsUp *net.OpError
	if err != nil && !errors.As(err, &hangsUp) {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return fmt.Errorf("the daemon neither answers nor hangs up: %w", err)
	}
	return nil
}
