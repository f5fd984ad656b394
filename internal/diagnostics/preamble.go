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

// directives returns the lines of a text that are preprocessor directives.
func directives(text []byte) (lines []byte) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
			lines = append(lines, line...)
		}
	}
	return lines
}
