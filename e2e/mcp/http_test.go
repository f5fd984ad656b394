package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

const token = "5d41402abc4b2a76b9719d911017c592ae41e4649b934ca495991b7852b85500"

// A proxy stands between clients and a server that demands a token, on an address that the server is told of.
type proxy struct {
	*httptest.Server
	// adds says that the proxy adds the token to requests.
	adds bool
	// cuts is how many answers to calls of tools are cut off after their first event; cut how many were, and resumed how many
	// requests asked for what came after an event.
	cuts, cut, resumed atomic.Int32
}

// serveBehind runs the product over HTTP with a token behind a proxy.
func serveBehind(t *testing.T, root string, adds bool) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(serveHTTP(t, root, []string{"LSPINE_TOKEN=" + token}, "--host", listener.Addr().String()))
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{adds: adds}
	passes := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: p.rewrite(target), ModifyResponse: p.modify}
	p.Server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: passes}}
	p.Start()
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) rewrite(target *url.URL) func(*httputil.ProxyRequest) {
	return func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host})
		r.Out.Host = r.In.Host // the server is to judge what the client named
		if p.adds {
			r.Out.Header.Set("Authorization", "Bearer "+token)
		}
		if r.In.Header.Get("Last-Event-Id") != "" {
			p.resumed.Add(1)
		}
		body, _ := io.ReadAll(r.In.Body) // the client's mistakes are the server's to find
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			r.Out.Header.Set("X-Calls-Tool", "yes")
		}
	}
}

func (p *proxy) modify(r *http.Response) error {
	if r.Request.Header.Get("X-Calls-Tool") != "" && p.cuts.Add(-1) >= 0 {
		p.cut.Add(1)
		r.Body = &firstEvent{ReadCloser: r.Body}
	}
	return nil
}

// errCut is why an answer ends after its first event.
var errCut = errors.New("the connection was cut")

// A firstEvent is the first event of a stream, after which the connection is cut.
type firstEvent struct {
	io.ReadCloser
	over bool
}

// Read implements [io.Reader].
func (f *firstEvent) Read(b []byte) (int, error) {
	if f.over {
		return 0, errCut
	}
	n, err := f.ReadCloser.Read(b[:1])
	var last [1]byte
	if n == 1 && b[0] == '\n' && len(b) > 1 {
		if m, _ := f.ReadCloser.Read(last[:]); m == 1 {
			b[1], n = last[0], 2
			f.over = last[0] == '\n'
		}
	}
	return n, err
}

// The client of the official TypeScript SDK, with a token, gets the answer to a call whose connection was cut: it goes on where the
// session was. Without the token it gets nothing.
//
// Requirement: AGENT-2.
func TestTypeScriptClientResumes(t *testing.T) {
	suite(t, "mcp-conformance") // comes with the packages of hosts
	lsptest.Require(t, "gopls")
	packages, err := filepath.Abs(filepath.Join("..", "..", ".tools", "host"))
	if err != nil {
		t.Fatal(err)
	}
	p := serveBehind(t, lsptest.Workspace(t, "-- go.mod --\nmodule a\n\ngo 1.24\n-- a.go --\npackage a\n\nvar wrong int = \"\"\n"), false)
	p.cuts.Store(1)
	const script = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const transport = new StreamableHTTPClientTransport(new URL(process.env.ADDRESS), {
  requestInit: { headers: { Authorization: "Bearer " + process.env.TOKEN } },
  reconnectionOptions: { initialReconnectionDelay: 20, maxReconnectionDelay: 200, reconnectionDelayGrowFactor: 1.5, maxRetries: 50 },
});
const client = new Client({ name: "typescript", version: "1" });
try {
  await client.connect(transport);
  const call = async () => (await client.callTool({ name: "check", arguments: { files: ["a.go"] } }, undefined, { timeout: 120000 })).content[0].text;
  const first = await call(), second = await call();
  await transport.terminateSession();
  console.log(JSON.stringify({ first, second, session: transport.sessionId === undefined }));
} catch (error) {
  console.log(JSON.stringify({ failed: error.code ?? error.message }));
}
await client.close();
`
	type outcome struct {
		First, Second string
		Session       bool
		Failed        any
	}
	run := func(token string) (got outcome) {
		t.Helper()
		cmd := exec.Command("node", "--input-type=module", "-e", script)
		cmd.Dir = packages
		cmd.Env = append(os.Environ(), "ADDRESS="+p.URL+"/mcp", "TOKEN="+token)
		out, err := cmd.CombinedOutput()
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return got
	}
	got := run(token)
	if !strings.Contains(got.First, "a.go:3:17") || !strings.Contains(got.Second, "a.go:3:17") || got.Failed != nil || !got.Session {
		t.Errorf("it got %+v", got)
	}
	if p.cut.Load() != 1 || p.resumed.Load() == 0 {
		t.Errorf("%d answers were cut, and %d resumed", p.cut.Load(), p.resumed.Load())
	}
	if diff := cmp.Diff(outcome{Failed: 401.0}, run("wrong")); diff != "" {
		t.Errorf("with a wrong token (-want +got):\n%s", diff)
	}
}
