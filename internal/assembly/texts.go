package assembly

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// Limits of the forms of a text, in bytes unless noted.
const (
	maxDoc       = 300 // the description of a type
	maxCode      = 900 // the code of a type
	shortCode    = 240
	oneLine      = 120
	wholeExcerpt = 60 // lines
	someLines    = 20
	fewLines     = 6
	maxSymbols   = 60 // symbols of a summary
	someSymbols  = 20
	maxHints     = 120
	maxFindings  = 30
)

// forms returns texts as the forms of an item, each ending with a line break. It leaves out those
// that are not shorter than the one before.
func forms(texts ...string) (list []string) {
	for _, text := range texts {
		text = strings.TrimRight(text, " \t\r\n")
		if text == "" {
			continue
		}
		text += "\n"
		if len(list) == 0 || len(text) < len(list[len(list)-1]) {
			list = append(list, text)
		}
	}
	return list
}

// typeTexts returns the forms of a hover text: its code with the description, the code alone, and
// the beginning of the code. It returns none if the server says nothing.
func typeTexts(head, hover string, words bool) []string {
	code, doc := splitHover(restate.WithoutFileLinks(hover))
	if code == "" {
		code, doc = doc, ""
	}
	if code == "" {
		return nil
	}
	full := linesWithin(code, maxCode)
	if doc != "" && words {
		full += "\n" + cutText(doc, maxDoc)
	}
	return forms(head+full, head+linesWithin(code, shortCode), head+linesWithin(code, oneLine))
}

// saysNoMore reports whether a server says only what kind a symbol is, as for imports.
func saysNoMore(hover, name string) bool {
	code, doc := splitHover(hover)
	words := strings.Fields(code)
	return doc == "" && len(words) == 2 && words[1] == name
}

// splitHover extracts the code blocks and the first paragraph of the description from a hover.
func splitHover(markdown string) (code, doc string) {
	var codes, words []string
	inCode, ended := false, false
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			inCode = !inCode
		case inCode:
			if trimmed != "" {
				codes = append(codes, line)
			}
		case trimmed == "" || trimmed == "---" || trimmed == "***":
			ended = ended || len(words) > 0
		case !ended && !strings.HasPrefix(trimmed, "#") && !isLink(trimmed):
			words = append(words, trimmed)
		}
	}
	return strings.Join(codes, "\n"), strings.Join(words, " ")
}

// isLink reports whether a line is nothing but a link.
func isLink(line string) bool {
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, ")") && strings.Contains(line, "](")
}

// linesWithin returns the first lines of a text that fit into max bytes, or the beginning of the
// first line.
func linesWithin(text string, max int) string {
	if len(text) <= max {
		return text
	}
	end := strings.LastIndexByte(text[:max], '\n')
	if end <= 0 {
		line, _, _ := strings.Cut(text, "\n")
		return cutText(line, max)
	}
	return text[:end] + "\n…"
}

// cutText returns the beginning of a text, at most max bytes of whole characters.
func cutText(text string, max int) string {
	if len(text) <= max {
		return text
	}
	end := max - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// excerptTexts returns the forms of the lines of a declaration: all, or the first ones.
func excerptTexts(head string, lines []string) []string {
	some := func(n int) string {
		if len(lines) <= n {
			return head + strings.Join(lines, "\n")
		}
		return head + strings.Join(lines[:n], "\n") + fmt.Sprintf("\n… %d more lines", len(lines)-n)
	}
	return forms(some(wholeExcerpt), some(someLines), some(fewLines))
}

// signatureTexts returns the forms of the signatures of a call: all, or the matching one.
func signatureTexts(head string, help *protocol.SignatureHelp) []string {
	var labels []string
	for _, s := range help.Signatures {
		labels = append(labels, s.Label)
	}
	active := labels[min(max(help.Active, 0), len(labels)-1)]
	return forms(head+strings.Join(labels[:min(len(labels), 4)], "\n"), head+active)
}

// summaryTexts returns the forms of what a file declares: a tree with details, a tree without them,
// and the outermost declarations. It returns none if the file declares nothing. If it declares a
// lot, members that hold a value are left out.
func summaryTexts(path string, tree []result.Symbol) []string {
	if len(tree) == 0 {
		return nil
	}
	if sizeOf(tree) > maxSymbols {
		tree = withoutValues(tree)
	}
	draw := func(depth, most int, details bool) string {
		lines, left := []string{path + " declares"}, 0
		var add func(list []result.Symbol, depth int, indent string)
		add = func(list []result.Symbol, depth int, indent string) {
			for i := range list {
				if s := &list[i]; len(lines) > most {
					left++
				} else {
					line := fmt.Sprintf("%s%s %s:%d", indent, s.Kind, s.Name, s.Line)
					if details && s.Detail != "" {
						line += " " + cutText(strings.Join(strings.Fields(s.Detail), " "), oneLine)
					}
					lines = append(lines, line)
					if depth > 1 {
						add(s.Children, depth-1, indent+"  ")
					}
				}
			}
		}
		add(tree, depth, "  ")
		if left > 0 {
			lines = append(lines, fmt.Sprintf("  … %d more", left))
		}
		return strings.Join(lines, "\n")
	}
	return forms(draw(2, maxSymbols, true), draw(2, maxSymbols, false), draw(1, someSymbols, false))
}

// sizeOf counts the symbols of a tree.
func sizeOf(tree []result.Symbol) int {
	n := len(tree)
	for i := range tree {
		n += sizeOf(tree[i].Children)
	}
	return n
}

// withoutValues removes fields and the like from a tree.
func withoutValues(tree []result.Symbol) (kept []result.Symbol) {
	for _, s := range tree {
		if isExcerpted(s.Kind) {
			s.Children = withoutValues(s.Children)
			kept = append(kept, s)
		}
	}
	return kept
}

// hintTexts returns the forms of inlay hints: all, half and a quarter of them. It returns none if
// there are no hints.
func hintTexts(path string, hints []protocol.InlayHint) []string {
	if len(hints) == 0 {
		return nil
	}
	hints = hints[:min(len(hints), maxHints)]
	some := func(n int) string {
		lines := []string{path + " hints"}
		for _, h := range hints[:n] {
			lines = append(lines, fmt.Sprintf("  %d:%d %s", h.Position.Line+1, h.Position.Character+1, strings.TrimSpace(h.Label)))
		}
		if n < len(hints) {
			lines = append(lines, fmt.Sprintf("  … %d more", len(hints)-n))
		}
		return strings.Join(lines, "\n")
	}
	return forms(some(len(hints)), some((len(hints)+1)/2), some((len(hints)+3)/4))
}

// findingTexts returns the forms of a file's findings: all, some, and only their number.
func findingTexts(path string, f *result.File) []string {
	var found []*result.Diagnostic
	for i := range f.Diagnostics {
		if f.Diagnostics[i].New {
			found = append(found, &f.Diagnostics[i])
		}
	}
	older := ""
	if n := f.Older + len(f.Diagnostics) - len(found); n > 0 {
		older = fmt.Sprintf(", and %d from before", n)
	}
	if len(found) == 0 && older != "" {
		return forms(path + ": no new errors" + older)
	}
	if len(found) == 0 {
		return forms(path + ": no errors")
	}
	some := func(n int) string {
		lines := []string{fmt.Sprintf("%s: %d findings%s", path, len(found), older)}
		if len(found) == 1 {
			lines[0] = path + ": 1 finding" + older
		}
		for _, d := range found[:min(n, len(found))] {
			line := fmt.Sprintf("  %s %d:%d %s", d.Severity, d.Line, d.Column, strings.Join(strings.Fields(d.Message), " "))
			if d.Code != "" {
				line += " (" + d.Code + ")"
			}
			lines = append(lines, line)
		}
		if n < len(found) {
			lines = append(lines, fmt.Sprintf("  … %d more", len(found)-n))
		}
		return strings.Join(lines, "\n")
	}
	return forms(some(maxFindings), some(8), some(2), some(0))
}
