package gate

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whoever has a token sees what was counted: answers by path and status, whatever path or method somebody
// invents, and calls by how they ended.
//
// Requirement: HTTP-13.
func TestMetrics(t *testing.T) {
	metrics := NewMetrics()
	metrics.Sessions(func() int { return 3 })
	metrics.Servers(func(context.Context) map[State]int {
		return map[State]int{{"gopls", "active"}: 2, {"clangd", "broken"}: 1}
	})
	h := open(t, hello, func(g *Gate) {
		g.opts.Metrics = metrics
		g.opts.Route = func(path string) string { return map[string]string{"/mcp": "/mcp"}[path] }
	})
	h.ask(http.MethodPost, "/mcp", "")
	h.ask(http.MethodPost, "/mcp", "", "Authorization", "")
	h.ask(http.MethodGet, "/invented-"+secret, "")
	h.ask("BREW", "/mcp", "")
	h.ask(http.MethodGet, "/health", "")
	metrics.Call("check", "ok")
	metrics.Call("edit", "denied")
	if got := h.ask(http.MethodGet, "/metrics", "", "Authorization", ""); got.Status != http.StatusUnauthorized {
		t.Errorf("a stranger: %+v", got)
	}
	text := h.ask(http.MethodGet, "/metrics", "").Body
	var got []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "lspine_") && !strings.Contains(line, "duration") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		`lspine_calls_total{operation="check",outcome="ok"} 1`,
		`lspine_calls_total{operation="edit",outcome="denied"} 1`,
		`lspine_http_requests_total{method="GET",path="/health",status="200"} 1`,
		`lspine_http_requests_total{method="GET",path="/metrics",status="401"} 1`,
		`lspine_http_requests_total{method="GET",path="other",status="200"} 1`,
		`lspine_http_requests_total{method="POST",path="/mcp",status="200"} 1`,
		`lspine_http_requests_total{method="POST",path="/mcp",status="401"} 1`,
		`lspine_http_requests_total{method="other",path="/mcp",status="405"} 1`,
		"lspine_http_streams 0",
		"lspine_mcp_sessions 3",
		`lspine_servers{server="clangd",state="broken"} 1`,
		`lspine_servers{server="gopls",state="active"} 2`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(text, secret) || !strings.Contains(text, `lspine_http_request_duration_seconds_count{path="/mcp"} 3`) {
		t.Error(text)
	}
	var none *Metrics
	none.Call("check", "ok") // counts nothing
}
