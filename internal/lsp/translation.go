package lsp

import "github.com/lspine/lspine/internal/protocol"

// A translation restates what one answer says in UTF-16. It takes the text of
// each file once, so that an answer is measured by one state of it.
type translation struct {
	server   *Server
	encoding protocol.Encoding
	mappers  map[string]*protocol.Mapper // by path; nil for what cannot be read
}

func (s *Server) translation() *translation {
	return &translation{s, s.capabilities().Encoding, make(map[string]*protocol.Mapper)}
}

func (t *translation) mapper(path string) *protocol.Mapper {
	mapper, known := t.mappers[path]
	if !known {
		mapper = t.server.mapperOf(path)
		t.mappers[path] = mapper
	}
	return mapper
}

// within restates a range of the file at path.
func (t *translation) within(path string, r protocol.Range) protocol.Range {
	if t.encoding == protocol.UTF16 {
		return r
	}
	mapper := t.mapper(path)
	if mapper == nil {
		return r
	}
	return mapper.ConvertRange(r, t.encoding, protocol.UTF16)
}

// in restates a range of the file with the URI.
func (t *translation) in(uri protocol.DocumentURI, r protocol.Range) protocol.Range {
	if t.encoding == protocol.UTF16 {
		return r
	}
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

// tokens restates tokens of the file at path, and gives those that span lines
// their end.
func (t *translation) tokens(path string, tokens []protocol.SemanticToken) {
	mapper := t.mapper(path)
	if mapper == nil {
		return
	}
	line, width := uint32(0), mapper.Width(0, t.encoding)
	for i := range tokens {
		r := &tokens[i].Range
		if r.Start.Line != line {
			line, width = r.Start.Line, mapper.Width(r.Start.Line, t.encoding)
		}
		if r.End.Character > width {
			r.End = mapper.Advance(r.Start, r.End.Character-r.Start.Character, t.encoding)
		}
		*r = mapper.ConvertRange(*r, t.encoding, protocol.UTF16)
	}
}
