package cli

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// A question that no server answered is not one that cannot be asked: its exit code is
// that of an incomplete answer, whether the server is slow, still starts, or ends.
func TestExitCodeWithoutAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rule    lsptest.Rule
		timeout string // for the server to start in, where it does
		says    string
	}{
		"slow":   {lsptest.On("textDocument/definition", lsptest.Hang()), "5s", "did not answer textDocument/definition in time"},
		"starts": {lsptest.On("initialize", lsptest.Hang()), "700ms", "starting"},
		"ends":   {lsptest.On("textDocument/definition", lsptest.Crash(7)), "5s", "toy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, "-- a.toy --\nuse b\n-- b.toy --\ndef b\n", lsptest.Script{Rules: []lsptest.Rule{c.rule}})
			s.expect(name, s.run("def", "a.toy:1:5", "--timeout", c.timeout), 3, "", c.says)
		})
	}
	s := newShop(t, "-- a.toy --\nuse b\n-- a.txt --\nhello\n", lsptest.Script{
		Rules: []lsptest.Rule{lsptest.On("initialize", lsptest.Reply(`{"capabilities":{"textDocumentSync":1}}`))},
	})
	s.expect("what cannot be asked", s.run("def", "a.toy:9:5"), 2, "", "past the end")
	s.expect("no server knows the file", s.run("def", "a.txt:1:1"), 3, "", "a.txt: no server knows this kind of file", "grep -rn")
	s.expect("no server can do it", s.run("def", "a.toy:1:5"), 3, "", "toy does not support textDocument/definition")
}

// Where no server knows the file, the line that stands for a declaration is said to be
// a guess; where one does, that nothing is declared there.
func TestSourceWithoutServerIsAGuess(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- a.txt --\nhello\nbrave world\n-- a.toy --\nuse b\n", lsptest.Script{})
	s.expect("no server", s.run("source", "a.txt:2", "world"), 0,
		"note: a guess: no server tells what a.txt declares, so this is the line where world stands\na.txt:2-2\nbrave world\n")
	if got := s.run("source", "a.toy:1", "b"); got.code != 0 || !strings.HasPrefix(got.stdout, "note: nothing is declared around b: this is its line alone\n") {
		t.Errorf("%+v", got)
	}
}

// status lists what this workspace needs, not all that the machine has.
func TestStatusOfWhatIsNeeded(t *testing.T) {
	lsptest.Require(t, "gopls")
	lsptest.Require(t, "pyright")
	s := newShop(t, "-- a.py --\nx = 1\n", lsptest.Script{})
	if got := s.run("status"); got.code != 0 || !strings.Contains(got.stdout, "\n  pyright: stopped\n") || strings.Contains(got.stdout, "gopls") {
		t.Errorf("%+v", got)
	}
	if got := s.run("status", "--all"); !strings.Contains(got.stdout, "\n  gopls: stopped\n") {
		t.Errorf("%+v", got)
	}
}

// Where the configuration switches everything off, status says so and lists nothing, and
// mcp offers no tool but status, in any profile.
func TestDisabledByConfiguration(t *testing.T) {
	t.Parallel()
	s := newShop(t, "-- .lspine.jsonc --\n{\"lsp\": false}\n-- a.toy --\n", lsptest.Script{})
	s.expect("status", s.run("status"), 0, "LSP disabled by configuration\n")
	for profile, told := range map[string]string{"default": `"text":"LSP disabled by configuration"`, "full": `\"disabled\":true`} {
		in, client := io.Pipe()
		answers, out := io.Pipe()
		ended := make(chan outcomeOf, 1)
		s.change = func(st *Streams) { st.In, st.Out = in, out }
		go func() { ended <- s.run("mcp", "--profile", profile) }()
		lines := bufio.NewReader(answers)
		var said []string
		for _, line := range []string{hello, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"status"}}` + "\n"} {
			if _, err := io.WriteString(client, line); err != nil {
				t.Fatal(err)
			}
			answer, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, answer)
		}
		_ = client.Close()
		if got := <-ended; got.code != 0 || strings.Count(said[1], `"inputSchema"`) != 1 || !strings.Contains(said[1], `"name":"status"`) || !strings.Contains(said[2], told) ||
			!strings.Contains(said[0], `"instructions":"LSP is disabled by configuration`) {
			t.Errorf("%s: %+v\n%s", profile, got, strings.Join(said, ""))
		}
	}
}
