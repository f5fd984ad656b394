package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// eras are the last revision with sessions, and the first without.
var eras = []string{"2025-11-25", newestEra}

// admitting serves the desk to one visitor and returns the address.
func (d *desk) admitting(v *Visitor, opts HTTP) string {
	handler := d.server.Handler(opts)
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(v.In(r.Context())))
	}))
	d.t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		listener.CloseClientConnections()
		listener.Close()
	})
	return listener.URL
}

// visit begins a session at an address.
func (d *desk) visit(endpoint, revision string) *mcp.ClientSession {
	d.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "self-named", Version: "1"}, nil)
	session, err := client.Connect(d.t.Context(), &mcp.StreamableClientTransport{Endpoint: endpoint}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		d.t.Fatalf("%s at %s: %v", endpoint, revision, err)
	}
	d.t.Cleanup(func() { _ = session.Close() })
	return session
}

// A visitor uses only the folders that both it and the server may use, however it names others: as the
// workspace, by a file, through a link, or as a root of its client.
//
// Requirement: HTTP-8.
func TestVisitorsStayInTheirFolders(t *testing.T) {
	for _, revision := range eras {
		t.Run(revision, func(t *testing.T) {
			y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) { o.Allow = []string{filepath.Join(filepath.Dir(o.Dir), "outside")} })
			y.link()
			before := y.tree()
			v := &Visitor{Name: "guest", Roots: []string{y.inside, y.home}} // the server does not allow its home
			session := y.visit(y.admitting(v, HTTP{})+"/mcp", revision)
			call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors (1 file checked)")
			for _, folder := range []string{y.outside, y.home, y.world, "/", "../outside", "link"} {
				y.refused(session, "status", fmt.Sprintf(`{"workspace":%q}`, folder))
			}
			for _, file := range []string{filepath.Join(y.outside, "secret.toy"), filepath.Join(y.home, ".bashrc"), "filelink.toy", "link/secret.toy"} {
				y.refused(session, "source", fmt.Sprintf(`{"at":%q}`, file+":1:1"))
			}
			y.unharmed(before)
			elsewhere := y.visit(y.admitting(&Visitor{Name: "stranger", Roots: []string{y.home}}, HTTP{})+"/mcp", revision)
			call(t, elsewhere, "status", `{}`).fails(t, result.Outside, "none of the folders of this token is served")
		})
	}
}

// A client with a token does not bring folders along: only the user says which ones are served.
func TestVisitorsBringNoRoots(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} })
	before := y.tree()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	//lint:ignore SA1019 older clients have them
	client.AddRoots(&mcp.Root{URI: api.FileURI(y.outside)})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: y.admitting(&Visitor{Name: "guest"}, HTTP{})}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	call(t, session, "check", `{"files":["main.toy"]}`).says(t, "no errors (1 file checked)")
	y.refused(session, "status", fmt.Sprintf(`{"workspace":%q}`, y.outside))
	y.unharmed(before)
}

// A folder below one that is served may be all that a visitor has; then it is its workspace.
func TestVisitorsOfAPart(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} })
	part := filepath.Join(y.inside, "sub")
	lsptest.WriteFile(t, filepath.Join(part, "toy.root"), "")
	for _, revision := range eras {
		session := y.visit(y.admitting(&Visitor{Name: "guest", Roots: []string{part}}, HTTP{})+"/mcp", revision)
		call(t, session, "check", `{"files":["part.toy"]}`).says(t, "no errors (1 file checked)")
		y.refused(session, "source", `{"at":"../main.toy:1:1"}`)
		y.refused(session, "status", fmt.Sprintf(`{"workspace":%q}`, y.inside))
	}
}

// An office is engines that note what comes with a call, and fail.
type office struct {
	mu    sync.Mutex // guards calls
	calls []api.Call
}

func (o *office) Engine(context.Context, string) (api.Caller, error) { return o, nil }

func (o *office) Call(ctx context.Context, name string, _, _ any) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if name != api.Events.Name {
		with := api.CallOf(ctx)
		o.calls = append(o.calls, api.Call{Client: with.Client, Permission: with.Permission})
	}
	return &result.Error{Kind: result.Unavailable, Message: "closed"}
}

// take returns what came with the calls since the last time.
func (o *office) take() []api.Call {
	o.mu.Lock()
	defer o.mu.Unlock()
	calls := o.calls
	o.calls = nil
	return calls
}

// What a visitor calls comes under the name of its token, not the one that its client gives itself, and with
// the stricter of its own rules and those of the tool: also what a resource reads. One without a name has
// that of its client.
func TestWhoVisits(t *testing.T) {
	of := &office{}
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) {
		o.Engines = of
		o.Permissions = map[string]api.Permission{"rename": {Action: api.Deny}, "source": {Action: api.Allow}}
	})
	asks := api.Permission{Action: api.Ask, Source: "the rules of guest"}
	guest := &Visitor{Name: "guest", Permission: func(operation string, class api.Class) api.Permission {
		if class == api.Edit || operation == "source" || operation == "references" || operation == "status" {
			return asks
		}
		return api.Permission{}
	}}
	for _, revision := range eras {
		session := d.visit(d.admitting(guest, HTTP{})+"/mcp", revision)
		for tool, c := range map[string]struct {
			args string
			want api.Permission
		}{
			"check":  {`{"files":["main.toy"]}`, api.Permission{}},
			"edit":   {`{"edits":[{"file":"main.toy","content":"b"}]}`, asks},
			"source": {`{"at":"main.toy:1:1"}`, asks},
			"impact": {`{"at":"main.toy:1:1"}`, asks}, // contains references
			"rename": {`{"at":"main.toy:1:1","name":"b"}`, api.Permission{Action: api.Deny, Source: "the permission of rename", Advice: "the user can allow it: lspine mcp --profile default --permission rename=allow"}},
		} {
			call(t, session, tool, c.args)
			if diff := cmp.Diff([]api.Call{{Client: "mcp/guest", Permission: c.want}}, of.take()); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", revision, tool, diff)
			}
		}
		_, _ = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: statusURI})
		if diff := cmp.Diff([]api.Call{{Client: "mcp/guest", Permission: asks}}, of.take()); diff != "" {
			t.Errorf("%s: a resource (-want +got):\n%s", revision, diff)
		}
		anybody := d.visit(d.admitting(&Visitor{}, HTTP{})+"/mcp", revision)
		call(t, anybody, "check", `{"files":["main.toy"]}`)
		if diff := cmp.Diff([]api.Call{{Client: "mcp/self-named"}}, of.take()); diff != "" {
			t.Errorf("%s: nobody (-want +got):\n%s", revision, diff)
		}
	}
}

// post sends a message of MCP as a test writes it.
func post(t *testing.T, method, url, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// The address /w/WORKSPACE/mcp chooses the workspace of a session, by a name or by its path; one that the
// visitor may not use is refused, whether it exists or not.
//
// Requirement: HTTP-12.
func TestAddressesOfWorkspaces(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) { o.Allow = []string{filepath.Join(filepath.Dir(o.Dir), "outside")} })
	lsptest.WriteFile(t, filepath.Join(y.inside, "sub", "toy.root"), "")
	opts := HTTP{Workspaces: map[string]string{"other": y.outside}}
	all := y.admitting(&Visitor{Name: "all"}, opts)
	for _, revision := range eras {
		for address, file := range map[string]string{"/mcp": "sub/part.toy", AddressOf(y.outside): "folder/deep.toy", "/w/other/mcp": "folder/deep.toy", AddressOf(filepath.Join(y.inside, "sub")): "part.toy"} {
			call(t, y.visit(all+address, revision), "check", fmt.Sprintf(`{"files":[%q]}`, file)).says(t, "no errors (1 file checked)")
		}
	}
	guest := y.admitting(&Visitor{Name: "guest", Roots: []string{y.inside}}, opts)
	for address, want := range map[string]int{
		AddressOf(y.inside): 200, "/w/other/mcp": 403, AddressOf(y.outside): 403, AddressOf(filepath.Join(y.world, "none")): 403, AddressOf(y.inside + "/../outside"): 403,
		"/w/none/mcp": 404, "/w/other": 404, "/w/other/mcp/": 404, "/w//mcp": 404,
	} {
		if response, text := post(t, http.MethodPost, guest+address, begin); response.StatusCode != want {
			t.Errorf("%s: %d %s", address, response.StatusCode, text)
		}
	}
}

// Programs that do not speak MCP get operations at an address of their own, if the server has one, in the folders and by the rules
// of their visitor.
func TestOperationsOverHTTP(t *testing.T) {
	y := openYard(t, func(*yard) lsptest.Script { return lsptest.Script{} }, func(o *Options) { o.Allow = []string{filepath.Join(filepath.Dir(o.Dir), "outside")} })
	opts := HTTP{Workspaces: map[string]string{"other": y.outside}, Operation: func(ctx context.Context, caller api.Caller, body []byte) ([]byte, error) {
		return jsonrpc.Answer(ctx, body, func(ctx context.Context, name string, params json.RawMessage) (any, error) {
			answer := operations()[name].New()
			return answer, caller.Call(ctx, name, params, answer)
		})
	}}
	denying := func(_ string, class api.Class) api.Permission {
		if class == api.Read {
			return api.Permission{}
		}
		return api.Permission{Action: api.Deny, Source: "the rules"}
	}
	all, guest := y.admitting(&Visitor{Name: "all"}, opts), y.admitting(&Visitor{Name: "guest", Roots: []string{y.inside}, Permission: denying}, opts)
	ask := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	}
	for _, c := range []struct {
		name, address, body string
		status              int
		says                string
	}{
		{"an operation", all + "/rpc", ask("check", `{"files":["sub/part.toy"]}`), 200, `"verdict":"clean"`},
		{"of another workspace", all + "/w/other/rpc", ask("check", `{"files":["folder/deep.toy"]}`), 200, `"verdict":"clean"`},
		{"a folder that nobody allowed", all + "/rpc", ask("workspace_folders", fmt.Sprintf(`{"add":[%q]}`, y.world)), 200, `is outside of what this session may use`},
		{"a folder of the server", guest + "/rpc", ask("workspace_folders", fmt.Sprintf(`{"add":[%q]}`, y.outside)), 200, `is outside of what this session may use`},
		{"a workspace of others", guest + "/w/other/rpc", ask("check", `{"files":["folder/deep.toy"]}`), 403, `may not be used`},
		{"what a rule denies", guest + "/rpc", ask("edit", `{"edits":[]}`), 200, `the rules`},
		{"what no rule denies", guest + "/rpc", ask("check", `{"files":["sub/part.toy"]}`), 200, `"verdict":"clean"`},
	} {
		response, text := post(t, http.MethodPost, c.address, c.body)
		if response.StatusCode != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d %s", c.name, response.StatusCode, text, c.status, c.says)
		}
	}
	if response, text := post(t, http.MethodPost, all+"/rpc", ask("check", `{}`), "Content-Type", "text/plain"); response.StatusCode != 415 {
		t.Errorf("a form's type: %d %s", response.StatusCode, text)
	}
	if response, text := post(t, http.MethodPost, y.admitting(&Visitor{}, HTTP{})+"/rpc", ask("check", `{}`)); response.StatusCode != 404 {
		t.Errorf("a server without: %d %s", response.StatusCode, text)
	}
}

// A session is of the visitor that began it: another can neither use nor end it.
func TestSessionsOfOthers(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	ada, eve := &Visitor{Name: "ada"}, &Visitor{Name: "eve"}
	var now *Visitor
	handler := d.server.Handler(HTTP{})
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(now.In(r.Context())))
	}))
	t.Cleanup(listener.Close)
	now = ada
	response, text := post(t, http.MethodPost, listener.URL, begin)
	id := response.Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal(text)
	}
	const check = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"files":["main.toy"]}}}`
	for _, c := range []struct {
		by     *Visitor
		method string
		status int
	}{{eve, http.MethodPost, 403}, {eve, http.MethodGet, 403}, {eve, http.MethodDelete, 403}, {ada, http.MethodPost, 200}, {ada, http.MethodDelete, 204}, {ada, http.MethodPost, 404}} {
		now = c.by
		if response, text := post(t, c.method, listener.URL, check, "Mcp-Session-Id", id, "Mcp-Protocol-Version", "2025-06-18"); response.StatusCode != c.status || c.status == 200 && !strings.Contains(text, "no errors") {
			t.Errorf("%s %s: %d %s", c.by.Name, c.method, response.StatusCode, text)
		}
	}
}

// Only so many sessions exist at once; when one ends, another may begin.
func TestManySessions(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	address := d.admitting(&Visitor{}, HTTP{MaxSessions: 2})
	first, _ := post(t, http.MethodPost, address, begin)
	if second, text := post(t, http.MethodPost, address, begin); second.StatusCode != 200 || d.server.Sessions() != 2 {
		t.Fatalf("the second: %d %s; %d sessions", second.StatusCode, text, d.server.Sessions())
	}
	if third, text := post(t, http.MethodPost, address, begin); third.StatusCode != http.StatusServiceUnavailable || third.Header.Get("Retry-After") == "" || text != `{"error":"no more sessions are served at present"}` {
		t.Errorf("the third: %d %s", third.StatusCode, text)
	}
	call(t, d.visit(address, newestEra), "status", `{}`) // has no session
	post(t, http.MethodDelete, address, "", "Mcp-Session-Id", first.Header.Get("Mcp-Session-Id"))
	for { // it ends a little later
		if fourth, _ := post(t, http.MethodPost, address, begin); fourth.StatusCode == 200 {
			break
		}
	}
}

// One visitor does not take all sessions: others still get theirs.
func TestSessionsOfOneVisitor(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	ada, bob := d.admitting(&Visitor{Name: "ada"}, HTTP{}), d.admitting(&Visitor{Name: "bob"}, HTTP{})
	for range maxOwnSessions {
		if response, text := post(t, http.MethodPost, ada, begin); response.StatusCode != 200 {
			t.Fatalf("%d sessions: %d %s", d.server.Sessions(), response.StatusCode, text)
		}
	}
	for address, want := range map[string]int{ada: http.StatusServiceUnavailable, bob: 200} {
		if response, text := post(t, http.MethodPost, address, begin); response.StatusCode != want {
			t.Errorf("%d %s, want %d", response.StatusCode, text, want)
		}
	}
}

// What a visitor runs can do whatever the user can: one that may use some folders alone may run nothing, unless a rule of its own
// allows it.
func TestAVisitorOfSomeFoldersRunsNothing(t *testing.T) {
	class := map[string]api.Class{"test": api.Execute, "check": api.Read, "edit": api.Edit}
	allowing := func(string, api.Class) api.Permission { return api.Permission{Action: api.Allow} }
	silent := func(string, api.Class) api.Permission { return api.Permission{} }
	for name, c := range map[string]struct {
		visitor Visitor
		denied  []string
	}{
		"all folders":              {Visitor{Name: "ada", Permission: silent}, nil},
		"some folders":             {Visitor{Name: "ada", Roots: []string{"/a"}, Permission: silent}, []string{"test"}},
		"some folders, and a rule": {Visitor{Name: "ada", Roots: []string{"/a"}, Permission: allowing}, nil},
	} {
		var denied []string
		for operation, of := range class {
			if c.visitor.permission(operation, of).Action == api.Deny {
				denied = append(denied, operation)
			}
		}
		if diff := cmp.Diff(c.denied, denied); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
