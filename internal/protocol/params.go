package protocol

import (
	"encoding/json"
	"path/filepath"
	"slices"

	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Marshal encodes parameters made by this package, or any Go value.
func Marshal(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	return lsp.Marshal(v)
}

// Announce says which client capabilities are announced beyond the fixed ones.
type Announce struct {
	// Pull announces textDocument.diagnostic.
	Pull bool
	// Experimental is the JSON object of experimental capabilities, or nil.
	Experimental json.RawMessage
	// OnlyUTF16 leaves the server no choice of how columns are counted.
	OnlyUTF16 bool
}

// InitializeParams returns the parameters of initialize for a root folder.
// Announced is exactly what package lsp implements. pid is our own process, or
// 0 for a server on another machine; options may be nil.
func InitializeParams(roots []string, version string, pid int, options json.RawMessage, announce Announce) any {
	root := roots[0]
	rootURI := uri.File(root)
	p := &lsp.InitializeParams{
		ClientInfo: lsp.ClientInfo{Name: "lspine", Version: lsp.NewOptional(version)},
		//lint:ignore SA1019 older servers read nothing else
		RootURI: &rootURI,
		//lint:ignore SA1019 older servers read nothing else
		RootPath:              lsp.NewNullable(root),
		Capabilities:          clientCapabilities(announce),
		InitializationOptions: lsp.LSPAny(options),
	}
	if pid > 0 {
		id := int32(pid)
		p.ProcessID = &id
	}
	p.WorkspaceFolders = lsp.NewNullable(folders(roots))
	return p
}

// DidOpenParams returns the parameters of textDocument/didOpen.
func DidOpenParams(u DocumentURI, languageID string, version int32, text string) any {
	return &lsp.DidOpenTextDocumentParams{TextDocument: lsp.TextDocumentItem{
		URI: uri.URI(u), LanguageID: lsp.LanguageKind(languageID), Version: version, Text: text,
	}}
}

// DidChangeParams returns the parameters of textDocument/didChange. A nil r
// replaces the whole text; otherwise r is in the server's encoding.
func DidChangeParams(u DocumentURI, version int32, r *Range, text string) any {
	p := &lsp.DidChangeTextDocumentParams{}
	p.TextDocument.URI, p.TextDocument.Version = uri.URI(u), version
	var change lsp.TextDocumentContentChangeEvent = &lsp.TextDocumentContentChangeWholeDocument{Text: text}
	if r != nil {
		change = &lsp.TextDocumentContentChangePartial{Range: wire(*r), Text: text}
	}
	p.ContentChanges = []lsp.TextDocumentContentChangeEvent{change}
	return p
}

// WholeTextParams returns the parameters of the notification $/onDidChangeTsOrJsFile of Svelte's server with a whole text.
func WholeTextParams(u DocumentURI, text string) any {
	type change struct {
		Text string `json:"text"`
	}
	return struct {
		URI     DocumentURI `json:"uri"`
		Changes []change    `json:"changes"`
	}{u, []change{{text}}}
}

// WantedChangeParams returns the parameters of a textDocument/didChange with a whole text about which
// clangd must publish (its extension wantDiagnostics): otherwise it leaves out a version that is followed
// by another one soon. Other servers ignore that.
func WantedChangeParams(u DocumentURI, version int32, text string) any {
	type change struct {
		Text string `json:"text"`
	}
	type identifier struct {
		URI     DocumentURI `json:"uri"`
		Version int32       `json:"version"`
	}
	return struct {
		TextDocument    identifier `json:"textDocument"`
		ContentChanges  []change   `json:"contentChanges"`
		WantDiagnostics bool       `json:"wantDiagnostics"`
	}{identifier{u, version}, []change{{text}}, true}
}

// DidSaveParams returns the parameters of textDocument/didSave. A nil text is
// left out.
func DidSaveParams(u DocumentURI, text *string) any {
	return &lsp.DidSaveTextDocumentParams{TextDocument: document(u), Text: text}
}

// IdentifierParams returns parameters that are a document's identifier, as servers want them for requests of
// their own.
func IdentifierParams(u DocumentURI) any { return document(u) }

// DocumentParams returns parameters that hold a document and nothing else:
// those of textDocument/didClose, documentSymbol, foldingRange and others.
func DocumentParams(u DocumentURI) any {
	return &lsp.DidCloseTextDocumentParams{TextDocument: document(u)}
}

// PositionParams returns the parameters of hover, definition and the like. The
// position is in the server's encoding.
func PositionParams(u DocumentURI, p Position) any {
	return &lsp.TextDocumentPositionParams{TextDocument: document(u), Position: lsp.Position(p)}
}

// ReferenceParams returns the parameters of textDocument/references.
func ReferenceParams(u DocumentURI, p Position, includeDeclaration bool) any {
	params := &lsp.ReferenceParams{Context: lsp.ReferenceContext{IncludeDeclaration: includeDeclaration}}
	params.TextDocument, params.Position = document(u), lsp.Position(p)
	return params
}

// PullParams returns the parameters of textDocument/diagnostic. An empty
// identifier or previous result id is left out.
func PullParams(u DocumentURI, identifier, previous string) any {
	p := &lsp.DocumentDiagnosticParams{TextDocument: document(u)}
	if identifier != "" {
		p.Identifier = &identifier
	}
	if previous != "" {
		p.PreviousResultID = &previous
	}
	return p
}

// ExecuteCommandParams returns the parameters of workspace/executeCommand.
func ExecuteCommandParams(command string, arguments []json.RawMessage) any {
	p := &lsp.ExecuteCommandParams{Command: command}
	for _, a := range arguments {
		p.Arguments = append(p.Arguments, lsp.LSPAny(a))
	}
	return p
}

// RangeParams returns the parameters of textDocument/inlayHint and
// textDocument/semanticTokens/range. The range is in the server's encoding.
func RangeParams(u DocumentURI, r Range) any {
	return &lsp.InlayHintParams{TextDocument: document(u), Range: wire(r)}
}

// QueryParams returns the parameters of workspace/symbol.
func QueryParams(query string) any { return &lsp.WorkspaceSymbolParams{Query: query} }

// ItemParams returns the parameters of callHierarchy/* and typeHierarchy/*:
// the item as the server gave it.
func ItemParams(raw json.RawMessage) any {
	return json.RawMessage(slices.Concat([]byte(`{"item":`), raw, []byte("}")))
}

// FoldersParams returns the parameters of workspace/didChangeWorkspaceFolders
// for absolute paths.
func FoldersParams(add, remove []string) any {
	return &lsp.DidChangeWorkspaceFoldersParams{
		Event: lsp.WorkspaceFoldersChangeEvent{Added: folders(add), Removed: folders(remove)},
	}
}

// Folders returns the result of workspace/workspaceFolders for absolute paths.
func Folders(paths []string) any { return folders(paths) }

func folders(paths []string) []lsp.WorkspaceFolder {
	list := make([]lsp.WorkspaceFolder, len(paths))
	for i, path := range paths {
		list[i] = lsp.WorkspaceFolder{URI: uri.File(path), Name: filepath.Base(path)}
	}
	return list
}

// A ChangeType is LSP's FileChangeType.
type ChangeType int

const (
	Created ChangeType = 1
	Changed ChangeType = 2
	Deleted ChangeType = 3
)

// A FileEvent is one change of workspace/didChangeWatchedFiles.
type FileEvent struct {
	URI  DocumentURI
	Type ChangeType
}

// WatchedFilesParams returns the parameters of workspace/didChangeWatchedFiles.
func WatchedFilesParams(events []FileEvent) any {
	p := &lsp.DidChangeWatchedFilesParams{Changes: make([]lsp.FileEvent, len(events))}
	for i, e := range events {
		p.Changes[i] = lsp.FileEvent{URI: uri.URI(e.URI), Type: lsp.FileChangeType(e.Type)}
	}
	return p
}

func document(u DocumentURI) lsp.TextDocumentIdentifier {
	return lsp.TextDocumentIdentifier{URI: uri.URI(u)}
}

func wire(r Range) lsp.Range {
	return lsp.Range{Start: lsp.Position(r.Start), End: lsp.Position(r.End)}
}
