// Package editing drafts changes of files: what a caller writes, and what servers propose
// (renames, code actions, formatting, commands). It writes nothing itself: Options.Write applies
// a draft and judges what it breaks.
package editing

import (
	"context"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// Options configure an editor for one caller. All but Timeout and MayRun are needed.
type Options struct {
	Workspace *workspace.Workspace
	Names     workspace.Names
	View      *overlay.View
	// Files are what may be edited.
	Files edit.Files
	// Timeout bounds the questions to servers while a change is drafted, if the call has no
	// deadline.
	Timeout time.Duration
	// Write drafts a change, makes it as how says, and returns what it breaks. Writes wait for
	// each other. If the draft changes nothing the error is an [edit.NothingToChangeError].
	Write func(ctx context.Context, how api.Writing, draft Drafter) (result.Edit, error)
	// MayRun, if not nil, returns an error if the caller may not have a server execute a command. It is asked when the
	// command is sent next (now) and, for a command that follows an edit, also before the edit is made.
	MayRun func(ctx context.Context, server, command string, now bool) error
	// Diagnose returns all that the servers of a file say now about a text of it.
	Diagnose func(ctx context.Context, path string, content []byte, timeout time.Duration) ([]diagnostics.Diagnostic, error)
}

// A Drafter puts the changes of an operation into a plan, asking servers through q, and returns
// what summarises them when they are made.
type Drafter func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error)

// An Editor drafts changes for one caller. It is safe for concurrent use.
type Editor struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
	files     edit.Files
	timeout   time.Duration
	write     func(context.Context, api.Writing, Drafter) (result.Edit, error)
	mayRun    func(ctx context.Context, server, command string, now bool) error
	diagnose  func(context.Context, string, []byte, time.Duration) ([]diagnostics.Diagnostic, error)
}

// New returns an editor.
func New(o Options) *Editor {
	return &Editor{
		workspace: o.Workspace, names: o.Names, view: o.View, files: o.Files, timeout: o.Timeout,
		write: o.Write, mayRun: o.MayRun, diagnose: o.Diagnose,
	}
}

// drafting returns the context of the questions with which changes are drafted.
func (e *Editor) drafting(ctx context.Context) (context.Context, context.CancelFunc) {
	return call.Within(ctx, e.timeout)
}

// read returns the text of a file as the servers see it.
func (e *Editor) read(path string) ([]byte, error) {
	a := e.view.Access()
	defer a.Close()
	return a.Text(path)
}
