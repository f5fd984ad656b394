// Package assembly gathers what to know before and after a change: what a file declares and who
// uses it, who is affected by changed symbols, which tests to run, and who uses a symbol in other
// repositories.
package assembly

import (
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/workspace"
)

// An Assembler gathers context for one caller. It is safe for concurrent use.
type Assembler struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
}

// New returns the Assembler of a caller who names files as names does and asks servers through
// view.
func New(w *workspace.Workspace, names workspace.Names, view *overlay.View) *Assembler {
	return &Assembler{w, names, view}
}
