package load

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/cli"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

// token is the one of all clients.
const token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// serve serves the projects over HTTP in this process, so that what is left behind can be counted, and returns where. The server
// ends with the test, with exit code 0.
func serve(t *testing.T) (origin string) {
	t.Helper()
	args := []string{"mcp", "--http", "--port", "0", "--root", t.TempDir()}
	for i := range projects {
		lsptest.Require(t, projects[i].server)
		args = append(args, "--workspace", projects[i].name+"="+projects[i].write(t))
	}
	said, stderr := io.Pipe()
	ctx, interrupt := context.WithCancel(context.WithoutCancel(t.Context()))
	code := make(chan int, 1)
	go func() { // received below
		code <- cli.Run(ctx, args, &cli.Streams{
			In: strings.NewReader(""), Out: io.Discard, Err: stderr, Dir: t.TempDir(), Environ: append(os.Environ(), "LSPINE_TOKEN="+token),
		})
		_ = stderr.Close()
	}()
	lines := bufio.NewScanner(said)
	for origin == "" && lines.Scan() {
		_, origin, _ = strings.Cut(lines.Text(), "serving MCP at ")
	}
	drained := make(chan struct{})
	go func() { // joined below
		defer close(drained)
		for lines.Scan() {
			t.Log(lines.Text())
		}
	}()
	t.Cleanup(func() {
		interrupt()
		<-drained
		if got := <-code; got != 0 {
			t.Errorf("exit code %d", got)
		}
	})
	if origin == "" {
		t.Fatal("it does not serve")
	}
	return strings.TrimSuffix(origin, "/mcp")
}

// authorized adds the token to requests.
type authorized struct{ *http.Transport }

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return a.Transport.RoundTrip(r)
}

// connect connects a client to a project. leave ends the session and the client's connections.
func connect(ctx context.Context, origin string, p *project, revision string) (session *mcp.ClientSession, leave func() error, err error) {
	transport := authorized{&http.Transport{}}
	client := mcp.NewClient(&mcp.Implementation{Name: "load", Version: "1"}, nil)
	session, err = client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: p.address(origin), HTTPClient: &http.Client{Transport: transport}},
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, nil, err
	}
	return session, func() error {
		defer transport.CloseIdleConnections()
		return session.Close()
	}, nil
}

// ask puts a question and returns an error unless it is answered rightly.
func (q *question) ask(ctx context.Context, session *mcp.ClientSession) error {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: q.kind, Arguments: json.RawMessage(q.args)})
	if err != nil {
		return fmt.Errorf("%s %s: %w", q.kind, q.args, err)
	}
	text := ""
	for _, c := range result.Content {
		if part, ok := c.(*mcp.TextContent); ok {
			text += part.Text
		}
	}
	if wrong := q.wrongs(text); wrong != "" {
		return fmt.Errorf("%s", wrong)
	}
	return nil
}
