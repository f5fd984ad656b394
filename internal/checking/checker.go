// Package checking says what is wrong with files, and what a change breaks in them and in files
// that depend on them. The change was made by others on disk, or is a draft, which this package
// writes, previews or takes back.
package checking

import (
	"context"
	"fmt"
	"sync"
	"time"

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
	// Once says that the process lives for one operation: nothing changes behind the servers,
	// and nothing can be told later.
	Once bool
	// Journal is the folder that records unfinished writes, so that they are taken back after a
	// crash.
	Journal string
}

// A Checker checks files and applies drafted changes, for one caller. It is safe for concurrent
// use.
type Checker struct {
	*memory
	session *session
	// once says that no call of the session comes after this one: nothing can be told later.
	once   bool
	names  workspace.Names
	view   *overlay.View
	finder *dependants.Finder
	files  edit.Files
	permit func(ctx context.Context, paths []string) error
	wrote  func(changes []edit.Change)
}

// A memory is what checkers for all callers share.
type memory struct {
	opts      Options
	workspace *workspace.Workspace
	collector *diagnostics.Collector
	overlay   *overlay.Texts
	journal   string

	mu sync.Mutex // also of what is in the sessions
	// sessions are those that EndSession did not end yet, by name.
	sessions map[string]*session
}

// New returns the checker of a workspace. It works for nobody yet: see [Checker.For].
func New(o Options) *Checker {
	m := &memory{
		opts: o, workspace: o.Workspace, collector: o.Collector, overlay: o.Overlay, journal: o.Journal,
		sessions: make(map[string]*session),
	}
	finder := dependants.New(dependants.Options{Workspace: o.Workspace, Collector: o.Collector, Overlay: o.Overlay, Config: o.Config})
	return &Checker{memory: m, session: m.sessionNamed("", o.Once), once: o.Once, finder: finder}
}

// A Caller is whom a checker works for.
type Caller struct {
	// Names are its names of files, Lacks tells it what projects lack, View is the overlay
	// as it sees it, Files are what it may edit.
	Names workspace.Names
	Lacks *setup.Setup
	View  *overlay.View
	Files edit.Files
	// Session is the conversation that the call belongs to, "" the only one of a process.
	// Last says that no call of it comes after this one.
	Session string
	Last    bool
	// Permit, if not nil, says whether the caller may change files, whose paths are resolved. It
	// is asked when they are known, before anything is written or shown to servers.
	Permit func(ctx context.Context, paths []string) error
	// Wrote, if not nil, is told of changes that were written and are to stay.
	Wrote func(changes []edit.Change)
}

// For returns the checker for a caller. All checkers of a workspace share what is known of files
// and sessions.
func (ch *Checker) For(c Caller) *Checker {
	once := ch.opts.Once || c.Last
	return &Checker{
		memory: ch.memory, session: ch.sessionNamed(c.Session, once), once: once,
		names: c.Names, view: c.View, finder: ch.finder.For(c.Names, c.Lacks, c.Session), files: c.Files, permit: c.Permit, wrote: c.Wrote,
	}
}

// A Drafter puts the changes of an operation into a plan, asking servers through q, and returns
// what summarises them when they are made.
type Drafter func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error)

// severitiesOf returns the severities to report: those asked for, else those of
// the configuration.
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

// minLook is how long a look at the disk after a change may take, also past the deadline.
const minLook = 300 * time.Millisecond

// looking returns the context of a look at the disk that servers must be told of: who
// goes away does not end it.
func (ch *Checker) looking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), max(minLook, call.Left(ctx, ch.opts.Config.Settings.RequestTimeout)))
}

// collect asks servers, of which ctx may want to hear.
func (ch *Checker) collect(ctx context.Context, req diagnostics.Request) (diagnostics.Report, error) {
	for _, f := range req.Files {
		for _, source := range f.Sources {
			workspace.Note(ctx, workspace.Key(source.Key))
		}
	}
	return ch.collector.Check(ctx, req)
}

// Diagnose returns all that the servers of a file say now about a text of it, within timeout.
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
