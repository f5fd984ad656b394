package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/build"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// What single servers need and no other does stands here, behind the named
// flags of the registry; no other file knows a server by name.

// afterOpenLocked does what must follow a didOpen. documents.mu is held.
func (s *Server) afterOpenLocked(doc *document) error {
	if !s.def.Has(registry.ChangeAfterOpen) {
		return nil
	}
	doc.version++
	return s.notify("textDocument/didChange", protocol.DidChangeParams(doc.uri, doc.version, nil, string(doc.text)))
}

// nudgeLocked makes a server that reads from disk what projects need of others look
// again, after files changed. documents.mu is held.
func (s *Server) nudgeLocked(paths ...string) error {
	if !s.def.Has(registry.ReadsOtherFolders) || len(s.docs.projects) < 2 {
		return nil
	}
	var events []protocol.FileEvent
	for _, path := range paths {
		for _, user := range s.usersLocked(path) {
			e := protocol.FileEvent{URI: protocol.URIFromPath(user.Source), Type: protocol.Created}
			if user.Source != "" && !slices.Contains(events, e) {
				events = append(events, e)
			}
		}
	}
	if len(events) == 0 {
		return nil
	}
	s.docs.outside++
	s.docs.states.changed()
	return s.notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams(events))
}

// saveConfigurationLocked tells the server that a document was saved, if it is one by
// which the server finds the project, and on disk. documents.mu is held.
func (s *Server) saveConfigurationLocked(path string, doc *document) error {
	if !s.def.Has(registry.ConfiguredBySaving) || !slices.Contains(s.def.Roots, filepath.Base(path)) || !s.capabilities().Save {
		return nil
	}
	content, err := fspath.Read(path)
	if err != nil || !bytes.Equal(protocol.Text(content), doc.text) {
		return nil
	}
	s.docs.changedLocked(path)
	s.docs.generation++
	return s.notify("textDocument/didSave", protocol.DidSaveParams(doc.uri, nil))
}

// openUnowned opens a file that a command said nothing about because no project that
// the server has loaded holds it, and reports whether it is open, so that the command
// can be tried again.
func (s *Server) openUnowned(path string, answer json.RawMessage, err error) (opened bool, failed error) {
	var refused *jsonrpc.ResponseError
	unowned := errors.As(err, &refused) && strings.Contains(refused.Message, "No Project") || err == nil && string(answer) == "null"
	if !unowned || !s.def.Has(registry.LoadsByOpening) {
		return false, nil
	}
	if _, _, open := s.Document(path); open { // by another command, just now
		return true, nil
	}
	content, err := fspath.Read(path)
	if err != nil {
		return false, err
	}
	_, err = s.Sync(path, content)
	return err == nil, err
}

// usesByHand returns the references without those that are the definition.
func (s *Server) usesByHand(ctx context.Context, path string, at protocol.Position) ([]protocol.Location, error) {
	type answer struct {
		locations []protocol.Location
		err       error
	}
	asked := guard.Begin(func() answer {
		locations, err := s.Locations(ctx, "textDocument/definition", path, at)
		return answer{locations, err}
	})
	references, err := s.References(ctx, path, at, true)
	definitions := asked()
	if err != nil {
		return nil, err
	}
	if definitions.err != nil {
		return nil, definitions.err
	}
	return slices.DeleteFunc(references, func(l protocol.Location) bool {
		return slices.ContainsFunc(definitions.locations, func(d protocol.Location) bool { return sameStart(l, d) })
	}), nil
}

// sameStart compares paths, for servers spell the URI of one file differently.
func sameStart(a, b protocol.Location) bool {
	if a.Range.Start != b.Range.Start {
		return false
	}
	left, errLeft := a.URI.Path()
	right, errRight := b.URI.Path()
	return errLeft == nil && errRight == nil && left == right
}

// callUncancelled sends a request that is never cancelled at the server: when ctx
// ends, its answer is awaited beside, and thrown away. It calls over when the answer has come,
// whoever hears it, or never will.
func (s *Server) callUncancelled(ctx context.Context, method string, params json.RawMessage, over func()) (json.RawMessage, error) {
	type answer struct {
		result json.RawMessage
		err    error
	}
	answered := make(chan answer, 1)
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		over()
		return nil, jsonrpc.ErrClosed
	}
	s.unheard.Go(func() { // ends with the connection at the latest
		defer over()
		result, err := s.conn.Call(context.WithoutCancel(ctx), method, params)
		answered <- answer{result, err}
	})
	s.mu.Unlock()
	select {
	case a := <-answered:
		return a.result, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// noteGoneLocked notes which files the server is told are deleted, if it may miss them
// when they come back. documents.mu is held.
func (s *Server) noteGoneLocked(events []protocol.FileEvent) {
	if !s.def.Has(registry.OpenReturned) && !s.def.Has(registry.AnewReturned) {
		return
	}
	for _, e := range events {
		if path, err := e.URI.Path(); err == nil && e.Type == protocol.Deleted {
			s.docs.gone[path] = true
		}
	}
}

// Returns reports, once, whether a file that exists again is one that the server was told is
// deleted, so that the server may miss it now.
func (s *Server) Returns(path string) bool {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	defer delete(s.docs.gone, path)
	return s.docs.gone[path]
}

// Misses reports whether err refused a request about an open document because the server finds
// the file in no package, although it belongs to one.
func (s *Server) Misses(path string, err error) bool {
	var refused *jsonrpc.ResponseError
	if !errors.As(err, &refused) || !strings.Contains(refused.Message, "no package metadata") {
		return false
	}
	dir, name := filepath.Split(path)
	if !language.Is(name, language.Go) {
		return true
	}
	// What the go command leaves out is in none.
	for folder := range strings.SplitSeq(filepath.ToSlash(dir), "/") {
		if folder == "testdata" || strings.HasPrefix(folder, "_") {
			return false
		}
	}
	here := build.Default
	here.OpenFile = func(path string) (io.ReadCloser, error) { return fspath.Open(path) }
	built, err := here.MatchFile(dir, name)
	return built && err == nil
}

// builtElsewhereLocked returns the open documents that are not built for this system. gopls
// has a view for them, which shows in what it publishes of every file, and diagnoses it only
// when it is asked about one of them. documents.mu is held.
func (s *Server) builtElsewhereLocked() (paths []string) {
	if s.def.Scope != registry.GoBuild {
		return nil
	}
	for path, d := range s.docs.open {
		here := build.Default
		here.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(d.text)), nil }
		if fits, err := here.MatchFile(filepath.Dir(path), filepath.Base(path)); err == nil && !fits && language.Is(path, language.Go) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// pushSettings tells a server its settings that does not ask for them.
func (s *Server) pushSettings() error {
	settings := s.settingsFor("")
	if !s.def.Has(registry.PushSettings) || settings == nil {
		return nil
	}
	params, err := protocol.Marshal(map[string]json.RawMessage{"settings": settings})
	if err != nil {
		return err
	}
	return s.conn.Notify("workspace/didChangeConfiguration", params)
}

// introduce shows the server the files that it must see first. It waits for nothing.
func (s *Server) introduce() error {
	for _, path := range s.opts.First {
		content, err := fspath.Read(path)
		id, known := s.def.LanguageID(path)
		if err != nil || !known || !utf8.Valid(content) {
			continue
		}
		uri := protocol.URIFromPath(path)
		if err := errors.Join(
			s.notify("textDocument/didOpen", protocol.DidOpenParams(uri, id, 1, string(protocol.Text(content)))),
			s.notify("textDocument/didClose", protocol.DocumentParams(uri)),
		); err != nil {
			return err
		}
	}
	return nil
}
