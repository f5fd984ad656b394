package checking

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
)

// A server can be shown former texts of its own languages only. What it says of a file may depend on others as well, where files of
// these come into its own by a crossing.

// findCrossings finds out in which ways files of one language come into others, if one changed that may. It reports whether more was found
// than was known before.
func (p *checkPlan) findCrossings(ch *Checker, former map[string][]byte, beside bool) (more bool) {
	crosses := slices.ContainsFunc(p.changes.Paths(), language.MayCross) || slices.ContainsFunc(slices.Collect(maps.Keys(former)), language.MayCross)
	if !crosses && beside {
		if changes := p.listing(); changes.err == nil {
			crosses = slices.ContainsFunc(slices.Concat(changes.Present, changes.Deleted), language.MayCross)
		}
	}
	return crosses && ch.workspace.FindCrossings(former)
}

// formerTexts returns the former texts of the changes.
func formerTexts(changes dependants.Changes) map[string][]byte {
	texts := make(map[string][]byte)
	for _, c := range changes {
		texts[cmp.Or(c.From, c.Path)] = c.Before
	}
	return texts
}

// findUsersOfC finds the Go files of which what is said may depend on changed C.
func (p *checkPlan) findUsersOfC(ctx context.Context, ch *Checker) {
	p.before.usesC = nil
	for path := range p.before.texts {
		if ch.workspace.Crosses(language.Cgo, path) && language.MayCross(path) {
			p.before.usesC = ch.finder.UsersOfC(ctx)
			break
		}
	}
	for i := range p.request.Files { // what it says of the texts that can be shown is of another state
		f := &p.request.Files[i]
		f.NoFormer = f.NoFormer || !f.Created && slices.ContainsFunc(slices.Collect(maps.Keys(p.before.texts)), func(path string) bool { return ch.readsC(f, path, &p.before) })
	}
}

// readsC reports whether what is said of a Go file may depend on a file of C.
func (ch *Checker) readsC(f *diagnostics.File, path string, before *formerState) bool {
	return before.usesC != nil && ch.finder.ReadsByCgo(f, path) && before.usesC(f.Path)
}

// readsHidden reports whether what is said of a file can depend on a former text that servers cannot be shown.
func (ch *Checker) readsHidden(f *diagnostics.File, before *formerState) bool {
	return ch.hiddenFrom(f, before) != ""
}

// hiddenFrom returns a file on whose former text, which servers cannot be shown, what is said of another can depend; "" if there
// is none.
func (ch *Checker) hiddenFrom(f *diagnostics.File, before *formerState) string {
	for _, path := range slices.Sorted(maps.Keys(before.texts)) {
		if before.isShown(f, path) || !before.mayConcern(f.Path, path) {
			continue
		}
		switch ch.finder.ReadingOf(f, path) {
		case language.ReadsContent:
			if !ch.finder.ReadsByCgo(f, path) || before.usesC == nil || before.usesC(f.Path) {
				return path
			}
		case language.ReadsPresence:
			if ch.needsPresence(f, path, before) {
				return path
			}
		}
	}
	return ""
}

// besideServers returns the ids of servers of the files that a check is about that can be shown the former text of a file which they do
// not judge. Of data and fragments that did not exist there is none.
func (p *checkPlan) besideServers(ch *Checker, path string, former []byte) (ids []string) {
	if (language.Imported(path) != 0 || language.IsFragment(path)) && slices.Contains(p.before.absent, path) {
		return nil
	}
	for i := range p.request.Files {
		for _, s := range p.request.Files[i].Sources {
			if !slices.Contains(ids, s.Key.ID) && ch.canShowBeside(s.Key, path, former) {
				ids = append(ids, s.Key.ID)
			}
		}
	}
	return ids
}

func (ch *Checker) canShowBeside(key diagnostics.Key, path string, text []byte) bool {
	d, known := ch.finder.Definition(key.ID)
	return known && lsp.CanShowBeside(&d, path, text)
}

// isShown reports whether all servers of a file can be shown the former text of another.
func (f *formerState) isShown(file *diagnostics.File, path string) bool {
	return !slices.ContainsFunc(file.Sources, func(s diagnostics.Source) bool { return !slices.Contains(f.shownTo[path], s.Key.ID) })
}

// shownBy returns the former texts that a server can be shown.
func (f *formerState) shownBy(key diagnostics.Key) map[string][]byte {
	texts := make(map[string][]byte)
	for path, text := range f.shown {
		if slices.Contains(f.shownTo[path], key.ID) {
			texts[path] = text
		}
	}
	return texts
}

// allBy returns the former texts that matter to a server.
func (f *formerState) allBy(key diagnostics.Key) map[string][]byte {
	texts := maps.Clone(f.texts)
	if f.included.By[key] { // those of changed files that others include by name
		maps.Copy(texts, f.included.Texts)
	}
	return texts
}

// needsPresence reports whether what is said of a file can depend on a file that came or went, beyond what a finding says by itself:
// that a Go file embeds nothing by a pattern.
func (ch *Checker) needsPresence(f *diagnostics.File, path string, before *formerState) bool {
	if !language.Is(f.Path, language.Go) {
		return fspath.Missing(path)
	}
	return language.MayCross(path) && filepath.Dir(path) == filepath.Dir(f.Path) && language.Of(path).Family == language.NativeFamily &&
		(fspath.Missing(path) || slices.Contains(before.absent, path)) // C in a package without cgo is an error
}

// mayConcern reports whether what is said of a file may depend on another one that changed.
func (f *formerState) mayConcern(file, path string) bool {
	return f.concerns == nil || f.concerns(file, path)
}

// isIndependent reports whether what a server says of a file does not depend on former texts that it cannot be shown.
func (ch *Checker) isIndependent(before *formerState) func(key diagnostics.Key, path string) bool {
	return func(key diagnostics.Key, path string) bool {
		return !before.needsIncluded(key, path) && !ch.readsHidden(&diagnostics.File{Path: path, Sources: []diagnostics.Source{{Key: key}}}, before)
	}
}

// lacksEmbedded reports of a finding that a Go file embeds nothing by a pattern, where a file is gone that the pattern means.
func (f *formerState) lacksEmbedded(path string, d protocol.Diagnostic) bool {
	lacks := func(file string) bool { return fspath.Missing(file) && dependants.LacksEmbedded(path, d.Message, file) }
	return slices.ContainsFunc(f.gone, lacks) || slices.ContainsFunc(slices.Collect(maps.Keys(f.included.Texts)), lacks)
}
