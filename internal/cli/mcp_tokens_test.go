package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/lsptest"
)

// A served shop is one whose tools are reached over HTTP.
type served struct {
	t *testing.T
	// url is the address that the server tells.
	url string
	// end ends the server, and returns how it ended and all that it said after its address.
	end func() outcomeOf
}

// serve runs mcp --http with further arguments until the end of the test.
func (s *shop) serve(args ...string) *served {
	s.t.Helper()
	change := s.change
	said, stderr := io.Pipe()
	s.change = func(st *Streams) {
		if change != nil {
			change(st)
		}
		st.Err = stderr
	}
	ctx, interrupt := context.WithCancel(s.t.Context())
	ended := make(chan outcomeOf, 1)
	go func() { // received by end
		ended <- s.runIn(ctx, append([]string{"mcp", "--http", "--port", "0", "--root", s.root}, args...)...)
		_ = stderr.Close()
	}()
	lines := bufio.NewReader(said)
	of := &served{t: s.t}
	var before strings.Builder
	for of.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			s.t.Fatalf("%s%v; %+v", before.String(), err, <-ended)
		}
		before.WriteString(line)
		_, of.url, _ = strings.Cut(strings.TrimSpace(line), "lspine: serving MCP at ")
	}
	s.change = change
	rest := make(chan string, 1)
	go func() { // until the command has ended
		text, _ := io.ReadAll(lines)
		rest <- string(text)
	}()
	done := false
	of.end = func() outcomeOf {
		interrupt()
		done = true
		got := <-ended
		got.stderr = before.String() + <-rest
		return got
	}
	s.t.Cleanup(func() {
		if !done {
			of.end()
		}
	})
	return of
}

// withToken is a client of HTTP that sends a token.
type withToken struct{ token string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}

// session begins a session with a token.
func (v *served) session(token, revision string) *mcp.ClientSession {
	v.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "self-named", Version: "1"}, nil)
	session, err := client.Connect(v.t.Context(), &mcp.StreamableClientTransport{Endpoint: v.url, HTTPClient: &http.Client{Transport: withToken{token}}}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		v.t.Fatal(err)
	}
	v.t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and returns the text of its answer.
func call(t *testing.T, session *mcp.ClientSession, tool, args string) string {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return err.Error()
	}
	return answer.Content[0].(*mcp.TextContent).Text
}

// Agents with tokens of one file do what their tokens allow, at either era of the protocol: one reads and
// edits, one only reads and only in a part. The evidence has the names of the tokens, and neither it nor what
// the server says nor its answers have a token. The user's policy may be about the name.
//
// Requirement: HTTP-8, HTTP-13.
func TestTokensOfAgents(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s, log := kept(t)
			const writer, reader = "writer-3c8f0a3bd1e94f6f8a", "reader-77d0b1c2e3f4a5968778"
			lsptest.WriteFile(t, filepath.Join(s.root, "part", "toy.root"), "")
			lsptest.WriteFile(t, filepath.Join(s.root, "part", "a.toy"), "fine\n")
			file := filepath.Join(t.TempDir(), "tokens.json")
			document := fmt.Sprintf(`{"tokens": [
				{"name": "writer", "token": %q},
				{"name": "reader", "token": %q, "workspaces": [%q], "policy": [{"match": {"class": ["edit", "execute"]}, "action": "deny", "reason": "it only looks"}]}
			]}`, writer, reader, filepath.Join(s.root, "part"))
			if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
				t.Fatal(err)
			}
			v := s.serve("--token-file", file)
			var texts []string
			say := func(token, tool, args, says string) {
				t.Helper()
				text := call(t, v.session(token, revision), tool, args)
				texts = append(texts, text)
				if !strings.Contains(text, says) {
					t.Errorf("%s %s: %q is not in %s", tool, args, says, text)
				}
			}
			say(writer, "edit", `{"edits":[{"file":"main.toy","content":"use  helper\n"}]}`, "main.toy")
			say(reader, "check", `{"files":["a.toy"]}`, "no errors")
			say(reader, "edit", `{"edits":[{"file":"a.toy","content":"well\n"}]}`, "denied by the rules of the token reader")
			say(reader, "check", fmt.Sprintf(`{"files":[%q]}`, filepath.Join(s.root, "main.toy")), "outside")
			say(reader, "status", fmt.Sprintf(`{"workspace":%q}`, s.root), "outside of what this session may use")
			for _, request := range []string{"", "Bearer " + writer + "x", "Bearer token"} {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.url, strings.NewReader(hello))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Authorization", request)
				answer, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != http.StatusUnauthorized || string(text) != `{"error":"unauthorized"}` {
					t.Errorf("%q: %d %s", request, answer.StatusCode, text)
				}
			}
			metrics := getWith(t, strings.TrimSuffix(v.url, "/mcp")+"/metrics", writer)
			for _, line := range []string{`lspine_calls_total{operation="edit",outcome="ok"} 1`, `lspine_calls_total{operation="edit",outcome="denied"} 1`, `lspine_servers{server="toy",state="active"} 2`, `lspine_http_requests_total{method="POST",path="/mcp",status="401"} 3`} {
				if !strings.Contains(metrics, line+"\n") {
					t.Errorf("%s is not in the metrics:\n%s", line, metrics)
				}
			}
			got := v.end()
			if got.code != exitClean {
				t.Errorf("it ended with %d", got.code)
			}
			var calls []string
			err := evidence.Read(log, func(r *evidence.Record) error {
				e, err := r.Decode()
				if c, is := e.(*evidence.ToolCall); is {
					calls = append(calls, fmt.Sprintf("%s: %s %t", r.Client, c.Operation, c.Success))
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			slices.Sort(calls)
			want := []string{"mcp/reader: check false", "mcp/reader: check true", "mcp/reader: edit false", "mcp/reader: status false", "mcp/writer: edit true"}
			if diff := cmp.Diff(want, calls); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, text := range append(texts, got.stdout, got.stderr, metrics, read(t, log)) {
				if strings.Contains(text, writer) || strings.Contains(text, reader) {
					t.Errorf("a token is in: %s", text)
				}
			}
		})
	}
}

// getWith returns what is at an address for a token.
func getWith(t *testing.T, url, token string) string {
	t.Helper()
	client := &http.Client{Transport: withToken{token}}
	answer, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return bodyOf(t, answer)
}

// bodyOf reads and closes the body of an answer.
func bodyOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A token in the environment opens the server; it is in no evidence, not even of a process that the server
// starts, and one on the command line is warned of.
//
// Requirement: HTTP-1, HTTP-2, HTTP-3.
func TestTokenOfTheServer(t *testing.T) {
	const token = "tok-5f2e9c1d7b8a4036"
	s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
	s.change = func(st *Streams) { st.Environ = append(st.Environ, "AGENT_LSP_TOKEN="+token) }
	v := s.serve()
	if text := call(t, v.session(token, "2026-07-28"), "check", `{"files":["a.toy"]}`); !strings.Contains(text, "no errors") {
		t.Error(text)
	}
	if got := v.end(); got.code != exitClean || strings.Contains(got.stderr, token) || strings.Contains(got.stderr, "list of processes") {
		t.Errorf("%+v", got)
	}
	s.change = nil
	v = s.serve("--token", token, "--listen-addr", "0.0.0.0")
	got := v.end()
	for _, says := range []string{"--token: other users of this machine can see the token", "without TLS, tokens and code can be read on their way to 0.0.0.0", "so short that it may be guessed"} {
		if !strings.Contains(got.stderr, says) {
			t.Errorf("%q is not in %s", says, got.stderr)
		}
	}
	if strings.Contains(got.stderr, token) {
		t.Error(got.stderr)
	}
}
