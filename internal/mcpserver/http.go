package mcpserver

import (
	"io"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionTimeout is how long a session over HTTP may be idle before it ends.
const sessionTimeout = time.Hour

// Handler returns a handler that serves Streamable HTTP at / and /mcp, for revisions with and
// without sessions, and GET /health. It does not authenticate anybody: put it behind something that
// does. It rejects requests from pages of other sites.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.mcp }
	// The SDK serves the newest revision only without sessions, and can send requests to older
	// clients only with them.
	newest := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	older := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{SessionTimeout: sessionTimeout})
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= newestEra {
			newest.ServeHTTP(w, r)
			return
		}
		if id := r.Header.Get("Mcp-Session-Id"); r.Method == http.MethodDelete && id != "" {
			s.endByID(id) // otherwise the SDK waits for the session's handlers
		}
		older.ServeHTTP(w, r)
	})
	mux := http.NewServeMux()
	mux.Handle("/{$}", both)
	mux.Handle("/mcp", both)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		_, _ = io.WriteString(w, `{"status":"ok"}`)
	})
	guarded := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		guarded.ServeHTTP(w, r)
	})
}
