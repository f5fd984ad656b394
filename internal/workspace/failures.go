package workspace

import (
	"github.com/lspine/lspine/internal/result"
)

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Argument.
func (*NotDiagnosedError) Kind() result.Kind { return result.Argument }

// Kind returns result.NotFound.
func (*NotFoundError) Kind() result.Kind { return result.NotFound }

// Kind returns result.Outside.
func (*OutsideWorkspaceError) Kind() result.Kind { return result.Outside }

// Data names the path and where it leads.
func (e *OutsideWorkspaceError) Data() result.Data {
	return result.Data{Path: e.Path, Target: e.Target}
}

// Data names the path.
func (e *NotFoundError) Data() result.Data { return result.Data{Path: e.Path} }
