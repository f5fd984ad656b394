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
	return s.Outside(path) != since || !bytes.Equal(preamble(old), preamble(content)) || !bytes.Equal(directives(old), directives(content))
}

// preamble returns the text before the first line that is neither empty nor a comment nor a directive. clangd parses
// it apart from the rest, and again if anything in it changed.
func preamble(text []byte) []byte {
	end, goesOn, commented := 0, false, false
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimSpace(line)
		directive := !commented && (goesOn || bytes.HasPrefix(trimmed, []byte("#")))
		if !directive && !commented && len(trimmed) > 0 && !bytes.HasPrefix(trimmed, []byte("//")) && !bytes.HasPrefix(trimmed, []byte("/*")) {
			break
		}
		end += len(line)
		goesOn = directive && continues(line)
		if !commented && bytes.HasPrefix(trimmed, []byte("//")) {
			continue
		}
		commented = bytes.LastIndex(trimmed, []byte("/*")) > bytes.LastIndex(trimmed, []byte("*/")) || commented && !bytes.Contains(trimmed, []byte("*/"))
	}
	return text[:end]
}

// continues reports whether a backslash makes the next line a part of this one.
func continues(line []byte) bool { return bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte("\\")) }

// directives returns the lines of a text that are preprocessor directives, with those on which they go on after
// a backslash.
func directives(text []byte) (lines []byte) {
	goesOn := false
	for line := range bytes.Lines(text) {
		if goesOn || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
			lines = append(lines, line...)
			goesOn = continues(line)
		}
	}
	return lines
}
