// Package navigation answers questions about symbols and places: where something is defined and
// used, what a file declares, what calls what. Each operation of the catalog is a method of
// [Navigator]; requests and results count lines and columns from 1.
package navigation

import (
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/workspace"
)

// A Navigator answers the questions of one caller. It is safe for concurrent use.
type Navigator struct {
	names workspace.Names
	view  *overlay.View
	kept  *refcache.Cache // nil: nothing is kept
}

// New returns the Navigator of a caller who names files as names does and queries servers through
// view. Answers are kept in the cache, and taken from it while they count; nil keeps none.
func New(names workspace.Names, view *overlay.View, kept *refcache.Cache) *Navigator {
	return &Navigator{names, view, kept}
}
