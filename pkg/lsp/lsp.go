// Package lsp drives language servers: one by itself ([Start]), or those of a workspace ([Open]),
// which finds out who serves a file, starts servers when they are first needed, and restarts them.
//
// A program that starts servers must call [Supervise] first thing in its main function: on Unix each
// server runs under a supervisor, which is the same program started again.
package lsp

import (
	"context"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// One server.
type (
	Server   = lsp.Server
	Options  = lsp.Options
	Observer = lsp.Observer
	// Published are diagnostics as a server pushed them.
	Published        = lsp.Published
	UnsupportedError = lsp.UnsupportedError
	ServerError      = lsp.ServerError
)

// A Definition says how a server is started and spoken to, a Table holds those that are known.
type (
	Definition = registry.Definition
	Table      = registry.Table
)

// The servers of a workspace.
type (
	Workspace        = workspace.Workspace
	WorkspaceOptions = workspace.Options
	// A Candidate is a server that may serve a file. A Key names one that runs.
	Candidate        = workspace.Candidate
	Key              = workspace.Key
	State            = workspace.State
	Status           = workspace.Status
	UnavailableError = workspace.UnavailableError
)

// What servers speak of. Positions count lines and UTF-16 code units from 0.
type (
	Position   = protocol.Position
	Span       = protocol.Range
	Location   = protocol.Location
	Symbol     = protocol.Symbol
	Diagnostic = protocol.Diagnostic
	Report     = protocol.Report
	Hover      = protocol.Hover
)

// Supervise turns the process into the supervisor of a language server if its arguments, which begin
// with the name of the program, ask for that, and then does not return.
func Supervise(args []string) { lsp.Supervise(args) }

// Builtin returns the servers that are known.
func Builtin() Table { return registry.Builtin() }

// Start starts a server for a root and performs the handshake. If ctx ends first the server is
// killed. The caller must Close it.
func Start(ctx context.Context, def Definition, root string, opts Options) (*Server, error) {
	return lsp.Start(ctx, def, root, opts)
}

// Open returns a workspace, whose Candidates are the servers of a file, and whose Server returns one
// that runs. It starts nothing. The caller must Close it.
func Open(opts WorkspaceOptions) (*Workspace, error) { return workspace.Open(opts) }
