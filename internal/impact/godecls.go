package impact

import (
	"slices"

	"github.com/lspine/lspine/internal/impact/imports"
)

// GoChanged returns the names whose meaning a change of a Go file changes for other files. Of a
// function only the signature counts, of everything else the whole declaration; a changed method
// also changes its type. known is false if the names do not tell all, as where a text does not
// parse or the build constraints change. nil stands for a file that is not there.
func GoChanged(before, after []byte) (names []string, known bool) {
	d := imports.Between("changed.go", before, after)
	if d.Opaque {
		return nil, false
	}
	names = slices.Concat(d.Sure, d.Inferred)
	slices.Sort(names)
	return names, true
}
