package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// A server cannot make us keep more than a message may have, in however many lines it sends it.
func TestEndlessEvent(t *testing.T) {
	line := "data: " + strings.Repeat("x", maxMessage/4) + "\n"
	err := events(strings.NewReader(strings.Repeat(line, 8)+"\n"), nil, func([]byte) error {
		t.Error("it is passed on")
		return nil
	})
	if !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("%v", err)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A line is a client of a bridge.
type line struct {
	t     *testing.T
	say   io.WriteCloser
	heard *bufio.Reader
	log   *strings.Builder
	ended chan error
}

// connect starts a bridge to a handler.
func connect(t *testing.T, handler http.HandlerFunc) *line {
	t.Helper()
	server := httptest.NewServer(handler)
	in, say := io.Pipe()
	heard, out := io.Pipe()
	l := &line{t, say, bufio.NewReader(heard), &strings.Builder{}, make(chan error, 1)}
	client := &http.Client{Transport: &http.Transport{}}
	go func() { // received by end
		l.ended <- Run(t.Context(), Options{URL: server.URL + "/mcp", Token: "secret", In: in, Out: out, HTTP: client, Log: slog.New(slog.NewTextHandler(l.log, nil))})
		_ = out.Close()
	}()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
	})
	return l
}

func (l *line) tell(text string) {
	l.t.Helper()
	if _, err := io.WriteString(l.say, text+"\n"); err != nil {
		l.t.Fatal(err)
	}
}

func (l *line) hear() string {
	l.t.Helper()
	text, err := l.heard.ReadString('\n')
	if err != nil {
		l.t.Fatal(err)
	}
	return strings.TrimSuffix(text, "\n")
}

// end closes the input and returns what was said after that.
func (l *line) end() string {
	l.t.Helper()
	_ = l.say.Close()
	rest, _ := io.ReadAll(l.heard)
	if err := <-l.ended; err != nil {
		l.t.Errorf("it ended with %v", err)
	}
	return string(rest)
}

// A session of an older revision: what the server says of it goes with every further request, its own
// messages arrive, a slow call holds nobody up, answers to the server's questions arrive, and the session ends
// with the client.
func TestSession(t *testing.T) {
	var mu sync.Mutex // guards requests
	var requests []string
	slow, own := make(chan struct{}), make(chan string)
	l := connect(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		mu.Lock()
		requests = append(requests, fmt.Sprintf("%s %s %s|%s|%s|%s", r.Method, m.Method, m.ID, r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("Authorization")))
		mu.Unlock()
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			for text := range own {
				fmt.Fprintf(w, "event: message\nid: 1\ndata: %s\n\n", text)
				_ = http.NewResponseController(w).Flush()
			}
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s1")
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18"}}`, m.ID)
		case m.Method == "slow":
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			fmt.Fprint(w, ": a comment\nid: 1\ndata: \n\ndata: {\"method\":\"progress\"}\n\n")
			_ = http.NewResponseController(w).Flush()
			<-slow
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":%s,\"result\":\"slow\"}\n\n", m.ID)
		case len(m.ID) > 0 && m.Method != "":
			fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\n\"id\":%s,\"result\":\"quick\"}", m.ID)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	l.tell(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	got := []string{l.hear()}
	l.tell(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	own <- `{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}`
	got = append(got, l.hear())
	l.tell(`{"jsonrpc":"2.0","id":"q","result":{}}`)
	l.tell(`{"jsonrpc":"2.0","id":2,"method":"slow"}`)
	got = append(got, l.hear())
	l.tell("")
	l.tell(`{"jsonrpc":"2.0","id":3,"method":"quick"}`)
	got = append(got, l.hear())
	close(slow)
	got = append(got, l.hear())
	close(own)
	if rest := l.end(); rest != "" {
		t.Errorf("afterwards: %s", rest)
	}
	want := []string{
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`,
		`{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}`,
		`{"method":"progress"}`,
		`{"jsonrpc":"2.0","id":3,"result":"quick"}`,
		`{"jsonrpc":"2.0","id":2,"result":"slow"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	mu.Lock()
	defer mu.Unlock()
	const of = "|s1|2025-06-18|Bearer secret"
	for _, one := range []string{"POST initialize 1|||Bearer secret", "GET  " + of, "POST notifications/initialized " + of, `POST  "q"` + of, "POST slow 2" + of, "POST quick 3" + of, "DELETE  " + of} {
		found := false
		for _, request := range requests {
			found = found || request == one
		}
		if !found {
			t.Errorf("%s is not among %q", one, requests)
		}
	}
}

// A server that was started again has forgotten the session: another one begins as the first did, and neither the client
// nor its calls notice.
func TestForgottenSession(t *testing.T) {
	var sessions atomic.Int32
	l := connect(t, func(w http.ResponseWriter, r *http.Request) {
		m := struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}{}
		_ = json.NewDecoder(r.Body).Decode(&m)
		own := r.Header.Get("Mcp-Session-Id") == fmt.Sprint("s", sessions.Load())
		switch {
		case m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", sessions.Add(1)))
			fmt.Fprintf(w, `{"id":%s,"result":{"protocolVersion":%q}}`, m.ID, m.Params.ProtocolVersion)
		case !own:
			http.Error(w, "session not found", http.StatusNotFound)
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.Method == "notifications/initialized":
			w.WriteHeader(http.StatusAccepted)
		default:
			fmt.Fprintf(w, `{"id":%s,"result":"session %s"}`, m.ID, r.Header.Get("Mcp-Session-Id"))
		}
	})
	l.tell(`{"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`)
	got := []string{l.hear()}
	l.tell(`{"id":2,"method":"a"}`)
	got = append(got, l.hear())
	sessions.Add(1) // nobody has the session that is known now
	l.tell(`{"id":3,"method":"a"}`)
	got = append(got, l.hear())
	l.tell(`{"id":4,"method":"a"}`)
	got = append(got, l.hear())
	if rest := l.end(); rest != "" {
		t.Errorf("afterwards: %s", rest)
	}
	want := []string{`{"id":1,"result":{"protocolVersion":"2025-06-18"}}`, `{"id":2,"result":"session s1"}`, `{"id":3,"result":"session s3"}`, `{"id":4,"result":"session s3"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Messages of the newest revision say in headers what they are about, and no session ends.
func TestNewestRevision(t *testing.T) {
	l := connect(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct{ ID json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&m)
		fmt.Fprintf(w, `{"id":%s,"result":"%s %s %s %s %s"}`, m.ID, r.Method, r.Header.Get("Mcp-Protocol-Version"), r.Header.Get("Mcp-Method"), r.Header.Get("Mcp-Name"), r.Header.Get("Mcp-Session-Id"))
	})
	for params, want := range map[string]string{
		`"method":"tools/call","params":{"name":"check",META}`:              "tools/call check ",
		`"method":"resources/read","params":{"uri":"lspine://status",META}`: "resources/read lspine://status ",
		`"method":"prompts/get","params":{"name":"für",META}`:               "prompts/get =?base64?ZsO8cg==?= ",
		`"method":"tools/list","params":{META}`:                             "tools/list  ",
	} {
		l.tell(`{"jsonrpc":"2.0","id":1,` + strings.ReplaceAll(params, "META", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`) + `}`)
		if got := l.hear(); got != `{"id":1,"result":"POST 2026-07-28 `+want+`"}` {
			t.Errorf("%s: %s", params, got)
		}
	}
	if rest := l.end(); rest != "" {
		t.Errorf("afterwards: %s", rest)
	}
}

// What goes wrong is the answer to the call that it happened to, and says what to do. The token is in
// none of them, nor in the log. Calls in progress are answered although the client says no more.
func TestFailures(t *testing.T) {
	l := connect(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct{ Method string }
		_ = json.NewDecoder(r.Body).Decode(&m)
		switch m.Method {
		case "stranger":
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"unauthorized"}`)
		case "gone":
			http.Error(w, "session not found", http.StatusNotFound)
		case "silent":
			w.Header().Set("Content-Type", "text/event-stream")
		case "garbage":
			_, _ = io.WriteString(w, "no JSON")
		case "cut":
			panic(http.ErrAbortHandler)
		}
	})
	for method, says := range map[string]string{
		"stranger": "the server does not accept the token (LSPINE_TOKEN or --token-file): unauthorized",
		"gone":     "the server does not know the session or the address any more; restart this client: session not found",
		"silent":   "the server closed the connection before it answered", "garbage": "the server closed the connection before it answered",
		"cut": "/mcp cannot be reached: EOF",
	} {
		l.tell(`{"jsonrpc":"2.0","id":"a","method":"` + method + `"}`)
		var answer struct {
			ID    string
			Error struct {
				Code    int
				Message string
			}
		}
		if text := l.hear(); json.Unmarshal([]byte(text), &answer) != nil || answer.ID != "a" || answer.Error.Code != -32603 || !strings.Contains(answer.Error.Message, says) {
			t.Errorf("%s: %s", method, text)
		}
	}
	l.tell(`{"jsonrpc":"2.0","method":"stranger"}`) // nobody waits for an answer
	if _, err := io.WriteString(l.say, `{"jsonrpc":"2.0","id":"last","method":"stranger"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if rest := l.end(); !strings.HasPrefix(rest, `{"jsonrpc":"2.0","id":"last","error"`) {
		t.Errorf("the last call: %s", rest)
	}
	if strings.Contains(l.log.String(), "secret") {
		t.Error(l.log)
	}
}

// The end of the context ends everything, also calls that are not answered.
func TestInterruption(t *testing.T) {
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		close(arrived)
		<-r.Context().Done()
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	in, say := io.Pipe()
	client := &http.Client{Transport: &http.Transport{}}
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, Options{URL: server.URL, In: in, Out: io.Discard, HTTP: client}) }()
	if _, err := io.WriteString(say, `{"jsonrpc":"2.0","id":1,"method":"slow"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	<-arrived
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	_ = say.Close()
	client.CloseIdleConnections()
}
