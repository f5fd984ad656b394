package impact

import (
	"bytes"
	"path/filepath"
	"regexp"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/protocol"
)

// A shape is what lines do to those around them: how often they open and close what
// goes on in others.
type shape [len(marks)]int

// marks open or close, or do both by turns.
var marks = [...]string{"{", "}", "(", ")", "[", "]", "`", "/*", "*/", `"""`, "'''"}

func (s *shape) add(line []byte) {
	for i, mark := range marks {
		s[i] += bytes.Count(line, []byte(mark))
	}
}

// balance returns how much more is opened than closed, and what comes by turns.
func (s shape) balance() [7]int {
	return [7]int{s[0] - s[1], s[2] - s[3], s[4] - s[5], s[6] % 2, s[7] - s[8], s[9] % 2, s[10] % 2}
}

// restructures reports whether a change makes lines that it leaves alone belong to
// something else: a bracket too many, a Python head that comes or goes without its
// body, the first export of a script. Then any name of the file may be another.
func restructures(c Change) bool {
	var was, is shape
	heads := gone(c.Path, c.Before, c.After, &was) || gone(c.Path, c.After, c.Before, &is)
	return heads || was.balance() != is.balance() || isModule(c.Path, c.Before) != isModule(c.Path, c.After)
}

// moduleLine is what makes a module of a script, whose names are everybody's.
var moduleLine = regexp.MustCompile(`(?m)^[ \t]*(export|import)\b`)

// isModule reports whether the names of a JavaScript or TypeScript file are its own.
func isModule(path string, text []byte) bool {
	switch filepath.Ext(path) {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs":
		return moduleLine.Match(text)
	}
	return false
}

// gone adds the lines of a text that another has not, and reports whether one of
// them heads a Python block that stands.
func gone(path string, text, other []byte, s *shape) (head bool) {
	m, lines := edit.NewLineMap(text, other), protocol.NewMapper(protocol.Text(text))
	for n := range lines.Lines() {
		if _, stands := m.Line(n); stands {
			continue
		}
		line := bytes.TrimRight(lines.Line(n), " \t\r")
		s.add(line)
		if !isPython(path) || n+1 >= lines.Lines() {
			continue
		}
		next := lines.Line(n + 1)
		_, stands := m.Line(n + 1)
		if stands && len(bytes.TrimSpace(next)) > 0 && indentOf(next) > indentOf(line) && bytes.HasSuffix(line, []byte(":")) {
			head = head || !hasHead(m, other, n+1)
		}
	}
	return head
}

// hasHead reports whether the line above where a line of the old text stands in the
// other heads a block there, too: then the head was only changed.
func hasHead(m *edit.LineMap, other []byte, line int) bool {
	now, _ := m.Line(line)
	lines := protocol.NewMapper(protocol.Text(other))
	if now == 0 {
		return false
	}
	above := lines.Line(now - 1)
	return bytes.HasSuffix(bytes.TrimRight(above, " \t\r"), []byte(":")) && indentOf(above) < indentOf(lines.Line(now))
}
