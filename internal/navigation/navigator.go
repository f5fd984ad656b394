// Package navigation answers questions about symbols and places: where something is defined and
// used, what a file declares, what calls what. Each operation is a method of a [Navigator].
package navigation

import (
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/workspace"
)

// A Navigator answers the questions of one caller.
type Navigator struct {
	names workspace.Names
	view  *overlay.View
}

// New returns what answers the questions of a caller, who names files so and sees the overlay
// in this view.
func New(names workspace.Names, view *overlay.View) *Navigator { return &Navigator{names, view} }
