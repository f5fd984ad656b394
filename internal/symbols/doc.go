// Package symbols resolves names in code and answers questions about them: which symbol a selector
// means, where it is defined and used, what a file declares, what calls what. It asks language
// servers, and tells apart what a server answered, what it cannot know yet because it is still
// loading, and what it does not support.
package symbols

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lspine/lspine/internal/lazyregexp"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A Server is what this package needs of a running language server; *lsp.Server implements it.
// Positions are 0-based and in UTF-16, as everywhere above package lsp.
type Server interface {
	Definition() *registry.Definition
	Root() string
	Supports(method string) bool
	Works() []lsp.Work
	WorksChanged() <-chan struct{}
	Begins() map[string]int
	Loaded() bool
	Losses() int
	FirstOpened() time.Time

	Symbols(ctx context.Context, path string) ([]protocol.Symbol, error)
	WorkspaceSymbols(ctx context.Context, query string) ([]protocol.Symbol, error)
	Locations(ctx context.Context, method, path string, at protocol.Position) ([]protocol.Location, error)
	References(ctx context.Context, path string, at protocol.Position, includeDeclaration bool) ([]protocol.Location, error)
	HoverAt(ctx context.Context, path string, at protocol.Position) (protocol.Hover, error)
	SignatureHelp(ctx context.Context, path string, at protocol.Position) (*protocol.SignatureHelp, error)
	Completions(ctx context.Context, path string, at protocol.Position) (protocol.CompletionList, error)
	Highlights(ctx context.Context, path string, at protocol.Position) ([]protocol.Highlight, error)
	InlayHints(ctx context.Context, path string, r protocol.Range) ([]protocol.InlayHint, error)
	SemanticTokens(ctx context.Context, path string, r *protocol.Range) ([]protocol.SemanticToken, error)
	FoldingRanges(ctx context.Context, path string) ([]protocol.FoldingRange, error)
	VirtualText(ctx context.Context, uri protocol.DocumentURI) ([]byte, error)
	PrepareCallHierarchy(ctx context.Context, path string, at protocol.Position) ([]protocol.HierarchyItem, error)
	IncomingCalls(ctx context.Context, item protocol.HierarchyItem) ([]protocol.Call, error)
	OutgoingCalls(ctx context.Context, item protocol.HierarchyItem) ([]protocol.Call, error)
	PrepareTypeHierarchy(ctx context.Context, path string, at protocol.Position) ([]protocol.HierarchyItem, error)
	Supertypes(ctx context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error)
	Subtypes(ctx context.Context, item protocol.HierarchyItem) ([]protocol.HierarchyItem, error)

	// The requests that lead to changes; see [Inquiry.Rename] and the methods beside it.
	EditCounting() protocol.Counting
	Document(path string) (version int32, text []byte, ok bool)
	SupportsCommand(command string) bool
	PrepareRename(ctx context.Context, path string, at protocol.Position) (protocol.Renameable, error)
	Rename(ctx context.Context, path string, at protocol.Position, newName string) (json.RawMessage, error)
	WillRenameFiles(ctx context.Context, renames []lsp.FileRename) (json.RawMessage, error)
	CodeActions(ctx context.Context, path string, r protocol.Range, diagnostics []protocol.Diagnostic, only []string) ([]protocol.CodeAction, error)
	ResolveCodeAction(ctx context.Context, action protocol.CodeAction) (protocol.CodeAction, error)
	CodeLenses(ctx context.Context, path string) ([]protocol.CodeLens, error)
	ResolveCodeLens(ctx context.Context, lens protocol.CodeLens) (protocol.CodeLens, error)
	ExecuteCommand(ctx context.Context, command string, arguments []json.RawMessage) (lsp.Executed, error)
	Format(ctx context.Context, path string, r *protocol.Range, options protocol.FormattingOptions) ([]protocol.TextEdit, error)
}

// A Keeper is a server that caches the outlines of its open files.
type Keeper interface {
	// Outline returns the outline of an open file, as [NewOutline] makes it, from the cache if it
	// is still true.
	Outline(ctx context.Context, path, relative string, content []byte) (*Outline, error)
}

// Access gives an [Inquiry] files and servers. Paths are absolute, with links resolved. It must be
// safe for concurrent use.
type Access interface {
	// Open returns a server that answers the LSP method for a file, with the file's present text
	// open in it. If no server supports the method, or the server cannot be started, the error is
	// typed and has a hint.
	Open(ctx context.Context, path, method string) (Server, error)
	// Text returns the present text of a file: the one that a caller gave, else the one on disk.
	// The file may lie outside the workspace if a server named it.
	Text(path string) ([]byte, error)
	// Resolve returns the path of a file that the caller names.
	Resolve(name string) (string, error)
	// Relative returns a path as it is shown to the caller.
	Relative(path string) string
	// Beyond returns the files beyond the project of a file that may use what it declares by a
	// name, judging by their texts; all is false if there may be more. With within it returns those in the project of the
	// file instead, if the server of the project may know it without its imports; the nearest are first.
	Beyond(ctx context.Context, path, name string, within bool) (files []Beyond, all bool)
	// Searchable returns the servers to ask for a name in the whole workspace: those of a language
	// ("" is any) that run or in whose files the name occurs; if it occurs in none, the server of
	// the most files. All are ready to answer. failures are of servers that could not be started.
	Searchable(ctx context.Context, language, name string) (servers []Server, failures []error)
}

// A Place is a range in a file.
type Place struct {
	// Path is absolute; it is the URI of what is no file, see [protocol.IsVirtual].
	Path  string
	Range protocol.Range
}

// placesOf returns the locations that a server named, in their order, each once, without those in files that are gone.
func (q *Inquiry) placesOf(s Server, locations []protocol.Location) []Place {
	places := make([]Place, 0, len(locations))
	seen := make(map[Place]bool, len(locations))
	var path string
	exists := false
	for i, l := range locations {
		if i == 0 || l.URI != locations[i-1].URI {
			path, exists = q.pathOf(s, l.URI)
		}
		if place := (Place{path, l.Range}); exists && !seen[place] {
			seen[place] = true
			if l.Range.Start == l.Range.End && s.Definition().Has(registry.NamesByComment) {
				place = q.behindComment(place)
			}
			places = append(places, place)
		}
	}
	return places
}

// constructor is what may stand between the end of a comment and the name of a constructor, and that.
var constructor = lazyregexp.New(`^(?:\s|//[^\n]*|(?s:/\*.*?\*/)|(?:public|private|protected)\b)*(constructor)\b`)

// behindComment returns the place of the constructor that a place at the end of a comment means; others stay.
func (q *Inquiry) behindComment(p Place) Place {
	text, err := q.Text(p.Path)
	if err != nil {
		return p
	}
	at := text.Offset(p.Range.Start, protocol.UTF16)
	match := constructor.FindSubmatchIndex(text.Content()[at:])
	if match == nil || !bytes.HasSuffix(text.Content()[:at], []byte("*/")) {
		return p
	}
	return Place{p.Path, protocol.Range{Start: text.Position(at+match[2], protocol.UTF16), End: text.Position(at+match[3], protocol.UTF16)}}
}

// pathOf returns the path of what a server named, and whether that exists.
func (q *Inquiry) pathOf(s Server, uri protocol.DocumentURI) (path string, exists bool) {
	path, err := uri.Path()
	if err == nil {
		archived := inArchive(path)
		if archived == "" {
			return path, !q.isGone(path)
		}
		path = archived
	} else if path = string(uri); !protocol.IsVirtual(path) {
		return "", false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.naming == nil {
		q.naming = make(map[string]Server)
	}
	if q.naming[path] == nil {
		q.naming[path] = s
	}
	return path, true
}

// inArchive returns the URI of what a path means below an archive, as if that were a folder, which is how servers that run with the
// SDK of Yarn name files of packages, behind "zip:"; "" if there is no archive on the way.
func inArchive(path string) string {
	archive, name, found := strings.Cut(strings.TrimPrefix(path, "/zip:"), ".zip"+string(filepath.Separator))
	if !found {
		return ""
	}
	if info, err := os.Stat(archive + ".zip"); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return "zip:" + strings.TrimPrefix(string(protocol.URIFromPath(archive+".zip")), "file:") + "!/" + filepath.ToSlash(name)
}

// read fetches the texts of those of some places that are in no file.
func (q *Inquiry) read(ctx context.Context, places []Place) {
	for _, p := range places {
		q.mu.Lock()
		s := q.naming[p.Path]
		_, known := q.contents[p.Path]
		q.mu.Unlock()
		if s == nil || known {
			continue
		}
		text, err := s.VirtualText(ctx, protocol.DocumentURI(p.Path))
		if err != nil {
			q.note("the text of %s cannot be read: %v", protocol.VirtualName(p.Path), err)
			continue
		}
		q.mu.Lock()
		q.contents[p.Path] = protocol.Text(text)
		q.mu.Unlock()
	}
}
