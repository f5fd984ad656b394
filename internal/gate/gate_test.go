package gate

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
//
// Requirement: HTTP-4.
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
	if text := h.log.String(); strings.Contains(text, secret[:8]) || strings.Count(text, "msg=refused status=401 method=POST path=other from=127.0.0.1:") != 8 {
		t.Errorf("the log has a token, or not each refusal: %s", text)
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
//
// Requirement: HTTP-6.
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
//
// Requirement: HTTP-5.
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
//
// Requirement: HTTP-5.
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
//
// Requirement: HTTP-5.
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
//
// Requirement: HTTP-6.
func TestQuietStreams(t *testing.T) {
	h := open(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, text := range []string{"one ", strings.Repeat("long ", 10_000), "three"} { // what is long is not only sent by Flush
			if _, err := io.WriteString(w, text); err != nil {
				t.Errorf("%.5s: %v", text, err)
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Errorf("%.5s: %v", text, err)
			}
			<-time.After(600 * time.Millisecond)
		}
	}, func(g *Gate) { g.times.answer = 500 * time.Millisecond })
	if got := h.ask(http.MethodGet, "/stream", ""); got.Body != "one "+strings.Repeat("long ", 10_000)+"three" || got.Header.Get("Cache-Control") != "no-store" {
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

// Connections that ask nothing, or have no token, keep nobody out who has one, however many they are; one that was let in keeps its
// seat.
func TestConnectionsOfStrangers(t *testing.T) {
	h := open(t, hello, func(g *Gate) { g.maxConnections, g.maxRefused = 4, 2 })
	ask := func(conn net.Conn) int {
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", strings.TrimPrefix(h.url, "http://"), secret)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		return response.StatusCode
	}
	known := h.dial()
	if status := ask(known); status != 200 {
		t.Fatalf("the first: %d", status)
	}
	for range 3 {
		var silent []net.Conn
		for i := range 30 {
			conn := h.dial()
			if silent = append(silent, conn); i%2 == 0 {
				fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: ") // and no more
			}
		}
		if status := ask(h.dial()); status != 200 {
			t.Errorf("one that comes among strangers: %d", status)
		}
		if status := ask(known); status != 200 {
			t.Errorf("one that was let in before them: %d", status)
		}
		for _, conn := range silent {
			_ = conn.Close()
		}
	}
}

// At the end, calls in progress are finished, no new ones begin, whoever asks whether the server is ready
// learns that it is not, and streams end after the calls.
//
// Requirement: HTTP-7.
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

// What is for everybody needs no token, but the right host, no foreign page and GET, and keeps no connection; nothing behind the gate is
// asked. Everything else stays closed.
//
// Requirement: HTTP-16.
func TestWhatIsForEverybody(t *testing.T) {
	h := open(t, hello, func(g *Gate) {
		g.opts.Public = func(path string) http.Handler {
			if path != "/page" {
				return nil
			}
			return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "for all") })
		}
	})
	ask := func(method, path string, headers ...string) string {
		t.Helper()
		got := h.ask(method, path, "", append([]string{"Authorization", ""}, headers...)...)
		return fmt.Sprintf("%d %s", got.Status, got.Body)
	}
	got := []string{
		ask(http.MethodGet, "/page"), ask(http.MethodPost, "/page"), ask(http.MethodGet, "/page", "Host", "evil.example"),
		ask(http.MethodGet, "/page", "Origin", "http://evil.example"), ask(http.MethodGet, "/page/data"), ask(http.MethodGet, "/pages"),
	}
	want := []string{
		"200 for all", `405 {"error":"this method is not served here"}`, `403 {"error":"the server is not served under this name (lspine mcp --host NAME adds one)"}`,
		`403 {"error":"pages of other sites are not served"}`, `401 {"error":"unauthorized"}`, `401 {"error":"unauthorized"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	conn := h.dial()
	fmt.Fprintf(conn, "GET /page HTTP/1.1\r\nHost: %s\r\n\r\n", strings.TrimPrefix(h.url, "http://"))
	if text, err := io.ReadAll(conn); err != nil || !strings.HasSuffix(string(text), "for all") { // which ends because the connection does
		t.Errorf("%s, %v", text, err)
	}
}
