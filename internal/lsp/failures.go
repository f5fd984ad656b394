package lsp

import "github.com/lspine/lspine/internal/result"

// This file says what kind of failure each error is to those who call an operation.

// Kind returns result.Unsupported.
func (*UnsupportedError) Kind() result.Kind { return result.Unsupported }

// Kind returns result.Crashed.
func (*ServerError) Kind() result.Kind { return result.Crashed }
