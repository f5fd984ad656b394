package edit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// patchFile makes the changes of one file.
func (p *Plan) patchFile(f filePatch) error {
	switch {
	case f.from == "" && f.to == "":
		return &PatchError{f.line, "it names no file"}
	case f.from == "":
		return p.patchNew(f)
	case f.to == "":
		return p.patchDeleted(f)
	}
	path := f.to
	if f.from != f.to {
		from, err := p.load(f.from)
		if err != nil {
			return err
		}
		to, err := p.load(f.to)
		if err != nil {
			return err
		}
		// Names that differ say a rename only if that is possible: file.orig and
		// file are one.
		if f.renamed || from.exists && !to.exists {
			path = f.from
		}
	}
	if err := p.patchText(path, f.hunks); err != nil {
		return err
	}
	if path != f.to {
		return p.Rename(path, f.to, Existing{})
	}
	return nil
}

func (p *Plan) patchNew(f filePatch) error {
	file, err := p.load(f.to)
	switch {
	case err != nil:
		return err
	case file.exists && len(file.after) > 0:
		return fmt.Errorf("patch, line %d makes a new file: %w", f.line, &ExistsError{file.path})
	}
	var text strings.Builder
	for _, h := range f.hunks {
		for _, l := range h.lines {
			if l.op != '+' {
				return &PatchError{h.line, "a new file has only lines with +"}
			}
			text.WriteString(l.text)
			if !l.noEnd {
				text.WriteByte('\n')
			}
		}
	}
	return p.put(file, []byte(text.String()), "a patch")
}

func (p *Plan) patchDeleted(f filePatch) error {
	if !f.whole {
		if err := p.patchText(f.from, f.hunks); err != nil {
			return err
		}
		file, err := p.text(f.from)
		if err != nil {
			return err
		}
		if _, text := splitMark(file.after); text != "" {
			return &PatchError{f.line, fmt.Sprintf("it deletes %s, which has lines that the patch does not show", file.path)}
		}
	}
	return p.Delete(f.from, Missing{})
}

// patchText makes the hunks of a file.
func (p *Plan) patchText(path string, hunks []hunk) error {
	if len(hunks) == 0 {
		return nil
	}
	f, err := p.text(path)
	if err != nil {
		return err
	}
	mark, text := splitMark(f.after)
	l := &locator{path: f.path, file: fileLines(text)}
	for _, h := range hunks {
		if mark != "" { // git shows it as part of the first line
			h.lines = slices.Clone(h.lines)
			for i := range h.lines {
				h.lines[i].text = strings.TrimPrefix(h.lines[i].text, mark)
			}
		}
		s, err := l.locate(h)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(l.taken, func(t site) bool { return t.start < s.start && s.start < t.end() }) {
			return l.fail(h, "it inserts between lines that another hunk changes", nil)
		}
		if h.stated >= 0 {
			l.drift = s.start - h.stated
		}
		l.taken = append(l.taken, s)
	}
	return p.put(f, []byte(mark+l.patched()), "a patch")
}

// patched returns the file with all hunks made.
func (l *locator) patched() string {
	sites := slices.Clone(l.taken)
	// What is only inserted stands before what is changed from there on.
	slices.SortStableFunc(sites, func(a, b site) int { return cmp.Or(a.start-b.start, a.size-b.size) })
	var lines []fileLine
	done := 0
	for _, s := range sites {
		lines = append(append(lines, l.file[done:s.start]...), l.replaced(s)...)
		done = s.end()
	}
	lines = append(lines, l.file[done:]...)
	var b strings.Builder
	for i, line := range lines {
		if b.WriteString(line.text); line.end == "" && i < len(lines)-1 {
			line.end = l.ending(len(l.file)) // it is the last no longer
		}
		b.WriteString(line.end)
	}
	return b.String()
}

// replaced returns the lines that stand at a site afterwards: kept ones are the
// file's own.
func (l *locator) replaced(s site) []fileLine {
	var lines []fileLine
	at := s.start
	told := slices.ContainsFunc(s.lines, func(h hunkLine) bool { return h.noEnd })
	for _, h := range s.lines {
		switch h.op {
		case ' ':
			lines = append(lines, l.file[at])
			at++
		case '-':
			at++
		case '+':
			lines = append(lines, l.added(s, h, at))
		}
	}
	// A patch that does not speak of a missing end of the last line keeps it.
	last := len(lines) - 1
	if s.end() == len(l.file) && s.end() > 0 && l.file[s.end()-1].end == "" && !told && last >= 0 {
		lines[last].end = ""
	}
	return lines
}

// added returns a new line, before which the site has the lines up to at.
func (l *locator) added(s site, h hunkLine, at int) fileLine {
	text, hasCR := strings.CutSuffix(h.text, "\r")
	switch {
	case h.noEnd:
		return fileLine{h.text, ""}
	case hasCR:
		return fileLine{text, "\r\n"}
	case s.by == byteForByte: // the patch says how the lines around end, so also of this one
		return fileLine{text, "\n"}
	}
	return fileLine{text, l.ending(at)}
}

// ending returns the line ending of the line before at or, if there is none,
// after it.
func (l *locator) ending(at int) string {
	for i := at - 1; i >= 0; i-- {
		if l.file[i].end != "" {
			return l.file[i].end
		}
	}
	if len(l.file) > 0 && l.file[0].end != "" {
		return l.file[0].end
	}
	return "\n"
}
