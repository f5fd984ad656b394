// Package assembly gathers what to know before and after a change: what a file declares and who
// uses it, who is affected by changed symbols, which tests to run, who uses a symbol in other
// repositories, and which of all this a model should see along with the code it works on.
package assembly

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// Options are what an assembler needs to work for one caller.
type Options struct {
	Workspace *workspace.Workspace
	// Names are the caller's names of files; View is the overlay as the caller sees it.
	Names workspace.Names
	View  *overlay.View
	// Check reports what is wrong with files.
	Check func(context.Context, api.CheckRequest) (result.Check, error)
}

// An Assembler gathers context for one caller. It is safe for concurrent use.
type Assembler struct {
	workspace *workspace.Workspace
	names     workspace.Names
	view      *overlay.View
	check     func(context.Context, api.CheckRequest) (result.Check, error)
}

// New returns the Assembler of a caller.
func New(o Options) *Assembler { return &Assembler{o.Workspace, o.Names, o.View, o.Check} }
