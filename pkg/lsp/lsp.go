// Package lsp drives language servers: a single one ([Start]), or those of a workspace ([Open]),
// which determines the servers for a file, starts servers when they are first needed, and restarts
// them.
//
// A program that starts servers must call [Supervise] at the beginning of its main function: on
// Unix, each server runs under a supervisor, which is another process of the same program.
package lsp

import (
	"context"

	"github.com/lspine/lspine/internal/roots"

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
	// Published are diagnostics that a server pushed.
	Published        = lsp.Published
	UnsupportedError = lsp.UnsupportedError
	ServerError      = lsp.ServerError
)

// A Definition says how to start a server and communicate with it; a Table holds the known servers.
type (
	Definition = registry.Definition
	Table      = registry.Table
)

// The servers of a workspace.
type (
	Workspace        = workspace.Workspace
	WorkspaceOptions = workspace.Options
	// A Candidate is a server that may handle a file. A Key identifies a running one.
	Candidate        = roots.Candidate
	Key              = roots.Key
	State            = roots.State
	Status           = workspace.Status
	UnavailableError = roots.UnavailableError
)

// What servers report. Positions count lines and UTF-16 code units from 0.
type (
	Position   = protocol.Position
	Span       = protocol.Range
	Location   = protocol.Location
	Symbol     = protocol.Symbol
	Diagnostic = protocol.Diagnostic
	Report     = protocol.Report
	Hover      = protocol.Hover
)

// Supervise makes the process the supervisor of a language server if its arguments, which begin
// with the name of the program, ask for that; then it does not return.
func Supervise(args []string) { lsp.Supervise(args) }

// Builtin returns the known servers.
func Builtin() Table { return registry.Builtin() }

// Start starts a server for a root and performs the handshake. If ctx ends first, the server is
// killed. The caller must Close the server.
func Start(ctx context.Context, def Definition, root string, opts Options) (*Server, error) {
	return lsp.Start(ctx, def, root, opts)
}

// Open returns a workspace. Its Candidates method returns the servers for a file, its Server method
// a running one. Open starts no server. The caller must Close the workspace.
func Open(opts WorkspaceOptions) (*Workspace, error) { return workspace.Open(opts) }
