// Package toolchain builds and tests projects with the tools of their languages, and queries those
// tools for documentation. A caller chooses a folder or a name, never a command line.
package toolchain

import (
	"context"

	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Toolchain runs tools for one caller. It is safe for concurrent use.
type Toolchain struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
	servers   registry.Table
	mayBuild  func(ctx context.Context, tool string) error
}

// New returns the Toolchain of a caller who names files as names does and queries servers through
// view. The servers table determines the language of a file. mayBuild returns an error if the caller may not run a tool
// that builds, and so runs code of, a project to read its documentation.
func New(w *workspace.Workspace, names workspace.Names, view *overlay.View, servers registry.Table, mayBuild func(ctx context.Context, tool string) error) *Toolchain {
	return &Toolchain{w, names, view, servers, mayBuild}
}
