package mcpserver

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// A slow engine answers a check when it may.
type slow struct{ may chan struct{} }

func (s slow) Engine(context.Context, string) (api.Caller, error) { return s, nil }

func (s slow) Call(ctx context.Context, name string, _, _ any) error {
	if name == api.Check.Name {
		select {
		case <-s.may:
		case <-ctx.Done():
		}
	}
	return &result.Error{Kind: result.Unavailable, Message: "after all"}
}

// A client whose connection is cut while a call runs gets its answer when it comes back and names the last event that it
// has.
func TestCutStreamsContinue(t *testing.T) {
	of := slow{make(chan struct{})}
	d := openDesk(t, lsptest.Script{}, project, func(o *Options) { o.Engines = of })
	address := d.admitting(&Visitor{Name: "ada"}, HTTP{})
	response, text := post(t, http.MethodPost, address, strings.Replace(begin, "2025-06-18", "2025-11-25", 1))
	id := response.Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal(text)
	}
	post(t, http.MethodPost, address, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id)
	open := func(ctx context.Context, method, body, last string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": id, "Mcp-Protocol-Version": "2025-11-25", "Last-Event-ID": last,
		} {
			if value != "" {
				req.Header.Set(name, value)
			}
		}
		response, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	ctx, cut := context.WithCancel(t.Context())
	lines := bufio.NewScanner(open(ctx, http.MethodPost, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check","arguments":{"files":["main.toy"]}}}`, "").Body)
	last := ""
	for last == "" && lines.Scan() {
		last, _ = strings.CutPrefix(lines.Text(), "id: ")
		if !strings.HasPrefix(lines.Text(), "id: ") {
			last = ""
		}
	}
	if last == "" {
		t.Fatal("the stream has no event")
	}
	cut()
	close(of.may)
	again := open(t.Context(), http.MethodGet, "", last)
	for again.StatusCode == http.StatusConflict { // the server has not noticed yet
		_ = again.Body.Close()
		again = open(t.Context(), http.MethodGet, "", last)
	}
	lines = bufio.NewScanner(again.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"id":7`) {
			if !strings.Contains(lines.Text(), "after all") {
				t.Error(lines.Text())
			}
			return
		}
	}
	t.Errorf("the answer did not come: %v", lines.Err())
}
