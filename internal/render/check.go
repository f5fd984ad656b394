// Package render holds results as readers get them, and makes text of them for
// people and models. It is pure: no files, no servers, no clock.
package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Check is the result of checking files. Paths are relative to the root,
// with slashes.
type Check struct {
	Root string `json:"root" jsonschema:"the workspace root"`
	// Verdict is the worst of the files'.
	Verdict string `json:"verdict" jsonschema:"clean, warnings_only, new_errors, baseline_error, unknown or lsp_unavailable"`
	// Incomplete says that some part is not known; the verdict is then unknown, or
	// new_errors, or lsp_unavailable.
	Incomplete bool   `json:"incomplete,omitempty" jsonschema:"some part of the answer is not known"`
	Files      []File `json:"files" jsonschema:"the files asked for"`
	Others     []File `json:"others,omitempty" jsonschema:"other files with diagnostics, among them what the change broke or mended"`
	Late       []File `json:"late,omitempty" jsonschema:"what an earlier change broke, whose answer came after its deadline"`
	// Deleted are files that are gone, whose users were checked.
	Deleted []string `json:"deleted,omitempty" jsonschema:"files that are gone; what that broke is listed with the others"`
	// Unknown says what could not be found out beside the servers' own answers.
	Unknown []string `json:"unknown,omitempty" jsonschema:"what could not be found out"`
	// Notes say what a reader should know of how the files were judged.
	Notes []string `json:"notes,omitempty" jsonschema:"how the files were judged, where it is not as the project says"`
	// Dependants says how many other files were checked because they use what changed.
	Dependants Dependants `json:"dependants,omitzero"`
	Epoch      uint64     `json:"epoch" jsonschema:"grows with every check and every publish"`
	// Cut says what was left out for a budget.
	Cut string `json:"cut,omitempty" jsonschema:"what was left out and how to get it"`
	// Budget bounds the text where leaving out parts of the result is not enough; 0 is
	// no bound.
	Budget int `json:"-"`

	counted tally // of Conclusion
}

// A File is what is known of one file.
type File struct {
	Path        string       `json:"path"`
	Verdict     string       `json:"verdict,omitempty"`
	Baseline    string       `json:"baseline,omitempty" jsonschema:"what new is judged against: none, session, head or before"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	// More counts the diagnostics that were left out for a budget.
	More     int          `json:"more,omitempty" jsonschema:"diagnostics that were left out for the budget"`
	Fixed    []Diagnostic `json:"fixed,omitempty" jsonschema:"diagnostics of the baseline that are gone"`
	Older    int          `json:"older,omitempty" jsonschema:"diagnostics that were there before and are not listed"`
	Standing int          `json:"standing,omitempty" jsonschema:"errors of earlier changes in this session that are still there and are not listed"`
	Excused  []Diagnostic `json:"excused,omitempty" jsonschema:"errors that may come of what the project is not set up with: not counted, and not listed as text"`
	Servers  []Answer     `json:"servers,omitempty"`
	// Error says why the file was not checked at all.
	Error *Problem `json:"error,omitempty"`
}

// An Answer says how far one server's word on a file can be trusted.
type Answer struct {
	Server    string `json:"server"`
	Root      string `json:"root,omitempty"`
	Version   int32  `json:"version,omitempty" jsonschema:"the document version the diagnostics hold for"`
	Freshness string `json:"freshness" jsonschema:"fresh, partial, timeout, indexing or unavailable"`
	Reason    string `json:"reason,omitempty"`
	Hint      string `json:"hint,omitempty"`
	WaitedMS  int64  `json:"waited_ms"`
	// Note is what there is to know beside a complete answer.
	Note string `json:"note,omitempty" jsonschema:"what there is to know beside the answer, as that the server was started anew for it"`
	// Says is what the server says is wrong with the project or with itself.
	Says []string `json:"says,omitempty" jsonschema:"what the server says is wrong with the project or with itself"`
	// Dispensable says that nobody misses this answer: a linter that is not installed.
	Dispensable bool `json:"dispensable,omitempty" jsonschema:"the verdict does not depend on this server"`
}

// A Diagnostic is one finding. Lines and columns are 1-based, columns in UTF-16
// code units.
type Diagnostic struct {
	Line      uint32 `json:"line"`
	Column    uint32 `json:"column"`
	EndLine   uint32 `json:"end_line"`
	EndColumn uint32 `json:"end_column"`
	Severity  string `json:"severity"`
	Code      string `json:"code,omitempty"`
	Source    string `json:"source,omitempty"`
	Message   string `json:"message"`
	Server    string `json:"server"`
	New       bool   `json:"new" jsonschema:"not in the baseline"`
	Standing  bool   `json:"standing,omitempty" jsonschema:"in the baseline, but not before this session began: an error of an earlier change that is still there"`
	// SourceLine is the text of the line, if it was asked for.
	SourceLine string `json:"source_line,omitempty"`
}

// A Problem is an error with its way out.
type Problem struct {
	// Kind is a stable word to decide by, such as "not_found".
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Caps bound what is shown (03-diagnostics, section 5). 0 means no bound.
type Caps struct {
	PerFile, OtherFiles, TotalLines int
}

// Style says how a terminal's text looks.
type Style struct {
	Colour bool
	// Source shows the line with a caret below each finding.
	Source bool
	// Path turns a root-relative path into what is shown.
	Path func(path string) string
	Caps Caps
}

// Text writes a check as a compiler would. A clean check is no text at all; a
// file nobody could judge is not mentioned here, see [Silence].
func (c *Check) Text(w io.Writer, style Style) error {
	p := &printer{w: w, style: style, left: style.Caps.TotalLines}
	for i := range c.Files {
		p.file(&c.Files[i])
	}
	p.others(c.Others, "other files with diagnostics")
	p.others(slices.DeleteFunc(slices.Clone(c.Late), func(f File) bool { return len(f.Diagnostics) == 0 }), "edited earlier, answered late")
	return p.err
}

type printer struct {
	w     io.Writer
	style Style
	left  int // lines left, if TotalLines is set
	err   error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// path shows a path; names of files may hold anything, even line ends.
func (p *printer) path(path string) string { return defused(p.style.Path(path)) }

func (p *printer) spent() bool { return p.style.Caps.TotalLines > 0 && p.left <= 0 }

func (p *printer) file(f *File) {
	older := 0
	var shown []*Diagnostic
	for i := range f.Diagnostics {
		if d := &f.Diagnostics[i]; d.New || d.Standing {
			shown = append(shown, d)
		} else {
			older++
		}
	}
	limit := p.style.Caps.PerFile
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
		p.line("%s: %d older %s not listed (baseline: %s)", p.path(f.Path), older, plural(older, "diagnostic"), defused(f.Baseline))
	}
}

func (p *printer) others(files []File, title string) {
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
func (p *printer) fitting(files []File) int {
	left := p.left
	for i := range files {
		if p.style.Caps.TotalLines > 0 && left <= 0 {
			return i
		}
		lines := 0
		for _, d := range files[i].Diagnostics {
			if (d.New || d.Standing) && (p.style.Caps.PerFile <= 0 || lines < p.style.Caps.PerFile) {
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

var severityColour = map[string]string{"error": red, "warning": yellow, "info": blue, "hint": blue}

func (p *printer) diagnostic(path string, d *Diagnostic) {
	place := fmt.Sprintf("%s:%d:%d:", p.path(path), d.Line, d.Column)
	severity := d.Severity + ":"
	if p.style.Colour {
		place = bold + place + reset
		severity = severityColour[d.Severity] + bold + severity + reset
	}
	message := oneLine(d.Message)
	if d.Code != "" {
		message += " (" + defused(d.Code) + ")"
	}
	p.line("%s %s %s", place, severity, message)
	if p.style.Source && d.SourceLine != "" {
		p.source(d)
	}
}

// source shows the line and marks the range below it.
func (p *printer) source(d *Diagnostic) {
	number := fmt.Sprintf("%5d", d.Line)
	p.line("%s | %s", number, printable(d.SourceLine))
	start := byteOf(d.SourceLine, d.Column)
	end := len(d.SourceLine)
	if d.EndLine == d.Line {
		end = max(byteOf(d.SourceLine, d.EndColumn), start)
	}
	mark := "^" + strings.Repeat("~", max(0, width(d.SourceLine[start:end])-1))
	if p.style.Colour {
		mark = severityColour[d.Severity] + mark + reset
	}
	p.line("%s | %s%s", strings.Repeat(" ", len(number)), blanks(d.SourceLine[:start]), mark)
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

// printable returns line without what could move a terminal's cursor; tabs
// stay, and stay in the line below.
func printable(line string) string {
	if harmless(line, '\t') {
		return line
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == utf8.RuneError || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, line)
}

// Printable returns text without what could move a terminal's cursor; its lines
// and tabs stay.
func Printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printable(line)
	}
	return strings.Join(lines, "\n")
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

// defused returns s on one line, with nothing in it that could move a
// terminal's cursor.
func defused(s string) string {
	if harmless(s, ' ') {
		return s
	}
	return printable(unbroken.Replace(s))
}

// harmless reports whether a text has only ASCII that is seen, and also: nearly
// all have.
func harmless(text string, also byte) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c >= 0x7f) && c != also {
			return false
		}
	}
	return true
}

// unbroken is made once: that costs more than all it replaces.
var unbroken = strings.NewReplacer("\n", "·", "\t", "·")

// maxMessage bounds one message, in characters (03-diagnostics, section 6).
const maxMessage = 400

// oneLine returns a message on one line, cut with "…" if it is too long, with
// nothing in it that could move a terminal's cursor.
func oneLine(message string) string {
	message = strings.Join(strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
	message = printable(message)
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
