package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/symbols"
)

// usersOf asks servers that know these texts who uses what changes.
func (ch *Checker) usersOf(ctx context.Context, plan *checkPlan, texts map[string][]byte, changes []impact.Change) ([]diagnostics.File, error) {
	ed := plan.edition
	bounded, cancel := ch.searching(ctx)
	defer cancel()
	a := ch.view.Access()
	defer a.Close()
	reach, err := impact.Survey(bounded, symbols.New(a.Formerly(texts)), impact.Texts{}, changes)
	switch {
	case call.Canceled(ctx) != nil:
		return nil, ctx.Err()
	case err != nil:
		plan.unknown = append(plan.unknown, "the search for files that use what changed ended early")
	}
	plan.unknown = append(append(plan.unknown, reach.Unknown...), reach.Notes...)
	found := ed.dependants.choose(ed, slices.Concat(reach.Files(), reach.Possible(), ed.beside(reach.Mute)))
	ed.dependants.files = append(ed.dependants.files, found...)
	return found, nil
}
