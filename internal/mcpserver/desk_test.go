package mcpserver

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

func TestMain(m *testing.M) {
	lsptest.Main(m, func() { lsp.Supervise(os.Args) })
}

const project = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
`

// A desk is a server over a toy workspace, for sessions to come to.
type desk struct {
	t      *testing.T
	root   string
	server *Server
	// engines are those of the server.
	engines *toys
}

// on returns the desk for a part of the test.
func (d *desk) on(t *testing.T) *desk { return &desk{t, d.root, d.server, d.engines} }

// toys are engines over the scripted server.
type toys struct {
	definition registry.Definition

	mu    sync.Mutex // guards the rest
	open  map[string]*engine.Engine
	ended []string // the names of sessions that have ended
}

func openDesk(t *testing.T, script lsptest.Script, archive string, change ...func(*Options)) *desk {
	t.Helper()
	d := &desk{t: t, root: lsptest.Workspace(t, archive)}
	engines := &toys{definition: script.Definition(t), open: make(map[string]*engine.Engine)}
	d.engines = engines
	opts := Options{Engines: engines, Root: d.root, Dir: d.root, Version: "test"}
	for _, c := range change {
		c(&opts)
	}
	var err error
	if d.server, err = New(opts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.server.Close()
		engines.mu.Lock()
		defer engines.mu.Unlock()
		for _, e := range engines.open {
			_ = e.Close(context.Background())
		}
	})
	return d
}

// EndSession implements [SessionEnder].
func (x *toys) EndSession(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range x.open {
		e.EndSession(name)
	}
	x.ended = append(x.ended, name)
}

// Engine implements [Engines].
func (x *toys) Engine(_ context.Context, root string) (api.Caller, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e, ok := x.open[root]; ok {
		return e, nil
	}
	cfg, _ := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	cfg.Servers = registry.Table{x.definition}
	e, err := engine.New(engine.Options{Root: root, Config: cfg})
	if err == nil {
		x.open[root] = e
	}
	return e, err
}

// revisions are the oldest, one between and the newest.
var revisions = []string{"2024-11-05", "2025-06-18", newestEra}

// ways are how a client reaches the server.
var ways = []string{"memory", "pipe", "unix", "http"}

// transport returns the client's end of a way to the server.
func (d *desk) transport(way string) mcp.Transport {
	d.t.Helper()
	if way == "unix" {
		lsptest.NeedSockets(d.t)
	}
	switch way {
	case "http":
		return &mcp.StreamableClientTransport{Endpoint: d.http() + "/mcp"}
	case "unix":
		dir, err := os.MkdirTemp("", "lspine") // short: the name of a socket is limited
		if err != nil {
			d.t.Fatal(err)
		}
		d.t.Cleanup(func() { _ = os.RemoveAll(dir) })
		listener, err := net.Listen("unix", filepath.Join(dir, "s"))
		if err != nil {
			d.t.Fatal(err)
		}
		d.t.Cleanup(func() { _ = listener.Close() })
		client, err := net.Dial("unix", listener.Addr().String())
		if err != nil {
			d.t.Fatal(err)
		}
		served, err := listener.Accept()
		if err != nil {
			d.t.Fatal(err)
		}
		d.serve(served, served)
		return &mcp.IOTransport{Reader: client, Writer: client}
	case "pipe":
		inRead, inWrite, err := os.Pipe()
		if err != nil {
			d.t.Fatal(err)
		}
		outRead, outWrite, err := os.Pipe()
		if err != nil {
			d.t.Fatal(err)
		}
		d.serve(inRead, outWrite)
		return &mcp.IOTransport{Reader: outRead, Writer: inWrite}
	default:
		served, client := net.Pipe()
		d.serve(served, served)
		return &mcp.IOTransport{Reader: client, Writer: client}
	}
}

// serve serves one session until it ends; at the end of the test it must have
// ended without an error.
func (d *desk) serve(in interface {
	Read([]byte) (int, error)
	Close() error
}, out interface {
	Write([]byte) (int, error)
	Close() error
},
) {
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.server.Serve(ctx, in, out) }()
	d.t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			d.t.Errorf("the session ended with %v", err)
		}
	})
}

// http starts a listener and returns its address.
func (d *desk) http() string {
	listener := httptest.NewServer(d.server.Handler(HTTP{}))
	d.t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		listener.CloseClientConnections()
		listener.Close()
	})
	return listener.URL
}

// connect begins a session. It ends with the test.
func (d *desk) connect(way, revision string, opts *mcp.ClientOptions) *mcp.ClientSession {
	d.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	session, err := client.Connect(d.t.Context(), d.transport(way), &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		d.t.Fatalf("%s at %s: %v", way, revision, err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		d.t.Fatalf("%s: negotiated %s, want %s", way, got, revision)
	}
	d.t.Cleanup(func() { _ = session.Close() })
	return session
}

// An answer is a result of a tool, its parts apart.
type answer struct {
	*mcp.CallToolResult
	text string
}

// call calls a tool with the JSON of its arguments.
func call(t *testing.T, session *mcp.ClientSession, tool, args string) answer {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return answerOf(t, result)
}

func answerOf(t *testing.T, result *mcp.CallToolResult) answer {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("%d contents", len(result.Content))
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the content is %T", result.Content[0])
	}
	return answer{result, text.Text}
}

// says fails unless the text has all the parts.
func (a answer) says(t *testing.T, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(a.text, p) {
			t.Errorf("%q is not in\n%s", p, a.text)
		}
	}
}

// structured returns the structured result.
func structured[T any](t *testing.T, a answer) T {
	t.Helper()
	var v T
	text, err := json.Marshal(a.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatalf("structured result %s: %v", text, err)
	}
	return v
}

// fails fails unless the answer is a failure of the kind whose text has the
// parts.
func (a answer) fails(t *testing.T, kind result.Kind, parts ...string) {
	t.Helper()
	if got := structured[failure](t, a); !a.IsError || got.Error.Kind != kind {
		t.Errorf("kind %q (error %t), want %s:\n%s", got.Error.Kind, a.IsError, kind, a.text)
	}
	a.says(t, parts...)
}
