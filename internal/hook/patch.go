package hook

import "strings"

// The marker lines of the patch format that OpenAI's models write.
const (
	patchBegin  = "*** Begin Patch"
	patchEnd    = "*** End Patch"
	patchAdd    = "*** Add File: "
	patchUpdate = "*** Update File: "
	patchDelete = "*** Delete File: "
	patchMove   = "*** Move to: "
)

// patchEdits returns the files that such a patch changes, none if the text is not a patch. A moved
// file is listed under both names.
func patchEdits(text string) (edits []Edit) {
	_, body, found := strings.Cut(text, patchBegin)
	if !found {
		return nil
	}
	var updated *patched
	end := func() {
		if updated != nil {
			edits = append(edits, updated.edits()...)
		}
		updated = nil
	}
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch {
		case strings.HasPrefix(line, patchEnd):
			end()
			return edits
		case strings.HasPrefix(line, patchAdd):
			end()
			edits = append(edits, Edit{Path: strings.TrimSpace(line[len(patchAdd):])})
		case strings.HasPrefix(line, patchDelete):
			end()
			edits = append(edits, Edit{Path: strings.TrimSpace(line[len(patchDelete):])})
		case strings.HasPrefix(line, patchUpdate):
			end()
			updated = &patched{path: strings.TrimSpace(line[len(patchUpdate):])}
		case updated == nil:
		case strings.HasPrefix(line, patchMove):
			updated.to = strings.TrimSpace(line[len(patchMove):])
		default:
			updated.line(line)
		}
	}
	end()
	return edits
}

// A patched file is a file that a patch updates.
type patched struct {
	path, to string
	// before and after are the lines of the current hunk; undo reverts the hunks before it.
	before, after strings.Builder
	undo          []Replacement
}

// line processes the next line of the patch.
func (p *patched) line(line string) {
	switch {
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "***"):
		p.endHunk()
	case strings.HasPrefix(line, "-"):
		p.before.WriteString(line[1:] + "\n")
	case strings.HasPrefix(line, "+"):
		p.after.WriteString(line[1:] + "\n")
	case strings.HasPrefix(line, " "):
		p.before.WriteString(line[1:] + "\n")
		p.after.WriteString(line[1:] + "\n")
	case line == "": // an empty context line whose leading blank was lost
		p.before.WriteString("\n")
		p.after.WriteString("\n")
	}
}

func (p *patched) endHunk() {
	if p.before.String() != p.after.String() {
		p.undo = append([]Replacement{{Old: p.after.String(), New: p.before.String(), Lines: true}}, p.undo...)
	}
	p.before.Reset()
	p.after.Reset()
}

func (p *patched) edits() []Edit {
	p.endHunk()
	if p.to == "" {
		return []Edit{{Path: p.path, Undo: p.undo}}
	}
	return []Edit{{Path: p.path}, {Path: p.to}}
}
