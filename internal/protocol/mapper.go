package protocol

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"
	"strings"
	"unicode/utf8"
)

// An Encoding is a unit in which a Character is counted (LSP 3.17,
// positionEncoding).
type Encoding string

const (
	UTF8  Encoding = "utf-8"  // bytes
	UTF16 Encoding = "utf-16" // UTF-16 code units: the default of LSP
	UTF32 Encoding = "utf-32" // code points
)

// A Position is a place in a text document. Line and Character are 0-based;
// the unit of Character depends on the encoding, which is UTF-16 everywhere
// above package lsp.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Before reports whether p comes before q.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// A Range is [Start, End), with both ends in the same encoding.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a range in a document.
type Location struct {
	URI   DocumentURI
	Range Range
}

var bom = []byte("\ufeff")

// Text returns content as a server is to see it: without a byte order mark.
// The result shares memory with content.
func Text(content []byte) []byte { return bytes.TrimPrefix(content, bom) }

// A Mapper translates between the ways to name a place in one text:
//
//   - offset: 0-based, in bytes of the content given to [NewMapper], byte order
//     mark included;
//   - [Position]: 0-based line and character in a given [Encoding], byte order
//     mark not counted, because no server and no editor counts it.
//
// Lines end with \n, \r\n or \r (LSP, "Position"), or as [Mapper.As] is told. A
// byte that is no valid UTF-8 reaches a server as U+FFFD and is counted as that. Positions past the
// end of a line or text are moved to that end; positions inside a character
// (the second half of a surrogate pair, a continuation byte) to its beginning.
//
// A Mapper is immutable and safe for concurrent use.
type Mapper struct {
	content []byte
	ends    string // what ends a line besides \n and \r\n
	starts  []int  // offsets of line starts; the first is after the mark
	ascii   []bool // whether a line has only ASCII, so that all units agree; nil if all have
}

// NewMapper returns a mapper for content, which must not change afterwards.
func NewMapper(content []byte) *Mapper { return newMapper(content, LineEnds) }

func newMapper(content []byte, ends string) *Mapper {
	m := &Mapper{content: content, ends: ends}
	text := Text(content)
	start := len(content) - len(text)
	m.starts = append(make([]int, 0, bytes.Count(text, []byte("\n"))+1), start)
	if Disputed(text, "", ends) == 0 {
		m.starts = appendLines(m.starts, content, start)
	} else {
		m.starts = appendLinesAt(m.starts, content, start, ends)
	}
	if isASCII(text) {
		return m
	}
	m.ascii = make([]bool, len(m.starts))
	for i, start := range m.starts {
		end := len(content)
		if i+1 < len(m.starts) {
			end = m.starts[i+1]
		}
		m.ascii[i] = isASCII(content[start:end])
	}
	return m
}

// Eight bytes of the same value each.
const (
	highBits = 0x8080808080808080
	lowBits  = 0x7f7f7f7f7f7f7f7f
	newlines = 0x0a0a0a0a0a0a0a0a
)

// appendLines appends the offsets after each \n from an offset on. It looks at
// eight bytes at a time, for all files of an answer are gone through.
func appendLines(starts []int, content []byte, from int) []int {
	i := from
	for ; i+8 <= len(content); i += 8 {
		x := binary.LittleEndian.Uint64(content[i:]) ^ newlines // 0 where one is
		for zero := ^((x&lowBits + lowBits) | x | lowBits); zero != 0; zero &= zero - 1 {
			starts = append(starts, i+bits.TrailingZeros64(zero)/8+1)
		}
	}
	for ; i < len(content); i++ {
		if content[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// appendLinesAt appends the offsets after each end of a line from an offset on.
func appendLinesAt(starts []int, content []byte, from int, ends string) []int {
	for i := from; i < len(content); {
		r, size := utf8.DecodeRune(content[i:])
		i += size
		paired := r == '\r' && i < len(content) && content[i] == '\n'
		if r == '\n' || !paired && strings.ContainsRune(ends, r) {
			starts = append(starts, i)
		}
	}
	return starts
}

func isASCII(text []byte) bool {
	for ; len(text) >= 16; text = text[16:] {
		if (binary.LittleEndian.Uint64(text)|binary.LittleEndian.Uint64(text[8:]))&highBits != 0 {
			return false
		}
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (m *Mapper) isASCII(line uint32) bool { return m.ascii == nil || m.ascii[line] }

// Content returns the text, shared.
func (m *Mapper) Content() []byte { return m.content }

// Lines returns the number of lines; a final line terminator begins another,
// empty line.
func (m *Mapper) Lines() int { return len(m.starts) }

// Line returns the text of a 0-based line without its terminator, or nil if
// there is no such line. It shares memory with the content.
func (m *Mapper) Line(line int) []byte {
	if line < 0 || line >= len(m.starts) {
		return nil
	}
	if line+1 == len(m.starts) {
		return m.content[m.starts[line]:]
	}
	text := m.content[m.starts[line]:m.starts[line+1]]
	if unended, ok := bytes.CutSuffix(text, []byte("\n")); ok {
		return bytes.TrimSuffix(unended, []byte("\r"))
	}
	_, size := utf8.DecodeLastRune(text)
	return text[:len(text)-size]
}

// Offset returns the byte offset of p.
func (m *Mapper) Offset(p Position, enc Encoding) int {
	if int64(p.Line) >= int64(len(m.starts)) {
		return len(m.content)
	}
	line := m.Line(int(p.Line))
	start := m.starts[p.Line]
	if m.isASCII(p.Line) {
		return start + min(int(min(p.Character, 1<<30)), len(line))
	}
	units := int64(0)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		units += int64(width(r, enc))
		if units > int64(p.Character) {
			return start + i
		}
		i += size
	}
	return start + len(line)
}

// Position returns the position of a byte offset. Offsets outside the content
// are moved to its ends; offsets inside a line terminator to its beginning.
func (m *Mapper) Position(offset int, enc Encoding) Position {
	offset = max(m.starts[0], min(offset, len(m.content)))
	line := sort.SearchInts(m.starts, offset+1) - 1
	text := m.Line(line)
	rest := min(offset-m.starts[line], len(text))
	if m.isASCII(uint32(line)) {
		return Position{Line: uint32(line), Character: uint32(rest)}
	}
	units := 0
	for i := 0; i < rest; {
		r, size := utf8.DecodeRune(text[i:])
		if i+size > rest {
			break
		}
		units += width(r, enc)
		i += size
	}
	return Position{Line: uint32(line), Character: uint32(units)}
}

// Convert restates p, counted in from, in the encoding to. The line is kept
// unless it is past the end.
func (m *Mapper) Convert(p Position, from, to Encoding) Position {
	if from == to && int64(p.Line) < int64(len(m.starts)) {
		return p
	}
	if int64(p.Line) < int64(len(m.starts)) && m.isASCII(p.Line) {
		return p
	}
	return m.Position(m.Offset(p, from), to)
}

// ConvertRange restates both ends of r.
func (m *Mapper) ConvertRange(r Range, from, to Encoding) Range {
	return Range{Start: m.Convert(r.Start, from, to), End: m.Convert(r.End, from, to)}
}

// Width returns the number of units in a line without its terminator, 0 if
// there is no such line.
func (m *Mapper) Width(line uint32, enc Encoding) uint32 {
	if int64(line) >= int64(len(m.starts)) {
		return 0
	}
	return m.Position(m.starts[line]+len(m.Line(int(line))), enc).Character
}

// End returns the position after the last character.
func (m *Mapper) End(enc Encoding) Position { return m.Position(len(m.content), enc) }

// Advance returns the position that is a number of units after p, both in enc.
// A line terminator counts with each of its characters.
func (m *Mapper) Advance(p Position, units uint32, enc Encoding) Position {
	offset := m.Offset(p, enc)
	for left := int64(units); left > 0 && offset < len(m.content); {
		r, size := utf8.DecodeRune(m.content[offset:])
		if left -= int64(width(r, enc)); left < 0 {
			break
		}
		offset += size
	}
	return m.Position(offset, enc)
}

// width is the number of units of r. An invalid byte decodes to U+FFFD, which
// is what the server has in its place.
func width(r rune, enc Encoding) int {
	switch enc {
	case UTF8:
		return utf8.RuneLen(r)
	case UTF32:
		return 1
	default:
		if r > 0xFFFF {
			return 2
		}
		return 1
	}
}
