package edit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// hunkHead is the line of a hunk that states its place.
var hunkHead = lazyregexp.New(`^@@+ *-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))? *@@`)

// hunks reads the hunks of f.
func (r *patchReader) hunks(f *filePatch) error {
	for strings.HasPrefix(r.next(0), "@@") {
		h := hunk{number: len(f.hunks) + 1, line: r.at + 1, stated: -1, old: -1, new: -1}
		if m := hunkHead.FindStringSubmatch(r.next(0)); m != nil {
			h.state(m)
		} else if anchor := strings.TrimSpace(strings.Trim(strings.TrimSpace(r.next(0)), "@")); anchor != "" && !strings.HasPrefix(anchor, "-") {
			h.anchors = []string{anchor}
		}
		for r.at++; !r.done() && !r.hunkEnds(&h); r.at++ {
			if err := r.hunkLine(&h); err != nil {
				return err
			}
		}
		h.trimBlank()
		if len(h.lines) == 0 {
			return &PatchError{h.line, "the hunk is empty"}
		}
		f.hunks = append(f.hunks, h)
	}
	return nil
}

// state takes over the numbers of a head, which are 1-based; a stretch of no
// lines is after the line it names.
func (h *hunk) state(m []string) {
	number := func(s string) int {
		if s == "" {
			return 1
		}
		n, err := strconv.Atoi(s)
		if err != nil { // too long to be true
			return 1 << 30
		}
		return n
	}
	h.stated, h.old, h.new = number(m[1])-1, number(m[2]), number(m[4])
	if h.old == 0 {
		h.stated++
	}
	h.stated = max(h.stated, 0)
}

// full reports whether the hunk has as many lines as it stated.
func (h *hunk) full() bool {
	old, new := h.count()
	return h.old >= 0 && old >= h.old && new >= h.new
}

// hunkEnds reports whether the hunk ends before the line that comes next.
func (r *patchReader) hunkEnds(h *hunk) bool {
	line := r.next(0)
	switch {
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "diff --git "):
		return true
	case r.namesFiles() && (strings.HasPrefix(r.next(2), "@@") || r.at+2 >= len(r.lines)):
		// Or a line "-- x" that becomes "++ y", which the counts tell.
		old, new := h.count()
		return h.old != old+1 || h.new != new+1
	case !h.full():
		return false
	case line == "-- ": // the signature of a mail
		return true
	case line == "" || line == "\r":
		// More lines than stated: only if some that are none of prose follow.
		for ahead := 1; ; ahead++ {
			if following := r.next(ahead); following != "" || r.at+ahead >= len(r.lines) {
				return following == "" || !strings.ContainsAny(following[:1], " +-") || r.namesFilesAt(ahead)
			}
		}
	}
	return !strings.ContainsAny(line[:1], ` +-\`)
}

func (r *patchReader) namesFilesAt(ahead int) bool {
	ahead += r.at
	return (&patchReader{r.lines, ahead}).namesFiles()
}

// hunkLine reads one line of a hunk. A line without a sign is kept text that
// lost its blank.
func (r *patchReader) hunkLine(h *hunk) error {
	line := r.next(0)
	switch {
	case line == "":
		h.lines = append(h.lines, hunkLine{op: ' ', bare: true})
	case line[0] == '\\':
		if len(h.lines) == 0 {
			return r.fail("%q without a line before it", line)
		}
		h.lines[len(h.lines)-1].noEnd = true
	case line[0] == ' ' || line[0] == '+' || line[0] == '-':
		h.lines = append(h.lines, hunkLine{op: line[0], text: line[1:]})
	default:
		h.lines = append(h.lines, hunkLine{op: ' ', text: line, bare: true})
	}
	return nil
}

// trimBlank drops empty lines at the end that belong to what is around the
// patch: those without a sign that are not needed for the stated counts.
func (h *hunk) trimBlank() {
	for n := len(h.lines) - 1; n >= 0; n-- {
		old, _ := h.count()
		if l := h.lines[n]; l.op != ' ' || !l.bare || strings.TrimSpace(l.text) != "" || h.old >= 0 && old <= h.old {
			return
		}
		h.lines = h.lines[:n]
	}
}

// isEnvelopeHead reports whether a line begins an envelope.
func isEnvelopeHead(line string) bool { return strings.TrimSpace(line) == "*** Begin Patch" }

// envelope reads what is between "*** Begin Patch" and "*** End Patch".
func (r *patchReader) envelope() ([]filePatch, error) {
	var files []filePatch
	for r.at++; !r.done(); {
		line := strings.TrimRight(r.next(0), " \r")
		head, name, _ := strings.Cut(line, ": ")
		name = strings.TrimSpace(name)
		f := filePatch{line: r.at + 1, from: name, to: name}
		var err error
		switch {
		case line == "*** End Patch":
			if len(files) == 0 {
				return nil, r.fail("the patch is empty")
			}
			return files, nil
		case strings.TrimSpace(line) == "" || head == "*** Environment ID":
			r.at++
			continue
		case strings.HasPrefix(line, "*** ") && name == "":
			return nil, r.fail("%q names no file", line)
		case head == "*** Add File":
			f.from = ""
			err = r.addedLines(&f)
		case head == "*** Delete File":
			f.to, f.whole = "", true
			r.at++
		case head == "*** Update File":
			err = r.updates(&f)
		default:
			return nil, r.fail(`%q: here "*** Add File: name", "*** Update File: name", "*** Delete File: name" or "*** End Patch" stands`, line)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return nil, r.fail(`"*** End Patch" is missing: the patch may have been cut off`)
}

// addedLines reads the text of a new file.
func (r *patchReader) addedLines(f *filePatch) error {
	h := hunk{number: 1, line: r.at + 2, stated: 0, old: 0, new: -1}
	for r.at++; !r.done() && !strings.HasPrefix(r.next(0), "*** "); r.at++ {
		text, ok := strings.CutPrefix(r.next(0), "+")
		if !ok && strings.TrimSpace(text) != "" {
			return r.fail("in a new file all lines begin with +")
		}
		h.lines = append(h.lines, hunkLine{op: '+', text: text, bare: !ok})
	}
	for n := len(h.lines); n > 0 && h.lines[n-1].bare; n-- {
		h.lines = h.lines[:n-1]
	}
	if len(h.lines) > 0 {
		f.hunks = []hunk{h}
	}
	return nil
}

// updates reads the hunks of a file, which have no numbers.
func (r *patchReader) updates(f *filePatch) error {
	r.at++
	if to, ok := strings.CutPrefix(r.next(0), "*** Move to: "); ok {
		f.to, f.renamed = strings.TrimSpace(to), true
		r.at++
	}
	var h *hunk
	begin := func() {
		f.hunks = append(f.hunks, hunk{number: len(f.hunks) + 1, line: r.at + 1, stated: -1, old: -1, new: -1})
		h = &f.hunks[len(f.hunks)-1]
	}
	for ; !r.done(); r.at++ {
		line := r.next(0)
		switch {
		case strings.TrimRight(line, " \r") == "*** End of File":
			if h == nil {
				return r.fail("the end of the file without lines before it")
			}
			h.atEnd = true
		case strings.HasPrefix(line, "*** "):
			return r.updated(f)
		case strings.HasPrefix(line, "@@"):
			if h == nil || len(h.lines) > 0 {
				begin()
			}
			if m := hunkHead.FindStringSubmatch(line); m != nil {
				h.state(m)
			} else if anchor := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line[2:]), "@@")); anchor != "" {
				h.anchors = append(h.anchors, anchor)
			}
		default:
			if h == nil || h.atEnd {
				begin()
			}
			if err := r.hunkLine(h); err != nil {
				return err
			}
		}
	}
	return r.updated(f)
}

// updated checks what updates read.
func (r *patchReader) updated(f *filePatch) error {
	for i := range f.hunks {
		h := &f.hunks[i]
		h.trimBlank()
		// What is only added goes to the end, as the makers of the format do it.
		h.atEnd = h.atEnd || h.stated < 0 && len(h.anchors) == 0 && len(sought(h.lines)) == 0
	}
	f.hunks = slices.DeleteFunc(f.hunks, func(h hunk) bool { return len(h.lines) == 0 && len(h.anchors) == 0 })
	for _, h := range f.hunks {
		if len(h.lines) == 0 {
			return &PatchError{h.line, "the hunk is empty"}
		}
	}
	if len(f.hunks) == 0 && !f.renamed {
		return &PatchError{f.line, "nothing is said to change in " + f.to}
	}
	return nil
}
