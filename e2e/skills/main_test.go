package skills

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/skills"
)

// beLSPine makes this test binary the product's.
const beLSPine = "E2E_BE_LSPINE"

func TestMain(m *testing.M) {
	lsptest.Main(m,
		func() { lsp.Supervise(os.Args) },
		func() {
			if os.Getenv(beLSPine) != "" {
				os.Exit(cli.Main(os.Args))
			}
		})
}

// connect runs the product on a folder until the end of the test.
func connect(t *testing.T, root string, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"mcp", "--root", root}, args...)...)
	cmd.Env, cmd.Dir = append(os.Environ(), beLSPine+"=1", "GORACE=atexit_sleep_ms=0"), root
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the end: %v", err)
		}
	})
	return session
}

// call returns the text of an answer.
func call(t *testing.T, session *mcp.ClientSession, tool, args string) string {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return answer.Content[0].(*mcp.TextContent).Text
}

// A follower has a session, and what it knows by the names that stand for it in a skill.
type follower struct {
	t       *testing.T
	session *mcp.ClientSession
	known   map[string]string
}

// plain are values that may stand in the text of a prompt, where calls are read from.
var plain = regexp.MustCompile(`^[^"\\` + "`" + `\n]*$`)

// steps asks for a skill, with what is known of its arguments, and returns the calls of its steps.
func (f *follower) steps(name string) []skills.Call {
	f.t.Helper()
	skill, ok := skills.Named(name)
	if !ok {
		f.t.Fatalf("there is no skill %s", name)
	}
	arguments := make(map[string]string)
	for _, a := range skill.Arguments {
		if plain.MatchString(f.known[a]) {
			arguments[a] = f.known[a]
		}
	}
	prompt, err := f.session.GetPrompt(f.t.Context(), &mcp.GetPromptParams{Name: name, Arguments: arguments})
	if err != nil {
		f.t.Fatal(err)
	}
	text := skills.Skill{Body: prompt.Messages[0].Content.(*mcp.TextContent).Text}
	var steps []skills.Call
	for _, c := range text.Calls() {
		if c.Section == skills.Steps && c.Step > 0 {
			steps = append(steps, c)
		}
	}
	return steps
}

var (
	open    = regexp.MustCompile(`<([a-z_]+)>`)
	session = regexp.MustCompile(`\bs\d+\b`)
)

// make makes a call, with what is known in its places, and returns the text of the answer.
func (f *follower) make(c skills.Call) string {
	f.t.Helper()
	args := open.ReplaceAllStringFunc(c.Arguments, func(place string) string {
		value, ok := f.known[strings.Trim(place, "<>")]
		if !ok {
			f.t.Fatalf("%s: nobody knows %s", c.Tool, place)
		}
		quoted, err := json.Marshal(value)
		if err != nil {
			f.t.Fatal(err)
		}
		return string(quoted[1 : len(quoted)-1])
	})
	text := call(f.t, f.session, c.Tool, args)
	if strings.Contains(args, `"create"`) {
		f.known["session"] = session.FindString(text)
	}
	return text
}
