// Package editing drafts changes of files: from what a caller writes, from what servers propose
// (renames, code actions, formatting, commands) and from both. Making a draft true, and judging
// what it breaks, is the work of another room, which comes in by [Options].
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

// Options are what an editor works with, for one caller.
type Options struct {
	Workspace *workspace.Workspace
	Names     workspace.Names
	View      *overlay.View
	// Files are what may be edited.
	Files edit.Files
	// Timeout bounds the questions with which a change is drafted, where the call has no deadline.
	Timeout time.Duration
	// Write drafts a change, makes it as asked, and returns what it breaks. One draft is at work
	// at a time. If it changes nothing the error is an [edit.NothingToChangeError].
	Write func(ctx context.Context, how api.Writing, draft Drafter) (result.Edit, error)
	// Diagnose returns all that the servers of a file say of a text of it now.
	Diagnose func(ctx context.Context, path string, content []byte, timeout time.Duration) ([]diagnostics.Diagnostic, error)
}

// A Drafter puts into a plan what an operation changes, and returns what says so
// when it is done. Servers are asked through the inquiry.
type Drafter func(ctx context.Context, q *symbols.Inquiry, plan *edit.Plan) (edit.Summarizer, error)

// An Editor drafts changes for one caller.
type Editor struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
	files     edit.Files
	timeout   time.Duration
	write     func(context.Context, api.Writing, Drafter) (result.Edit, error)
	diagnose  func(context.Context, string, []byte, time.Duration) ([]diagnostics.Diagnostic, error)
}

// New returns an editor.
func New(o Options) *Editor {
	return &Editor{
		workspace: o.Workspace, names: o.Names, view: o.View, files: o.Files, timeout: o.Timeout,
		write: o.Write, diagnose: o.Diagnose,
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
