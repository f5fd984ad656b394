// Package dependants finds the files that a change of other files affects and that servers do not
// report on by themselves: files that use what changes, and control files, which servers are
// asked about to learn what became of deleted files.
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

// A Finder finds, for one caller, the files that changes affect. Finders for all callers of a
// workspace share what they have read.
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

// New returns the finder of a workspace; see [Finder.For].
func New(o Options) *Finder {
	return &Finder{shared: &shared{
		workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, config: o.Config, large: make(map[string]bool),
	}}
}

// For returns the finder for a caller, who names files as names does.
func (f *Finder) For(names workspace.Names, lacks *setup.Setup, session string) *Finder {
	return &Finder{f.shared, names, lacks, session}
}

// Definition returns what is known of a server.
func (f *Finder) Definition(id string) (registry.Definition, bool) {
	return f.config.Servers.Get(id)
}

// Searching returns the context for a search for affected files. It ends after half of the time
// that ctx has left, so that there is time to ask about the files.
func (f *Finder) Searching(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, call.Left(ctx, 2*f.config.Settings.RequestTimeout)/2)
}
