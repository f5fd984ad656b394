package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/legible"
)

const (
	// sessionTimeout is how long a session over HTTP may be idle before it ends.
	sessionTimeout = time.Hour
	// maxSessions is how many sessions over HTTP may exist at once.
	maxSessions = 256
	// maxOwnSessions is how many of them one visitor with a name may have.
	maxOwnSessions = 64
	// maxEvents is how many bytes of messages are kept for clients that continue a stream that was cut.
	maxEvents = 32 << 20
	// sessionsRetry is when a client that gets no session should try again.
	sessionsRetry = 30 * time.Second
)

// HTTP configures how a [Server] serves HTTP.
type HTTP struct {
	// Workspaces are the workspaces that have a name in addresses: /w/NAME/mcp. They are absolute.
	Workspaces map[string]string
	// Guarded says that requests come through something that checks the host that they name.
	// Otherwise, only names of this machine itself are served.
	Guarded bool
	// Operation, if not nil, answers one request for an operation, in JSON, for programs that do not speak MCP: it is served at
	// /rpc and /w/NAME/rpc. What goes with the call is in ctx.
	Operation func(ctx context.Context, caller api.Caller, body []byte) (response []byte, err error)
	// View, if not nil, answers what the person's page asks about a workspace: it is served at /ui/events and /ui/verify, and at
	// /w/NAME/ui/events and /w/NAME/ui/verify. The context of the request has the visitor, and ends with the server.
	View func(w http.ResponseWriter, r *http.Request, caller api.Caller)
	// MaxSessions is how many sessions may exist at once; 0 means the default, 256.
	MaxSessions int
}

// Handler returns a handler that serves Streamable HTTP at /, /mcp and /w/WORKSPACE/mcp, for revisions
// with and without sessions, operations at /rpc, if opts say how, and GET /health. It does not authenticate anybody: put it
// behind something that does, and that says with [Visitor.In] who it was. It rejects requests from pages of other sites.
func (s *Server) Handler(opts HTTP) http.Handler {
	get := func(*http.Request) *mcp.Server { return s.mcp }
	// The SDK serves the newest revision only without sessions, and can send requests to older
	// clients only with them.
	newest := carried(mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true, DisableLocalhostProtection: opts.Guarded}))
	events := mcp.NewMemoryEventStore(nil)
	events.SetMaxBytes(maxEvents)
	older := carried(mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{EventStore: events, SessionTimeout: sessionTimeout, DisableLocalhostProtection: opts.Guarded}))
	both := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= newestEra {
			newest.ServeHTTP(w, r)
			return
		}
		switch id := r.Header.Get("Mcp-Session-Id"); {
		case id == "" && r.Method == http.MethodPost:
			begun, ok := s.beginSession(cmp.Or(opts.MaxSessions, maxSessions), visitorOf(r.Context()).Name)
			if !ok {
				w.Header().Set("Retry-After", strconv.Itoa(int(sessionsRetry.Seconds())))
				problem(w, http.StatusServiceUnavailable, "no more sessions are served at present")
				return
			}
			defer begun()
		case r.Method == http.MethodDelete && s.ownsSession(r, id):
			s.endByID(id) // otherwise the SDK waits for the session's handlers
		}
		older.ServeHTTP(w, r)
	})
	mux := http.NewServeMux()
	mux.Handle("/{$}", both)
	mux.Handle("/mcp", both)
	mux.HandleFunc("/w/{workspace}/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r := s.routed(w, r, opts.Workspaces); r != nil {
			both.ServeHTTP(w, r)
		}
	})
	if opts.Operation != nil {
		mux.HandleFunc("POST /rpc", func(w http.ResponseWriter, r *http.Request) { s.operate(w, r, opts.Operation) })
		mux.HandleFunc("POST /w/{workspace}/rpc", func(w http.ResponseWriter, r *http.Request) {
			if r := s.routed(w, r, opts.Workspaces); r != nil {
				s.operate(w, r, opts.Operation)
			}
		})
	}
	if opts.View != nil {
		for _, pattern := range []string{"GET /ui/events", "POST /ui/verify"} {
			mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.view(w, r, opts.View) })
			mux.HandleFunc(strings.Replace(pattern, " ", " /w/{workspace}", 1), func(w http.ResponseWriter, r *http.Request) {
				if r := s.routed(w, r, opts.Workspaces); r != nil {
					s.view(w, r, opts.View)
				}
			})
		}
	}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		_, _ = io.WriteString(w, `{"status":"ok"}`)
	})
	guarded := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		guarded.ServeHTTP(&refusing{ResponseWriter: w}, r)
	})
}

// Route returns the pattern of the addresses that a path belongs to, "" if nothing is served there.
func Route(path string) string {
	switch {
	case path == "/" || path == "/mcp" || path == "/rpc":
		return path
	case strings.HasPrefix(path, "/w/") && strings.HasSuffix(path, "/rpc"):
		return "/w/{workspace}/rpc"
	case strings.HasPrefix(path, "/w/") && strings.HasSuffix(path, "/mcp"):
		return "/w/{workspace}/mcp"
	}
	return ""
}

// IsStream reports whether a request asks for messages that come as long as the client listens.
func IsStream(r *http.Request) bool {
	return r.Method == http.MethodGet && Route(r.URL.Path) != "" || r.Method == http.MethodPost && r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// Sessions returns how many sessions over HTTP exist.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessionsLocked()
}

func (s *Server) sessionsLocked() (n int) {
	for ss := range s.sessions {
		if ss.ID() != "" {
			n++
		}
	}
	return n
}

// beginSession reports whether another session over HTTP may begin, for a visitor. Until begun is called, the new one
// counts although it is not known yet.
func (s *Server) beginSession(limit int, visitor string) (begun func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := 0
	for ss, of := range s.sessions {
		if visitor != "" && ss.ID() != "" && of.visitor == visitor {
			own++
		}
	}
	if s.sessionsLocked()+s.beginning >= limit || own >= maxOwnSessions {
		return nil, false
	}
	s.beginning++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.beginning--
	}, true
}

// ownsSession reports whether a session was begun by the visitor that a request comes from.
func (s *Server) ownsSession(r *http.Request, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ss, own := range s.sessions {
		if ss.ID() == id {
			return own.visitor == visitorOf(r.Context()).Name
		}
	}
	return false
}

// routed returns a request for /w/WORKSPACE/mcp with that workspace, or answers it and returns nil. The
// workspace is one of the names, or an absolute path, escaped as a URL demands.
func (s *Server) routed(w http.ResponseWriter, r *http.Request, names map[string]string) *http.Request {
	named := r.PathValue("workspace")
	folder, isName := names[named]
	if !isName {
		if !filepath.IsAbs(named) {
			problem(w, http.StatusNotFound, "there is no such workspace")
			return nil
		}
		folder = filepath.Clean(named)
	}
	resolved, err := fspath.Follow(folder)
	if err != nil || !s.MayUse(r.Context(), resolved) {
		problem(w, http.StatusForbidden, "this workspace may not be used")
		return nil
	}
	of := *visitorOf(r.Context())
	of.Workspace = resolved
	return r.WithContext(of.In(r.Context()))
}

// maxRequest is how long a request for an operation may be, in bytes.
const maxRequest = 4 << 20

// operate answers a request for an operation.
func (s *Server) operate(w http.ResponseWriter, r *http.Request, answer func(context.Context, api.Caller, []byte) ([]byte, error)) {
	if of, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); of != jsonType {
		problem(w, http.StatusUnsupportedMediaType, "the body must be of the type "+jsonType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		problem(w, http.StatusBadRequest, "the body cannot be read")
		return
	}
	ctx := r.Context()
	g := s.ground(ctx, nil, nil)
	if g.base == "" {
		problem(w, http.StatusForbidden, g.outside("", "").Error())
		return
	}
	caller, err := s.engine(ctx, g.base)
	if err == nil {
		with := api.Call{Client: visitorOf(ctx).Name, Session: conversation(ctx, nil)}
		body, err = answer(with.In(ctx), grounded{caller, place{root: g.base, ground: g}}, body)
	}
	if err != nil {
		s.logFailure("an operation is not answered", err)
		problem(w, http.StatusInternalServerError, legible.Line(err.Error()))
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(body) // who does not read learns nothing
}

// view has a request of the page answered.
func (s *Server) view(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request, api.Caller)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	g := s.ground(ctx, nil, nil)
	if g.base == "" {
		problem(w, http.StatusForbidden, g.outside("", "").Error())
		return
	}
	caller, err := s.engine(ctx, g.base)
	if err != nil {
		s.logFailure("the page is not answered", err)
		problem(w, http.StatusInternalServerError, legible.Line(err.Error()))
		return
	}
	if by, ok := caller.(visited); ok {
		by.always = true
		caller = by
	}
	with := api.Call{Session: "ui " + visitorOf(ctx).Name} // what an agent is owed, the page must not take
	answer(w, r.WithContext(with.In(ctx)), caller)
}

// A grounded caller uses no folders but those of its ground.
type grounded struct {
	api.Caller
	at place
}

// Call implements [api.Caller].
func (c grounded) Call(ctx context.Context, name string, req, res any) error {
	raw, err := json.Marshal(req)
	if err != nil {
		return err
	}
	if args, err := decode(raw); err == nil { // otherwise the operation says what is wrong
		if err := c.at.checkFolders(name, args); err != nil {
			return err
		}
	}
	return c.Caller.Call(ctx, name, req, res)
}

// AddressOf returns the path at which a workspace, given by an absolute path, is served.
func AddressOf(folder string) string { return "/w/" + url.PathEscape(folder) + "/mcp" }

// problem answers a request with an error, as JSON.
func problem(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"error":`+strconv.Quote(why)+`}`) // who does not read learns nothing
}

// A refusing is a response. Where the SDK says in plain text why it refuses a request, it repeats what is in that: such a text shows
// what is not seen.
type refusing struct {
	http.ResponseWriter
	refused bool
}

func (r *refusing) WriteHeader(status int) {
	r.refused = status >= http.StatusBadRequest && strings.HasPrefix(r.Header().Get("Content-Type"), "text/plain")
	r.ResponseWriter.WriteHeader(status)
}

func (r *refusing) Write(p []byte) (int, error) {
	if !r.refused {
		return r.ResponseWriter.Write(p)
	}
	if _, err := io.WriteString(r.ResponseWriter, legible.Model(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush implements [http.Flusher], for events.
func (r *refusing) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

// Unwrap is for [http.ResponseController].
func (r *refusing) Unwrap() http.ResponseWriter { return r.ResponseWriter }
