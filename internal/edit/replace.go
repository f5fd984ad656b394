package edit

import "strings"

// Replace puts new in the place of old, which must be in the file exactly once,
// or at least once if all is set; it returns how often it was. Every character
// counts, but \n and \r\n are the same: lines that stay keep their ending, new
// ones take that of their surroundings. A byte order mark is kept, and no part
// of the text.
//
// The error is a *NoMatchError, an *AmbiguousMatchError, a *NotFoundError, a
// *BinaryError, or an *InvalidEditError for texts that mean nothing.
func (p *Plan) Replace(path, old, new string, all bool) (count int, err error) {
	err = p.allOrNone(func() error {
		switch {
		case old == "":
			return &InvalidEditError{path, "the old text is empty: to write the whole file, give its content; to insert, give the line at which, as old text, and again in the new"}
		case old == new:
			return &InvalidEditError{path, "the old text and the new are the same"}
		}
		f, err := p.text(path)
		if err != nil {
			return err
		}
		mark, text := splitMark(f.after)
		whole, sought := fold(text), fold(old).text
		places := occurrences(whole.text, sought, all)
		switch {
		case len(places) == 0:
			near, hint, diff := nearestLines(whole.text, sought)
			return &NoMatchError{f.path, near, hint, diff}
		case len(places) > 1 && !all:
			return &AmbiguousMatchError{f.path, linesOf(whole.text, places)}
		}
		count = len(places)
		f.replaced += count
		return p.put(f, []byte(mark+replaceAt(text, whole, places, len(sought), new)), "a replacement of text")
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// replaceAt puts new where whole, the folded text, has size bytes at places.
func replaceAt(text string, whole folded, places []int, size int, new string) string {
	var b strings.Builder
	done := 0
	for _, place := range places {
		from, to := whole.unfolded(place), whole.unfolded(place+size)
		b.WriteString(text[done:from])
		b.WriteString(replacement(text, from, to, new))
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}

// occurrences returns the offsets of sought in text: those one after the other
// if they are to be replaced, otherwise also those that overlap.
func occurrences(text, sought string, replaced bool) []int {
	var places []int
	for offset := 0; ; {
		i := strings.Index(text[offset:], sought)
		if i < 0 {
			return places
		}
		places = append(places, offset+i)
		offset += i + 1
		if replaced {
			offset += len(sought) - 1
		}
	}
}

// linesOf returns the 1-based lines of ascending offsets.
func linesOf(text string, places []int) []int {
	lines := make([]int, 0, len(places))
	line, done := 1, 0
	for _, place := range places {
		line += strings.Count(text[done:place], "\n")
		done = place
		lines = append(lines, line)
	}
	return lines
}
