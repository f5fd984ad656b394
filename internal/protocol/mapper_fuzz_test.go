package protocol

import (
	"bytes"
	"regexp"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

var lineEnd = regexp.MustCompile("\r\n|\r|\n")

// For any bytes and any position: lines are those of LSP, positions and offsets
// give each other, columns agree with the standard library's, and a conversion
// can be taken back.
func FuzzMapper(f *testing.F) {
	for _, seed := range []string{
		"", "abc", "a😀b\né", family, "a\r\nb\rc\n\r", "\ufeffa\nb", "\ufeff", "a\xff\xe2\x82\nb", "\xed\xa0\x80", "e\u0301\tx\x00",
	} {
		f.Add([]byte(seed), uint32(0), uint32(2))
	}
	f.Add([]byte("a\nb"), uint32(1<<32-1), uint32(1<<32-1))
	f.Fuzz(func(t *testing.T, content []byte, line, character uint32) {
		m := NewMapper(content)
		// By another way: the standard library's.
		lines := lineEnd.Split(string(Text(content)), -1)
		if m.Lines() != len(lines) {
			t.Fatalf("%d lines, want %d", m.Lines(), len(lines))
		}
		for i, want := range lines {
			if got := string(m.Line(i)); got != want {
				t.Fatalf("line %d is %q, want %q", i, got, want)
			}
		}
		encodings := []Encoding{UTF8, UTF16, UTF32}
		for _, enc := range encodings {
			p := Position{line, character}
			offset := m.Offset(p, enc)
			if offset < len(content)-len(Text(content)) || offset > len(content) {
				t.Fatalf("%s: %v is offset %d of %d", enc, p, offset, len(content))
			}
			sane := m.Position(offset, enc)
			if again := m.Offset(sane, enc); again != offset {
				t.Fatalf("%s: %v is offset %d, but %v is %d", enc, p, offset, sane, again)
			}
			if int(line) < len(lines) && sane.Line != line {
				t.Fatalf("%s: line %d became %d", enc, line, sane.Line)
			}
			if want := columns(lines[sane.Line], sane.Character, enc); want != sane.Character {
				t.Fatalf("%s: column %d is none of line %q; the nearest is %d", enc, sane.Character, lines[sane.Line], want)
			}
			for _, other := range encodings {
				if back := m.Convert(m.Convert(sane, enc, other), other, enc); back != sane {
					t.Fatalf("%v in %s by way of %s is %v", sane, enc, other, back)
				}
			}
			roundTrip(t, m, content, enc)
		}
	})
}

// columns returns the largest column of line, not over limit, at which a
// character begins or the line ends.
func columns(line string, limit uint32, enc Encoding) uint32 {
	best, units := uint32(0), uint32(0)
	for _, r := range line {
		switch enc {
		case UTF8:
			units += uint32(len(string(r)))
		case UTF16:
			units += uint32(len(utf16.Encode([]rune{r})))
		default:
			units++
		}
		if units <= limit {
			best = units
		}
	}
	return best
}

// roundTrip takes every beginning of a character to a position and back.
func roundTrip(t *testing.T, m *Mapper, content []byte, enc Encoding) {
	for offset := len(content) - len(Text(content)); offset <= len(content); {
		if !bytes.HasPrefix(content[offset:], []byte("\n")) || offset == 0 || content[offset-1] != '\r' {
			if back := m.Offset(m.Position(offset, enc), enc); back != offset {
				t.Fatalf("%s: offset %d is %v and that is %d", enc, offset, m.Position(offset, enc), back)
			}
		}
		_, size := utf8.DecodeRune(content[offset:])
		offset += max(size, 1)
	}
}
