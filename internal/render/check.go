// Package render makes text of results, within a budget, for people and models. It is
// pure: no files, no servers, no clock.
package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

// Style says how a terminal's text looks.
type Style struct {
	Colour bool
	// Source shows the line with a caret below each finding.
	Source bool
	// Path turns a root-relative path into what is shown.
	Path func(path string) string
	Caps result.Caps
}

// CheckText writes a check as a compiler would. A clean check is no text at all; a
// file nobody could judge is not mentioned here, see [Silence].
func CheckText(c *result.Check, w io.Writer, style Style) error {
	p := &printer{w: w, style: style, left: style.Caps.TotalLines}
	for i := range c.Files {
		p.older = c.CountOlder
		p.file(&c.Files[i])
	}
	p.older = c.AllErrors
	p.others(c.Others, "other files with diagnostics")
	p.others(c.Late, "edited earlier, answered late")
	return p.err
}

type printer struct {
	w     io.Writer
	style Style
	left  int  // lines left, if TotalLines is set
	older bool // whether findings are listed that were there before
	// compared says that the file at hand was compared with a text from before.
	compared bool
	err      error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// path shows a path; names of files may hold anything, even line ends.
func (p *printer) path(path string) string { return legible.Line(p.style.Path(path)) }

func (p *printer) spent() bool { return p.style.Caps.TotalLines > 0 && p.left <= 0 }

func (p *printer) file(f *result.File) {
	older := 0
	var shown []*result.Diagnostic
	for i := range f.Diagnostics {
		if d := &f.Diagnostics[i]; d.New || d.Standing || p.older {
			shown = append(shown, d)
		} else {
			older++
		}
	}
	limit := p.style.Caps.PerFile
	p.compared = isCompared(f) && !f.Doubtful
	for i, d := range shown {
		if limit > 0 && i == limit || p.spent() {
			p.line("%s: ... and %d more", p.path(f.Path), len(shown)-i)
			break
		}
		p.left--
		p.diagnostic(f.Path, d)
	}
	if f.More > 0 {
		p.line("%s: ... and %d more", p.path(f.Path), f.More)
	}
	if older > 0 {
		if p.compared {
			p.line("%s: %d older %s not listed (baseline: %s)", p.path(f.Path), older, plural(older, "diagnostic"), legible.Line(f.Baseline))
		} else {
			p.line("%s: %d %s not listed, as it is not known whether new", p.path(f.Path), older, plural(older, "diagnostic"))
		}
	}
}

// others lists other files that have findings; those in which the change only fixed something have none.
func (p *printer) others(files []result.File, title string) {
	files = slices.DeleteFunc(slices.Clone(files), func(f result.File) bool { return len(f.Diagnostics)+f.More+f.Older == 0 })
	if len(files) == 0 {
		return
	}
	shown := files
	if limit := p.style.Caps.OtherFiles; limit > 0 && len(shown) > limit {
		shown = shown[:limit]
	}
	p.line("%s (%d of %d shown):", title, p.fitting(shown), len(files))
	for i := range shown {
		if p.spent() {
			p.line("... and %d more %s", len(shown)-i, plural(len(shown)-i, "file"))
			return
		}
		p.file(&shown[i])
	}
}

// fitting is how many of the files will be begun before the lines are spent.
func (p *printer) fitting(files []result.File) int {
	left := p.left
	for i := range files {
		if p.style.Caps.TotalLines > 0 && left <= 0 {
			return i
		}
		lines := 0
		for _, d := range files[i].Diagnostics {
			if (d.New || d.Standing || p.older) && (p.style.Caps.PerFile <= 0 || lines < p.style.Caps.PerFile) {
				lines++
			}
		}
		left -= lines
	}
	return len(files)
}

const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	blue   = "\x1b[34m"
	reset  = "\x1b[0m"
)

// Colours are the control sequences of a text with [Style].Colour.
var Colours = []string{bold, red, yellow, blue, reset}

var severityColour = map[string]string{"error": red, "warning": yellow, "info": blue, "hint": blue}

func (p *printer) diagnostic(path string, d *result.Diagnostic) {
	place := fmt.Sprintf("%s:%d:%d:", p.path(path), d.Line, d.Column)
	severity := d.Severity + ":"
	if p.style.Colour {
		place = bold + place + reset
		severity = severityColour[d.Severity] + bold + severity + reset
	}
	message := oneLine(d.Message)
	if d.Code != "" {
		message += " (" + legible.Line(d.Code) + ")"
	}
	if p.older && p.compared && !d.New && !d.Standing {
		message += " [older]"
	}
	p.line("%s %s %s", place, severity, message)
	if p.style.Source && d.SourceLine != "" {
		p.source(d)
	}
}

// source shows the line and marks the range below it.
func (p *printer) source(d *result.Diagnostic) {
	number := fmt.Sprintf("%5d", d.Line)
	p.line("%s | %s", number, legible.Model(d.SourceLine))
	start := byteOf(d.SourceLine, d.Column)
	end := len(d.SourceLine)
	if d.EndLine == d.Line {
		end = max(byteOf(d.SourceLine, d.EndColumn), start)
	}
	mark := "^" + strings.Repeat("~", max(0, width(legible.Model(d.SourceLine[start:end]))-1))
	if p.style.Colour {
		mark = severityColour[d.Severity] + mark + reset
	}
	p.line("%s | %s%s", strings.Repeat(" ", len(number)), blanks(legible.Model(d.SourceLine[:start])), mark)
}

// byteOf returns the offset in line of a 1-based column in UTF-16 units.
func byteOf(line string, column uint32) int {
	units := uint32(1)
	for i, r := range line {
		if units >= column {
			return i
		}
		units++
		if r > 0xFFFF {
			units++
		}
	}
	return len(line)
}

// blanks returns text of the width of s, tabs kept.
func blanks(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", cells(r)))
	}
	return b.String()
}

func width(s string) int {
	n := 0
	for _, r := range s {
		n += cells(r)
	}
	return n
}

// cells is how many columns of a terminal a character takes: none for
// combining marks, two for the wide scripts and emoji.
func cells(r rune) int {
	switch {
	case r >= 0x300 && r <= 0x36f, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// maxMessage bounds one message, in characters.
const maxMessage = 400

// oneLine returns a message on one line among ours, cut with "…" if it is too long.
func oneLine(message string) string { return legible.Model(shortLine(message)) }

// shortLine is [oneLine] for where all tags are escaped.
func shortLine(message string) string {
	message = legible.Message(message)
	if utf8.RuneCountInString(message) <= maxMessage {
		return message
	}
	runes := []rune(message)
	return string(runes[:maxMessage-1]) + "…"
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
