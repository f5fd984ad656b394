package protocol

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// A scanner reads the long answers (places, symbols, calls) several times as
// fast as encoding/json. It takes only what is as LSP has it: whatever else it
// meets makes it odd, what it has read is thrown away, and the text is read
// element by element instead. What it takes, it takes to mean the same.
type scanner struct {
	text  []byte
	at    int
	depth int
	odd   bool
	uri   string // the last one: many follow that are the same
}

// maxScanned bounds how deep symbols may lie in each other.
const maxScanned = 500

// scanned reads all of a text with read, and reports whether nothing was odd.
func scanned(text []byte, read func(*scanner)) bool {
	s := scanner{text: text}
	read(&s)
	s.space()
	return !s.odd && s.at == len(text)
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// next takes the next byte that is no space, 0 at the end.
func (s *scanner) next() byte {
	s.space()
	if s.at == len(s.text) {
		s.odd = true
		return 0
	}
	s.at++
	return s.text[s.at-1]
}

func (s *scanner) take(c byte) {
	if s.next() != c {
		s.odd = true
	}
}

// taken takes the next byte if it is c.
func (s *scanner) taken(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// null takes a null, if there is one.
func (s *scanner) null() bool {
	s.space()
	if bytes.HasPrefix(s.text[s.at:], []byte("null")) {
		s.at += len("null")
		return true
	}
	return false
}

func (s *scanner) array(element func()) {
	s.take('[')
	if s.odd || s.taken(']') {
		return
	}
	for !s.odd {
		element()
		if s.taken(']') {
			return
		}
		s.take(',')
	}
}

// object calls member with each of the names that an object has; member must
// take its value. Members of other names are passed over. A name that
// encoding/json would take for one of these is odd, and so is one that comes
// twice.
func (s *scanner) object(names []string, member func(name string)) {
	s.take('{')
	if s.odd || s.taken('}') {
		return
	}
	seen := 0
	for !s.odd {
		s.space()
		key, _ := s.literal()
		s.take(':')
		if s.odd {
			return
		}
		i := 0
		for i < len(names) && string(key) != names[i] {
			i++
		}
		switch {
		case i == len(names):
			s.pass(names, key)
		case seen&(1<<i) != 0:
			s.odd = true
		default:
			seen |= 1 << i
			member(names[i])
		}
		if s.taken('}') {
			return
		}
		s.take(',')
	}
}

// pass passes over a member of another name.
func (s *scanner) pass(names []string, key []byte) {
	if bytes.IndexByte(key, '\\') >= 0 {
		s.odd = true
		return
	}
	for _, name := range names {
		if strings.EqualFold(name, string(key)) {
			s.odd = true
			return
		}
	}
	s.value()
}

// literal takes a string and returns what stands between its quotes, and
// whether that is its text.
func (s *scanner) literal() (inner []byte, plain bool) {
	if s.at == len(s.text) || s.text[s.at] != '"' {
		s.odd = true
		return nil, false
	}
	begin, all := s.at+1, byte(0)
	plain = true
	for i := begin; i < len(s.text); i++ {
		c := s.text[i]
		switch {
		case c == '"':
			s.at = i + 1
			inner = s.text[begin:i]
			return inner, plain && (all < utf8.RuneSelf || utf8.Valid(inner))
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			s.odd = true
			return nil, false
		}
		all |= c
	}
	s.odd = true
	return nil, false
}

func (s *scanner) string() string {
	s.space()
	begin := s.at
	inner, plain := s.literal()
	if plain || s.odd {
		return string(inner)
	}
	var text string
	s.odd = json.Unmarshal(s.text[begin:s.at], &text) != nil
	return text
}

// optional takes a string or null.
func (s *scanner) optional() string {
	if s.null() {
		return ""
	}
	return s.string()
}

func (s *scanner) documentURI() DocumentURI {
	s.space()
	begin := s.at
	if inner, plain := s.literal(); plain && string(inner) == s.uri {
		return DocumentURI(s.uri)
	}
	s.at = begin
	s.uri = s.string()
	return DocumentURI(s.uri)
}

// number takes up to nine digits.
func (s *scanner) number() uint32 {
	s.space()
	begin, n := s.at, uint32(0)
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		n = n*10 + uint32(s.text[s.at]-'0')
		s.at++
	}
	digits := s.at - begin
	if digits == 0 || digits > 9 || digits > 1 && s.text[begin] == '0' {
		s.odd = true
	}
	return n
}

// span takes whatever comes and returns it, as a part of the text.
func (s *scanner) span() json.RawMessage {
	s.space()
	begin := s.at
	s.value()
	return s.text[begin:s.at:s.at]
}

// value takes whatever comes.
func (s *scanner) value() {
	s.space()
	begin, depth := s.at, 0
	for s.at < len(s.text) && !s.odd {
		switch s.text[s.at] {
		case '"':
			s.literal()
			s.at-- // the quote that ends it
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				depth-- // of what this is in
			}
		}
		if depth < 0 {
			break
		}
		s.at++
	}
	s.odd = s.odd || !json.Valid(s.text[begin:s.at])
}

var (
	rangeNames    = []string{"start", "end"}
	positionNames = []string{"line", "character"}
)

func (s *scanner) textRange() Range {
	var r wireRange
	s.object(rangeNames, func(name string) {
		p := &r.Start
		if name == "end" {
			p = &r.End
		}
		s.object(positionNames, func(name string) {
			if name == "line" {
				p.Line = clamped(s.number())
			} else {
				p.Character = clamped(s.number())
			}
		})
	})
	return r.Range()
}

// locationNames are those of a wireLocation, of which a link's are odd here.
var locationNames = []string{"uri", "range", "targetUri", "targetRange", "targetSelectionRange"}

// location reads the file and, if there is one, the range.
func (s *scanner) location() (l Location, ranged bool) {
	s.object(locationNames, func(name string) {
		switch name {
		case "uri":
			l.URI = s.documentURI()
		case "range":
			l.Range, ranged = s.textRange(), true
		default:
			s.odd = true
		}
	})
	s.odd = s.odd || l.URI == ""
	return l, ranged
}

func (s *scanner) locations() (locations []Location) {
	s.array(func() {
		l, ranged := s.location()
		s.odd = s.odd || !ranged
		locations = append(locations, l)
	})
	return locations
}

var symbolNames = []string{"name", "detail", "kind", "range", "selectionRange", "children", "containerName", "location"}

func (s *scanner) symbols() (symbols []Symbol) {
	if s.depth++; s.depth > maxScanned {
		s.odd = true
	}
	s.array(func() { symbols = append(symbols, s.symbol()) })
	s.depth--
	return symbols
}

func (s *scanner) symbol() (symbol Symbol) {
	var ranged, selected, located bool
	s.object(symbolNames, func(name string) {
		switch name {
		case "name":
			symbol.Name = s.string()
		case "detail":
			symbol.Detail = s.optional()
		case "kind":
			symbol.Kind = int(s.number())
		case "range":
			symbol.Range, ranged = s.textRange(), true
		case "selectionRange":
			if !s.null() {
				symbol.SelectionRange, selected = s.textRange(), true
			}
		case "children":
			if !s.null() {
				symbol.Children = s.symbols()
			}
		case "containerName":
			symbol.Container = s.optional()
		case "location":
			l, placed := s.location()
			symbol.URI, symbol.NoRange, located = l.URI, !placed, true
			if placed {
				symbol.Range = l.Range
			}
		}
	})
	// One of the two forms, not both.
	s.odd = s.odd || symbol.Name == "" || ranged == located || located && selected
	if !selected {
		symbol.SelectionRange = symbol.Range
	}
	return symbol
}

var itemNames = []string{"name", "detail", "kind", "uri", "range", "selectionRange"}

func (s *scanner) items() (items []HierarchyItem) {
	s.array(func() { items = append(items, s.item()) })
	return items
}

func (s *scanner) item() (item HierarchyItem) {
	var ranged, selected bool
	s.space()
	begin := s.at
	s.object(itemNames, func(name string) {
		switch name {
		case "name":
			item.Name = s.string()
		case "detail":
			item.Detail = s.optional()
		case "kind":
			item.Kind = int(s.number())
		case "uri":
			item.URI = s.documentURI()
		case "range":
			item.Range, ranged = s.textRange(), true
		case "selectionRange":
			item.SelectionRange, selected = s.textRange(), true
		}
	})
	item.Raw = s.text[begin:s.at:s.at]
	s.odd = s.odd || item.Name == "" || item.URI == "" || !ranged
	if !selected {
		item.SelectionRange = item.Range
	}
	return item
}

var callNames = []string{"from", "to", "fromRanges"}

func (s *scanner) calls() (calls []Call) {
	s.array(func() {
		var call Call
		ends := 0
		s.object(callNames, func(name string) {
			if name != "fromRanges" {
				call.Item = s.item()
				ends++
			} else if !s.null() {
				s.array(func() { call.Ranges = append(call.Ranges, s.textRange()) })
			}
		})
		s.odd = s.odd || ends != 1
		calls = append(calls, call)
	})
	return calls
}
