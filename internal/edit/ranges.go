package edit

import (
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/protocol"
)

// Ranges replaces ranges of a file. All refer to its text as it was before the
// first call for it, also over several calls, in any order, so they must come
// before other edits of the file; a rename begins anew with the text as it is
// then. Characters are counted in encoding; past the end of a line means that
// end. A line past the end of the text is a *RangeError, but the line after the
// last, character 0, is its end. Overlaps are an *OverlapError. Inserts at one
// place keep their order. \n in new text becomes the line ending that stands
// there.
func (p *Plan) Ranges(path string, edits []TextEdit, encoding protocol.Encoding) error {
	return p.allOrNone(func() error {
		f, err := p.text(path)
		if err != nil {
			return err
		}
		return p.ranges(f, edits, protocol.Counting{Encoding: encoding, Ends: protocol.LineEnds}, false)
	})
}

// ranges makes edits of f. Those of a server may end anywhere past the end if
// they begin with the text: so servers say that they replace all of it.
func (p *Plan) ranges(f planned, edits []TextEdit, counting protocol.Counting, server bool) error {
	if f.sealed != "" {
		return &InvalidEditError{f.path, fmt.Sprintf("its ranges can no longer be told after %s: give ranges first, or all of the edits by their text", f.sealed)}
	}
	ours := protocol.NewMapper(f.original)
	theirs := ours.As(counting.Ends)
	f.ranges = slices.Clone(f.ranges)
	for _, e := range edits {
		whole := server && e.Range.Start == protocol.Position{}
		if reason := outOfText(e.Range, theirs.Lines(), whole); reason != "" {
			return &RangeError{f.path, e.Range, theirs.Lines(), reason}
		}
		e.NewText = withEnding(e.NewText, endingAt(string(f.original), theirs.Offset(e.Range.Start, counting.Encoding)))
		e.Range.Start = theirs.Restate(e.Range.Start, counting.Encoding, ours, protocol.UTF8)
		e.Range.End = theirs.Restate(e.Range.End, counting.Encoding, ours, protocol.UTF8)
		f.ranges = append(f.ranges, e)
	}
	content, err := Apply(f.original, f.ranges, protocol.UTF8)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return p.put(f, content, "")
}

// outOfText says what is wrong with a range of a text of so many lines, or "".
func outOfText(r protocol.Range, lines int, whole bool) string {
	past := func(at protocol.Position) bool {
		return int64(at.Line) > int64(lines) || int64(at.Line) == int64(lines) && at.Character > 0
	}
	switch {
	case past(r.Start), past(r.End) && !whole:
		return fmt.Sprintf("is past the end: there are %d lines", lines)
	case r.End.Before(r.Start):
		return "ends before it begins"
	}
	return ""
}
