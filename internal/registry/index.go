package registry

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// An Index answers for a file name what asking each definition of a table would,
// but it looks only at those that could match. It is made for sweeps over whole
// trees, and does not see later changes of the table.
type Index struct {
	// The definitions by what a pattern is, each list in the order of preference.
	names, suffixes map[string][]*Definition
	globs           []glob
	order           map[*Definition]int
	// noted are names, and endings extensions, of what is no source but read.
	noted, endings map[string]bool
}

// A glob is a pattern with the part of it that stands for itself.
type glob struct {
	pattern, prefix string
	definition      *Definition
}

// NewIndex returns the index of a table, without what is only for those who
// name it.
func NewIndex(t Table) *Index {
	x := &Index{
		names: make(map[string][]*Definition), suffixes: make(map[string][]*Definition), order: make(map[*Definition]int),
		noted: make(map[string]bool), endings: make(map[string]bool),
	}
	for place, d := range preferred(t) {
		x.order[d] = place
		for _, l := range d.Languages {
			for _, p := range l.Patterns {
				x.add(p, d)
			}
		}
		for _, name := range slices.Concat(d.Roots, d.Manifests, d.Anew) {
			x.noted[name] = true
		}
		for _, e := range d.Reads {
			x.endings[e] = true
		}
	}
	return x
}

// preferred returns the definitions in the order of the table, but those of a
// group by rank, where the best of them stands.
func preferred(t Table) []*Definition {
	best := make(map[string]int) // position of each group's
	var all []*Definition
	position := make(map[*Definition]int)
	for i := range t {
		d := &t[i]
		if d.OptIn {
			continue
		}
		all, position[d] = append(all, d), i
		if b, known := best[d.Group]; d.Group != "" && (!known || d.Rank < t[b].Rank) {
			best[d.Group] = i
		}
	}
	stands := func(d *Definition) int {
		if d.Group == "" {
			return position[d]
		}
		return best[d.Group]
	}
	slices.SortStableFunc(all, func(a, b *Definition) int {
		return cmp.Or(cmp.Compare(stands(a), stands(b)), cmp.Compare(a.Rank, b.Rank))
	})
	return all
}

func (x *Index) add(pattern string, d *Definition) {
	into, key := x.names, pattern
	plain, dotted := strings.CutPrefix(pattern, "[.]") // how a name that begins with a dot is written
	switch meta := strings.IndexAny(plain, "*?["); {
	case meta >= 0:
		meta = strings.IndexAny(pattern, "*?[")
		x.globs = append(x.globs, glob{pattern, pattern[:meta], d})
		return
	case dotted:
		key = "." + plain
	case strings.HasPrefix(pattern, "."):
		into = x.suffixes
	}
	if !slices.Contains(into[key], d) {
		into[key] = append(into[key], d)
	}
}

// Serving returns the definitions that handle a file, by its base name, in the
// order of preference. The caller must not change them.
func (x *Index) Serving(file string) []*Definition {
	base := baseName(file)
	found := x.names[base]
	own := false // found is no longer a part of the index
	more := func(others []*Definition) {
		switch {
		case len(others) == 0:
		case len(found) == 0:
			found = others
		default:
			if !own {
				found, own = slices.Clone(found), true
			}
			for _, d := range others {
				if !slices.Contains(found, d) {
					found = append(found, d)
				}
			}
		}
	}
	for i := 1; i < len(base); i++ {
		if base[i] == '.' {
			more(x.suffixes[base[i:]])
		}
	}
	for i := range x.globs {
		g := &x.globs[i]
		if !strings.HasPrefix(base, g.prefix) {
			continue
		}
		if ok, err := path.Match(g.pattern, base); err == nil && ok {
			more([]*Definition{g.definition})
		}
	}
	if own {
		slices.SortFunc(found, func(a, b *Definition) int { return cmp.Compare(x.order[a], x.order[b]) })
	}
	return found
}

// Matters reports whether a server handles the file, or reads it although it is
// in none of its languages.
func (x *Index) Matters(file string) bool {
	base := baseName(file)
	return x.noted[base] || x.endings[path.Ext(base)] || len(x.Serving(base)) > 0
}

// baseName is the last part of a path, of whatever system.
func baseName(file string) string {
	return file[strings.LastIndexAny(file, `/\`)+1:]
}
