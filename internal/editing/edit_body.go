package editing

import (
	"bytes"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// replaceBody puts code between the braces of a declaration, or under its head.
func (d *declaration) replaceBody(code string, plan *edit.Plan) error {
	from, to, ok := d.outline.Body(d.symbol)
	if !ok {
		return &NoBodyError{d.name, d.at()}
	}
	content := d.text.Content()
	outer := d.indentation()
	inner := d.innerMargin(content, from, to, outer)
	code = fitted(unbraced(code, language.Of(d.path).Indented), inner)
	old := content[from:to]
	switch {
	case language.Of(d.path).Indented:
		if !bytes.Contains(content[lineStart(content, from):from], []byte(":")) || from == lineStart(content, from) {
			break // on lines of its own
		}
		code = "\n" + code // it stood beside the head
	case !bytes.Contains(old, []byte("\n")) && !strings.Contains(code, "\n"):
		code = " " + strings.TrimSpace(code) + " "
	default:
		code = "\n" + code + "\n" + outer
	}
	r := protocol.Range{Start: d.text.Position(from, protocol.UTF16), End: d.text.Position(to, protocol.UTF16)}
	return plan.Ranges(d.path, []edit.TextEdit{{Range: r, NewText: code}}, protocol.UTF16)
}

func lineStart(content []byte, at int) int { return bytes.LastIndexByte(content[:at], '\n') + 1 }

// innerMargin is how lines in the body are indented: as its first one that does not begin beside the
// head, else one step more than the head, as the file does it.
func (d *declaration) innerMargin(content []byte, from, to int, outer string) string {
	body := content[from:to]
	if begin := lineStart(content, from); len(bytes.TrimSpace(content[begin:from])) == 0 {
		body = content[begin:to]
	} else {
		_, body, _ = bytes.Cut(body, []byte("\n"))
	}
	for line := range strings.Lines(string(body)) {
		if m := margin(line); strings.TrimSpace(line) != "" && len(m) > len(outer) {
			return m
		}
	}
	return outer + indentUnit(d.text)
}

// indentUnit is one step of indentation of a text: the smallest there is.
func indentUnit(text *protocol.Mapper) string {
	unit := ""
	for n := range text.Lines() {
		line := string(text.Line(n))
		m := margin(line)
		if strings.HasPrefix(m, "\t") {
			return "\t"
		}
		rest := strings.TrimSpace(line)
		if len(m) > 1 && rest != "" && !strings.HasPrefix(rest, "*") && (unit == "" || len(m) < len(unit)) {
			unit = m
		}
	}
	if unit == "" {
		return "    "
	}
	return unit
}

// unbraced returns a body without the braces that somebody put around it.
func unbraced(code string, python bool) string {
	trimmed := strings.TrimSpace(code)
	if python || !strings.HasPrefix(trimmed, "{") || !strings.HasSuffix(trimmed, "}") {
		return code
	}
	depth := 0
	for i, c := range trimmed {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 && i < len(trimmed)-1 {
				return code // the first brace is closed before the end
			}
		}
	}
	return trimmed[1 : len(trimmed)-1]
}

// fitted returns code with the indentation of its lines changed so that they begin
// as far in as margin, without the empty lines around it.
func fitted(code, inner string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	common := commonMargin(lines)
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			lines[i] = ""
			continue
		}
		lines[i] = inner + strings.TrimPrefix(line, common)
	}
	return strings.Join(lines, "\n")
}

// commonMargin is what all lines begin with, but for blank ones.
func commonMargin(lines []string) string {
	common, found := "", false
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		m := margin(line)
		if !found {
			common, found = m, true
			continue
		}
		for !strings.HasPrefix(m, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}
