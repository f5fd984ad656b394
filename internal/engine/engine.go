// Package engine is the product behind every front: it carries out the operations that
// package api declares, over one workspace.
package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/evidence"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/install"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/policy"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/simulation"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure an engine.
type Options struct {
	// Root is the workspace root.
	Root string
	// Config is the merged configuration, Problems what is wrong with it.
	Config   *config.Config
	Problems []config.Problem
	// Only, if not empty, names the servers that may start.
	Only []string
	// StateFolder is where servers keep what they need for a root; "" is in the
	// user's cache folder.
	StateFolder string
	// Version is our own, told to servers.
	Version string
	// Base is the folder that relative paths start from; "" means the root.
	Base string
	// State is the folder of what outlives the process; "" means the user's cache
	// folder.
	State string
	// Once says that the engine lives for one operation: servers are started
	// after every file is as it is, so that nothing can change behind them.
	Once bool
	// Still is how long a server that owes an answer may do nothing, see [lsp.Options].
	Still time.Duration
	// Evidence is the log of what is asked, decided and changed; nil is none. Who opened it closes
	// it, after the engine.
	Evidence *evidence.Log
	// Installed has the programs of servers that lspine installed; nil is the user's.
	Installed workspace.Programs
}

// An Engine runs operations over one workspace. It is safe for concurrent use.
// Close stops the language servers and waits.
type Engine struct {
	*state
	// names are those of the caller.
	names workspace.Names
	// setup tells the caller what projects lack.
	setup *setup.Setup
	// view is the overlay as the caller sees it.
	view *overlay.View
	// files are what may be edited, as the caller names them.
	files edit.Files
	// session is the conversation that the call belongs to; last says that it ends with it.
	session string
	last    bool
	// governed is the call that is at work.
	governed governed
}

// under returns the same engine for one call.
func (e *Engine) under(g governed) *Engine {
	mine := *e
	mine.governed = g
	return &mine
}

// as returns the same engine as the caller of one call sees it.
func (e *Engine) as(c api.Call) *Engine {
	mine := *e
	mine.session, mine.last = c.Session, c.Last
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

// BeginSession begins a session: what its answers are compared with is the present commit or,
// if it began elsewhere, that one. It returns the commit, "" if there is none.
func (e *Engine) BeginSession(name, began string) string { return e.checker.BeginSession(name, began) }

// A Tenant is a running server of an engine.
type Tenant = workspace.Tenant

// Tenants returns the running servers, the one that was asked longest ago first.
func (e *Engine) Tenants() []Tenant { return e.workspace.Tenants() }

// Rest stops a tenant, unless somebody uses it or has asked it since it was listed, and reports
// whether it did. The next question starts it again.
func (e *Engine) Rest(t Tenant, why string) bool { return e.workspace.Rest(t, why) }

// AwaitStart waits until a server starts after an event, counted from 1, and returns the last
// event that there was. The error says that ctx or the engine has ended.
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

// EndSession forgets a session: what it was told, and what is still to be told to it.
func (e *Engine) EndSession(name string) {
	e.simulations.EndSession(name)
	e.checker.EndSession(name)
	e.collector.EndSession(name)
}

// A state is what an engine is made of.
type state struct {
	opts      Options
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	// overlay are the texts that servers see and the disk has not.
	overlay *overlay.Texts

	// checker is what all callers' checkers are made of.
	checker *checking.Checker
	// simulations are the sessions of edits in memory, of all callers.
	simulations *simulation.Keeper
	// tree is what may be edited.
	tree *edit.Tree
	// policy decides which calls may run.
	policy *policy.Policy
	// watching records what becomes of servers, until stopWatching.
	watching     guard.Group
	stopWatching context.CancelFunc
}

// New returns an engine. Nothing is started.
func New(opts Options) (*Engine, error) {
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
	opts.Problems = append(slices.Clone(opts.Problems), idle(settings.Policy)...)
	if opts.Installed == nil {
		opts.Installed = install.NewStore(install.Folder(os.Environ()))
	}
	e := &Engine{state: &state{
		opts: opts, policy: opts.Config.Settings.PolicyOf(), simulations: simulation.NewKeeper(time.Now),
		collector: diagnostics.New(diagnostics.Options{
			Timeout: settings.DiagnosticTimeout, FirstTouch: settings.FirstTouchTimeout, Patience: settings.RequestTimeout,
			MaxLent: settings.MaxOpenDocuments,
		}),
	}}
	var err error
	trusted := false
	if root, err := filepath.EvalSymlinks(opts.Root); err == nil {
		trusted = settings.Trusts(root)
	}
	var exchanged func(context.Context, lsp.Exchange)
	if opts.Evidence != nil {
		exchanged = e.exchanged
	}
	e.workspace, err = workspace.Open(workspace.Options{
		Trusted: trusted,
		Root:    opts.Root, Servers: servers, MaxRestarts: settings.MaxRestarts, Idle: settings.ServerIdle,
		MaxServers: settings.MaxServers, MaxMemory: int64(settings.MaxServerMemory) << 20,
		MaxFileBytes: settings.MaxFileBytes, Ignore: settings.Ignore, PassEnv: settings.PassEnv,
		ClientVersion: opts.Version, StateFolder: opts.StateFolder, Still: opts.Still,
		Installed: opts.Installed,
		Exchanged: exchanged,
		Observe: func(key workspace.Key) lsp.Observer {
			return e.collector.Observe(diagnostics.Key(key))
		},
		Held: func(path string) bool { return e.overlay.Holds(path) },
	})
	if err != nil {
		e.collector.Close()
		return nil, err
	}
	e.names = e.workspace.Names(opts.Base)
	e.overlay = overlay.New(overlay.Options{Workspace: e.workspace, Collector: e.collector, Settings: &opts.Config.Settings, Once: opts.Once})
	e.setup = setup.New(e.workspace, e.collector, e.names)
	e.view = e.overlay.View(e.names, e.setup)
	journal, err := e.prepareWriting()
	if err != nil {
		e.collector.Close()
		return nil, errors.Join(err, e.workspace.Close(context.Background()))
	}
	e.checker = checking.New(checking.Options{
		Workspace: e.workspace, Collector: e.collector, Overlay: e.overlay, Config: opts.Config, Once: opts.Once,
		Journal: journal,
	})
	watching, stop := context.WithCancel(context.Background())
	e.stopWatching = stop
	if opts.Evidence != nil {
		e.watching.Go(func() { e.watchServers(watching) })
	}
	return e, nil
}

// CheckServers says which of some ids is of no server that is known.
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

// Close ends every server and waits for what runs. When ctx ends the servers
// are killed.
func (e *Engine) Close(ctx context.Context) error {
	e.overlay.Close()
	e.collector.Close()
	err := e.workspace.Close(ctx)
	e.stopWatching()
	e.watching.Wait()
	return err
}

// Root returns the workspace root, links resolved.
func (e *Engine) Root() string { return e.workspace.Root() }

// Workspace gives fronts access to files and git.
func (e *Engine) Workspace() *workspace.Workspace { return e.workspace }
