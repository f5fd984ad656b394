package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
	"github.com/lspine/lspine/internal/guard"
)

// Engines gives a [Server] the engine of each workspace. Engine starts it at the first call for a
// root, which is absolute with symbolic links resolved; later calls return the same engine. It must
// be safe for concurrent use. Whoever creates the Engines closes them, after the server.
type Engines interface {
	Engine(ctx context.Context, root string) (api.Caller, error)
}

// A SessionEnder is Engines that can be told when a client over HTTP has left: EndSession forgets what belongs to its session, by the
// name in [api.Call], in all engines.
type SessionEnder interface{ EndSession(name string) }

// Options configure a [Server].
type Options struct {
	Engines Engines
	// Root is the workspace of calls that name none, and the folder that may be written to. If it
	// is "", these are the client's roots, else Dir or its checkout, unless that is a home folder
	// or the whole disk.
	Root string
	// Allow has additional folders that may be used. Calls that name a workspace, or a file by an
	// absolute path, choose among these folders and those below them.
	Allow []string
	// Homes has the known home folders of the users of this machine.
	Homes []string
	// Dir is the folder in which the process was started.
	Dir string
	// Profile is "default" (or ""), "full", "llxprt" or "opta". Tools, if not empty, names the
	// tools to offer instead, from the default and the full profile; Without names tools to leave
	// out.
	Profile        string
	Tools, Without []string
	// Structured is what results contain besides their text: "lean", little more than the text
	// says, or "full", the whole result. "" means lean in the default profile and, in the full
	// profile, what its clients expect. A call may ask for the other form.
	Structured string
	// NoNavigation leaves only tools that check and change files.
	NoNavigation bool
	// Disabled leaves only the tool that reports that lspine is switched off.
	Disabled bool
	// Prose makes the texts of answers prose in the full profile too, instead of the JSON of the
	// result.
	Prose bool
	// Extensions add to the default and the full profile.
	Extensions extension.Set
	// ofExtensions has the names of all extension tools.
	ofExtensions map[string]bool
	// theirsAlone means that Tools named only extension tools.
	theirsAlone bool
	// Permissions replace the tools' own permissions, by the name of the tool.
	Permissions map[string]api.Permission
	// Unseen, if not nil, is told of each call that no engine knows of.
	Unseen func(Unseen)
	// Observe, if not nil, is told of each call of an operation for a client that has ended; outcome is
	// "ok", or the kind of the failure. It must be safe for concurrent use.
	Observe func(operation, outcome string)
	// Answer, if not 0, is the time after which every tool answers at the latest; its work
	// continues afterwards.
	Answer time.Duration
	// Version is the version of this program as reported to clients.
	Version string
	// Log gets the log; nil discards it. Level, if not nil, is changed by logging/setLevel.
	Log   *slog.Logger
	Level *slog.LevelVar
}

// A Server serves MCP to any number of sessions. It is safe for concurrent use. Whoever creates it
// closes it.
type Server struct {
	opts     Options
	log      *slog.Logger
	audience audience
	mcp      *mcp.Server
	tools    []*tool

	// ctx ends with the server; tasks has the goroutines that run until then.
	ctx   context.Context
	stop  context.CancelFunc
	tasks sync.WaitGroup

	// mu guards sessions, beginning, watches, feeds and followers.
	mu       sync.Mutex
	closed   bool
	sessions map[*mcp.ServerSession]*session
	// beginning is how many requests are about to begin a session over HTTP.
	beginning int
	watches   map[string]*watch // by workspace root
	feeds     map[string]*feed
	// followers are the running subscriptions of extensions, by URI.
	followers map[string]*follower
}

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

// serverName returns the name of the server as reported to clients.
func (o *Options) serverName() string {
	if o.Profile == profileLLXPRT {
		return navigationServer
	}
	return "lspine"
}

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
