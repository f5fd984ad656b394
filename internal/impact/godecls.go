package impact

import (
	"slices"

	"github.com/lspine/lspine/internal/impact/imports"
)

// GoChanged returns the names of what a change of a Go file makes different for others: of
// functions the signature counts, of all else the whole declaration, and with a method its
// type. Known is false if names do not tell all, as where a text does not parse or is built
// elsewhere; nil is no file.
func GoChanged(before, after []byte) (names []string, known bool) {
	d := imports.Between("changed.go", before, after)
	if d.Opaque {
		return nil, false
	}
	names = slices.Concat(d.Sure, d.Inferred)
	slices.Sort(names)
	return names, true
}
