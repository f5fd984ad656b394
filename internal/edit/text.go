package edit

import (
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// A TextEdit replaces a range of a text (LSP, TextEdit).
type TextEdit struct {
	Range   protocol.Range
	NewText string
}

// An OverlapError says that two edits of one text touch the same characters.
type OverlapError struct {
	First, Second protocol.Range
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("edits overlap: one ends at %d:%d, the next begins at %d:%d",
		e.First.End.Line+1, e.First.End.Character+1, e.Second.Start.Line+1, e.Second.Start.Character+1)
}

// Apply returns content with edits made, in whatever order they come: all refer
// to content as given (LSP, "TextEdit[]"). Inserts at one place keep their
// order. Overlapping edits are an *OverlapError; positions past the end of a
// line or text are moved there. content is not changed.
func Apply(content []byte, edits []TextEdit, encoding protocol.Encoding) ([]byte, error) {
	type change struct {
		from, to int
		edit     TextEdit
	}
	mapper := protocol.NewMapper(content)
	changes := make([]change, len(edits))
	for i, e := range edits {
		from, to := mapper.Offset(e.Range.Start, encoding), mapper.Offset(e.Range.End, encoding)
		changes[i] = change{from, max(from, to), e}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to // an insert before what it stands at
	})
	var result []byte
	end := 0
	for i, c := range changes {
		if c.from < end {
			return nil, &OverlapError{changes[i-1].edit.Range, c.edit.Range}
		}
		result = append(append(result, content[end:c.from]...), c.edit.NewText...)
		end = c.to
	}
	return append(result, content[end:]...), nil
}
