package api

import "github.com/lspine/lspine/internal/result"

// Kind returns result.Argument.
func (*ArgumentError) Kind() result.Kind { return result.Argument }

// Data names the argument.
func (e *ArgumentError) Data() result.Data {
	return result.Data{Argument: e.Argument, Reason: e.Reason}
}

// Kind returns result.Unsupported.
func (*UnknownOperationError) Kind() result.Kind { return result.Unsupported }
