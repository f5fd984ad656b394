package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/lsptest"
)

// across runs a bridge to an address with a token in the environment, and begins a session over it.
func (s *shop) across(url, token, revision string) *mcp.ClientSession {
	s.t.Helper()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	s.change = func(st *Streams) {
		st.In, st.Out = in, out
		st.Environ = append(st.Environ, "LSPINE_TOKEN="+token)
	}
	ended := make(chan outcomeOf, 1)
	go func() { // received below
		ended <- s.run("mcp", "--url", url)
		_ = out.Close()
	}()
	s.t.Cleanup(func() {
		_ = client.Close()
		if got := <-ended; got.code != exitClean || got.stderr != "" {
			s.t.Errorf("the bridge ended with %+v", got)
		}
	})
	session, err := mcp.NewClient(&mcp.Implementation{Name: "stdio", Version: "1"}, nil).
		Connect(s.t.Context(), &mcp.IOTransport{Reader: answers, Writer: client}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

// A client that speaks only over standard input and output reaches a server over HTTP, at either era, and over
// a socket of the user, which needs no token and goes away with the server.
//
// Requirement: HTTP-14.
func TestBridge(t *testing.T) {
	lsptest.NeedSockets(t)
	const token = "tok-5f2e9c1d7b8a40361122"
	dir, err := os.MkdirTemp("", "lspine") // short: the name of a socket is limited
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s := newShop(t, "-- a.toy --\nfine\n", lsptest.Script{})
			s.change = func(st *Streams) { st.Environ = append(st.Environ, "LSPINE_TOKEN="+token) }
			v := s.serve()
			client := newShop(t, "", lsptest.Script{})
			if text := call(t, client.across(v.url, token, revision), "check", `{"files":["a.toy"]}`); !strings.Contains(text, "no errors") {
				t.Error(text)
			}
			s.change = nil
			v = s.serve("--listen", "unix:"+path)
			if text := call(t, newShop(t, "", lsptest.Script{}).across(v.url, "", revision), "check", `{"files":["a.toy"]}`); !strings.Contains(text, "no errors") {
				t.Error(text)
			}
			s.expect("a socket that is used", s.run("mcp", "--http", "--listen", "unix:"+path), exitUsage, "", "a server answers there already", "choose another path")
			if got := v.end(); got.code != exitClean {
				t.Errorf("%+v", got)
			}
			if _, err := os.Lstat(path); err == nil {
				t.Error("the socket is still there")
			}
		})
	}
}

// Addresses that are none, tokens that cannot be sent and flags of the server are refused.
func TestBridgeRefusals(t *testing.T) {
	s := newShop(t, "-- empty --\n-- bad --\na b\n", lsptest.Script{})
	for args, says := range map[string]string{
		"--url ftp://x":                                "no address of a server",
		"--url http://user:word@x/mcp":                 "no address of a server",
		"--url http://127.0.0.1:1/mcp --http":          "leave one of them out",
		"--url http://127.0.0.1:1/mcp --token-file no": "name a file that holds the token",
		"--url http://127.0.0.1:1/mcp --token-file " + filepath.Join(s.root, "bad"): "the token cannot be used",
	} {
		s.expect(args, s.run(append([]string{"mcp"}, strings.Fields(args)...)...), exitUsage, "", says)
	}
	s.change = func(st *Streams) {
		st.In = strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, "ping"))
	}
	got := s.run("mcp", "--url", "http://192.0.2.1.invalid:1/mcp", "--token", "tok-5f2e9c1d7b8a40361122")
	if got.code != exitClean || !strings.Contains(got.stdout, `"id":1,"error"`) || !strings.Contains(got.stderr, "the token can be read on its way to 192.0.2.1.invalid:1") || strings.Contains(got.stdout+got.stderr, "tok-5") {
		t.Errorf("%+v", got)
	}
}
