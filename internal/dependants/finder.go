// Package dependants finds the files that a change of other files affects and that servers do not
// report on by themselves: files that use what changes, and control files, which servers are asked
// about to learn what the deletion of other files did.
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

// Options configure the finders of one workspace.
type Options struct {
	Workspace *workspace.Workspace
	Collector *diagnostics.Collector
	Overlay   *overlay.Texts
	Config    *config.Config
}

// A Finder finds, for one caller, the files that changes affect. Finders for different callers of a
// workspace share what they have read.
type Finder struct {
	*shared
	names workspace.Names
	setup *setup.Setup
	// session identifies the caller's conversation; "" is the only one of a process.
	session string
}

// shared is what the finders for all callers share.
type shared struct {
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	overlay   *overlay.Texts
	config    *config.Config
	// imported caches what files import.
	imported impact.TextReader

	mu sync.Mutex
	// counts are how many files there are, by extension and root.
	counts map[string]map[string]int
	// compiled is the compilation database that was read last.
	compiled compiled
}

// New returns the finder of a workspace; see [Finder.For].
func New(o Options) *Finder {
	return &Finder{shared: &shared{
		workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, config: o.Config, counts: make(map[string]map[string]int),
	}}
}

// For returns the finder for a caller that names files as names does.
func (f *Finder) For(names workspace.Names, lacks *setup.Setup, session string) *Finder {
	return &Finder{f.shared, names, lacks, session}
}

// Definition returns the definition of a server, false if there is none.
func (f *Finder) Definition(id string) (registry.Definition, bool) {
	return f.config.Servers.Get(id)
}

// Searching returns the context for a search for affected files. It ends after half of the time
// that ctx has left, so that there is time to check the files.
func (f *Finder) Searching(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, call.Left(ctx, 2*f.config.Settings.RequestTimeout)/2)
}
