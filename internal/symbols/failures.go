package symbols

import "github.com/lspine/lspine/internal/result"

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Argument.
func (*SelectorError) Kind() result.Kind { return result.Argument }

// Kind returns result.Ambiguous.
func (*AmbiguousError) Kind() result.Kind { return result.Ambiguous }

// Kind returns result.NotFound.
func (*NotFoundError) Kind() result.Kind { return result.NotFound }

// Kind returns result.NotReady.
func (*NotReadyError) Kind() result.Kind { return result.NotReady }

// Kind returns result.Timeout.
func (*TimeoutError) Kind() result.Kind { return result.Timeout }
