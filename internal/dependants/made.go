package dependants

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// FindMade finds what changes concern that others made, besides files that are asked about
// for their own sake. Asked are those of the changes whose users only servers know: they are
// asked while they are shown the texts from before. Later are those of which no text from
// before is known: the users of all that the files declare now are looked for. mend says
// that files with known errors are asked about again.
func (s *Search) FindMade(ctx context.Context, own []diagnostics.File, mend bool) (asked, later []edit.Change, err error) {
	var byText, parts []impact.Change
	var reached []string
	for _, c := range s.changes {
		switch {
		case s.searched(c):
			parts = append(parts, restated(c)...)
		case !s.MustAsk(c.Path) && !s.configuresUnserved(c.Path):
		case impact.SpreadsByText(c.Path):
			byText = append(byText, restated(c)...)
		case c.Before == nil: // whoever uses what it declares is asked for when it is shown
			later = append(later, c)
		default:
			asked = append(asked, c)
		}
	}
	if len(byText) > 0 {
		reach := impact.FindUsersByText(s.textsFor(ctx, byText), byText)
		reached = append(reached, reach.Files()...)
		s.Unknown = append(append(s.Unknown, reach.Unknown...), reach.Notes...)
	}
	if len(parts) > 0 {
		reach := impact.FindUsersByText(s.textsFor(ctx, parts), parts)
		reached, s.Unproven = append(reached, reach.Files()...), reach.Unproven
	}
	if err := call.Canceled(ctx); err != nil {
		return nil, nil, err
	}
	s.Loaded = s.loaded(s.changes)
	s.chosen = make(map[string]bool)
	for _, f := range own {
		s.chosen[f.Path] = true
		if f.Reported && knownFromLoading(f) { // what remains there may be mended
			s.Loaded = append(s.Loaded, f.Path)
		}
	}
	reached = slices.Concat(reached, s.builtElsewhere(), s.Loaded)
	if mend {
		reached = s.returning(reached)
	}
	s.Files = s.choose(&s.Found, reached)
	return asked, later, nil
}

// configuresUnserved reports whether a file configures others, and no server at hand is there for
// the file itself: what it changes is found in those others alone.
func (s *Search) configuresUnserved(path string) bool {
	return impact.Configures(path) && !slices.ContainsFunc(s.detection.Candidates(path), func(c workspace.Candidate) bool {
		return c.Unavailable == nil && c.Definition.Role == registry.Primary
	})
}

// returning returns files with those that are asked about once more: those in which something is
// wrong that a change may have mended, or, without a change, since the session began.
func (s *Search) returning(files []string) []string {
	if len(s.changes) > 0 {
		return s.inOrder(files)
	}
	return append(files, slices.DeleteFunc(s.collector.Came(s.session), func(path string) bool { return !s.MustAsk(path) && !s.InParts(path) })...)
}
