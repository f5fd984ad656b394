package mcpserver

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/extension"
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

// The profiles of other programs' tools: agent-lsp's, LLxprt's and Opta's.
const (
	profileFull   = "full"
	profileLLXPRT = "llxprt"
	profileOpta   = "opta"
)

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
