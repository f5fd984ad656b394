package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// The requests that lead to changes of files. Paths are absolute and of open
// documents; positions are 0-based, in UTF-16 units, both ways. A WorkspaceEdit
// is handed on as it came, as the server counts ([Server.EditCounting]); nothing
// is ever applied here. Each returns an *UnsupportedError, and sends nothing, if
// the server did not declare it.

// A NotRenameableError says that a server finds nothing at a place that can be renamed.
type NotRenameableError struct {
	Server string
	// Reason is what the server says, "" for nothing.
	Reason string
}

func (e *NotRenameableError) Error() string {
	if e.Reason == "" {
		return e.Server + " cannot rename what stands there"
	}
	return fmt.Sprintf("%s cannot rename what stands there: %s", e.Server, e.Reason)
}

// Hint says what to do.
func (e *NotRenameableError) Hint() string {
	return "name a symbol that this project declares; text that is none is replaced by edit"
}

// PrepareRename returns what would be renamed at a place
// (textDocument/prepareRename). A *NotRenameableError says that nothing can.
func (s *Server) PrepareRename(ctx context.Context, path string, at protocol.Position) (protocol.Renameable, error) {
	raw, err := s.callAt(ctx, "textDocument/prepareRename", path, at)
	if err != nil {
		return protocol.Renameable{}, err
	}
	prepared, err := protocol.DecodePrepareRename(raw)
	if err != nil {
		return protocol.Renameable{}, err
	}
	if prepared == nil {
		return protocol.Renameable{}, &NotRenameableError{Server: s.def.ID}
	}
	if prepared.Range != nil {
		*prepared.Range = s.translation().within(path, *prepared.Range)
	}
	return *prepared, nil
}

// Rename returns the WorkspaceEdit that gives what stands at a place another name
// (textDocument/rename). null is a *NotRenameableError.
func (s *Server) Rename(ctx context.Context, path string, at protocol.Position, newName string) (json.RawMessage, error) {
	raw, err := s.call(ctx, "textDocument/rename", protocol.RenameParams(protocol.URIFromPath(path), s.reading(path).toWire(at), newName))
	if err != nil {
		return nil, err
	}
	if string(raw) == "null" || len(raw) == 0 {
		return nil, &NotRenameableError{Server: s.def.ID}
	}
	return raw, nil
}

// CodeActions returns what a server offers to do about a range
// (textDocument/codeAction) and the diagnostics, which are of this server; only
// names the kinds that are wanted, none for all. Ranges of the diagnostics that
// the actions name are in UTF-16.
func (s *Server) CodeActions(ctx context.Context, path string, r protocol.Range, diagnostics []protocol.Diagnostic, only []string) ([]protocol.CodeAction, error) {
	about, view := protocol.CodeActionContext{Only: only}, s.reading(path)
	for _, d := range diagnostics {
		d.Range = view.rangeToWire(d.Range)
		about.Diagnostics = append(about.Diagnostics, d)
	}
	raw, err := s.call(ctx, "textDocument/codeAction", protocol.CodeActionParams(protocol.URIFromPath(path), view.rangeToWire(r), about))
	if err != nil {
		return nil, err
	}
	actions, skipped, err := protocol.DecodeCodeActions(raw)
	s.drop(skipped)
	for i := range actions {
		actions[i].Diagnostics = s.reported(path, actions[i].Diagnostics)
	}
	return actions, err
}

// ResolveCodeAction returns an action of [Server.CodeActions] with the edit and
// the command that it lacked (codeAction/resolve).
func (s *Server) ResolveCodeAction(ctx context.Context, action protocol.CodeAction) (protocol.CodeAction, error) {
	raw, err := s.call(ctx, "codeAction/resolve", action.Raw)
	if err != nil {
		return action, err
	}
	resolved, ok := protocol.DecodeCodeAction(raw)
	if !ok {
		s.drop(1)
		return action, fmt.Errorf("codeAction/resolve: %s answered with no action", s.def.ID)
	}
	resolved.Diagnostics = action.Diagnostics
	return resolved, nil
}

// Format returns the edits that format a document (textDocument/formatting) or,
// with a range, that range (textDocument/rangeFormatting). None means that it is
// formatted.
func (s *Server) Format(ctx context.Context, path string, r *protocol.Range, options protocol.FormattingOptions) ([]protocol.TextEdit, error) {
	method, wire := "textDocument/formatting", r
	if r != nil {
		method = "textDocument/rangeFormatting"
		wire = new(s.reading(path).rangeToWire(*r))
	}
	raw, err := s.call(ctx, method, protocol.FormattingParams(protocol.URIFromPath(path), wire, options))
	if err != nil {
		return nil, err
	}
	edits, err := protocol.DecodeTextEdits(raw)
	view := s.view(path, s.lines().Edited)
	for i := range edits {
		edits[i].Range = view.fromWire(edits[i].Range)
	}
	return edits, err
}

// A FileRename is the old and the new path of a file, both absolute.
type FileRename struct {
	From, To string
	// Folder says that it is a folder, with all in it.
	Folder bool
}

// WillRenameFiles returns the WorkspaceEdit that a server wants made before files
// are renamed (workspace/willRenameFiles), such as of imports; nil for none, and
// if it declared the request only for other files.
func (s *Server) WillRenameFiles(ctx context.Context, renames []FileRename) (json.RawMessage, error) {
	if !s.Supports(protocol.WillRenameFiles) {
		return nil, &UnsupportedError{Server: s.def.ID, Method: protocol.WillRenameFiles}
	}
	wanted := s.wanted(protocol.WillRenameFiles, renames)
	if len(wanted) == 0 {
		return nil, nil
	}
	raw, err := s.call(ctx, protocol.WillRenameFiles, protocol.RenameFilesParams(wanted))
	if err != nil || string(raw) == "null" {
		return nil, err
	}
	return raw, nil
}

// DidRenameFiles tells the server that files were renamed, if it declared that it
// wants to know (workspace/didRenameFiles).
func (s *Server) DidRenameFiles(renames []FileRename) error {
	if !s.Supports(protocol.DidRenameFiles) {
		return nil
	}
	wanted := s.wanted(protocol.DidRenameFiles, renames)
	if len(wanted) == 0 {
		return nil
	}
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	s.docs.generation++
	s.docs.states.changed()
	return s.notify(protocol.DidRenameFiles, protocol.RenameFilesParams(wanted))
}

// wanted returns the renames of files that the server declared a method for. A
// glob is tried on the absolute path and on that below each folder, because servers
// mean either; one that cannot be read is for all.
func (s *Server) wanted(method string, renames []FileRename) (wanted []protocol.FileRename) {
	options, folders := s.options(method), append(s.Folders(), s.root)
	for _, r := range renames {
		globs, limited := protocol.FileGlobs(options, r.Folder)
		fits := !limited || r.Folder && s.def.Has(registry.AnswersFolderMoves)
		for _, glob := range globs {
			fits = fits || !doublestar.ValidatePattern(glob) ||
				doublestar.MatchUnvalidated(glob, filepath.ToSlash(r.From)) ||
				slices.ContainsFunc(folders, func(folder string) bool { return matchBelow(folder, glob, r.From) })
		}
		if fits {
			wanted = append(wanted, protocol.FileRename{From: protocol.URIFromPath(r.From), To: protocol.URIFromPath(r.To)})
		}
	}
	return wanted
}
