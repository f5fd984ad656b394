package impact

import (
	"slices"

	"github.com/lspine/lspine/internal/impact/imports"
)

// FindUsersByText finds what changes reach that the servers have already been shown, so
// that none can be asked who used what is gone. It asks no server: every file that
// brings in a changed one, by way of others, too, is taken unless the texts prove
// that nothing it mentions changed. That is more than FindUsers finds, never less.
//
// A change of configuration (package.json, tsconfig.json, pyproject.toml and the like)
// reaches the files that it makes mean something else, one of data (JSON) those that
// import it.
//
// A Change without a Before is one of which no text from before is known, or a new
// file: the users of all that it declares are taken. One without an After is a file
// that is gone.
//
// Texts must show the state after the changes. Languages whose imports are not known
// here (SpreadsByText) reach nothing: their servers report on other files themselves.
// The Reach has no inferred types: Possible and Inferred return nothing, as Files has
// those files already.
func FindUsersByText(texts Texts, changes []Change) *Reach {
	r := newReach(texts, changes)
	var spreads []imports.Change
	for _, c := range changes {
		if !imports.Follows(c.Path) && !imports.Configures(c.Path) && !imports.IsData(c.Path) {
			continue
		}
		d := texts.between(c)
		r.Unproven = r.Unproven || d.All
		spreads = append(spreads, imports.Change{
			Path: c.Path, Before: c.Before, After: c.After, All: d.All, Names: slices.Concat(d.Sure, d.Inferred),
		})
	}
	r.spread(spreads)
	r.Unproven = r.Unproven || len(r.Notes) > 0
	return r
}
