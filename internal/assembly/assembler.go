// Package assembly puts together what to know before and after a change: what it reaches, which
// tests are concerned, what surrounds a file, and who uses a symbol in other repositories.
package assembly

import (
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/workspace"
)

// An Assembler works for one caller.
type Assembler struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
}

// New returns what works for a caller, who names files so and sees the overlay in this view.
func New(w *workspace.Workspace, names workspace.Names, view *overlay.View) *Assembler {
	return &Assembler{w, names, view}
}
