// Package engine carries out the operations that package api declares, on one workspace. Every
// front (command line, MCP, service, daemon) runs it.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/install"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/simulation"
	"github.com/lspine/lspine/internal/trace"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure an engine.
type Options struct {
	// Root is the workspace root.
	Root string
	// Config is the merged configuration; Problems is what is wrong with it.
	Config   *config.Config
	Problems []config.Problem
	// Only, if not empty, names the servers that may start.
	Only []string
	// StateFolder is where servers keep their data for a root; "" means a folder in the user's
	// cache folder.
	StateFolder string
	// Version is the version of this program, as reported to servers.
	Version string
	// Base is the folder that relative paths start from; "" means the root.
	Base string
	// State is the folder for what outlives the process; "" means the user's cache folder.
	State string
	// Once says that the engine runs a single operation: all files have their final state before a
	// server starts, so nothing changes unnoticed by the servers.
	Once bool
	// Still is how long a server may do nothing while an answer is due, see [lsp.Options].
	Still time.Duration
	// Evidence is the log of requests, decisions and changes; nil means none. The caller of [New]
	// closes it, after the engine.
	Evidence *evidence.Log
	// Trace, if not nil, has what servers and we say to each other, and what follows from it. The caller of [New] closes it, after the
	// engine.
	Trace *trace.Log
	// Installed finds the server programs that lspine installed; nil means those in the user's
	// folder.
	Installed roots.Programs
}

// An Engine runs operations on one workspace; it is an [api.Caller]. It is safe for concurrent use.
// Whoever creates it closes it.
type Engine struct {
	*state
	// names is how the caller names files.
	names workspace.Names
	// setup reports what projects lack.
	setup *setup.Setup
	// view is how the caller sees the overlay.
	view *overlay.View
	// files are the files that may be edited, named as the caller names them.
	files edit.Files
	// session is the session that the call belongs to; last reports that the session ends with this
	// call.
	session string
	last    bool
	// client is the front that asks, with its client if it has one.
	client string
	// governed is the call in progress.
	governed governed
}

// forCall returns the same engine, for one call.
func (e *Engine) forCall(g governed) *Engine {
	mine := *e
	mine.governed = g
	if g.course == nil {
		mine.governed.course = new(course)
	}
	return &mine
}

// forCaller returns the same engine, as the caller of c sees it.
func (e *Engine) forCaller(c api.Call) *Engine {
	mine := *e
	mine.session, mine.last, mine.client = c.Session, c.Last, c.Client
	if c.Dir == "" && !c.Absolute {
		return &mine
	}
	if c.Dir != "" {
		mine.names = e.workspace.Names(c.Dir)
	}
	mine.files = editable{e.tree, mine.names.Base()}
	if c.Absolute {
		mine.names = mine.names.Absolute()
	}
	mine.setup = e.setup.Naming(mine.names)
	mine.view = e.overlay.View(mine.names, mine.setup)
	return &mine
}

// BeginSession begins a session, and returns the git commit that its checks compare with: began or,
// if that is "", the commit that is checked out; "" if there is none.
func (e *Engine) BeginSession(name, began string) string { return e.checker.BeginSession(name, began) }

// A Tenant is a running server, as [Engine.Tenants] lists it.
type Tenant = workspace.Tenant

// Tenants returns the running servers, least recently used first.
func (e *Engine) Tenants() []Tenant { return e.workspace.Tenants() }

// Rest stops a server unless it is in use or was used since it was listed, and reports whether it
// did. why is what the server's status then says. The next request starts it again.
func (e *Engine) Rest(t Tenant, why string) bool { return e.workspace.Rest(t, why) }

// AwaitStart waits until a server starts after the event numbered after (events count from 1), and
// returns the number of the last event. It fails if ctx ends or the engine is closed.
func (e *Engine) AwaitStart(ctx context.Context, after uint64) (last uint64, err error) {
	for {
		list, last, err := e.workspace.Events(ctx, after)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return last, err
		}
		if slices.ContainsFunc(list, func(e workspace.Event) bool {
			return e.Kind == workspace.Started || e.Kind == workspace.Recovered
		}) {
			return last, nil
		}
		after = last
	}
}

// EndSession forgets a session: what it was told, and what it had yet to be told. It ignores
// unknown names.
func (e *Engine) EndSession(name string) {
	e.simulations.EndSession(name)
	e.checker.EndSession(name)
	e.collector.EndSession(name)
	e.starting.forget(name)
	e.sessions.forget(name)
}

// A state is what all callers of an engine share.
type state struct {
	opts      Options
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	// overlay has the texts that servers see but that are not on disk.
	overlay *overlay.Texts

	// checker is the one from which each caller's checker is made.
	checker *checking.Checker
	// references are the answers that are kept for the next process, nil if none are.
	references *refcache.Cache
	// simulations are the simulation sessions of all callers.
	simulations *simulation.Keeper
	// sessions are those of all callers.
	sessions *sessions
	// turns are those of the calls of all callers.
	turns *call.Turns
	// tree is the folder that may be edited.
	tree *edit.Tree
	// journalAlone is a folder of this engine alone for the journal of edits, "" if the user has one.
	journalAlone string
	// policy decides which calls may run.
	policy *policy.Policy
	// starting remembers which servers may start that the user's configuration does not name.
	starting starting
	// watching records the events of servers in the evidence until stopWatching is called.
	watching     guard.Group
	stopWatching context.CancelFunc
}

// New returns an Engine that has not started any server yet. It fails if the root is not a folder,
// or if a server in Options.Only is unknown.
func New(opts Options) (*Engine, error) {
	opts.Config.Complete()
	settings := opts.Config.Settings
	servers := slices.Clone(opts.Config.Servers)
	for i := range servers {
		if len(opts.Only) > 0 && !slices.Contains(opts.Only, servers[i].ID) {
			servers[i].Disabled = true
		}
		if !settings.Enabled {
			servers[i].Disabled = true
		}
	}
	if err := CheckServers(servers, opts.Only); err != nil {
		return nil, err
	}
	rules := settings.PolicyOf()
	if mentionsPaths(rules) {
		rules.FoldsCase = fspath.FoldsCase(opts.Root)
	}
	opts.Problems = append(slices.Clone(opts.Problems), idleRules(settings.Policy)...)
	if opts.Installed == nil {
		opts.Installed = install.NewStore(install.Folder(os.Environ()))
	}
	e := &Engine{state: &state{
		opts: opts, starting: newStarting(), policy: rules,
		simulations: simulation.NewKeeper(time.Now), sessions: newSessions(), turns: call.NewTurns(),
		collector: diagnostics.New(diagnostics.Options{
			Timeout: settings.DiagnosticTimeout, FirstTouch: settings.FirstTouchTimeout, Patience: settings.RequestTimeout,
			MaxLent: settings.MaxOpenDocuments, Trace: opts.Trace,
		}),
	}}
	var err error
	trusted := false
	if root, err := fspath.Real(opts.Root); err == nil {
		trusted = settings.Trusts(root)
	}
	var exchanged func(context.Context, lsp.Exchange)
	if opts.Evidence != nil {
		exchanged = e.recordExchange
	}
	e.workspace, err = workspace.Open(workspace.Options{
		Trusted: trusted,
		Root:    opts.Root, Servers: servers, MaxRestarts: settings.MaxRestarts, Idle: settings.ServerIdle,
		MaxServers: settings.MaxServers, MaxMemory: int64(settings.MaxServerMemory) << 20,
		MaxFileBytes: settings.MaxFileBytes, Ignore: settings.Ignore, PassEnv: settings.PassEnv, HideEnv: settings.HideEnv,
		ClientVersion: opts.Version, StateFolder: opts.StateFolder, Still: opts.Still, Once: opts.Once,
		Installed: opts.Installed,
		Exchanged: exchanged, Trace: opts.Trace,
		MayStart: e.mayStart,
		Observe: func(key roots.Key) lsp.Observer {
			return e.collector.Observe(diagnostics.Key(key))
		},
		Held: func(path string) bool { return e.overlay.Holds(path) },
	})
	if err != nil {
		e.collector.Close()
		return nil, err
	}
	e.names = e.workspace.Names(opts.Base)
	var finder *dependants.Finder
	e.overlay = overlay.New(overlay.Options{
		Workspace: e.workspace, Collector: e.collector, Settings: &opts.Config.Settings, Once: opts.Once,
		Beyond: func() overlay.BeyondSearch { return finder.Beyond() },
	})
	finder = dependants.New(dependants.Options{Workspace: e.workspace, Collector: e.collector, Overlay: e.overlay, Config: opts.Config})
	e.setup = setup.New(e.workspace, e.collector, e.names)
	e.view = e.overlay.View(e.names, e.setup)
	journal, err := e.prepareWriting()
	if err != nil {
		e.collector.Close()
		return nil, errors.Join(err, e.workspace.Close(context.Background()))
	}
	e.references = e.openReferences(servers)
	e.checker = checking.New(checking.Options{
		Workspace: e.workspace, Collector: e.collector, Overlay: e.overlay, Config: opts.Config, Finder: finder, Once: opts.Once,
		Journal: journal,
	})
	watching, stop := context.WithCancel(context.Background())
	e.stopWatching = stop
	if opts.Evidence != nil {
		e.watching.Go(func() { e.watchServers(watching) })
	}
	return e, nil
}

// CheckServers returns an *[api.ArgumentError] for the first id that belongs to no known server,
// nil if all are known.
func CheckServers(known registry.Table, ids []string) error {
	for _, id := range ids {
		if _, is := known.Get(id); !is {
			return &api.ArgumentError{
				Argument: "server", Reason: fmt.Sprintf("no server %q is known", id),
				Advice: "known are: " + strings.Join(known.IDs(), ", "),
			}
		}
	}
	return nil
}

// Close stops all servers and waits for background work. It kills servers that have not ended when
// ctx ends.
func (e *Engine) Close(ctx context.Context) error {
	kept := guard.Begin(func() error { return e.references.Close(ctx) })
	if !e.opts.Once { // to keep an answer, it looks at the workspace
		_ = kept()
	}
	e.overlay.Close()
	e.collector.Close()
	err := errors.Join(e.workspace.Close(ctx), kept())
	e.stopWatching()
	e.watching.Wait()
	e.leaveJournal()
	return err
}

// Root returns the workspace root, with symbolic links resolved.
func (e *Engine) Root() string { return e.workspace.Root() }

// Workspace returns the workspace, for fronts that need files or git.
func (e *Engine) Workspace() *workspace.Workspace { return e.workspace }

// Sessions returns the sessions of all callers. After 0 it waits for nothing.
func (e *Engine) Sessions(ctx context.Context, req api.SessionsRequest) (answer result.Sessions, err error) {
	if req.After > 0 && req.TimeoutMS > 0 {
		waiting, cancel := context.WithTimeout(ctx, api.Milliseconds(req.TimeoutMS))
		defer cancel()
		e.sessions.await(waiting, req.After)
	}
	if ctx.Err() != nil {
		return answer, ctx.Err()
	}
	var numbers map[string]int
	answer.Sessions, numbers, answer.Last = e.sessions.list()
	for _, held := range e.simulations.All() {
		of := result.HeldSimulation{Holder: numbers[held.Owner], SimulationSession: held.SimulationSession}
		answer.Simulations = append(answer.Simulations, of)
	}
	return answer, nil
}
