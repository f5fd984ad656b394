// Package engine is the product behind every front: it carries out the operations that
// package api declares, over one workspace.
package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/checking"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/setup"
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
}

// namingAbsolutely returns the same engine, whose answers name every file absolutely.
func (e *Engine) namingAbsolutely() *Engine {
	names := e.names.Absolute()
	lacks := e.setup.Naming(names)
	return &Engine{e.state, names, lacks, e.overlay.View(names, lacks)}
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
	// files are what may be edited.
	files edit.Files
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
	for _, id := range opts.Only {
		if _, known := servers.Get(id); !known {
			return nil, &api.ArgumentError{
				Argument: "server", Reason: fmt.Sprintf("no server %q is known", id),
				Advice: "known are: " + strings.Join(servers.IDs(), ", "),
			}
		}
	}
	e := &Engine{state: &state{
		opts: opts,
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
	e.workspace, err = workspace.Open(workspace.Options{
		Trusted: trusted,
		Root:    opts.Root, Servers: servers, MaxRestarts: settings.MaxRestarts, Idle: settings.ServerIdle,
		MaxFileBytes: settings.MaxFileBytes, Ignore: settings.Ignore, PassEnv: settings.PassEnv,
		ClientVersion: opts.Version, StateFolder: opts.StateFolder, Still: opts.Still,
		Observe: func(key workspace.Key) lsp.Observer {
			return e.collector.Observe(diagnostics.Key(key))
		},
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
		Files: e.files, Journal: journal,
	})
	return e, nil
}

// Close ends every server and waits for what runs. When ctx ends the servers
// are killed.
func (e *Engine) Close(ctx context.Context) error {
	e.overlay.Close()
	e.collector.Close()
	return e.workspace.Close(ctx)
}

// Root returns the workspace root, links resolved.
func (e *Engine) Root() string { return e.workspace.Root() }

// Workspace gives fronts access to files and git.
func (e *Engine) Workspace() *workspace.Workspace { return e.workspace }
