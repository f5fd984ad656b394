package imports

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
)

// A Difference is what one of two texts of a file gives another meaning than the
// other. What it does not have provably means the same to all other files.
type Difference struct {
	// Sure are the names of declarations of which users see what changed. Inferred
	// are those of which only bodies of functions changed whose type may follow from
	// the body: unless it does, nothing changed.
	Sure, Inferred []string
	// All says that any other name of the file may mean something else, too.
	All bool
	// Opaque says that more than names tell changed, beside what is imported: where a file
	// is built, what its package is called, or a text that could not be divided.
	Opaque bool

	declared names
}

// IsNothing reports whether all of a file means the same.
func (d *Difference) IsNothing() bool { return !d.All && len(d.Sure)+len(d.Inferred) == 0 }

// Keeps reports whether a name is one that the file declares, and means the same.
func (d *Difference) Keeps(name string) bool {
	_, changed := slices.BinarySearch(d.Sure, name)
	_, may := slices.BinarySearch(d.Inferred, name)
	return d.declared[name] && !d.All && !changed && !may
}

// Between compares two texts of a file, as far as they alone tell. Only comments and
// white space, what is in the bodies of functions whose results are written, and the
// values of variables whose types are written show nothing to users; every other
// change is that of a declaration, or of all of them. A nil text stands for a file
// that is not there.
func Between(path string, before, after []byte) Difference {
	return new(Reader).Between(path, before, after)
}

// Between does what the function Between does, for less if one of the texts was the other
// one of the last comparison: that of a file that is edited again and again.
func (r *Reader) Between(path string, before, after []byte) Difference {
	d := Difference{All: before == nil || after == nil}
	f := familyOf(path)
	if f == nil {
		return d
	}
	var was, is []declaration
	if before != nil {
		was = r.divide(f, path, before)
	}
	if after != nil {
		is = r.divide(f, path, after)
	}
	sure, inferred := make(names), make(names)
	compare := func(list, other []declaration) {
		for _, i := range unlike(list, other, func(d *declaration) string { return d.sure }) {
			list[i].mark(sure)
			d.All = d.All || list[i].shapes
			comes := before == nil || after == nil
			d.Opaque = d.Opaque || list[i].shapes && !list[i].links && (!comes || list[i].passes)
		}
		for _, i := range unlike(list, other, func(d *declaration) string { return d.shown }) {
			list[i].mark(inferred)
		}
	}
	compare(was, is)
	compare(is, was)
	if f == families[language.ScriptFamily] && isModule(path, before) != isModule(path, after) {
		d.All = true // whoever imports what is no module has an error
		// Names are everybody's, or no longer.
		for _, declared := range slices.Concat(was, is) {
			declared.mark(sure)
		}
	}
	d.declared = make(names)
	for _, part := range slices.Concat(was, is) {
		d.declared.add(part.names...)
	}
	for name := range sure {
		delete(inferred, name)
	}
	d.Sure, d.Inferred = sure.sorted(), inferred.sorted()
	return d
}

func isModule(path string, text []byte) bool {
	s := scanScript(path, text)
	return s.isModule()
}

// maxDivisions bounds the texts whose divisions are kept for the next comparison.
const maxDivisions = 16

// divide divides a text, unless it was one of the last that were.
func (r *Reader) divide(f *family, path string, text []byte) []declaration {
	r.mu.Lock()
	i := slices.IndexFunc(r.divisions, func(d division) bool { return d.path == path && d.text == string(text) })
	if i >= 0 {
		defer r.mu.Unlock()
		return r.divisions[i].list
	}
	r.mu.Unlock()
	list := f.declarations(path, string(text))
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(text) <= maxDivided/maxDivisions {
		r.divisions = append(r.divisions[max(0, len(r.divisions)+1-maxDivisions):], division{path, string(text), list})
	}
	return list
}

// unlike returns which declarations of a list do not stand in the same order in the
// other one, by a text of them.
func unlike(list, other []declaration, text func(*declaration) string) (found []int) {
	lines := func(list []declaration) ([]string, []byte) {
		var all []string
		for i := range list {
			all = append(all, signature(text(&list[i])))
		}
		return all, []byte(strings.Join(all, "\n") + "\n")
	}
	own, before := lines(list)
	_, after := lines(other)
	m := edit.NewLineMap(before, after)
	for i, line := range own {
		if _, stands := m.Line(i); !stands && line != "" {
			found = append(found, i)
		}
	}
	return found
}

// mark adds the names that a changed declaration gives a meaning to.
func (d *declaration) mark(changed names) {
	changed.add(d.names...)
	if d.passes && !d.shapes {
		changed.add(d.words()...)
	}
}
