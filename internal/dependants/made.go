package dependants

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/protocol"
)

// FindMade finds the files affected by changes that others made, besides own, the files that are
// checked for their own sake. asked are the changes whose users only servers know; servers are
// asked for these while they are shown the texts from before. later are those whose text from
// before is not known; for these, the users of everything that the files declare now are looked
// for. With recheck, files with known errors are checked again as well.
func (s *Search) FindMade(ctx context.Context, own []diagnostics.File, recheck bool) (asked, later []edit.Change, err error) {
	var byText, parts []impact.Change
	var reached []string
	for _, c := range s.changes {
		switch {
		case s.searched(c):
			parts = append(parts, restated(c)...)
		case !s.MustAsk(c.Path) && !s.decidesUnserved(c.Path):
		case impact.SpreadsByText(c.Path):
			byText = append(byText, restated(c)...)
		case c.Before == nil: // its users are asked for once it is shown
			later = append(later, c)
		default:
			asked = append(asked, c)
		}
	}
	if len(byText) > 0 {
		texts := s.textsFor(ctx, byText)
		s.noteLostBases(texts)
		reach := impact.FindUsersByText(texts, byText)
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
	told := s.collector.Told(s.session)
	for _, f := range own {
		s.chosen[f.Path] = true
		// An error that remains in it may have been fixed; and no server hears that what it embeds is gone, or there again.
		if knownFromLoading(f) && (f.Reported || slices.Contains(told, f.Path) || lacksEmbedded(f) || s.isKnownBroken(f.Path)) {
			s.Loaded = append(s.Loaded, f.Path)
		}
	}
	reached = slices.Concat(reached, s.including(), s.builtElsewhere(), s.Loaded)
	s.uses(reached)
	if recheck {
		reached = s.returning(reached, own)
	}
	s.Files = s.choose(&s.Found, reached)
	return asked, later, nil
}

// isKnownBroken reports whether errors in a file are known.
func (s *Search) isKnownBroken(path string) bool {
	return slices.ContainsFunc(s.collector.Known([]protocol.Severity{protocol.SeverityError}), func(r diagnostics.FileReport) bool { return r.Path == path })
}

// decidesUnserved reports whether a file configures others, or is data or a fragment that others may bring in, and
// no available server judges the file itself: the effect of a change shows only in those others.
func (s *Search) decidesUnserved(path string) bool {
	decides := impact.Configures(path) || impact.IsData(path) || language.IsFragment(path)
	return decides && !s.isJudged(path)
}

// returning returns files together with those that are checked again: with changes, files whose
// errors these may have fixed; without changes, files whose errors the session was told of, unless the
// servers that are asked about own report on them by themselves.
func (s *Search) returning(files []string, own []diagnostics.File) []string {
	if len(s.changes) > 0 {
		return s.inOrder(files)
	}
	return append(files, slices.DeleteFunc(s.collector.Told(s.session), func(path string) bool {
		return !s.MustAsk(path) && !s.InParts(path) && s.shareServer(path, own)
	})...)
}

// shareServer reports whether a server that judges one of own also judges a file.
func (s *Search) shareServer(path string, own []diagnostics.File) bool {
	for _, c := range s.detection.Candidates(path) {
		key := diagnostics.Key{ID: c.Definition.ID, Root: c.Root}
		if slices.ContainsFunc(own, func(f diagnostics.File) bool {
			return slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return s.Key == key })
		}) {
			return true
		}
	}
	return false
}
