package mcpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// What is no message is refused, in plain text that shows what is not seen of it.
func TestRefusalsOverHTTPAreLegible(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.http()+"/mcp", strings.NewReader("{\"jsonrpc\":\"2.0\",\x1b[2J\u202e"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), `\x1b[2J\u202e`) || strings.ContainsAny(string(text), "\x1b\u202e") {
		t.Errorf("%d: %q, %v", response.StatusCode, text, err)
	}
}

// MCP is spoken at the address itself and at /mcp, health is told at /health, and nothing else is
// there.
//
// Requirement: HTTP-1.
func TestAddresses(t *testing.T) {
	d := openDesk(t, lsptest.Script{}, project)
	address := d.http()
	got := make(map[string]int)
	for _, path := range []string{"/", "/mcp", "/other", "/mcp/more"} {
		const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+path, strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		got[path] = response.StatusCode
	}
	if diff := cmp.Diff(map[string]int{"/": 200, "/mcp": 200, "/other": 404, "/mcp/more": 404}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	response, err := http.Get(address + "/health")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || string(text) != `{"status":"ok"}` || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s %v %v", text, response.Header, err)
	}
}

// A stream is what stays open until its client leaves: messages of the server, at either era. What else is asked
// for ends by itself.
func TestWhatIsAStream(t *testing.T) {
	for _, c := range []struct {
		method, path, about string
		want                bool
	}{
		{http.MethodGet, "/", "", true},
		{http.MethodGet, "/mcp", "", true},
		{http.MethodGet, "/w/shop/mcp", "", true},
		{http.MethodPost, "/mcp", "subscriptions/listen", true},
		{http.MethodPost, "/mcp", "tools/call", false},
		{http.MethodGet, "/metrics", "", false},
		{http.MethodDelete, "/mcp", "", false},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Mcp-Method", c.about)
		if got := IsStream(r); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
