// Package dependants finds the files that a change of others concerns, where their servers do not
// report on them by themselves: those that use what changes, and the control files by which servers
// are asked what became of files that are gone. It also knows which files projects leave out.
package dependants

import (
	"context"
	"sync"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/workspace"
)

// Options are what finders of one workspace work with.
type Options struct {
	Workspace *workspace.Workspace
	Collector *diagnostics.Collector
	Overlay   *overlay.Texts
	Config    *config.Config
}

// A Finder finds, for one caller, what changes concern. What it has read it shares with the
// finders for other callers.
type Finder struct {
	*shared
	names workspace.Names
	setup *setup.Setup
	// session is the conversation that it finds for, "" the only one of a process.
	session string
}

// shared is what finders for all callers share.
type shared struct {
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	overlay   *overlay.Texts
	config    *config.Config
	// imported is what files were last read to bring in.
	imported impact.TextReader

	mu sync.Mutex
	// large says of which languages, by their files' endings, the workspace has many files.
	large map[string]bool
}

// New returns a finder, which For makes one for a caller.
func New(o Options) *Finder {
	return &Finder{shared: &shared{
		workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, config: o.Config, large: make(map[string]bool),
	}}
}

// For returns the finder for a caller, who names files so.
func (f *Finder) For(names workspace.Names, lacks *setup.Setup, session string) *Finder {
	return &Finder{f.shared, names, lacks, session}
}

// Definition returns what is known of a server.
func (f *Finder) Definition(id string) (registry.Definition, bool) {
	return f.config.Servers.Get(id)
}

// Searching returns the context of a search for files that a change concerns: it leaves
// half of the time for asking about them.
func (f *Finder) Searching(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, call.Left(ctx, 2*f.config.Settings.RequestTimeout)/2)
}
