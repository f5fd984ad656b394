package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// A line that is no message is answered, and the session goes on.
func TestBadLinesDoNotEndASession(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	served, client := net.Pipe()
	d.serve(served, served)
	t.Cleanup(func() { _ = client.Close() })
	lines := bufio.NewReaderSize(client, 1<<20)
	say := func(line string) string {
		t.Helper()
		_ = client.SetDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.WriteString(client, line+"\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	for _, c := range []struct{ line, says string }{
		{"garbage", `"id":null,"error":{"code":-32700`},
		{`{"jsonrpc":"2.0","id":2,`, `-32700`},
		{`"text"`, `-32600`},
		{`[]`, `-32600`},
		{`[7]`, `-32600`},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, `"id":7,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"id":null,"error":{"code":-32600`},
		{strings.Repeat("x", maxLine+1), `longer than 16 MiB`},
		{`{"jsonrpc":"2.0","id":8,"method":"no/such"}`, `"id":8`},
		{`{"jsonrpc":"2.0","id":9,"method":"ping"}`, `"id":9,"result"`},
	} {
		if got := say(c.line); !strings.Contains(got, c.says) {
			t.Errorf("%.60s: %s", c.line, got)
		}
	}
}

// The workspace of a call is the one it names, else the server's, else the first
// root of the client as it is now, else the checkout of the file that is named. Only
// folders that the session may use can be named.
//
// Requirement: AGENT-4.
func TestWhoseWorkspace(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, "-- b/inner/y.toy --\n-- a/toy.root --\n-- a/.git/HEAD --\n-- a/x.toy --\ndef a\n-- b/toy.root --\n-- b/.git/HEAD --\n-- b/x.toy --\ndef b\n",
		func(o *Options) { o.Root, o.Structured = "", "full" })
	a, b := filepath.Join(d.root, "a"), filepath.Join(d.root, "b")
	rooted := func(session *mcp.ClientSession, tool, args string) string {
		t.Helper()
		return filepath.ToSlash(strings.TrimPrefix(structured[struct{ Root string }](t, call(t, session, tool, args)).Root, d.root))
	}
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	//lint:ignore SA1019 what older clients do
	client.AddRoots(&mcp.Root{URI: string(protocol.URIFromPath(b))}, &mcp.Root{URI: "https://example.com/"})
	for _, name := range []string{"x.toy", "none"} { // neither is a folder
		//lint:ignore SA1019 what older clients do
		client.AddRoots(&mcp.Root{URI: string(protocol.URIFromPath(filepath.Join(a, name)))})
	}
	session, err := client.Connect(t.Context(), d.transport("memory"), &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	expect("the client's root", rooted(session, "status", `{}`), "/b")
	call(t, session, "status", `{"workspace":"`+lsptest.InJSON(a)+`"}`).fails(t, result.Outside, "outside of what this session may use: "+b, "--allow-root")
	call(t, session, "status", `{"workspace":"../a"}`).fails(t, result.Outside, "../a is outside")
	expect("named", rooted(session, "status", `{"workspace":"`+lsptest.InJSON(filepath.Join(b, "inner"))+`"}`), "/b/inner")
	expect("named, relative", rooted(session, "status", `{"workspace":"inner"}`), "/b/inner")
	//lint:ignore SA1019 what older clients do
	client.AddRoots(&mcp.Root{URI: string(protocol.URIFromPath(a))})
	//lint:ignore SA1019 what older clients do
	client.RemoveRoots(string(protocol.URIFromPath(b)))
	lsptest.Eventually(t, 20*time.Second, func() bool { return rooted(session, "status", `{}`) == "/a" }, "the new root counts")

	for _, revision := range revisions {
		bare := d.on(t).connect("memory", revision, nil)
		expect(revision+": the checkout of the file", rooted(bare, "check", `{"files":["`+filepath.ToSlash(filepath.Join(b, "x.toy"))+`"]}`), "/b")
		expect(revision+": the current folder", rooted(bare, "status", `{}`), "")
	}
	call(t, session, "definition", `{"workspace":".","at":"x.toy:1:5"}`).says(t, "x.toy")
}

// The server's own root comes before those of the client.
func TestTheRootOfTheServerCounts(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	//lint:ignore SA1019 what older clients do
	client.AddRoots(&mcp.Root{URI: string(protocol.URIFromPath(t.TempDir()))})
	session, err := client.Connect(t.Context(), d.transport("memory"), &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := structured[result.Status](t, call(t, session, "status", `{"structured":"full"}`)).Root; got != d.root {
		t.Errorf("root %s, want %s", got, d.root)
	}
}

// Everything is said of capabilities that is answered for, and nothing else: no list
// that changes.
func TestCapabilities(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	for _, revision := range revisions {
		session := d.on(t).connect("memory", revision, nil)
		text, err := json.Marshal(session.InitializeResult().Capabilities)
		if want := `{"logging":{},"prompts":{},"resources":{"subscribe":true},"tools":{}}`; err != nil || string(text) != want {
			t.Errorf("%s: %s, want %s", revision, text, want)
		}
	}
}

// Resources hold what is known, as JSON.
//
// Requirement: AGENT-20, AGENT-30.
func TestResources(t *testing.T) {
	d := openDesk(t, lsptest.Script{
		Capabilities: json.RawMessage(`{"completionProvider":{}}`),
		Rules:        []lsptest.Rule{lsptest.On("textDocument/completion", lsptest.Reply(`[{"label":"helper","kind":3}]`))},
	}, project+"-- bad.toy --\nuse nothing\n")
	session := d.connect("memory", newestEra, nil)
	read := func(uri string) string {
		t.Helper()
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		if c := result.Contents[0]; c.MIMEType != jsonType || c.URI != uri || !json.Valid([]byte(c.Text)) {
			t.Errorf("%s: %+v", uri, c)
		}
		return result.Contents[0].Text
	}
	for uri, says := range map[string]string{
		"lspine://status":            `"id":"toy"`,
		"lsp-diagnostics:///bad.toy": "undefined: nothing",
		"lsp-diagnostics://" + path.Join("/", filepath.ToSlash(d.root)) + "/bad.toy": "undefined: nothing",
		"lsp-hover:///main.toy?line=1&column=5&language_id=":                         "helper",
		"lsp-completions:///main.toy?line=1&column=5&language_id=toy":                `"label":"helper"`,
	} {
		if got := read(uri); !strings.Contains(got, says) {
			t.Errorf("%s: %s", uri, got)
		}
	}
	if all := read("lsp-diagnostics:///"); !strings.Contains(all, "bad.toy") {
		t.Errorf("all that is known: %s", all)
	}
	for uri, says := range map[string]string{
		"lsp-hover:///main.toy?line=0&column=5&language_id=":   "1-based",
		"lsp-hover:///gone.toy?line=1&column=5&language_id=go": "not found",
		"lsp-nothing:///x":   "not found",
		"lspine://something": "not found",
	} {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil || !strings.Contains(strings.ToLower(err.Error()), says) {
			t.Errorf("%s: %v", uri, err)
		}
	}
	templates, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 4 {
		t.Errorf("templates: %+v, %v", templates, err)
	}
}

// Who subscribed to the diagnostics of a file hears when they change, in either
// era, and nothing of other files, nor after it unsubscribed.
//
// Requirement: AGENT-31.
func TestSubscriptions(t *testing.T) {
	for _, where := range []string{"memory/2025-06-18", "memory/" + newestEra, "http/2025-06-18", "http/" + newestEra} {
		t.Run(where, func(t *testing.T) {
			way, revision, _ := strings.Cut(where, "/")
			d := openDesk(t, lsptest.Script{}, project)
			updates := make(chan string, 100)
			session := d.connect(way, revision, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { updates <- req.Params.URI },
			})
			const uri, other = "lsp-diagnostics:///main.toy", "lsp-diagnostics:///lib.toy"
			call(t, session, "check", `{"files":["main.toy","lib.toy"]}`)
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "test://other"}); revision != newestEra && (err == nil || !strings.Contains(err.Error(), "only diagnostics")) {
				t.Errorf("another resource: %v", err)
			}
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			watched := func() int {
				d.server.mu.Lock()
				defer d.server.mu.Unlock()
				return len(d.server.watches)
			}
			lsptest.Eventually(t, 10*time.Second, func() bool { return watched() == 1 }, "a watch")
			lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "use helper\nx ERROR broken\n")
			call(t, session, "check", `{"files":["main.toy"]}`).says(t, "broken")
			select {
			case got := <-updates:
				if got != uri {
					t.Errorf("update of %s", got)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no update")
			}
			if err := session.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			lsptest.Eventually(t, 10*time.Second, func() bool { return watched() == 0 }, "the watch ends")
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: other}); err != nil {
				t.Fatal(err)
			}
			lsptest.Eventually(t, 10*time.Second, func() bool { return watched() == 1 }, "another watch")
			lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "use helper\n")
			call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no new errors, 1 fixed")
			_ = session.Close()
			lsptest.Eventually(t, 10*time.Second, func() bool { return watched() == 0 }, "the watch ends with the session")
			for len(updates) > 0 {
				if got := <-updates; got == other {
					t.Errorf("update of %s", got)
				}
			}
		})
	}
}

// Over HTTP another site's page is refused, and so is another name of the host.
func TestStrangersAreRefused(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	base := d.http()
	for _, c := range []struct {
		method, path, header, value string
		want                        int
	}{
		{"GET", "/health", "", "", http.StatusOK},
		{"POST", "/mcp", "Origin", "https://evil.example", http.StatusForbidden},
		{"POST", "/", "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		{"POST", "/mcp", "Host", "evil.example", http.StatusForbidden},
		{"POST", "/elsewhere", "", "", http.StatusNotFound},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, base+c.path, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if c.header == "Host" {
			req.Host = c.value
		} else if c.header != "" {
			req.Header.Set(c.header, c.value)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != c.want || resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.value, resp.StatusCode, body)
		}
		if c.path == "/health" && string(body) != `{"status":"ok"}` {
			t.Errorf("health: %s", body)
		}
	}
}

// faulty is engines whose operation fails, or panics, while it is told to.
type faulty struct {
	Engines
	operation string
	fails     func() error
}

func (f *faulty) Engine(ctx context.Context, root string) (api.Caller, error) {
	caller, err := f.Engines.Engine(ctx, root)
	return faultyCaller{caller, f}, err
}

type faultyCaller struct {
	api.Caller
	*faulty
}

func (f faultyCaller) Call(ctx context.Context, name string, req, res any) error {
	if known, ok := req.(api.DiagnosticsRequest); ok && name == f.operation && known.AfterEpoch > 0 {
		if err := f.fails(); err != nil {
			return err
		}
	}
	return f.Caller.Call(ctx, name, req, res)
}

// A watch that failed, or panicked, is not joined by who subscribes later: that one gets
// another. Those that had subscribed are told to read again.
func TestFailedSubscriptionIsNotJoined(t *testing.T) {
	for name, failure := range map[string]func() error{
		"error": func() error { return errors.New("no more epochs") },
		"panic": func() error { panic("kaboom") },
	} {
		t.Run(name, func(t *testing.T) {
			works := &atomic.Bool{}
			d := openDesk(t, lsptest.Script{}, project, func(o *Options) {
				o.Engines = &faulty{o.Engines, "diagnostics", func() error {
					if works.Load() {
						return nil
					}
					return failure()
				}}
			})
			updates := make(chan string, 100)
			session := d.connect("memory", "2025-06-18", &mcp.ClientOptions{
				ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { updates <- req.Params.URI },
			})
			const uri = "lsp-diagnostics:///main.toy"
			call(t, session, "check", `{"files":["main.toy"]}`)
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			watched := func() int {
				d.server.mu.Lock()
				defer d.server.mu.Unlock()
				return len(d.server.watches)
			}
			lsptest.Eventually(t, 10*time.Second, func() bool { return watched() == 0 }, "the watch ends")
			works.Store(true)
			if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			if watched() != 1 {
				t.Error("there is no new watch")
			}
			lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "x ERROR broken\n")
			call(t, session, "check", `{"files":["main.toy"]}`).says(t, "broken")
			lsptest.Eventually(t, 10*time.Second, func() bool { return len(updates) > 0 }, "it is told of")
		})
	}
}

// Each client of a server over HTTP has a session of its own: what one was told is new to another, and what belongs to it is
// forgotten when it leaves.
func TestEachClientOverHTTPHasItsOwnSession(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	one, other := d.connect("http", "2025-06-18", nil), d.connect("http", "2025-06-18", nil)
	for _, session := range []*mcp.ClientSession{one, other} {
		call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors")
	}
	lsptest.WriteFile(t, filepath.Join(d.root, "main.toy"), "use nothing\n")
	call(t, one, "check", `{"files":["main.toy"]}`).says(t, "1 new error")
	call(t, one, "check", `{"files":["main.toy"]}`).says(t, "1 error remains")
	call(t, other, "check", `{"files":["main.toy"]}`).says(t, "1 new error")
	name := "mcp session " + one.ID()
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	lsptest.Eventually(t, 20*time.Second, func() bool {
		d.engines.mu.Lock()
		defer d.engines.mu.Unlock()
		return slices.Equal(d.engines.ended, []string{name})
	}, "the session has ended in the engine")
	call(t, other, "check", `{"files":["main.toy"]}`).says(t, "1 error remains")
}
