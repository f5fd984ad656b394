package symbols

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A Proposal is a change that a server proposes. It has not been made.
type Proposal struct {
	Server Server
	// Edit is the WorkspaceEdit as the server sent it, with characters counted in the server's
	// encoding; nil is none.
	Edit json.RawMessage
	// Missing names the project file without which the server knows only its open files; "" if it
	// knows the whole project.
	Missing string
}

// A RefusedError says that a server refused a change, in its own words.
type RefusedError struct {
	Server, What, Message string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s refuses to %s: %s", e.Server, e.What, e.Message)
}

// Hint says what that means.
func (e *RefusedError) Hint() string { return "nothing was changed" }

// refused returns the error of a server that answered by a refusal.
func refused(err error, server, what string) error {
	var answered *jsonrpc.ResponseError
	if errors.As(err, &answered) && !again(err) && answered.Code != jsonrpc.CodeMethodNotFound {
		return &RefusedError{server, what, answered.Message}
	}
	return err
}

// PrepareRename returns what would be renamed at a target. Refusals are an
// *lsp.NotRenameableError; a server that has no such request is an
// *lsp.UnsupportedError.
func (q *Inquiry) PrepareRename(ctx context.Context, t Target) (protocol.Renameable, error) {
	asked := ""
	prepared, err := one(ask(ctx, q, t.Path, "textDocument/prepareRename", single(func(ctx context.Context, s Server) (protocol.Renameable, error) {
		asked = s.Definition().ID
		return s.PrepareRename(ctx, t.Path, t.At)
	})))
	var refusal *RefusedError
	if err = refused(err, asked, "rename"); errors.As(err, &refusal) {
		return prepared, &lsp.NotRenameableError{Server: asked, Reason: refusal.Message}
	}
	return prepared, err
}

// Rename asks for the edit that gives a target another name. A server that has
// not loaded the whole project in time is a *NotReadyError: half a rename is
// worse than none. Its refusal is a *RefusedError.
func (q *Inquiry) Rename(ctx context.Context, t Target, newName string) (Proposal, error) {
	asked := ""
	p, err := one(ask(ctx, q, t.Path, "textDocument/rename", single(func(ctx context.Context, s Server) (Proposal, error) {
		asked = s.Definition().ID
		raw, err := s.Rename(ctx, t.Path, t.At, newName)
		return Proposal{s, raw, ofOpenFiles(s)}, err
	})))
	return p, refused(err, asked, "rename "+t.Name+" to "+newName)
}

// WillRenameFile asks the server of a file for the edit that is to be made when that file moves, or a folder that it is in, such as
// of imports. As with Rename the whole project must be known.
func (q *Inquiry) WillRenameFile(ctx context.Context, path string, moved lsp.FileRename) (Proposal, error) {
	asked := ""
	p, err := one(ask(ctx, q, path, protocol.WillRenameFiles, single(func(ctx context.Context, s Server) (Proposal, error) {
		asked = s.Definition().ID
		raw, err := s.WillRenameFiles(ctx, []lsp.FileRename{moved})
		return Proposal{s, raw, ofOpenFiles(s)}, err
	})))
	return p, refused(err, asked, "rename "+q.access.Relative(moved.From))
}

// Format returns the edits that format a file, or a range of it, in UTF-16, and
// the server that made them.
func (q *Inquiry) Format(ctx context.Context, path string, r *protocol.Range, options protocol.FormattingOptions) (edits []protocol.TextEdit, by Server, err error) {
	method := "textDocument/formatting"
	if r != nil {
		method = "textDocument/rangeFormatting"
	}
	edits, err = ask(ctx, q, path, method, func(ctx context.Context, s Server) ([]protocol.TextEdit, error) {
		by = s
		return s.Format(ctx, path, r, options)
	})
	if by != nil {
		err = refused(err, by.Definition().ID, "format "+q.access.Relative(path))
	}
	return edits, by, err
}

// Actions returns the code actions of a server for a range of a file that is open in it, and for
// diagnostics of its own. only restricts them to kinds of LSP; none is all.
func (q *Inquiry) Actions(ctx context.Context, s Server, path string, r protocol.Range, diagnostics []protocol.Diagnostic, only []string) ([]protocol.CodeAction, error) {
	if !s.Supports("textDocument/codeAction") {
		return nil, &lsp.UnsupportedError{Server: s.Definition().ID, Method: "textDocument/codeAction"}
	}
	lists, err := askServer(ctx, q, s, "textDocument/codeAction", single(func(ctx context.Context, s Server) ([]protocol.CodeAction, error) {
		return s.CodeActions(ctx, path, r, diagnostics, only)
	}))
	return one(lists, refused(err, s.Definition().ID, "offer actions"))
}

// CodeLenses returns the code lenses of a server for a file that is open in it.
func (q *Inquiry) CodeLenses(ctx context.Context, s Server, path string) ([]protocol.CodeLens, error) {
	lenses, err := askServer(ctx, q, s, "textDocument/codeLens", func(ctx context.Context, s Server) ([]protocol.CodeLens, error) {
		return s.CodeLenses(ctx, path)
	})
	return lenses, refused(err, s.Definition().ID, "offer code lenses")
}

// CanRename returns an error if no server can rename symbols in a file.
func (q *Inquiry) CanRename(ctx context.Context, path string) error {
	_, err := q.access.Open(ctx, path, "textDocument/rename")
	return err
}

// Execute has a server execute a command. It asks once, whatever the answer is. A server that does
// not answer in time is a *[TimeoutError].
func (q *Inquiry) Execute(ctx context.Context, s Server, command string, arguments []json.RawMessage) (lsp.Executed, error) {
	if doing, _ := awaitReady(ctx, s, "workspace/executeCommand"); doing != "" {
		q.unready(s, doing)
	}
	done, err := s.ExecuteCommand(ctx, command, arguments)
	if errors.Is(err, context.DeadlineExceeded) {
		err = &TimeoutError{s.Definition().ID, "the command " + command}
	}
	return done, refused(err, s.Definition().ID, "execute "+command)
}
