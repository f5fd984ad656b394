package mcpserver

import (
	"context"
	"errors"
	"log/slog"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions tell a model which tool to use for what.
const instructions = `LSPine answers from real language servers, for the files exactly as they are now on disk.
To change code: edit, edit_symbol or rename; they answer with the errors this made, here and in other files. After edits by other means: check. To try versions first: simulate.
Before you change a symbol: references or impact, to see who depends on it.
To understand a name: inspect (type, docs, definition). To read it: source, instead of the whole file.
To find a name: symbols with query; to see what a file declares: symbols with file.
Who calls it, what it calls, super- and subtypes: hierarchy.
Prefer these to text search: they know scopes, overloads and imports.
A symbol is named by "at": src/a.go:42:7 (a place), src/a.go:42 Load (a name on a line), src/a.go Config.Load (a name in a file), or Config.Load (a name in the workspace). Lines and columns start at 1. No column is needed.
If several symbols fit, the error lists each with a selector that means it alone.
"state:" in an answer says that a server was still loading: ask again for the whole. unavailable or unsupported errors say how to install a server, and a text search to use instead. status shows the servers.
Paths are relative to the workspace root. Another checkout that the user allows: pass its folder as workspace.`

// New returns a Server. For unknown profiles and tools, it fails with an *[api.ArgumentError].
func New(opts Options) (*Server, error) {
	added := opts.takeExtensions()
	tools, err := choose(opts)
	if err != nil {
		return nil, err
	}
	if opts.theirsAlone {
		tools = nil
	}
	s := &Server{
		opts: opts, log: opts.Log, tools: tools,
		sessions: make(map[*mcp.ServerSession]*session), watches: make(map[string]*watch), feeds: make(map[string]*feed), followers: make(map[string]*follower),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	ours := s.log.Handler()
	s.log = slog.New(told{Handler: ours, audience: &s.audience})
	s.mcp = mcp.NewServer(
		&mcp.Implementation{Name: opts.serverName(), Title: "LSPine", Version: opts.Version},
		&mcp.ServerOptions{
			Instructions: opts.instructions(),
			Logger:       slog.New(quieter{ours}),
			// Set explicitly, so that the SDK does not announce anything by itself.
			Capabilities: &mcp.ServerCapabilities{
				Tools:     &mcp.ToolCapabilities{},
				Resources: &mcp.ResourceCapabilities{Subscribe: true},
				Prompts:   &mcp.PromptCapabilities{},
				//lint:ignore SA1019 older clients have it
				Logging: &mcp.LoggingCapabilities{},
			},
			SubscribeHandler:   s.subscribe,
			UnsubscribeHandler: s.unsubscribe,
			//lint:ignore SA1019 older clients have it
			RootsListChangedHandler: s.rootsChanged,
		})
	s.mcp.AddReceivingMiddleware(s.guard)
	for _, t := range tools {
		s.mcp.AddTool(t.listed(), s.handler(t))
	}
	api.ForgetSchemas() // calls look at few of them
	s.addResources()
	s.addSkills()
	s.addExtensions(added)
	return s, nil
}

// serverName returns the name of the server as reported to clients.
func (o *Options) serverName() string {
	if o.Profile == profileLLXPRT {
		return navigationServer
	}
	return "lspine"
}

// instructionsOfPeer are the instructions of the full profile.
const instructionsOfPeer = `LSPine answers from real language servers, for the files exactly as they are now on disk.
To change code: apply_edit, replace_symbol_body or rename_symbol; they answer with the errors this made, here and in other files. After edits by other means: get_diagnostics. To try versions first: preview_edit, or create_simulation_session.
Before you change a symbol: find_references or blast_radius, to see who depends on it. After it: run_tests.
To understand a name: inspect_symbol. To read it: get_symbol_source, instead of the whole file.
To find a name: find_symbol; to see what a file declares: list_symbols.
Answers are JSON; "hint" says what usually follows, "state" that a server was still loading: ask again for the whole.
Lines and columns start at 1. Paths are relative to the workspace root; start_lsp with root_dir chooses another that the user allows.`

// instructions returns the instructions about the offered tools.
func (o *Options) instructions() string {
	switch {
	case o.Disabled:
		return "LSP is disabled by configuration: no server runs. status says so."
	case o.Profile == profileLLXPRT || o.Profile == profileOpta:
		return ""
	case o.Profile == profileFull:
		return instructionsOfPeer
	}
	return instructions
}

// guard wraps every method: a panic is an error of that request only, and a request ends with its
// session.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		next := func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
			err = guard.Do(func() error {
				result, err = next(ctx, method, req)
				return err
			})
			if stackOf(err) != "" {
				s.logFailure("method", err, "name", method)
			}
			return result, err
		}
		ctx = fromHTTP(ctx, req)
		ss, ok := req.GetSession().(*mcp.ServerSession)
		//lint:ignore SA1019 older clients have it
		if level, sets := req.GetParams().(*mcp.SetLoggingLevelParams); sets {
			if err := s.setLevel(req, string(level.Level)); err != nil && !errors.Is(err, errOthersLevel) { // it sets that of its messages
				return nil, err
			}
			if ok {
				s.sessionBy(visitorOf(ctx).Name, ss).setLevel()
			}
		}
		if !ok || ss == nil {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.sessionBy(visitorOf(ctx).Name, ss).ctx, cancel)()
		if method == "notifications/initialized" {
			defer s.hearDefault(ctx, next, ss, s.sessionBy(visitorOf(ctx).Name, ss))
		}
		return next(ctx, method, req)
	}
}

// Close ends every session, cancels the calls in flight, and waits for them.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for _, own := range s.sessions {
		own.end()
	}
	s.mu.Unlock()
	s.stop()
	for ss := range s.mcp.Sessions() {
		_ = ss.Close() // its stream may be closed already
	}
	s.tasks.Wait()
}
