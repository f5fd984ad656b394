package diagnostics

import (
	"bytes"

	"github.com/lspine/lspine/internal/registry"
)

// redirected reports whether a change of an open document makes a server that keeps
// what its directives include judge the new text by the old ones first: clangd
// publishes for the new version before it has read the new includes.
func redirected(s Server, path string, content []byte) bool {
	if s.Definition().Diagnostics.Outside != registry.OutsideReopen {
		return false
	}
	_, old, open := s.Document(path)
	return open && !bytes.Equal(directives(old), directives(content))
}

// directives returns the lines of a text that speak to a preprocessor.
func directives(text []byte) (lines []byte) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("#")) {
			lines = append(lines, line...)
		}
	}
	return lines
}
