package gate

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
)

const secret = "1c7d0a5e9f3b4c2d8e6f7a8b9c0d1e2f"

// A house is a handler behind a gate that serves on this machine.
type house struct {
	t    *testing.T
	gate *Gate
	url  string
	// log is what a person who runs the server is told.
	log *record
	// leave ends the serving; ended says how it ended.
	leave context.CancelFunc
	ended chan error
}

// A record is a log that may be read while it is written.
type record struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// open serves next behind a gate until the end of the test.
func open(t *testing.T, next http.HandlerFunc, change ...func(*Gate)) *house {
	t.Helper()
	listener, err := Listen(t.Context(), netip.MustParseAddr("127.0.0.1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, log: &record{}, url: "http://" + listener.Addr().String(), ended: make(chan error, 1)}
	h.gate = New(Options{
		Tokens: Single(secret), Hosts: NewHosts(listener.Addr(), nil),
		IsStream: func(r *http.Request) bool { return r.URL.Path == "/stream" },
		Log:      slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	for _, f := range change {
		f(h.gate)
	}
	ctx, leave := context.WithCancel(context.Background())
	streams, end := context.WithCancel(context.Background())
	h.leave = leave
	go func() { // received below
		h.ended <- h.gate.Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			defer context.AfterFunc(streams, cancel)()
			next(w, r.WithContext(ctx))
		}), end)
	}()
	t.Cleanup(func() {
		leave()
		if err := <-h.ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return h
}

// A reply is what a client sees of an answer.
type reply struct {
	Status int
	Body   string
	Header http.Header
}

// ask sends a request with the right token, unless the headers say otherwise.
func (h *house) ask(method, path, body string, headers ...string) reply {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			req.Host = headers[i+1]
		case headers[i+1] == "":
			req.Header.Del(headers[i])
		default:
			req.Header[headers[i]] = strings.Split(headers[i+1], "|")
		}
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{response.StatusCode, string(text), response.Header}
}

// dial opens a connection that a test writes to by itself.
func (h *house) dial() net.Conn {
	h.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	return conn
}
