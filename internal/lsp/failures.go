package lsp

import (
	"errors"

	"github.com/lspine/lspine/internal/result"
)

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Unsupported.
func (*UnsupportedError) Kind() result.Kind { return result.Unsupported }

// Kind returns result.Crashed, or result.Unavailable of a server that somebody else runs and
// that is not there.
func (e *ServerError) Kind() result.Kind {
	var away *DialError
	if errors.As(e.Err, &away) {
		return result.Unavailable
	}
	return result.Crashed
}
