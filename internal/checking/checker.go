// Package checking says what is wrong with files, and what a change of them breaks, here and in
// the files that depend on them: changes that others made, and drafted ones, which it makes true.
package checking

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Options are what checkers of one workspace work with.
type Options struct {
	Workspace *workspace.Workspace
	Collector *diagnostics.Collector
	Overlay   *overlay.Texts
	Config    *config.Config
	// Once says that the process lives for one operation: nothing changes behind the servers,
	// and nothing can be told later.
	Once bool
	// Files are what may be edited; Journal is the folder of unfinished writes.
	Files   edit.Files
	Journal string
}

// A Checker checks files and makes drafted changes true for one caller. What it remembers from
// call to call it shares with those for other callers.
type Checker struct {
	*memory
	names workspace.Names
	setup *setup.Setup
	view  *overlay.View
}

// A memory is what checkers for all callers share.
type memory struct {
	opts      Options
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	overlay   *overlay.Texts
	files     edit.Files
	journal   string
	// began is the commit at which the first checker was made, "" if there was none.
	began string
	// imported is what files were last read to bring in.
	imported impact.TextReader

	mu sync.Mutex
	// handed are the errors that were reported after edits, by path, and how often.
	handed map[string]handed
	// gone are the deleted files that a check has judged as such.
	gone map[string]bool
	// imagined are files that were only ever texts that a caller gave.
	imagined map[string]bool
	// large says of which languages, by their files' endings, the workspace has many files.
	large map[string]bool
	// said are the notes that are given once in a session, and were.
	said map[string]bool
}

// New returns a checker, which For makes one for a caller.
func New(o Options) *Checker {
	m := &memory{
		opts: o, workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, files: o.Files, journal: o.Journal,
		handed: make(map[string]handed), gone: make(map[string]bool), imagined: make(map[string]bool),
		large: make(map[string]bool), said: make(map[string]bool),
	}
	if !o.Once {
		m.began = m.workspace.Commit(context.Background())
	}
	return &Checker{memory: m}
}

// For returns the checker for a caller, who names files so and sees the overlay in this view.
func (ch *Checker) For(names workspace.Names, lacks *setup.Setup, view *overlay.View) *Checker {
	return &Checker{ch.memory, names, lacks, view}
}

// A Drafter puts into a plan what an operation changes, and returns what says so
// when it is done. Servers are asked through the inquiry.
type Drafter func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error)

// severities returns the severities to report: those asked for, else those of
// the configuration.
func (ch *Checker) severities(asked []string) ([]protocol.Severity, error) {
	if len(asked) == 0 {
		for _, s := range ch.opts.Config.Settings.IncludeSeverities {
			asked = append(asked, string(s))
		}
	}
	var list []protocol.Severity
	for _, name := range asked {
		s, ok := protocol.ParseSeverity(name)
		if !ok {
			return nil, &api.ArgumentError{
				Argument: "severities", Reason: fmt.Sprintf("%q is no severity", name),
				Advice: "severities are error, warning, info and hint",
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// searching returns the context of a search for files that a change concerns: it leaves
// half of the time for asking about them.
func (ch *Checker) searching(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, call.Left(ctx, 2*ch.opts.Config.Settings.RequestTimeout)/2)
}

// minLook is how long a look at the disk after a change may take, also past the deadline.
const minLook = 300 * time.Millisecond

// looking returns the context of a look at the disk that servers must be told of: who
// goes away does not end it.
func (ch *Checker) looking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), max(minLook, call.Left(ctx, ch.opts.Config.Settings.RequestTimeout)))
}
