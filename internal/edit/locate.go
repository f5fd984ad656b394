package edit

import (
	"slices"
	"strings"
)

// A fileLine is a line of a file and how it ends: "\n", "\r\n" or "" (the last).
type fileLine struct{ text, end string }

func fileLines(text string) []fileLine {
	var lines []fileLine
	for line := range strings.Lines(text) {
		l := fileLine{text: strings.TrimSuffix(line, "\n")}
		if len(l.text) < len(line) {
			l.end = "\n"
			if trimmed, ok := strings.CutSuffix(l.text, "\r"); ok {
				l = fileLine{trimmed, "\r\n"}
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// A likeness level is how much a line of a file may differ from one of a patch:
// each level forgives more.
type level int

const (
	byteForByte level = iota
	butEnding         // the line ending
	butTrailing       // blanks at the end
	butBlanks         // blanks at both ends
	levels
)

func (l fileLine) is(h hunkLine, by level) bool {
	switch by {
	case byteForByte:
		end := "\n"
		if h.noEnd {
			end = ""
		}
		return l.text+l.end == h.text+end
	case butEnding:
		return l.text == strings.TrimSuffix(h.text, "\r")
	case butTrailing:
		return strings.TrimRight(l.text, " \t\r") == strings.TrimRight(h.text, " \t\r")
	}
	return strings.TrimSpace(l.text) == strings.TrimSpace(h.text)
}

// A site is where a hunk is in a file: size lines from start on, 0-based.
type site struct {
	start, size int
	by          level
	lines       []hunkLine
	hunk        hunk
}

func (s site) end() int { return s.start + s.size }

// A locator finds the hunks of one file. taken are the sites found so far; drift
// is how far the last was from where it said.
type locator struct {
	path  string
	file  []fileLine
	taken []site
	drift int
}

const notInFile = "its lines are not in the file"

// locate finds the place of h.
func (l *locator) locate(h hunk) (site, error) {
	old := sought(h.lines)
	if len(old) == 0 {
		return l.insertion(h)
	}
	s, err := l.search(h, h.lines)
	if last := h.lines[len(h.lines)-1]; err != nil && len(old) > 1 && last.op == ' ' && strings.TrimSpace(last.text) == "" {
		// An empty line after the last line ending is one to people.
		if shorter, again := l.search(h, h.lines[:len(h.lines)-1]); again == nil {
			return shorter, nil
		}
	}
	return s, err
}

// sought are the lines that the file has before the change.
func sought(lines []hunkLine) []hunkLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l hunkLine) bool { return l.op == '+' })
}

// search finds the lines at the strictest level at which they are anywhere.
func (l *locator) search(h hunk, lines []hunkLine) (site, error) {
	old := sought(lines)
	starts, err := l.afterAnchors(h)
	if err != nil {
		return site{}, err
	}
	var changed []int // where the lines are that an earlier hunk changes
	for by := byteForByte; by < levels; by++ {
		var places, taken []int
		for at := 0; at+len(old) <= len(l.file); at++ {
			switch {
			case !l.matches(at, old, by):
			case l.free(at, len(old)):
				places = append(places, at)
			default:
				taken = append(taken, at)
			}
		}
		places = following(places, starts)
		if len(places) == 0 {
			if len(changed) == 0 {
				changed = following(taken, starts)
			}
			continue
		}
		at, unique := l.choose(h, places, len(old), by)
		if !unique {
			return site{}, l.fail(h, "its lines are there more than once: state the line, or give more lines around it", places)
		}
		return site{at, len(old), by, lines, h}, nil
	}
	if len(changed) > 0 {
		return site{}, l.fail(h, "an earlier hunk of the patch changes its lines: make one hunk of both", changed)
	}
	return site{}, l.missing(h, old)
}

func (l *locator) matches(at int, old []hunkLine, by level) bool {
	for i, line := range old {
		if !l.file[at+i].is(line, by) {
			return false
		}
	}
	return true
}

// free reports whether no earlier hunk changes the lines.
func (l *locator) free(at, size int) bool {
	return !slices.ContainsFunc(l.taken, func(s site) bool { return at < s.end() && s.start < at+size })
}

// choose picks the place that is meant, if that is clear: the only one; the one
// at the end if the hunk says so; the one at the stated line, or clearly the
// nearest to it; the only one after the hunks before it.
func (l *locator) choose(h hunk, places []int, size int, by level) (at int, unique bool) {
	last := places[len(places)-1]
	if h.atEnd && last+size == len(l.file) {
		return last, true
	}
	if h.stated >= 0 {
		stated := h.stated + l.drift
		distance := func(at int) int { return max(at-stated, stated-at) }
		slices.SortStableFunc(places, func(a, b int) int { return distance(a) - distance(b) })
		if distance(places[0]) == 0 || len(places) > 1 && by <= butEnding && distance(places[0])*2 < distance(places[1]) {
			return places[0], true
		}
		slices.Sort(places)
	}
	if len(places) > 1 && len(l.taken) > 0 {
		end := l.taken[len(l.taken)-1].end()
		if later := slices.DeleteFunc(slices.Clone(places), func(at int) bool { return at < end }); len(later) > 0 {
			places = later
		}
	}
	return places[0], len(places) == 1
}

// afterAnchors returns the lines after which the hunk may be: one for each way
// to find its anchors one after the other. nil means that it has none.
func (l *locator) afterAnchors(h hunk) (starts []int, err error) {
	for i, anchor := range h.anchors {
		first := 0
		if i > 0 {
			first = starts[0] + 1
		}
		starts = l.anchored(anchor, first)
		if len(starts) == 0 {
			return nil, l.missing(h, []hunkLine{{op: ' ', text: anchor}})
		}
	}
	return starts, nil
}

// anchored returns the lines from first on that are anchor or, if none is, that
// have it in them.
func (l *locator) anchored(anchor string, first int) []int {
	for _, is := range []func(line string) bool{
		func(line string) bool { return strings.TrimSpace(line) == anchor },
		func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), anchor) },
		func(line string) bool { return strings.Contains(line, anchor) },
	} {
		var found []int
		for i := first; i < len(l.file); i++ {
			if is(l.file[i].text) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// following keeps of the places the first at or after each start.
func following(places, starts []int) []int {
	if starts == nil {
		return places
	}
	var first []int
	for _, start := range starts {
		if i, _ := slices.BinarySearch(places, start); i < len(places) {
			first = append(first, places[i])
		}
	}
	return slices.Compact(first)
}

// insertion finds the place of a hunk that only adds lines: where it states;
// after its anchor; at the end if it says so, or if the file is empty.
func (l *locator) insertion(h hunk) (site, error) {
	starts, err := l.afterAnchors(h)
	at := h.stated + l.drift
	switch {
	case err != nil:
		return site{}, err
	case len(starts) > 1:
		return site{}, l.fail(h, "the line it is to follow is there more than once", starts)
	case len(starts) == 1:
		at = starts[0] + 1
	case len(l.file) == 0:
		at = 0
	case h.atEnd:
		at = len(l.file)
	case h.stated < 0:
		return site{}, l.fail(h, "it says neither at which line nor between which lines to insert", nil)
	case h.old > 0:
		return site{}, l.fail(h, "it has none of the lines of the file that it states: give some around it", nil)
	case h.stated > len(l.file):
		return site{}, l.fail(h, "it begins past the end of the file", nil)
	}
	return site{min(max(at, 0), len(l.file)), 0, butEnding, h.lines, h}, nil
}

// fail makes an error; places are 0-based.
func (l *locator) fail(h hunk, reason string, places []int) error {
	e := &HunkError{Path: l.path, Hunk: h.number, Line: h.line, Reason: reason}
	for _, at := range places {
		e.Candidates = append(e.Candidates, at+1)
	}
	return e
}

// missing says what in the file is most like what was sought.
func (l *locator) missing(h hunk, old []hunkLine) error {
	e := &HunkError{Path: l.path, Hunk: h.number, Line: h.line, Reason: notInFile}
	var text, want strings.Builder
	for _, line := range l.file {
		text.WriteString(line.text + "\n")
	}
	for _, line := range old {
		want.WriteString(strings.TrimSuffix(line.text, "\r") + "\n")
	}
	e.Nearest, e.Hint, e.Diff = nearestLines(text.String(), want.String())
	return e
}
