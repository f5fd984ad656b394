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
// body, a Python line that stands too far left in a block, the first export of a script.
// Then any name of the file may be another.
func restructures(c Change) bool {
	var was, is shape
	torn := gone(c.Path, c.Before, c.After, &was) || gone(c.Path, c.After, c.Before, &is)
	return torn || was.balance() != is.balance() || isModule(c.Path, c.Before) != isModule(c.Path, c.After)
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
// them heads a Python block that stands, or tears one apart.
func gone(path string, text, other []byte, s *shape) (torn bool) {
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
			torn = torn || !hasHead(m, other, n+1)
		}
		torn = torn || tears(m, lines, n)
	}
	return torn
}

// goesOn is the end of a Python line after which the next may be indented deeper.
var goesOn = regexp.MustCompile(`[:,(\[{\\]\s*(#.*)?$`)

// tears reports whether a line stands left of the code after it, which was not changed:
// that is "unexpected indentation", and what follows belongs to something else.
func tears(m *edit.LineMap, lines *protocol.Mapper, n int) bool {
	line := lines.Line(n)
	if !isPythonCode(line) || goesOn.Match(line) {
		return false
	}
	for next := n + 1; next < lines.Lines(); next++ {
		if below := lines.Line(next); isPythonCode(below) {
			_, stands := m.Line(next)
			return stands && indentOf(below) > indentOf(line)
		}
	}
	return false
}

// isPythonCode reports whether a line is neither blank nor a comment.
func isPythonCode(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 0 && text[0] != '#'
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
	return isHead(above) && indentOf(above) < indentOf(lines.Line(now))
}

// compound is a line that heads a Python block.
var compound = regexp.MustCompile(`^\s*(async|def|class|if|elif|else|for|while|try|except|finally|with|match|case)\b.*:\s*(#.*)?$`)

// isHead reports whether a line heads a Python block, or ends the head of several lines.
func isHead(line []byte) bool {
	var s shape
	s.add(line)
	ends := s.balance()[1] < 0 && bytes.HasSuffix(bytes.TrimSpace(line), []byte(":"))
	return ends || compound.Match(line)
}
