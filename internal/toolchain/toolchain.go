// Package toolchain runs the tools of languages for those who ask: those that build and test a
// project, and those that know its documentation. What a caller gives them is a name or a
// folder, and nothing else.
package toolchain

import (
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Toolchain runs tools for one caller.
type Toolchain struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
	servers   registry.Table
}

// New returns what runs tools for a caller, who names files so and sees the overlay in this
// view. The servers tell the languages of files.
func New(w *workspace.Workspace, names workspace.Names, view *overlay.View, servers registry.Table) *Toolchain {
	return &Toolchain{w, names, view, servers}
}
