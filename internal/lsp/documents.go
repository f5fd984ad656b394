package lsp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// documents are the text documents open in the server. mu is the operation
// queue for writes: the version is assigned and the notification queued under
// it, so that the server sees versions in order, and a read that passes through
// it comes after the writes before it.
type documents struct {
	mu   sync.Mutex
	open map[string]*document // by path
	// beside are the texts that the server was shown of files that it does not judge; see [Server.ShowBeside].
	beside map[string][]byte
	// unjudged are the files that were opened for that, now or before: what the server says of them is about no file of its own.
	unjudged map[string]bool
	// closed are the last versions of documents that were closed: one that is
	// opened again goes on from there, so that a late word about the closed one
	// is never taken for one about the new one.
	closed map[string]int32
	// toldChanges says that the server was told of changes on disk.
	toldChanges bool
	// folders are the workspace folders the server knows, in order.
	folders []string
	// projects are what is known of those in the folders.
	projects []Project
	// generation counts everything that can change an answer: content, opening
	// and closing, files reported as changed on disk, folders.
	generation uint64
	// outside counts what changed that the server reads for other files; own are the changes of a file
	// among them, by path.
	outside uint64
	own     map[string]uint64
	// gone are the files that the server was told are deleted, where that matters.
	gone map[string]bool
	// lookedAgain has, for each manifest that was said to have changed so that the server looks
	// for the package's modules again, the generation in which that was said.
	lookedAgain map[string]uint64
	uses        uint64
	first       time.Time // when a document was first opened
	// states counts the states of all texts, worlds tells them apart.
	states states
	worlds worlds
}

// A document is open in the server. Its fields change under documents.mu; text
// and mapper are immutable values.
type document struct {
	uri     protocol.DocumentURI
	version int32
	text    []byte // without byte order mark, valid UTF-8
	mapper  *protocol.Mapper
	used    uint64 // documents.uses when it was last used
	sent    uint64 // the state that the texts were in when it was last sent
	entered bool   // its project is settled; see [Server.bringHome]
}

// changedLocked counts a change of a file, which is none for the file itself.
func (d *documents) changedLocked(path string) {
	d.outside++
	d.own[path]++
}

// at returns the version, 0 if d is nil: the document is not open.
func (d *document) at() int32 {
	if d == nil {
		return 0
	}
	return d.version
}

func (d *documents) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open)
}

// pass waits for the writes before it.
func (d *documents) pass() {
	d.mu.Lock()
	defer d.mu.Unlock()
}

// Synced says what a server was told of a document.
type Synced struct {
	// Version is the version the server has now; versions count from 1 and never
	// go back, not even when the document is closed and opened.
	Version int32
	// Changed says that this call made the version; Opened that it opened the
	// document.
	Changed, Opened bool
	// Generation is the server's state after the call.
	Generation uint64
	// Sent is the [Server.State] of the texts when this version was sent.
	Sent uint64
}

// syncedLocked returns what the server was told of a document. documents.mu is held.
func (s *Server) syncedLocked(doc *document, changed, opened bool) Synced {
	return Synced{Version: doc.version, Changed: changed, Opened: opened, Generation: s.docs.generation, Sent: doc.sent}
}

// Sync makes content the server's content of the document at path: didOpen the
// first time, didChange if it differs, nothing if it does not. The server must
// support text synchronisation. The content must be valid UTF-8, else a
// *TextError is returned; content is kept and must not change afterwards.
func (s *Server) Sync(path string, content []byte) (Synced, error) {
	return s.syncFrom(path, nil, content)
}

// SyncVersion does what Sync does if the document still has that version, 0 for one that is not
// open; else somebody showed the server another text meanwhile, and nothing happens: then Version
// of the result is 0.
func (s *Server) SyncVersion(path string, version int32, content []byte) (Synced, error) {
	return s.syncFrom(path, &version, content)
}

func (s *Server) syncFrom(path string, version *int32, content []byte) (Synced, error) {
	if !utf8.Valid(content) {
		return Synced{}, &TextError{path, "not valid UTF-8"}
	}
	languageID, ok := s.def.LanguageID(path)
	if !ok {
		return Synced{}, &TextError{path, "no language of " + s.def.ID}
	}
	text := protocol.Text(content)
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if version != nil && doc.at() != *version {
		return Synced{}, nil
	}
	s.docs.uses++
	if doc != nil {
		doc.used = s.docs.uses
	} else {
		doc = &document{uri: protocol.URIFromPath(path), version: s.docs.closed[path] + 1, text: text, mapper: protocol.NewMapper(text), used: s.docs.uses}
		if err := s.notify("textDocument/didOpen", protocol.DidOpenParams(doc.uri, languageID, doc.version, string(text))); err != nil {
			return Synced{}, err
		}
		s.docs.open[path] = doc
		if s.docs.first.IsZero() {
			s.docs.first = time.Now()
		}
		s.docs.generation++
		s.shownLocked(path, text)
		s.opensOrClosesLocked(path, text)
		doc.sent = s.docs.states.number
		if err := errors.Join(s.afterOpenLocked(doc), s.nudgeLocked(path), s.saveConfigurationLocked(path, doc)); err != nil {
			return Synced{}, err
		}
		return s.syncedLocked(doc, true, true), nil
	}
	if bytes.Equal(doc.text, text) {
		return s.syncedLocked(doc, false, false), nil
	}
	s.shownLocked(path, text)
	if err := errors.Join(s.changeLocked(doc, text), s.nudgeLocked(path), s.saveConfigurationLocked(path, doc)); err != nil {
		return Synced{}, err
	}
	return s.syncedLocked(doc, true, false), nil
}

// changeLocked sends one didChange, in the form the server asked for.
func (s *Server) changeLocked(doc *document, text []byte) error {
	caps := s.capabilities()
	var r *protocol.Range
	insert := text
	if caps.Sync == protocol.SyncIncremental && !s.def.Has(registry.WholeChanges) {
		from, to, replacement, ok := difference(doc.text, text)
		switch {
		case ok && s.countsAlike(doc.text) && s.countsAlike(text):
			r = &protocol.Range{Start: doc.mapper.Position(from, caps.Encoding), End: doc.mapper.Position(to, caps.Encoding)}
			insert = replacement
		case s.def.Has(registry.ReplacesByLines):
			lines := max(doc.mapper.Lines(), doc.mapper.As(s.lines().Read).Lines())
			r = &protocol.Range{End: protocol.Position{Line: uint32(lines)}}
		}
	}
	if caps.Sync == protocol.SyncNone {
		return &UnsupportedError{Server: s.def.ID, Method: "textDocument/didChange"}
	}
	if err := s.notify("textDocument/didChange", protocol.DidChangeParams(doc.uri, doc.version+1, r, string(insert))); err != nil {
		return err
	}
	doc.version++
	doc.text, doc.mapper = text, protocol.NewMapper(text)
	s.docs.generation++
	s.docs.states.changed()
	doc.sent = s.docs.states.number
	return nil
}

// countsAlike reports whether the server is known to find the lines in a text that we do.
func (s *Server) countsAlike(text []byte) bool {
	return Doubtful(&s.def, text) == 0 && protocol.Disputed(text, s.lines().Read, protocol.LineEnds) == 0
}

// difference returns the bytes [from, to) of old whose replacement gives new.
// It keeps characters and line ends whole. It gives up on a lone \r, which
// servers do not agree on being a line end.
func difference(old, text []byte) (from, to int, replacement []byte, ok bool) {
	if protocol.LoneReturn(old) || protocol.LoneReturn(text) {
		return 0, 0, nil, false
	}
	shorter := min(len(old), len(text))
	for from < shorter && old[from] == text[from] {
		from++
	}
	tail := 0
	for tail < shorter-from && old[len(old)-1-tail] == text[len(text)-1-tail] {
		tail++
	}
	for from > 0 && (inside(old, from) || inside(text, from)) {
		from--
	}
	for tail > 0 && (inside(old, len(old)-tail) || inside(text, len(text)-tail)) {
		tail--
	}
	return from, len(old) - tail, text[from : len(text)-tail], true
}

// inside reports whether offset is within a character or a \r\n.
func inside(b []byte, offset int) bool {
	if offset <= 0 || offset >= len(b) {
		return false
	}
	return !utf8.RuneStart(b[offset]) || b[offset] == '\n' && b[offset-1] == '\r'
}

// Save tells the server that the document at path was saved, if it wants to
// know. A document that is not open is left alone.
func (s *Server) Save(path string) error {
	caps := s.capabilities()
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil {
		return nil
	}
	s.docs.changedLocked(path)
	if !caps.Save {
		return nil
	}
	var text *string
	if caps.SaveText {
		t := string(doc.text)
		text = &t
	}
	s.docs.generation++
	return s.notify("textDocument/didSave", protocol.DidSaveParams(doc.uri, text))
}

// CloseDocument closes the document at path if it is open, and reports whether
// it was.
func (s *Server) CloseDocument(path string) (bool, error) { return s.closeFrom(path, nil) }

// CloseVersion does what CloseDocument does if the document still has that version.
func (s *Server) CloseVersion(path string, version int32) (bool, error) {
	return s.closeFrom(path, &version)
}

func (s *Server) closeFrom(path string, version *int32) (bool, error) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil || version != nil && doc.version != *version {
		return false, nil
	}
	delete(s.docs.open, path)
	s.docs.closed[path] = doc.version
	s.docs.generation++
	text, _ := s.digestOnDiskLocked(path)
	s.enterLocked(path, text)
	s.opensOrClosesLocked(path, doc.text)
	return true, s.notify("textDocument/didClose", protocol.DocumentParams(doc.uri))
}

// FirstOpened returns when a document was first opened since the last project was new;
// zero if none was.
func (s *Server) FirstOpened() time.Time {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.first
}

// Surplus returns, if more than max documents are open, the paths of all but the max
// that Sync was called for last, the one used longest ago first.
func (s *Server) Surplus(max int) []string {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	if len(s.docs.open) <= max {
		return nil
	}
	paths := slices.Collect(maps.Keys(s.docs.open))
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(s.docs.open[a].used, s.docs.open[b].used) })
	return paths[:len(paths)-max]
}

// OpenDocuments returns the paths of the open documents, in no order.
func (s *Server) OpenDocuments() []string {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	paths := make([]string, 0, len(s.docs.open))
	for path := range s.docs.open {
		paths = append(paths, path)
	}
	return paths
}

// A Text is what a server was last shown of a document.
type Text struct {
	Path    string
	Content []byte
}

// Texts returns the open documents, the one used last first; also of a server that has
// ended, which had them open then.
func (s *Server) Texts() []Text {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	paths := slices.Collect(maps.Keys(s.docs.open))
	slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(s.docs.open[b].used, s.docs.open[a].used) })
	texts := make([]Text, len(paths))
	for i, path := range paths {
		texts[i] = Text{path, s.docs.open[path].text}
	}
	return texts
}

// Document returns the version and text (without byte order mark, shared) of
// an open document.
func (s *Server) Document(path string) (version int32, text []byte, ok bool) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	doc := s.docs.open[path]
	if doc == nil {
		return 0, nil, false
	}
	return doc.version, doc.text, true
}

// Outside returns a number that grows when something changes that the server reads for the file at
// path, other than this file itself: with the texts of other documents, unless the server reads them
// only when they are saved, with saves, and with what Disturb and FilesChanged note.
func (s *Server) Outside(path string) uint64 {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.outside - s.docs.own[path]
}

// Generation returns the server's state: it grows with everything we tell the
// server that can change an answer.
func (s *Server) Generation() uint64 {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	return s.docs.generation
}

func (s *Server) notify(method string, params any) error {
	raw, err := protocol.Marshal(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return s.ended(s.conn.Notify(method, raw))
}

// ended returns why the server has ended, if that is why a message could not be sent.
func (s *Server) ended(err error) error {
	if errors.Is(err, jsonrpc.ErrClosed) {
		select { // the end of the process says more than the broken connection
		case <-s.done:
			if ended := s.Err(); ended != nil {
				return ended
			}
		default: // it is not known yet
		}
	}
	return err
}
