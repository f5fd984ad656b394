package render

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/legible"
	"github.com/lspine/lspine/internal/result"
)

func briefPreparedRename(p *result.PreparedRename) string {
	return write(&p.Head, func(b *strings.Builder) {
		fmt.Fprintf(b, "%s can be renamed: %s:%d:%d to %d:%d\n",
			legible.Line(p.Placeholder), legible.Line(p.Path), p.Line, p.Column, p.EndLine, p.EndColumn)
	})
}

// fitPreparedRename shortens: there is nothing to leave out but the notes.
func fitPreparedRename(p *result.PreparedRename, limit int) {
	fit(limit, p, func() bool {
		if len(p.Notes) == 0 {
			return false
		}
		p.Notes, p.Cut = nil, "notes; raise max_bytes"
		return true
	})
}
