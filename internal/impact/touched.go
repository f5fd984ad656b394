package impact

import (
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/symbols"
)

// Touched returns the declarations that the hunks of a diff touch, in the order of the file: the
// innermost one around each changed line. deleted reports whether lines outside of all
// declarations were deleted, which may have been a declaration.
func Touched(o *symbols.Outline, text *protocol.Mapper, hunks []git.Hunk) (touched []*symbols.Symbol, deleted bool) {
	declared := Declared(o, text)
	hit := make(map[*symbols.Symbol]bool)
	for _, h := range hunks {
		if h.Count == 0 { // deleted after the line: inside of what holds both sides
			s := innermost(o, declared, h.Start-1, h.Start)
			hit[s] = true
			deleted = deleted || s == nil
		}
		for line := h.Start - 1; line < h.Start-1+h.Count; line++ {
			hit[innermost(o, declared, line, line)] = true
		}
	}
	for _, s := range declared {
		if hit[s] {
			touched = append(touched, s)
		}
	}
	return touched, deleted
}

// innermost returns the last declaration whose lines, 0-based and with its doc
// comment, hold both; nil if none does. Outer ones come first.
func innermost(o *symbols.Outline, declared []*symbols.Symbol, first, last int) (found *symbols.Symbol) {
	for _, s := range declared {
		if from, to := o.Extent(s); from <= first && last <= to {
			found = s
		}
	}
	return found
}
