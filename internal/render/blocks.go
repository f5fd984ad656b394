package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// blocks writes findings as models get them, within the caps of a result.
type blocks struct {
	text strings.Builder
	caps result.Caps
	left int // lines left, if caps.TotalLines is set
}

func (b *blocks) spent() bool { return b.caps.TotalLines > 0 && b.left <= 0 }

// file writes the block of one file; nothing if it has no findings or no line is
// left. Overflow lines do not count as lines.
func (b *blocks) file(f *result.File) {
	if len(f.Diagnostics) == 0 || b.spent() {
		return
	}
	fmt.Fprintf(&b.text, "<diagnostics file=\"%s\">\n", attribute(f.Path))
	for i := range f.Diagnostics {
		if limit := b.caps.PerFile; limit > 0 && i == limit || b.spent() {
			fmt.Fprintf(&b.text, "... and %d more\n", len(f.Diagnostics)-i+f.More)
			b.text.WriteString("</diagnostics>\n")
			return
		}
		b.left--
		b.text.WriteString(findingLine(&f.Diagnostics[i]) + "\n")
	}
	if f.More > 0 {
		fmt.Fprintf(&b.text, "... and %d more\n", f.More)
	}
	b.text.WriteString("</diagnostics>\n")
}

// others writes the blocks of other files under a title that says how many of all
// are shown. Files beyond the cap spend no line.
func (b *blocks) others(title string, files []*result.File, all int) {
	if all == 0 {
		return
	}
	shown := files
	if limit := b.caps.OtherFiles; limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	begun, text := 0, b.text.String()
	b.text.Reset()
	for _, f := range shown {
		if b.spent() {
			break
		}
		begun++
		b.file(f)
	}
	blocks := b.text.String()
	b.text.Reset()
	fmt.Fprintf(&b.text, "%s%s (%d of %d shown):\n%s", text, title, begun, all, blocks)
}

// Escaped returns a message as it stands in a block: on one line, not too long, and without
// characters that could end the block around it.
func Escaped(message string) string { return escaped.Replace(shortLine(message)) }

// findingLine is one line: SEVERITY [line:col] message (code).
func findingLine(d *result.Diagnostic) string {
	line := fmt.Sprintf("%s [%d:%d] %s", strings.ToUpper(d.Severity), d.Line, d.Column, Escaped(d.Message))
	if d.Code != "" {
		line += " (" + escaped.Replace(legible.Name(d.Code)) + ")"
	}
	return line
}

var (
	escaped   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attribute = func(path string) string {
		return strings.ReplaceAll(escaped.Replace(legible.Name(path)), `"`, "&quot;")
	}
)

// LLXPRT returns the text of the llxprt profile, byte for byte as that host
// expects it: the success message, then the findings of the edited file, and those
// of others for tools that write whole files. Silence is the message alone
// [REQ-TIME-020].
func LLXPRT(e *result.Edit, write bool) string {
	var out strings.Builder
	out.WriteString(legible.Line(e.Summary))
	b := &blocks{caps: e.Caps, left: e.Caps.TotalLines}
	for i := range e.Files {
		b.file(&e.Files[i])
	}
	if own := b.text.String(); own != "" {
		out.WriteString("\n\nLSP errors detected in this file, please fix:\n" + strings.TrimSuffix(own, "\n"))
	}
	if write {
		b.text.Reset()
		shown := broken(e.Others)
		if limit := e.Caps.OtherFiles; limit > 0 && len(shown) > limit {
			shown = shown[:limit]
		}
		for _, f := range shown {
			b.file(f)
		}
		if others := b.text.String(); others != "" {
			out.WriteString("\n\nLSP errors detected in other files:\n" + strings.TrimSuffix(others, "\n"))
		}
	}
	return out.String()
}
