package dependants

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// In a large project, a server that reports on all files by itself needs seconds to report what a
// change did to them, and a fraction of that for the changed file and those that use it. There a
// change is judged in parts: first the edited file, then the files that a search of the texts finds
// affected, and the rest only if the texts do not prove that no other file is.

// slow is how long a server may need for all its files to be waited for in full.
const slow = 2 * time.Second

// InParts reports whether changes of a file are judged in parts: its server can be asked about
// single files, and it is known to be slow with all of them, or the project is large, or no other
// file is affected. What a change does on other systems, it reports only of all files.
func (s *Search) InParts(path string) bool {
	key, ok := s.Singly(path)
	return ok && !s.changesElsewhere() && (s.collector.WideTime(key) > slow || s.isLarge(path) || s.staysInside())
}

// staysInside reports whether the changes cause no error in any other file, and no error is known that
// they might fix.
func (s *Search) staysInside() bool {
	if !s.BreaksNoOther() {
		return false
	}
	if s.fixesNone == nil {
		none := len(s.collector.Unkept()) == 0 && !slices.ContainsFunc(s.collector.Known(nil), func(r diagnostics.FileReport) bool {
			_, singly := s.Singly(r.Path)
			return singly
		})
		s.fixesNone = &none
	}
	return *s.fixesNone
}

// BreaksNoOther reports whether the texts prove that the changes cause no error in any other file.
func (s *Search) BreaksNoOther() bool {
	if s.inside == nil {
		inside := len(s.changes) > 0 && !slices.ContainsFunc(s.changes, s.mayLeave)
		s.inside = &inside
	}
	return *s.inside
}

// mayLeave reports whether a change may affect other files.
func (s *Search) mayLeave(c edit.Change) bool {
	_, singly := s.Singly(c.Path)
	return !singly || c.Created || c.Deleted || c.From != "" || !language.Is(c.Path, language.Go) || !impact.GoStaysInside(&s.imported, c.Path, c.Before, c.After)
}

// AnyInParts reports whether any of the changes is judged in parts.
func (s *Search) AnyInParts() bool {
	return slices.ContainsFunc(s.changes, s.changedInParts)
}

func (s *Search) changedInParts(c edit.Change) bool {
	return s.InParts(c.Path) || c.From != "" && s.InParts(c.From)
}

// Singly returns the server of a file that reports on all files by itself and can also be asked
// about single files, provided that a search of the texts finds the users of the file; false if
// there is none.
func (s *Search) Singly(path string) (diagnostics.Key, bool) {
	if !impact.FollowsText(path) || impact.SpreadsByText(path) {
		return diagnostics.Key{}, false
	}
	for _, c := range s.detection.Candidates(path) {
		d := c.Definition.Diagnostics
		if c.Unavailable == nil && c.Definition.Role == registry.Primary && d.ClosedFiles == registry.ClosedPushes && slices.Contains(d.FileStrategies, registry.Pull) {
			return diagnostics.Key(c.Key()), true
		}
	}
	return diagnostics.Key{}, false
}

// searched reports whether the files affected by a change are found by a search of the texts and
// checked one by one: where changes are judged in parts and, whatever the size of the project,
// where files are created, deleted or renamed, because gopls does not by itself report an import
// that leads nowhere.
func (s *Search) searched(c edit.Change) bool {
	if s.changedInParts(c) {
		return true
	}
	_, singly := s.Singly(c.Path)
	return singly && (c.Created || c.Deleted || c.From != "")
}

// isLarge reports whether the project of a file is large: there are many files with its extension in the root that its server
// judges it by, and in those that need this root, which the server judges anew as well. They are counted once.
func (s *Search) isLarge(path string) bool {
	of := s.countFiles(filepath.Ext(path))
	root, n := s.workspace.Root(), 0
	c := primaryOf(s.detection, path)
	if c == nil {
		return of[root] >= s.config.Settings.LargeProjectFiles
	}
	for _, root := range s.workspace.RootsNeeding(&c.Definition, c.Root) {
		n += of[root]
	}
	return n >= s.config.Settings.LargeProjectFiles
}

// countFiles returns how many files with an extension there are, by the root of their server; those without a server are of the
// workspace.
func (s *Search) countFiles(ending string) map[string]int {
	s.mu.Lock()
	counts, counted := s.counts[ending]
	s.mu.Unlock()
	if counted {
		return counts
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.config.Settings.DiagnosticTimeout)
	defer cancel()
	files, err := s.workspace.Sources(ctx)
	if err != nil {
		return nil
	}
	counts = make(map[string]int)
	for _, path := range files {
		if filepath.Ext(path) != ending {
			continue
		}
		root := s.workspace.Root()
		if c := primaryOf(s.detection, path); c != nil {
			root = c.Root
		}
		counts[root]++
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[ending] = counts
	return counts
}

// primaryOf returns the server that answers for a file, nil if there is none.
func primaryOf(detection *roots.Detection, path string) *roots.Candidate {
	candidates := detection.Candidates(path)
	i := slices.IndexFunc(candidates, func(c roots.Candidate) bool { return c.Definition.Role == registry.Primary })
	if i < 0 {
		return nil
	}
	return &candidates[i]
}

// UsersByText adds the files that a search of the texts finds affected by drafted changes that are
// judged in parts, and returns those for which it is not known what is wrong before.
func (s *Search) UsersByText(ctx context.Context) (unknown []diagnostics.File) {
	var changes []impact.Change
	for _, c := range s.changes {
		if s.searched(c) {
			changes = append(changes, restated(c)...)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	reach := impact.FindUsersByText(s.textsFor(ctx, changes), changes)
	s.Unproven = reach.Unproven
	s.uses(reach.Files())
	found := s.choose(&s.Found, s.inOrder(reach.Files()))
	s.Files = append(s.Files, found...)
	return slices.DeleteFunc(slices.Clone(found), func(f diagnostics.File) bool {
		return s.collector.Knows(nil, f, false) || Reports(f)
	})
}
