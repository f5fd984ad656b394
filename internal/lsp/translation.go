package lsp

import (
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// This file is where positions cross between a server and us: lines that it counts in its own way
// ([registry.Lines]) and characters in its encoding on one side, [protocol.Ours] on the other.

// lines returns how the server counts lines: as LSP says, where that is not known.
func (s *Server) lines() registry.Lines {
	if s.def.Lines != nil {
		return *s.def.Lines
	}
	return registry.Lines{Read: protocol.LineEnds, Reported: protocol.LineEnds, Edited: protocol.LineEnds}
}

// Doubtful returns a character in a text of which it is not known whether it ends a line for a
// server, 0 for none. With one, its positions in the text may be those of other lines.
func Doubtful(d *registry.Definition, text []byte) rune {
	if d.Lines != nil {
		return 0
	}
	return protocol.Disputed(text, "", protocol.UnusualEnds)
}

// DoubtfulEdits is [Doubtful] for the edits that a server proposes.
func DoubtfulEdits(d *registry.Definition, text []byte) rune {
	if d.Lines != nil {
		return protocol.Disputed(text, "", d.Lines.Torn)
	}
	return Doubtful(d, text)
}

// A view is one text as both sides count it. A nil view changes nothing.
type view struct {
	ours, theirs *protocol.Mapper
	encoding     protocol.Encoding // of the server
}

// view returns what the server believes the file to hold, for lines that it ends at ends; nil if
// both sides count alike, or there is no such text.
func (s *Server) view(path, ends string) *view {
	encoding := s.encoding()
	if encoding == protocol.UTF16 && ends == protocol.LineEnds {
		return nil
	}
	if _, _, open := s.Document(path); encoding == protocol.UTF16 && !open && s.usual.has(path) {
		return nil
	}
	text, ours := s.believed(path)
	if text == nil || encoding == protocol.UTF16 && protocol.Disputed(text, ends, protocol.LineEnds) == 0 {
		return nil
	}
	return newView(text, ours, ends, encoding)
}

// usual are the files whose text on disk has none of [protocol.UnusualEnds], so that they need not
// be read for each answer that names them.
type usual struct {
	mu    sync.Mutex
	files map[string]fileState // as they were when they were read
}

// A fileState is what the system says of a file; see [fspath.Change].
type fileState struct {
	modified time.Time
	size     int64
	change   uint64
}

// has reports whether a file is one of them, and reads it if it changed.
func (u *usual) has(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	state := fileState{info.ModTime(), info.Size(), fspath.Change(info)}
	u.mu.Lock()
	known := u.files[path]
	u.mu.Unlock()
	if known == state {
		return true
	}
	content, err := fspath.Read(path)
	if err != nil || protocol.Disputed(content, "", protocol.UnusualEnds) != 0 {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = make(map[string]fileState)
	}
	u.files[path] = state
	return true
}

func newView(text []byte, ours *protocol.Mapper, ends string, encoding protocol.Encoding) *view {
	if ours == nil {
		ours = protocol.NewMapper(text)
	}
	return &view{ours, ours.As(ends), encoding}
}

// believed returns what the server believes a file to hold: the open document with its mapper,
// else the disk; nil if there is neither.
func (s *Server) believed(path string) ([]byte, *protocol.Mapper) {
	s.docs.mu.Lock()
	doc := s.docs.open[path]
	if doc != nil {
		defer s.docs.mu.Unlock()
		return doc.mapper.Content(), doc.mapper
	}
	s.docs.mu.Unlock()
	content, err := fspath.Read(path)
	if err != nil {
		return nil, nil
	}
	return protocol.Text(content), nil
}

// reading returns the view for positions that the server is sent.
func (s *Server) reading(path string) *view { return s.view(path, s.lines().Read) }

func (v *view) toWire(p protocol.Position) protocol.Position {
	if v == nil {
		return p
	}
	return v.ours.Restate(p, protocol.UTF16, v.theirs, v.encoding)
}

func (v *view) rangeToWire(r protocol.Range) protocol.Range {
	return protocol.Range{Start: v.toWire(r.Start), End: v.toWire(r.End)}
}

func (v *view) fromWire(r protocol.Range) protocol.Range {
	if v == nil {
		return r
	}
	return protocol.Range{
		Start: v.theirs.Restate(r.Start, v.encoding, v.ours, protocol.UTF16),
		End:   v.theirs.Restate(r.End, v.encoding, v.ours, protocol.UTF16),
	}
}

// A translation restates what one answer says. It takes the text of each file
// once, so that an answer is measured by one state of it.
type translation struct {
	server *Server
	ends   string
	views  map[string]*view // by path
}

// translation restates what the server reports.
func (s *Server) translation() *translation {
	return &translation{s, s.lines().Reported, make(map[string]*view)}
}

// within restates a range of the file at path.
func (t *translation) within(path string, r protocol.Range) protocol.Range {
	v, known := t.views[path]
	if !known {
		v = t.server.view(path, t.ends)
		t.views[path] = v
	}
	return v.fromWire(r)
}

// in restates a range of the file with the URI.
func (t *translation) in(uri protocol.DocumentURI, r protocol.Range) protocol.Range {
	path, err := uri.Path()
	if err != nil { // untitled: and the like cannot be read
		return r
	}
	return t.within(path, r)
}

func (t *translation) item(item *protocol.HierarchyItem) {
	item.Range = t.in(item.URI, item.Range)
	item.SelectionRange = t.in(item.URI, item.SelectionRange)
}

func (t *translation) symbols(path string, symbols []protocol.Symbol) {
	for i := range symbols {
		s := &symbols[i]
		s.Range, s.SelectionRange = t.within(path, s.Range), t.within(path, s.SelectionRange)
		t.symbols(path, s.Children)
	}
}

// tokens restates tokens of the file at path, and gives those that span lines
// their end.
func (t *translation) tokens(path string, tokens []protocol.SemanticToken) {
	text, ours := t.server.believed(path)
	if text == nil {
		return
	}
	v := newView(text, ours, t.ends, t.server.encoding())
	line, width := uint32(0), v.theirs.Width(0, v.encoding)
	for i := range tokens {
		r := &tokens[i].Range
		if r.Start.Line != line {
			line, width = r.Start.Line, v.theirs.Width(r.Start.Line, v.encoding)
		}
		if r.End.Character > width {
			r.End = v.theirs.Advance(r.Start, r.End.Character-r.Start.Character, v.encoding)
		}
		*r = v.fromWire(*r)
	}
}

// carryOver moves places behind the end of a line to the line that they are in. tsserver counts the end of a
// text that ends in a line break as a place of the line before once the text was changed, and as the beginning
// of an empty line as long as it is as it was opened.
func (s *Server) carryOver(path string, items []protocol.Diagnostic) {
	if len(items) == 0 {
		return
	}
	_, theirs := s.believed(path)
	if v := s.view(path, s.lines().Reported); v != nil {
		theirs = v.theirs // its lines
	}
	if theirs == nil {
		return
	}
	over := func(p protocol.Position) protocol.Position {
		if p.Character <= theirs.Width(p.Line, protocol.UTF16) {
			return p
		}
		return theirs.Advance(protocol.Position{Line: p.Line}, p.Character, protocol.UTF16)
	}
	for i := range items {
		r := &items[i].Range
		r.Start, r.End = over(r.Start), over(r.End)
	}
}

// reported restates diagnostics of the file at path, without what the server is not to say.
func (s *Server) reported(path string, items []protocol.Diagnostic) []protocol.Diagnostic {
	t := s.translation()
	for i := range items {
		items[i].Range = t.within(path, items[i].Range)
		for _, omitted := range s.def.Diagnostics.Omits {
			items[i].Message = strings.ReplaceAll(items[i].Message, omitted, "")
		}
		for j := range items[i].Related {
			l := &items[i].Related[j].Location
			l.Range = t.in(l.URI, l.Range)
		}
	}
	return items
}
