package imports

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
)

// Between returns what the difference of two texts of a file may give another
// meaning, as far as the texts alone prove: the names of every declaration that
// users of the file may see changed. A nil text stands for a file that is not there;
// then, and where a change cannot be tied to names, All is set.
func Between(path string, before, after []byte) Change {
	c := Change{Path: path, Before: before, After: after, All: before == nil || after == nil}
	f := familyOf(path)
	if f == nil {
		return c
	}
	was, is := f.declarations(string(before)), f.declarations(string(after))
	changed := make(names)
	for _, d := range slices.Concat(unlike(was, is), unlike(is, was)) {
		if len(d.names) == 0 && !d.passes {
			c.All = true
		}
		d.mark(changed)
	}
	c.Names = changed.sorted()
	return c
}

// unlike returns the declarations of a list that do not stand in the same order in
// the other one.
func unlike(list, other []declaration) (found []declaration) {
	m := edit.NewLineMap(signatures(list), signatures(other))
	for i, d := range list {
		if _, stands := m.Line(i); !stands && d.signature() != "" {
			found = append(found, d)
		}
	}
	return found
}

// signatures returns the signatures of declarations, a line for each.
func signatures(list []declaration) []byte {
	var text strings.Builder
	for _, d := range list {
		text.WriteString(d.signature())
		text.WriteByte('\n')
	}
	return []byte(text.String())
}

// signature returns what users see of a declaration, in one line; "" if that is nothing.
func (d *declaration) signature() string {
	var seen []string
	for i, line := range d.lines {
		if line = strings.TrimRight(line, " \t\r"); line != "" && !d.opaque[i] {
			seen = append(seen, line)
		}
	}
	return strings.Join(seen, "\x00")
}

// mark adds the names that a changed declaration gives a meaning to.
func (d *declaration) mark(changed names) {
	for _, name := range d.names {
		changed[name] = true
	}
	if !d.passes {
		return
	}
	for _, line := range d.lines {
		for _, word := range identifier.FindAllString(quotedPath.ReplaceAllString(line, ""), -1) {
			if !keywords[word] {
				changed[word] = true
			}
		}
	}
}
