package render

import (
	"fmt"
	"strings"
)

// A PreparedRename says what a rename would rename. Lines and columns are 1-based,
// columns in UTF-16 units.
type PreparedRename struct {
	Head
	Path      string `json:"path"`
	Line      uint32 `json:"line"`
	Column    uint32 `json:"column"`
	EndLine   uint32 `json:"end_line"`
	EndColumn uint32 `json:"end_column" jsonschema:"not included"`
	// Placeholder is the name as it would be edited.
	Placeholder string `json:"placeholder" jsonschema:"the name as it is now"`
}

// Brief implements [Reply].
func (p *PreparedRename) Brief() string {
	return p.write(func(b *strings.Builder) {
		fmt.Fprintf(b, "%s can be renamed: %s:%d:%d to %d:%d\n",
			defused(p.Placeholder), defused(p.Path), p.Line, p.Column, p.EndLine, p.EndColumn)
	})
}

// Fit implements [Reply]: there is nothing to leave out but the notes.
func (p *PreparedRename) Fit(limit int) {
	fit(limit, p, func() bool {
		had := len(p.Notes) > 0
		p.Notes, p.Cut = nil, "notes; raise max_bytes"
		return had
	})
}
