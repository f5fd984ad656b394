package editing

import "github.com/lspine/lspine/internal/result"

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Argument.
func (*UnknownCommandError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*ChoiceError) Kind() result.Kind { return result.Argument }

// Kind returns result.Argument.
func (*LensError) Kind() result.Kind { return result.Argument }

// Kind returns result.Unconfirmed.
func (*UnconfirmedError) Kind() result.Kind { return result.Unconfirmed }

// Kind returns result.Stale.
func (*MovedOnError) Kind() result.Kind { return result.Stale }

// Kind returns result.Unsupported.
func (*LinesError) Kind() result.Kind { return result.Unsupported }

// Kind returns result.InUse.
func (*InUseError) Kind() result.Kind { return result.InUse }

// Kind returns result.Unsupported.
func (*NoFormatterError) Kind() result.Kind { return result.Unsupported }
