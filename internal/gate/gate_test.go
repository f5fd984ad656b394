package gate

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

// hello answers every request with the name of its client and its body.
func hello(w http.ResponseWriter, r *http.Request) {
	name := "nobody"
	if c := ClientOf(r.Context()); c != nil {
		name = c.Name
	}
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Cache-Control", "max-age=60") // not as the gate wants it
	fmt.Fprintf(w, "%s says %q with %q", name, body, r.Header.Get("Authorization"))
}

// Who has the token comes in, and what is behind the gate does not see it. Everybody else is told only
// that he is not authorized, whatever is wrong. No token ever gets into the log.
func TestWhoComesIn(t *testing.T) {
	h := open(t, hello)
	for name, header := range map[string]string{
		"none": "", "another": "Bearer " + strings.Repeat("0", len(secret)), "a part": "Bearer " + secret[:len(secret)-1], "more": "Bearer " + secret + "0",
		"another scheme": "Basic " + secret, "no scheme": secret, "two": "Bearer " + secret + "|Bearer " + secret, "empty": "Bearer ",
	} {
		got := h.ask(http.MethodPost, "/", "x", "Authorization", header)
		if got.Status != http.StatusUnauthorized || got.Body != `{"error":"unauthorized"}` || got.Header.Get("Www-Authenticate") != "Bearer" || got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
		if got := h.ask(http.MethodPost, "/", "x", "Authorization", scheme+secret); got.Status != http.StatusOK || got.Body != `token says "x" with ""` {
			t.Errorf("%q: %+v", scheme, got)
		}
	}
	if text := h.log.String(); strings.Contains(text, secret[:8]) {
		t.Errorf("the log has the token: %s", text)
	}
}

// Whoever looks after the process needs no token.
func TestProbes(t *testing.T) {
	h := open(t, hello)
	for _, path := range []string{"/health", "/ready"} {
		if got := h.ask(http.MethodGet, path, "", "Authorization", "", "Host", "balancer"); got.Status != http.StatusOK || got.Body != `{"status":"ok"}` {
			t.Errorf("%s: %+v", path, got)
		}
		if got := h.ask(http.MethodPost, path, "", "Authorization", ""); got.Status != http.StatusMethodNotAllowed || got.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %+v", path, got)
		}
	}
}

// Every answer says that nobody is to keep it or to guess what it is, whatever the handler says.
func TestHeadersOfEveryAnswer(t *testing.T) {
	h := open(t, hello)
	for _, got := range []reply{
		h.ask(http.MethodPost, "/", ""), h.ask(http.MethodGet, "/health", ""), h.ask(http.MethodPost, "/", "", "Authorization", ""),
		h.ask(http.MethodPost, "/", "", "Host", "evil.example"), h.ask(http.MethodPost, "/", strings.Repeat(" ", MaxBody+1)), h.ask(http.MethodTrace, "/", ""),
	} {
		if diff := cmp.Diff([]string{"nosniff", "no-store"}, []string{got.Header.Get("X-Content-Type-Options"), got.Header.Get("Cache-Control")}); diff != "" {
			t.Errorf("%d: %s", got.Status, diff)
		}
	}
}

// A page of another site comes with its own name, as the host or as the origin.
func TestPagesOfOthers(t *testing.T) {
	h := open(t, hello)
	_, port, _ := strings.Cut(strings.TrimPrefix(h.url, "http://"), ":")
	for _, c := range []struct {
		host, origin string
		status       int
	}{
		{"127.0.0.1:" + port, "", 200},
		{"localhost:" + port, "", 200},
		{"LocalHost:" + port, "", 200},
		{"[::1]:" + port, "", 200},
		{"localhost", "", 403},
		{"localhost:1", "", 403},
		{"evil.example:" + port, "", 403},
		{"localhost.evil.example:" + port, "", 403},
		{"127.0.0.1.evil.example:" + port, "", 403},
		{"192.0.2.1:" + port, "", 403},
		{"localhost:" + port, "http://localhost:" + port, 200},
		{"localhost:" + port, "http://evil.example", 403},
		{"localhost:" + port, "http://localhost:1", 403},
		{"localhost:" + port, "null", 403},
		{"evil.example:" + port, "http://evil.example:" + port, 403},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			if got := h.ask(method, "/", "", "Host", c.host, "Origin", c.origin); got.Status != c.status {
				t.Errorf("%s from %q to %q: %d %s", method, c.origin, c.host, got.Status, got.Body)
			}
		}
	}
}

// A listener on every address is reached by any address, by no name but those that the user gave.
func TestNamesOfAListener(t *testing.T) {
	tcp := func(text string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text)) }
	for _, c := range []struct {
		listener net.Addr
		names    []string
		host     string
		want     bool
	}{
		{tcp("0.0.0.0:8080"), nil, "192.0.2.1:8080", true},
		{tcp("[::]:8080"), nil, "[2001:db8::1]:8080", true},
		{tcp("[::]:8080"), nil, "localhost:8080", true},
		{tcp("0.0.0.0:8080"), nil, "shop.example:8080", false},
		{tcp("0.0.0.0:8080"), []string{"Shop.example"}, "shop.example:8080", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example"}, "shop.example", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example:443"}, "shop.example:443", true},
		{tcp("0.0.0.0:8080"), []string{"shop.example:443"}, "shop.example:8080", false},
		{tcp("192.0.2.1:8080"), nil, "192.0.2.1:8080", true},
		{tcp("192.0.2.1:8080"), nil, "192.0.2.2:8080", false},
		{tcp("192.0.2.1:8080"), nil, "localhost:8080", false},
		{tcp("192.0.2.1:443"), nil, "192.0.2.1", true},
		{tcp("127.0.0.1:8080"), nil, "", false},
		{&net.UnixAddr{Name: "s", Net: "unix"}, nil, "anything", true},
	} {
		if got := NewHosts(c.listener, c.names).has(c.host); got != c.want {
			t.Errorf("%v %q: %q is served: %t", c.listener, c.names, c.host, got)
		}
	}
}

// Paths that lead elsewhere and methods that nobody needs are refused before anything else is looked at.
func TestOddRequests(t *testing.T) {
	h := open(t, hello)
	for line, status := range map[string]int{
		"GET /../etc/passwd": 400, "GET /w/../mcp": 400, "GET //mcp": 400, "GET /./mcp": 400, "GET /a%5Cb": 400, "GET /w/%2Fsrv%2Fshop/mcp": 200, "GET /mcp/": 200,
		"TRACE /": 405, "PUT /mcp": 405, "PATCH /": 405, "BREW /": 405,
	} {
		conn := h.dial()
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", line, strings.TrimPrefix(h.url, "http://"), secret)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if _ = response.Body.Close(); response.StatusCode != status {
			t.Errorf("%s: %d", line, response.StatusCode)
		}
	}
}

// A request may be as long as the limit. A longer one is refused, however its length is given.
func TestLongRequests(t *testing.T) {
	read := make(chan int, 1)
	h := open(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		read <- len(body)
	})
	if got := h.ask(http.MethodPost, "/", strings.Repeat("x", MaxBody)); got.Status != 200 {
		t.Errorf("the longest: %d %s", got.Status, got.Body)
	}
	if n := <-read; n != MaxBody {
		t.Errorf("%d bytes arrived", n)
	}
	const refused = `{"error":"the request is longer than 4194304 bytes"}`
	if got := h.ask(http.MethodPost, "/", strings.Repeat("x", 10<<20)); got.Status != http.StatusRequestEntityTooLarge || got.Body != refused {
		t.Errorf("10 MiB: %d %s", got.Status, got.Body)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url, struct{ io.Reader }{strings.NewReader(strings.Repeat("x", MaxBody+1))}) // in chunks
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusRequestEntityTooLarge || string(text) != refused {
		t.Errorf("in chunks: %d %s", response.StatusCode, text)
	}
}

// Who sends slowly is cut off: in the headers, and in the body. Nothing behind the gate notices.
func TestSlowRequests(t *testing.T) {
	h := open(t, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") }, func(g *Gate) {
		g.times.header, g.times.body = 50*time.Millisecond, 50*time.Millisecond
	})
	host := strings.TrimPrefix(h.url, "http://")
	headers := h.dial()
	fmt.Fprintf(headers, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", host, secret)
	if text, err := io.ReadAll(headers); err != nil || len(text) > 0 && !strings.HasPrefix(string(text), "HTTP/1.1 408 ") {
		t.Errorf("slow headers: %s, %v", text, err)
	}
	body := h.dial()
	fmt.Fprintf(body, "POST / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 10\r\n\r\n12345", host, secret)
	if text, err := io.ReadAll(body); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 408 ") {
		t.Errorf("a slow body: %s, %v", text, err)
	}
	stranger := h.dial()
	fmt.Fprintf(stranger, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: 10\r\n\r\n12345", host)
	if text, err := io.ReadAll(stranger); err != nil || !strings.HasPrefix(string(text), "HTTP/1.1 401 ") {
		t.Errorf("a stranger's slow body: %s, %v", text, err)
	}
}

// A call that takes longer than a request may take to arrive, or an answer to be read, is not cut off.
func TestSlowCalls(t *testing.T) {
	long := 500 * time.Millisecond
	h := open(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			t.Error("the call was ended")
		case <-time.After(long + long/4):
		}
		_, _ = io.WriteString(w, "done")
	}, func(g *Gate) { g.times.body, g.times.answer = long, long })
	for range 2 { // on one connection
		if got := h.ask(http.MethodPost, "/", "x"); got.Status != 200 || got.Body != "done" {
			t.Errorf("%+v", got)
		}
	}
}

// A client that opens a stream and does not read it is cut off: the handler's write fails.
func TestClientsThatDoNotRead(t *testing.T) {
	failed := make(chan error, 1)
	h := open(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		event := "data: " + strings.Repeat("x", 64<<10) + "\n\n"
		for {
			_, err := io.WriteString(w, event)
			if err == nil {
				err = http.NewResponseController(w).Flush()
			}
			if err != nil {
				failed <- err
				return
			}
		}
	}, func(g *Gate) { g.times.answer = 50 * time.Millisecond })
	conn := h.dial()
	fmt.Fprintf(conn, "GET /stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(h.url, "http://"), secret)
	if err := <-failed; !strings.Contains(err.Error(), "timeout") {
		t.Errorf("it failed with %v", err)
	}
}

// A stream may be quiet for longer than a client may take to read, and then continues.
func TestQuietStreams(t *testing.T) {
	h := open(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, text := range []string{"one ", "two ", "three"} {
			if _, err := io.WriteString(w, text); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			<-time.After(600 * time.Millisecond)
		}
	}, func(g *Gate) { g.times.answer = 500 * time.Millisecond })
	if got := h.ask(http.MethodGet, "/stream", ""); got.Body != "one two three" || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%+v", got)
	}
}

// Beyond the connections that are served, a few are told so at once. When one of the others leaves, the next
// one is served again.
func TestManyConnections(t *testing.T) {
	h := open(t, hello, func(g *Gate) { g.maxConnections, g.maxRefused = 3, 2 })
	ask := func(conn net.Conn) (status int, retry string) {
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(h.url, "http://"), secret)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		return response.StatusCode, response.Header.Get("Retry-After")
	}
	var served []net.Conn
	for range 3 {
		conn := h.dial()
		if status, _ := ask(conn); status != 200 {
			t.Fatalf("a connection within the limit: %d", status)
		}
		served = append(served, conn)
	}
	if status, retry := ask(h.dial()); status != http.StatusServiceUnavailable || retry != "1" {
		t.Errorf("one too many: %d, Retry-After %q", status, retry)
	}
	if status, _ := ask(served[1]); status != 200 {
		t.Errorf("one that was served: %d", status)
	}
	_ = served[0].Close()
	for { // the server notices at some time
		if status, _ := ask(h.dial()); status == 200 {
			break
		}
	}
}

// At the end, calls in progress are finished, no new ones begin, whoever asks whether the server is ready
// learns that it is not, and streams end after the calls.
func TestEnd(t *testing.T) {
	begun, finish := make(chan string, 2), make(chan struct{})
	h := open(t, func(w http.ResponseWriter, r *http.Request) {
		begun <- r.URL.Path
		if r.URL.Path == "/stream" {
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			_, _ = io.WriteString(w, "ended")
			return
		}
		<-finish
		_, _ = io.WriteString(w, "finished")
	})
	stream, call := make(chan reply, 1), make(chan reply, 1)
	go func() { stream <- h.ask(http.MethodGet, "/stream", "") }()
	<-begun
	go func() { call <- h.ask(http.MethodGet, "/call", "") }()
	<-begun
	h.leave()
	for h.ask(http.MethodGet, "/ready", "").Status == http.StatusOK { // until the server has noticed
		continue
	}
	if got := h.ask(http.MethodGet, "/ready", ""); got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") != "5" {
		t.Errorf("ready: %+v", got)
	}
	if got := h.ask(http.MethodGet, "/health", ""); got.Status != 200 {
		t.Errorf("health: %+v", got)
	}
	if got := h.ask(http.MethodPost, "/call", ""); got.Status != http.StatusServiceUnavailable {
		t.Errorf("a new call: %+v", got)
	}
	close(finish)
	if got := <-call; got.Body != "finished" {
		t.Errorf("the call: %+v", got)
	}
	if got := <-stream; got.Body != "ended" {
		t.Errorf("the stream: %+v", got)
	}
}

// A call that does not end in time does not keep the server.
func TestEndWithoutPatience(t *testing.T) {
	begun := make(chan struct{})
	h := open(t, func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	}, func(g *Gate) { g.times.drain = 50 * time.Millisecond })
	conn := h.dial()
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(h.url, "http://"), secret)
	<-begun
	h.leave()
	_, _ = io.ReadAll(conn) // until the server closes it
}
