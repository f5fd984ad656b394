package edit

import "github.com/lspine/lspine/internal/result"

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Argument.
func (*InvalidEditError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*PatchError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*RangeError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*OverlapError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*BinaryError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*TooLargeError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*IsDirectoryError) Kind() result.Kind { return result.Argument }

// Kind returns result.Ambiguous.
func (*AmbiguousMatchError) Kind() result.Kind { return result.Ambiguous }

// Kind returns result.NotFound.
func (*NotFoundError) Kind() result.Kind { return result.NotFound }

// Kind returns result.Outside.
func (*OutsideError) Kind() result.Kind { return result.Outside }

// Kind returns result.Outside.
func (*ProtectedError) Kind() result.Kind { return result.Outside }

// Kind returns result.Stale.
func (*StaleError) Kind() result.Kind { return result.Stale }

// Kind returns result.Stale.
func (*ConflictError) Kind() result.Kind { return result.Stale }

// Kind returns result.NoMatch.
func (*NoMatchError) Kind() result.Kind { return result.NoMatch }

// Kind returns result.NoMatch.
func (*HunkError) Kind() result.Kind { return result.NoMatch }

// Kind returns result.ReadOnly.
func (*ReadOnlyError) Kind() result.Kind { return result.ReadOnly }

// Data names the path and where it leads.
func (e *OutsideError) Data() result.Data { return result.Data{Path: e.Path, Target: e.Target} }

// Data names the path and the folder that is not edited.
func (e *ProtectedError) Data() result.Data { return result.Data{Path: e.Path, Folder: e.Folder} }
