// Package bridge connects a client that speaks MCP over lines, such as standard input and output, to a
// server that speaks it over HTTP. It passes on messages as they are, in both directions and of every
// revision, and reads of them only what the headers of HTTP must say. A server whose tools demand further
// headers for their arguments (x-mcp-header) is beyond it; ours has none.
package bridge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

const (
	// maxMessage is how long a message may be, in bytes, in either direction.
	maxMessage = 16 << 20
	// maxCalls is how many calls of the client are in progress at once; further ones wait.
	maxCalls = 64
	// leaveTimeout limits how long the server may take to end the session.
	leaveTimeout = 5 * time.Second
	// listenAgain is how long to wait until the stream of the server's own messages is opened again.
	listenAgain = time.Second
)

// Options configure [Run].
type Options struct {
	// URL is the address of the server, and Token the bearer token that it demands, "" if none.
	URL, Token string
	// In has the messages of the client, one a line, and Out gets those for it. The caller closes both.
	In  io.Reader
	Out io.Writer
	// HTTP makes requests; nil means http.DefaultClient. It must not limit how long an answer takes.
	HTTP *http.Client
	// Log gets what is not an answer to the client; it never gets the token.
	Log *slog.Logger
}

// A bridge is one session.
type bridge struct {
	opts  Options
	calls chan struct{}  // holds one element for each call in progress
	tasks sync.WaitGroup // the calls that end by themselves

	// writing is held while a message is written to Out, renewing while a session is begun again.
	writing, renewing sync.Mutex

	// mu guards what is known of the session since it began.
	mu       sync.Mutex
	session  string // the id that the server gave it, "" if none
	begin    message
	revision string // that the server chose, "" if the client has not begun a session
}

// Run passes messages on until the client closes In, and then until its calls are answered, or until ctx
// ends. An error of the server is the answer to the message that it is about; Run itself fails only if In
// or Out do.
func Run(ctx context.Context, opts Options) error {
	if opts.HTTP == nil {
		opts.HTTP = http.DefaultClient
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	var streams sync.WaitGroup
	defer streams.Wait()
	defer cancel()
	b := &bridge{opts: opts, calls: make(chan struct{}, maxCalls)}
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() { // ends with In; a line that nobody takes any more is dropped
		defer close(lines)
		failed <- read(ctx, opts.In, lines)
	}()
	for {
		select {
		case <-ctx.Done():
			b.tasks.Wait() // they have ended, too
			b.leave(ctx)
			return nil
		case line, more := <-lines:
			if !more {
				b.tasks.Wait()
				b.leave(ctx)
				return <-failed
			}
			if err := b.forward(ctx, &streams, line); err != nil {
				return err
			}
		}
	}
}

// read sends the lines of a stream, without empty ones.
func read(ctx context.Context, in io.Reader, to chan<- []byte) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		select {
		case to <- bytes.Clone(line):
		case <-ctx.Done():
			return nil
		}
	}
	return lines.Err()
}

// forward sends one message of the client. Messages arrive at the server in their order, except that it
// may still be reading a call when the next message arrives. Answers are awaited in the background.
func (b *bridge) forward(ctx context.Context, streams *sync.WaitGroup, line []byte) error {
	m := messageOf(line)
	if !m.isCall() || m.Method == "initialize" { // nothing may overtake it
		err := b.post(ctx, m, func() {})
		if err == nil && m.Method == "initialize" && b.hasStream() {
			streams.Go(func() { b.listen(ctx) })
		}
		return err
	}
	select {
	case b.calls <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	sent := make(chan struct{})
	run := b.tasks.Go
	if m.Method == "subscriptions/listen" { // ends with the client
		run = streams.Go
	}
	run(func() {
		defer func() { <-b.calls }()
		told := sync.OnceFunc(func() { close(sent) })
		defer told()
		if err := b.post(ctx, m, told); err != nil {
			b.opts.Log.Error("the client does not read", "error", err)
		}
	})
	<-sent
	return nil
}

// post sends one message and writes what the server answers. sent is called when the server has it all. If the server
// has forgotten the session, as one does that was started again, another begins first. It fails if Out does.
func (b *bridge) post(ctx context.Context, m message, sent func()) error {
	of := b.id()
	response, err := b.send(ctx, m, sent)
	if err == nil && isForgotten(response, of) && m.Method != "initialize" {
		_ = response.Body.Close()
		if err = b.renew(ctx, of); err == nil {
			response, err = b.send(ctx, m, sent)
		}
	}
	if err != nil {
		return b.answer(m, err)
	}
	defer func() { _ = response.Body.Close() }()
	if id := response.Header.Get("Mcp-Session-Id"); id != "" && m.Method == "initialize" {
		b.mu.Lock()
		b.session, b.begin = id, m
		b.mu.Unlock()
	}
	answered := false
	pass := func(text []byte) error {
		answered = answered || bytes.Equal(messageOf(text).ID, m.ID)
		return b.write(m, text)
	}
	switch {
	case response.StatusCode >= 300:
		return b.answer(m, problemOf(response))
	case isEvents(response):
		err = events(response.Body, nil, pass)
	case m.isCall():
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(response.Body, maxMessage)); err == nil {
			err = pass(text)
		}
	default:
		return nil // 202
	}
	var failed *writeError
	switch {
	case errors.As(err, &failed):
		return failed.err
	case m.isCall() && !answered:
		return b.answer(m, errors.New("the server closed the connection before it answered"))
	}
	return nil
}

// send sends one message and returns the answer, whose body the caller closes. sent is called when the server has it all.
func (b *bridge) send(ctx context.Context, m message, sent func()) (*http.Response, error) {
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { sent() }})
	req, err := b.request(traced, http.MethodPost, bytes.NewReader(m.text), m.Meta.revision())
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	m.describe(req.Header)
	response, err := b.opts.HTTP.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached: %w", b.opts.URL, errors.Unwrap(err))
	}
	return response, nil
}

// id returns the id of the session, "" if there is none.
func (b *bridge) id() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// isForgotten reports whether an answer says that the server does not know the session any more.
func isForgotten(response *http.Response, session string) bool {
	return response.StatusCode == http.StatusNotFound && session != ""
}

// renew begins a session in the place of one that the server has forgotten, as the client began that one, unless
// that has been done already.
func (b *bridge) renew(ctx context.Context, forgotten string) error {
	b.renewing.Lock()
	defer b.renewing.Unlock()
	b.mu.Lock()
	begin, done := b.begin, b.session != forgotten
	if !done {
		b.session = ""
	}
	b.mu.Unlock()
	if done {
		return nil
	}
	b.opts.Log.Warn("the server does not know the session any more; another begins")
	next := forgotten // until there is another one, so that it is tried again
	response, err := b.send(ctx, begin, func() {})
	if err == nil {
		if response.StatusCode < 300 {
			_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxMessage)) // the client knows what it says
			next = response.Header.Get("Mcp-Session-Id")
		} else {
			err = problemOf(response)
		}
		_ = response.Body.Close()
	}
	b.mu.Lock()
	b.session = next
	b.mu.Unlock()
	if err != nil {
		return err
	}
	response, err = b.send(ctx, messageOf([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)), func() {})
	if err == nil {
		_ = response.Body.Close()
	}
	return err
}

// request returns a request of the session, for a message of a revision that the message names, or of that of the session.
func (b *bridge) request(ctx context.Context, method string, body io.Reader, revision string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, b.opts.URL, body)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if revision == "" {
		revision = b.revision
	}
	for name, value := range map[string]string{"Mcp-Session-Id": b.session, "Mcp-Protocol-Version": revision} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if b.opts.Token != "" {
		req.Header.Set("Authorization", "Bearer "+b.opts.Token)
	}
	return req, nil
}

// A writeError says that the client cannot be written to.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

// write writes a message to the client that came in answer to another one of it.
func (b *bridge) write(of message, text []byte) error {
	if of.Method == "initialize" {
		var answer struct {
			Result struct{ ProtocolVersion string }
		}
		_ = json.Unmarshal(text, &answer) // an error has none
		b.mu.Lock()
		b.revision = answer.Result.ProtocolVersion
		b.mu.Unlock()
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		b.opts.Log.Error("the server sent what is not JSON", "error", err)
		return nil
	}
	line.WriteByte('\n')
	b.writing.Lock()
	defer b.writing.Unlock()
	if _, err := b.opts.Out.Write(line.Bytes()); err != nil {
		return &writeError{err}
	}
	return nil
}

// answer answers a call of the client with an error. What is not a call is answered by nobody.
func (b *bridge) answer(m message, err error) error {
	b.opts.Log.Warn("a message was not delivered", "method", m.Method, "error", err)
	if !m.isCall() {
		return nil
	}
	type rpcError struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   rpcError        `json:"error"`
	}{"2.0", m.ID, rpcError{-32603, err.Error()}})
	if err != nil {
		return err
	}
	err = b.write(m, text)
	if failed := (*writeError)(nil); errors.As(err, &failed) {
		return failed.err
	}
	return err
}

// hasStream reports whether the server may have a stream of messages of its own.
func (b *bridge) hasStream() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.revision != "" && b.session != ""
}

// listen passes the server's own messages on until ctx ends or the server has none.
func (b *bridge) listen(ctx context.Context) {
	last := ""
	for ctx.Err() == nil {
		of := b.id()
		req, err := b.request(ctx, http.MethodGet, nil, "")
		if err != nil {
			return
		}
		req.Header.Set("Accept", "text/event-stream")
		if last != "" {
			req.Header.Set("Last-Event-ID", last)
		}
		if response, err := b.opts.HTTP.Do(req); err == nil {
			renewed := isForgotten(response, of) && b.renew(ctx, of) == nil
			if renewed {
				last = ""
			}
			ok := response.StatusCode < 300 && isEvents(response)
			if ok {
				err = events(response.Body, &last, func(text []byte) error { return b.write(message{}, text) })
			}
			_ = response.Body.Close()
			if !ok && !renewed && response.StatusCode < 500 && response.StatusCode != http.StatusTooManyRequests || errors.As(err, new(*writeError)) {
				return
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

// leave ends the session at the server, even if ctx has ended.
func (b *bridge) leave(ctx context.Context) {
	if !b.hasStream() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	req, err := b.request(ctx, http.MethodDelete, nil, "")
	if err != nil {
		return
	}
	if response, err := b.opts.HTTP.Do(req); err == nil {
		_ = response.Body.Close()
	}
}
