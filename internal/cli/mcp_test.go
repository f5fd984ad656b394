package cli

import (
	"bufio"
	"context"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// What would let strangers in, or cannot be offered, is refused with a way out,
// before anything is served.
func TestMCPRefusals(t *testing.T) {
	s := newShop(t, "", lsptest.Script{})
	for _, c := range []struct{ args, says string }{
		{"--http", "--no-auth"},
		{"--http --no-auth --listen 0.0.0.0", "127.0.0.1"},
		{"--http --token t --token-file f", "several tokens"},
		{"--http --no-auth --listen here", "no IP address"},
		{"--http --no-auth --port 65536", "no port"},
		{"--token-file f", "--token-file: it is about serving HTTP"},
		{"--no-auth", "give --http, too"},
		{"--url http://127.0.0.1:1/mcp --tls-key k", "--tls-key: it is about serving HTTP"},
		{"--http --no-auth --workspace shop", "gives no name to a folder"},
		{"--http --no-auth --workspace a=. --workspace a=.", "names two folders"},
		{"--profile most", "default, full, llxprt and opta"},
		{"--tools chek", `did you mean "check"?`},
		{"--without sorce", `did you mean "source"?`},
		{"--root nowhere", "existing folder"},
		{"--allow-root . --allow-root nowhere", "ROOT/nowhere: " + syscall.ENOENT.Error()},
		{"--allow-root toy.root", "toy.root is not a folder"},
		{"go:gopls --profile full", "flags of mcp come before the servers"},
		{"nowhere.json", "LANGUAGE:COMMAND, or a file"},
	} {
		got := s.run(append([]string{"mcp"}, strings.Fields(c.args)...)...)
		s.expect(c.args, got, exitUsage, "", c.says)
	}
	s.change = func(st *Streams) { st.Environ = append(st.Environ, "LOG_LEVEL=loud") }
	s.expect("LOG_LEVEL", s.run("mcp"), exitUsage, "", "warning")
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n"

// The end of the input ends the server, with its language servers, and so does
// a signal. Standard output has nothing but MCP, and both are a clean exit.
//
// Requirement: SYN-6, OPTA-3.
func TestMCPEnds(t *testing.T) {
	for _, how := range []string{"input", "signal"} {
		t.Run(how, func(t *testing.T) {
			s := newShop(t, "-- a.toy --\nuse nothing\n", lsptest.Script{})
			in, client := io.Pipe()
			answers, out := io.Pipe()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan outcomeOf, 1)
			s.change = func(st *Streams) { st.In, st.Out = in, out }
			go func() { ended <- s.runIn(ctx, "mcp", "--root", s.root) }()
			lines := bufio.NewReader(answers)
			say := func(line string) string {
				t.Helper()
				if _, err := io.WriteString(client, line); err != nil {
					t.Fatal(err)
				}
				answer, err := lines.ReadString('\n')
				if err != nil || !strings.HasPrefix(answer, `{"jsonrpc":"2.0"`) {
					t.Fatalf("%v: %s", err, answer)
				}
				return answer
			}
			say(hello)
			if got := say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"files":["a.toy"]}}}` + "\n"); !strings.Contains(got, "undefined: nothing") {
				t.Errorf("check: %s", got)
			}
			if how == "input" {
				_ = client.Close()
			} else {
				cancel()
			}
			if got := <-ended; got.code != exitClean || got.stderr != "" {
				t.Errorf("exit code %d: %s", got.code, got.stderr)
			}
			_, _ = out.Close(), client.Close()
		})
	}
}
