package lsp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// CanShowBeside reports whether a server can be shown a text of a file that it does not judge, in place of the one on disk: of one that those
// that it judges may import. Of a file that is not on disk it cannot, but for data that scripts import.
func CanShowBeside(d *registry.Definition, path string, text []byte) bool {
	if _, speaks := d.LanguageID(path); speaks || text == nil || !showsBeside(d) {
		return false
	}
	if _, judgesScripts := d.LanguageID("file.ts"); judgesScripts {
		disk, err := fspath.Read(path)
		isData := fspath.IsMissing(err) || err == nil && language.IsScriptData(path, disk)
		return isData && language.IsScriptData(path, text)
	}
	if fspath.Missing(path) {
		return false
	}
	family := language.Of(path).Family
	return family != 0 && slices.ContainsFunc(d.Endings(), func(ending string) bool { return language.Of("file"+ending).Family == family })
}

func showsBeside(d *registry.Definition) bool {
	return d.Has(registry.BesideOpened) || d.Has(registry.BesideNotified) || d.Has(registry.BesideRequested)
}

// ShowBeside shows the server texts, by path, of files that it does not judge, those for which [CanShowBeside] is true. For files that were
// shown so before and are not among them, what is on disk counts again. The texts must not change afterwards.
func (s *Server) ShowBeside(texts map[string][]byte) error {
	if !showsBeside(&s.def) {
		return nil
	}
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	var changed []protocol.FileEvent // which the server is told as if they were on disk
	for _, path := range slices.Sorted(maps.Keys(s.docs.beside)) {
		if _, still := texts[path]; still {
			continue
		}
		delete(s.docs.beside, path)
		s.docs.generation++
		s.docs.states.changed()
		text, _ := s.digestOnDiskLocked(path)
		s.enterLocked(path, text)
		if s.def.Has(registry.BesideRequested) {
			if err := s.requestBesideLocked(updateOpen{ClosedFiles: []string{path}}); err != nil {
				return err
			}
			continue // it reads the file again
		}
		if s.def.Has(registry.BesideOpened) {
			if err := s.closeBesideLocked(path); err != nil {
				return err
			}
		}
		changed = append(changed, protocol.FileEvent{URI: protocol.URIFromPath(path), Type: changeOf(path, protocol.Deleted)})
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		former, shown := s.docs.beside[path]
		if shown && bytes.Equal(former, texts[path]) || !CanShowBeside(&s.def, path, texts[path]) {
			continue
		}
		event, err := s.showBesideLocked(path, protocol.Text(texts[path]), shown)
		if err != nil {
			return err
		}
		s.docs.beside[path] = texts[path]
		changed = append(changed, event...)
	}
	if len(changed) == 0 {
		return nil
	}
	return s.notify("workspace/didChangeWatchedFiles", protocol.WatchedFilesParams(changed))
}

// showBesideLocked shows the server one text, in the way that it knows, and returns of which changes it must be told besides. documents.mu
// is held.
func (s *Server) showBesideLocked(path string, text []byte, again bool) (changed []protocol.FileEvent, err error) {
	if s.docs.beside == nil {
		s.docs.beside = make(map[string][]byte)
	}
	s.shownLocked(path, text)
	s.docs.generation++
	s.docs.states.changed()
	uri := protocol.URIFromPath(path)
	if s.def.Has(registry.BesideNotified) {
		return nil, s.notify("$/onDidChangeTsOrJsFile", protocol.WholeTextParams(uri, string(text)))
	}
	if s.def.Has(registry.BesideRequested) {
		return nil, s.requestBesideLocked(updateOpen{OpenFiles: []openFile{{path, string(text)}}})
	}
	if s.docs.unjudged == nil {
		s.docs.unjudged = make(map[string]bool)
	}
	s.docs.unjudged[path] = true
	if !again { // a text that is opened with is taken for the one on disk
		disk, err := fspath.Read(path)
		isGone := fspath.IsMissing(err)
		if err != nil && !isGone {
			return nil, err
		}
		if isGone {
			disk = text
		}
		open := protocol.DidOpenParams(uri, cmp.Or(string(language.Of(path).ID), strings.TrimPrefix(filepath.Ext(path), ".")), 1, string(protocol.Text(disk)))
		if err := s.notify("textDocument/didOpen", open); err != nil {
			return nil, err
		}
	}
	return []protocol.FileEvent{{URI: uri, Type: changeOf(path, protocol.Created)}}, s.changeBesideLocked(uri, text)
}

// changeBesideLocked changes a document that showBesideLocked opened. documents.mu is held.
func (s *Server) changeBesideLocked(uri protocol.DocumentURI, text []byte) error {
	version := int32(s.docs.generation) + 1 // which grows
	return s.notify("textDocument/didChange", protocol.DidChangeParams(uri, version, nil, string(text)))
}

// isUnjudged reports whether a file was opened although the server does not judge it.
func (s *Server) isUnjudged(path string) bool {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.unjudged[path]
}

// closeBesideLocked closes a document that showBesideLocked opened: with the text on disk, as its last one stays otherwise. documents.mu
// is held.
func (s *Server) closeBesideLocked(path string) error {
	uri := protocol.URIFromPath(path)
	if text, err := fspath.Read(path); err == nil {
		if err := s.changeBesideLocked(uri, protocol.Text(text)); err != nil {
			return err
		}
	}
	return s.notify("textDocument/didClose", protocol.DocumentParams(uri))
}

// An updateOpen has tsserver open and close files.
type updateOpen struct {
	OpenFiles   []openFile `json:"openFiles,omitempty"`
	ClosedFiles []string   `json:"closedFiles,omitempty"`
}

type openFile struct {
	File        string `json:"file"`
	FileContent string `json:"fileContent"`
}

// requestBesideLocked sends tsserver a request that the LSP server in front of it makes only for scripts. documents.mu is held.
func (s *Server) requestBesideLocked(update updateOpen) error {
	argument, err := json.Marshal(update)
	if err != nil {
		return fmt.Errorf("updateOpen: %w", err)
	}
	if err := s.requestOfServerLocked("updateOpen", argument); err != nil {
		return err
	}
	isGone := func(f openFile) bool { return fspath.Missing(f.File) }
	if slices.ContainsFunc(update.OpenFiles, isGone) || slices.ContainsFunc(update.ClosedFiles, fspath.Missing) { // it knows that it is missing
		return s.requestOfServerLocked("reloadProjects", json.RawMessage("{}"))
	}
	return nil
}

// requestOfServerLocked sends a request of tsserver's own protocol, without waiting for its answer. documents.mu is held.
func (s *Server) requestOfServerLocked(name string, argument json.RawMessage) error {
	quoted := json.RawMessage(`"` + name + `"`)
	raw, err := protocol.Marshal(protocol.ExecuteCommandParams("typescript.tsserverRequest", []json.RawMessage{quoted, argument}))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return s.ended(s.conn.Order("workspace/executeCommand", raw))
}

// changeOf returns what to say of a file that is shown, or taken back: that it changed or, if it is not on disk, came or went.
func changeOf(path string, gone protocol.ChangeType) protocol.ChangeType {
	if fspath.Missing(path) {
		return gone
	}
	return protocol.Changed
}
