package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// firstEvents reads a stream of the page until each of some events has come, and returns the data of each, of troubles all.
func firstEvents(t *testing.T, address, token string, names ...string) map[string]string {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		text, _ := io.ReadAll(answer.Body)
		t.Fatalf("%s: %d %s", address, answer.StatusCode, text)
	}
	got := make(map[string]string)
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for missing := true; missing && lines.Scan(); {
		if event, is := strings.CutPrefix(lines.Text(), "event: "); is && lines.Scan() {
			data := strings.TrimPrefix(lines.Text(), "data: ")
			if event == "trouble" {
				data = got[event] + data
			}
			got[event] = data
		}
		missing = false
		for _, name := range names {
			missing = missing || got[name] == ""
		}
	}
	return got
}

// status returns the answer to a request with a token, "" is none.
func status(t *testing.T, method, address, token string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// The command prints an address with a new token behind the #, which no server is sent. The page is there for everybody, what it shows
// for who has the token; and it ends cleanly when it is interrupted.
//
// Requirement: HTTP-16.
func TestUI(t *testing.T) {
	s := newShop(t, "-- a.toy --\nERROR wrong\n", lsptest.Script{})
	lsptest.Git(t, s.root, "init", "-q")
	tokens := make(map[string]bool)
	for range 2 {
		said, stdout := io.Pipe()
		s.change = func(st *Streams) { st.Out = stdout }
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan outcomeOf, 1)
		go func() {
			ended <- s.runIn(ctx, "ui", "--root", s.root)
			_ = stdout.Close()
		}()
		line, err := bufio.NewReader(said).ReadString('\n')
		address, parseErr := url.Parse(strings.TrimSpace(line))
		if err != nil || parseErr != nil || address.Hostname() != "127.0.0.1" || address.Path != "/ui" || address.RawQuery != "" {
			t.Fatalf("it says %q, %v, %v", line, err, parseErr)
		}
		token := strings.TrimPrefix(address.Fragment, "token=")
		tokens[token] = len(token) >= 22
		at := func(path string) string { return "http://" + address.Host + path }
		got := []int{
			status(t, http.MethodGet, at("/ui"), ""), status(t, http.MethodGet, at("/ui/page.js"), ""), status(t, http.MethodGet, at("/ui/events"), ""),
			status(t, http.MethodPost, at("/ui/verify"), "another"), status(t, http.MethodPost, at("/ui/verify"), token), status(t, http.MethodPost, at("/mcp"), token),
		}
		if diff := cmp.Diff([]int{200, 200, 401, 401, 200, 404}, got); diff != "" {
			t.Error(diff)
		}
		events := firstEvents(t, at("/ui/events"), token, "hello", "diagnostics", "servers", "sessions", "evidence", "verified")
		if !strings.Contains(events["diagnostics"], `"message":"wrong"`) && !strings.Contains(events["diagnostics"], `"all":true`) {
			t.Errorf("diagnostics: %s", events["diagnostics"])
		}
		interrupt()
		s.expect("the end", <-ended, exitClean, "", "lspine: the page is served at this address until you press Ctrl-C")
	}
	if len(tokens) != 2 {
		t.Error("two runs have the same token")
	}
	s.change = nil
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, taken, _ := net.SplitHostPort(listener.Addr().String())
	s.expect("a port that is taken", s.run("ui", "--port", taken), exitUsage, "", "lspine: --port: listen tcp4 127.0.0.1:"+taken, "  choose another port, or 0\n")
	s.expect("no port", s.run("ui", "--port", "65536"), exitUsage, "", "lspine: --port: 65536 is no port", "ports are 1 to 65535")
}

// Over HTTP, whoever has one of several tokens sees the servers and the diagnostics of a folder that it may use, but not what other
// clients do, there or elsewhere; who has the one token sees all. A workspace that the token may not use shows nothing.
//
// Requirement: HTTP-16.
func TestWhoSeesWhat(t *testing.T) {
	s := newShop(t, "-- part/toy.root --\n-- part/a.toy --\nERROR wrong\n", lsptest.Script{})
	const reader, writer, only = "reader-77d0b1c2e3f4a5968778", "writer-3c8f0a3bd1e94f6f8a", "only-99d0b1c2e3f4a5968778"
	file := filepath.Join(t.TempDir(), "tokens.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"tokens": [{"name": "reader", "token": %q, "workspaces": [%q]}, {"name": "writer", "token": %q}]}`, reader, filepath.Join(s.root, "part"), writer), 0o600); err != nil {
		t.Fatal(err)
	}
	origin := func(v *served) string { return strings.TrimSuffix(v.url, "/mcp") }
	several := s.serve("--token-file", file, "--rpc")
	escaped := url.PathEscape(s.root)
	for token, path := range map[string]string{reader: "/ui/events", writer: "/w/" + escaped + "/ui/events"} {
		got := firstEvents(t, origin(several)+path, token, "hello", "servers", "trouble", "diagnostics")
		if !strings.Contains(got["hello"], "the evidence has what all clients did") || !strings.Contains(got["trouble"], `"part":"sessions"`) || got["sessions"] != "" || got["evidence"] != "" {
			t.Errorf("%s sees %v", token, got)
		}
		if code := status(t, http.MethodPost, strings.TrimSuffix(origin(several)+path, "events")+"verify", token); code != http.StatusForbidden {
			t.Errorf("%s has the evidence checked: %d", token, code)
		}
	}
	if got := status(t, http.MethodGet, origin(several)+"/w/"+escaped+"/ui/events", reader); got != http.StatusForbidden {
		t.Errorf("a workspace of others: %d", got)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, origin(several)+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"lspine/sessions","params":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+writer)
	req.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if !strings.Contains(string(text), "what other clients do is shown to who runs the server") {
		t.Errorf("the operation itself: %s", text)
	}
	if got := several.end(); strings.Contains(got.stderr, reader) {
		t.Error("the log has a token")
	}
	if err := os.WriteFile(file, []byte(only), 0o600); err != nil {
		t.Fatal(err)
	}
	got := firstEvents(t, origin(s.serve("--token-file", file))+"/ui/events", only, "hello", "servers", "diagnostics", "sessions", "evidence")
	if strings.Contains(got["hello"], "untold") || strings.Contains(got["trouble"], "denied") {
		t.Errorf("the one token sees %v", got)
	}
}
