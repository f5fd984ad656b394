package diagnostics

import (
	"bytes"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// redirected reports whether a server that caches what a document includes would first judge a
// change of the document with outdated includes. clangd does: it publishes for the new version
// before it has read includes that were added, or that changed after since, the value of
// [Server.Outside] when it last read them.
func redirected(s Server, path string, content []byte, since uint64) bool {
	if s.Definition().Diagnostics.Outside != registry.OutsideReopen {
		return false
	}
	_, old, open := s.Document(path)
	if !open || bytes.Equal(old, protocol.Text(content)) {
		return false
	}
	return s.Outside(path) != since || !bytes.Equal(directives(old), directives(content))
}

// continues reports whether a backslash makes the next line a part of this one.
func continues(line []byte) bool { return bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte("\\")) }

// directives returns the lines of a text that are preprocessor directives and no comment, with those on which they go on
// after a backslash.
func directives(text []byte) (lines []byte) {
	goesOn, commented := false, false
	for line := range bytes.Lines(text) {
		if trimmed := bytes.TrimLeft(line, " \t"); !commented && (goesOn || bytes.HasPrefix(trimmed, []byte("#"))) {
			lines = append(lines, line...)
			goesOn = continues(line)
		} else if !commented && bytes.HasPrefix(trimmed, []byte("//")) {
			continue // what looks like a comment in it begins none
		}
		begin, end := bytes.LastIndex(line, []byte("/*")), bytes.LastIndex(line, []byte("*/"))
		commented = begin > end || commented && end < 0
	}
	return lines
}
