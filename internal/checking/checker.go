// Package checking finds what is wrong with files, and what a change breaks in them and in files
// that depend on them. The change was made by others on disk, or it is a draft, which this package
// writes, previews or rolls back.
package checking

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/setup"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure the checkers of one workspace.
type Options struct {
	Workspace *workspace.Workspace
	Collector *diagnostics.Collector
	Overlay   *overlay.Texts
	Config    *config.Config
	// Finder finds the files that changes affect.
	Finder *dependants.Finder
	// Once says that the process makes a single call: nothing changes without the servers'
	// knowledge, and nothing can be reported later.
	Once bool
	// Journal is the folder that records unfinished writes, so that they can be rolled back after a
	// crash.
	Journal string
}

// Counted is what was found in the files that a change was made in, before and after it, whichever severities the
// answer lists.
type Counted struct {
	Files int
	diagnostics.Counts
}

// A Checker checks files and applies drafted changes, for one caller. It is safe for concurrent
// use.
type Checker struct {
	*memory
	session *session
	// once says that this is the last call of the session: nothing can be reported later.
	once   bool
	names  workspace.Names
	view   *overlay.View
	finder *dependants.Finder
	files  edit.Files
	permit func(ctx context.Context, paths []string) error
	wrote  func(changes []edit.Change)
	judged func(found Counted)
}

// A memory is what the checkers for all callers share.
type memory struct {
	opts      Options
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	overlay   *overlay.Texts
	journal   string

	mu sync.Mutex // also guards what is in the sessions
	// sessions are those that have not ended, by name.
	sessions map[string]*session
}

// New returns the checker of a workspace. It works for no caller yet; see [Checker.For].
func New(o Options) *Checker {
	m := &memory{
		opts: o, workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, journal: o.Journal,
		sessions: make(map[string]*session),
	}
	return &Checker{memory: m, session: m.sessionNamed("", o.Once), once: o.Once, finder: o.Finder}
}

// A Caller is whom a checker works for.
type Caller struct {
	// Names translates its file names, Lacks tells what projects lack, View is the overlay as it
	// sees it, and Files is what it may edit.
	Names workspace.Names
	Lacks *setup.Setup
	View  *overlay.View
	Files edit.Files
	// Session identifies the conversation of the call; "" is the only one of a process. Last says
	// that this is its last call.
	Session string
	Last    bool
	// Permit, if not nil, returns an error if the caller may not change these files, whose paths
	// are resolved. It is called once the files are known, before anything is written or shown to
	// servers.
	Permit func(ctx context.Context, paths []string) error
	// Wrote, if not nil, is called with changes that were written and will stay.
	Wrote func(changes []edit.Change)
	// Judged, if not nil, is called with what was counted in changed files whenever they were judged.
	Judged func(found Counted)
}

// For returns the checker for a caller. All checkers of a workspace share what is known about files
// and sessions.
func (ch *Checker) For(c Caller) *Checker {
	once := ch.opts.Once || c.Last
	return &Checker{
		memory: ch.memory, session: ch.sessionNamed(c.Session, once), once: once,
		names: c.Names, view: c.View, finder: ch.finder.For(c.Names, c.Lacks, c.Session), files: c.Files, permit: c.Permit, wrote: c.Wrote, judged: c.Judged,
	}
}

// A Drafter adds the changes of an operation to a plan, asking servers through q, and returns a
// function that summarizes the changes once they are made.
type Drafter func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error)

// severitiesOf returns the severities to report: those asked for, or else those of the
// configuration.
func (ch *Checker) severitiesOf(asked []string) ([]protocol.Severity, error) {
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

// minLook is the time that a look at the disk after a change may always take, even past the
// deadline.
const minLook = 300 * time.Millisecond

// looking returns the context for a look at the disk that servers must be told about: cancellation
// of ctx does not end it.
func (ch *Checker) looking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), max(minLook, call.Left(ctx, ch.opts.Config.Settings.RequestTimeout)))
}

// collect runs a check and notes in ctx which servers it uses.
func (ch *Checker) collect(ctx context.Context, req diagnostics.Request) (diagnostics.Report, error) {
	for _, f := range req.Files {
		for _, source := range f.Sources {
			workspace.Note(ctx, roots.Key(source.Key))
		}
	}
	return ch.collector.Check(ctx, req)
}

// Diagnose returns everything that the servers of a file report now about a text of it, within
// timeout.
func (ch *Checker) Diagnose(ctx context.Context, path string, content []byte, timeout time.Duration) ([]diagnostics.Diagnostic, error) {
	file := diagnostics.File{Path: path, Content: content}
	ch.finder.Sources(&file)
	all, err := ch.severitiesOf([]string{"error", "warning", "info", "hint"})
	if err != nil {
		return nil, err
	}
	report, err := ch.collector.Check(ctx, diagnostics.Request{
		Session: ch.session.name, Files: []diagnostics.File{file}, Severities: all, NoBaseline: true, Aside: true, Timeout: timeout, FirstTouch: timeout,
	})
	if err != nil {
		return nil, err
	}
	return report.Files[0].Diagnostics, nil
}
