package symbols

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/protocol"
)

// A Symbol is a declaration in a file.
type Symbol struct {
	// Name is its own name. Path has the names from the outermost symbol to it; it may say more
	// than the tree, as Go declares methods beside their type.
	Name string
	Path []string
	// Written is the name as the server gave it.
	Written string
	Kind    string
	Detail  string
	// Range is the whole declaration as the server sees it, Selection its name.
	Range, Selection protocol.Range
	Children         []*Symbol
}

// An Outline is what a file declares. It is immutable.
type Outline struct {
	// Path is absolute.
	Path string
	// Symbols are the outermost ones, in the order of the file.
	Symbols []*Symbol
	// all holds every symbol, outer ones before inner ones.
	all []*Symbol
	// files are the names that may come before a name path, such as those of folders.
	files [][]string
	text  *protocol.Mapper
}

// All returns every symbol, outer ones before inner ones.
func (o *Outline) All() []*Symbol { return o.all }

// NewOutline returns the outline of what a server reported of a file. relative is its path as shown
// to the caller, content its text without byte order mark.
func NewOutline(path, relative string, content []byte, reported []protocol.Symbol) *Outline {
	return newOutline(path, protocol.NewMapper(content), fileNames(relative, content), reported)
}

// newOutline makes a tree of what a server reported: one already, or a flat
// list, which is nested by its ranges and by the containers that it names.
func newOutline(path string, text *protocol.Mapper, files [][]string, reported []protocol.Symbol) *Outline {
	o := &Outline{Path: path, files: files, text: text}
	flat := len(reported) > 0
	for i := range reported {
		flat = flat && reported[i].URI != "" && len(reported[i].Children) == 0
	}
	if flat {
		reported = nested(reported)
	}
	o.Symbols = o.adopt(reported, nil)
	return o
}

// adopt returns symbols in the order of the file, whatever order they were reported in.
func (o *Outline) adopt(reported []protocol.Symbol, holder []string) []*Symbol {
	var symbols []*Symbol
	reported = slices.Clone(reported)
	slices.SortStableFunc(reported, func(a, b protocol.Symbol) int { return compare(a.Range.Start, b.Range.Start) })
	for i := range reported {
		r := &reported[i]
		names := nameOf(r.Name)
		path := append(slices.Clone(holder), names...)
		// A container that the tree does not show still counts in the path.
		if len(holder) == 0 && len(names) == 1 && r.Container != "" && r.URI != "" {
			path = append(nameOf(r.Container), names...)
		}
		s := &Symbol{
			Name: names[len(names)-1], Path: path, Written: r.Name, Kind: Kind(r.Kind), Detail: r.Detail,
			Range: r.Range, Selection: r.SelectionRange,
		}
		o.narrow(s)
		o.all = append(o.all, s)
		s.Children = o.adopt(r.Children, path)
		symbols = append(symbols, s)
	}
	return symbols
}

// narrow finds the name of a symbol whose selection is not its name: flat lists
// have none, and some servers begin it at a keyword.
func (o *Outline) narrow(s *Symbol) {
	if o.text == nil {
		return
	}
	line := o.text.Line(int(s.Selection.Start.Line))
	start := columnOffset(line, s.Selection.Start.Character)
	named := func(n uint32, line []byte, from, to int) {
		s.Selection.Start = protocol.Position{Line: n, Character: offsetColumn(line, from)}
		s.Selection.End = protocol.Position{Line: n, Character: offsetColumn(line, to)}
	}
	if from, to, ok := identifierAt(line, start); ok && string(line[from:to]) == s.Name {
		named(s.Selection.Start.Line, line, from, to)
		return
	}
	for n := s.Selection.Start.Line; n <= min(s.Range.End.Line, s.Selection.Start.Line+3); n++ {
		line, from := o.text.Line(int(n)), 0
		if n == s.Selection.Start.Line {
			from = start
		}
		if at := findIdentifier(line, s.Name, from); at >= 0 {
			named(n, line, at, at+len(s.Name))
			return
		}
	}
}

// nested puts flat symbols into those whose ranges hold theirs and, failing
// that, into the nearest one before them that has the container's name.
func nested(reported []protocol.Symbol) []protocol.Symbol {
	sorted := slices.Clone(reported)
	slices.SortStableFunc(sorted, func(a, b protocol.Symbol) int {
		return cmp.Or(compare(a.Range.Start, b.Range.Start), compare(b.Range.End, a.Range.End))
	})
	holders := make([]int, len(sorted))
	for i := range sorted {
		holders[i] = holderOf(sorted, i)
	}
	var build func(holder int) []protocol.Symbol
	build = func(holder int) []protocol.Symbol {
		var list []protocol.Symbol
		for i := range sorted {
			if holders[i] == holder {
				s := sorted[i]
				s.Children = build(i)
				list = append(list, s)
			}
		}
		return list
	}
	return build(-1)
}

func holderOf(sorted []protocol.Symbol, i int) int {
	s := &sorted[i]
	named := -1
	for j := i - 1; j >= 0; j-- {
		outer := &sorted[j]
		if outer.Range != s.Range && contains(outer.Range, s.Range) && outer.Range.Start.Line < outer.Range.End.Line {
			return j
		}
		if named < 0 && s.Container != "" && (outer.Name == s.Container || strings.HasSuffix(s.Container, "."+outer.Name)) {
			named = j
		}
	}
	return named
}

// Enclosing returns the innermost symbol whose range contains p, nil if there is none.
func (o *Outline) Enclosing(p protocol.Position) *Symbol {
	var found *Symbol
	for _, s := range o.all {
		if holds(s.Range, p) && (found == nil || contains(found.Range, s.Range)) {
			found = s
		}
	}
	return found
}

// Declared returns the symbol whose name is at p, nil if there is none.
func (o *Outline) Declared(p protocol.Position) *Symbol {
	for _, s := range o.all {
		if holds(s.Selection, p) {
			return s
		}
	}
	return nil
}

// onLine returns the first symbol whose name stands on a 0-based line, or nil.
func (o *Outline) onLine(line uint32) *Symbol {
	for _, s := range o.all {
		if s.Selection.Start.Line == line {
			return s
		}
	}
	return nil
}

// matching returns the symbols that match a name path best, in the order of the
// file, and how well.
func (o *Outline) matching(p NamePath) (found []*Symbol, quality int) {
	for _, s := range o.all {
		switch m := p.match(s.Path, o.files); {
		case m > quality:
			found, quality = []*Symbol{s}, m
		case m == quality && m > noMatch:
			found = append(found, s)
		}
	}
	return found, quality
}

func compare(a, b protocol.Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Character, b.Character))
}

// holds reports whether p is in r or at its end.
func holds(r protocol.Range, p protocol.Position) bool {
	return !p.Before(r.Start) && !r.End.Before(p)
}

func contains(outer, inner protocol.Range) bool {
	return !inner.Start.Before(outer.Start) && !outer.End.Before(inner.End)
}
