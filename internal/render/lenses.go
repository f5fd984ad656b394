package render

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Lenses are the commands that servers offer in a file, in its order.
type Lenses struct {
	Head
	Path   string `json:"path"`
	Total  int    `json:"total"`
	Lenses []Lens `json:"lenses"`
}

// A Lens is one command at a place. Lines and columns are 1-based.
type Lens struct {
	Number  int    `json:"number" jsonschema:"for execute_code_lens"`
	Line    uint32 `json:"line"`
	Column  uint32 `json:"column"`
	EndLine uint32 `json:"end_line"`
	Title   string `json:"title"`
	Server  string `json:"server"`
	Command string `json:"command,omitempty"`
	// Arguments are JSON values.
	Arguments []json.RawMessage `json:"arguments,omitempty" jsonschema:"of the command"`
	Problem   string            `json:"problem,omitempty" jsonschema:"why it cannot be executed here"`
}

// Brief implements [Reply].
func (l *Lenses) Brief() string {
	return l.write(func(b *strings.Builder) {
		if l.Total == 0 {
			fmt.Fprintf(b, "%s: no server offers a code lens\n", defused(l.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d code %s\n", defused(l.Path), l.Total, pluralLens(l.Total))
		for i := range l.Lenses {
			lens := &l.Lenses[i]
			fmt.Fprintf(b, "%d. %d:%d %s", lens.Number, lens.Line, lens.Column, oneLine(lens.Title))
			if lens.Command != "" {
				fmt.Fprintf(b, " (%s)", defused(lens.Command))
			}
			if lens.Problem != "" {
				fmt.Fprintf(b, ": %s", oneLine(lens.Problem))
			}
			b.WriteByte('\n')
		}
	})
}

func pluralLens(n int) string {
	if n == 1 {
		return "lens"
	}
	return "lenses"
}

// Fit implements [Reply]: lenses go from the end.
func (l *Lenses) Fit(max int) {
	fit(max, l, func() bool {
		if len(l.Lenses) <= 1 {
			return false
		}
		l.Lenses = l.Lenses[:halve(len(l.Lenses))]
		l.Cut = fmt.Sprintf("all but %d code lenses; name a line, or raise max_bytes", len(l.Lenses))
		return true
	})
}

// Formatting is how a file would be formatted: edits that nobody made yet.
type Formatting struct {
	Head
	Path  string     `json:"path"`
	Edits []TextEdit `json:"edits" jsonschema:"of the file as it is; empty if it is formatted"`
}

// A TextEdit replaces a stretch of text. Lines and columns are 1-based, columns in
// UTF-16; the end is not included.
type TextEdit struct {
	StartLine   uint32 `json:"start_line"`
	StartColumn uint32 `json:"start_column"`
	EndLine     uint32 `json:"end_line"`
	EndColumn   uint32 `json:"end_column"`
	NewText     string `json:"new_text"`
}

// Brief implements [Reply].
func (f *Formatting) Brief() string {
	return f.write(func(b *strings.Builder) {
		if len(f.Edits) == 0 {
			fmt.Fprintf(b, "%s is already formatted.\n", defused(f.Path))
			return
		}
		fmt.Fprintf(b, "%s: %d %s that would format it; nothing was written\n", defused(f.Path), len(f.Edits), plural(len(f.Edits), "edit"))
		for _, e := range f.Edits {
			fmt.Fprintf(b, "%d:%d-%d:%d %q\n", e.StartLine, e.StartColumn, e.EndLine, e.EndColumn, e.NewText)
		}
	})
}

// Fit implements [Reply]. Half of the edits would format nothing: what does not fit is
// left out of the text alone.
func (f *Formatting) Fit(max int) { fit(max, f) }
