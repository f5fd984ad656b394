package roots

import (
	"path/filepath"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// Within reports whether a server may be shown the file at a path, or told of it: whether it is in the
// scope that the configuration gives the server.
func (f *Finder) Within(d *registry.Definition, path string) bool {
	if len(d.Within) == 0 {
		return true
	}
	name := filepath.ToSlash(fspath.Relative(f.opts.Root, path))
	return slices.ContainsFunc(d.Within, func(glob string) bool { return doublestar.MatchUnvalidated(glob, name) })
}

// candidatesWithin returns those of the definitions that may be shown a file; if there is none that can
// be started, also the others, each with the reason why it is not asked.
func (d *Detection) candidatesWithin(definitions []*registry.Definition, path string) []Candidate {
	var within, without []*registry.Definition
	for _, definition := range definitions {
		if d.finder.Within(definition, path) {
			within = append(within, definition)
		} else {
			without = append(without, definition)
		}
	}
	folder := filepath.Dir(path)
	candidates := d.candidates(within, folder)
	if slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Unavailable == nil }) {
		return candidates
	}
	for _, c := range d.candidates(without, folder) {
		if c.Unavailable == nil {
			c.Unavailable = &UnavailableError{c.Definition.ID, Disabled, "the file is outside of the scope that the configuration gives it", nil}
			candidates = append(candidates, c)
		}
	}
	return candidates
}
