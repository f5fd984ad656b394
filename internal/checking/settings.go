package checking

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/project"
)

// Settings of projects, and data that files bring in, decide about files whose text has not changed.

// saysTheSame reports whether a file, which is where it was, says the same as before to those that it decides about.
func saysTheSame(c edit.Change) bool {
	return c.From == "" && project.SaysTheSame(c.Path, c.Before, c.After)
}

// decidesTheSame reports whether a file, which is where it was, decides the same about others, and is no data that these may import unless it
// says the same.
func decidesTheSame(c edit.Change) bool {
	return saysTheSame(c) || c.From == "" && language.Imported(c.Path) == 0 && project.DecidesTheSame(c.Path, c.Before, c.After)
}

// deciding returns the changes without files that say the same as before.
func (p *checkPlan) deciding() dependants.Changes {
	return slices.DeleteFunc(slices.Clone(p.changes), decidesTheSame)
}

// mayConfigure reports whether a change may decide how a file is understood that is not changed itself: of the settings of its
// project, or of data that it brings in.
func mayConfigure(c edit.Change, file string) bool {
	if !impact.Configures(c.Path) && !impact.IsData(c.Path) {
		return false
	}
	decides, family := cmp.Or(language.Configured(c.Path), language.Imported(c.Path)), language.Of(file).Family
	return (decides == 0 || family == 0 || decides == family || language.MayExtend(family, c.Path)) && (c.From != "" || !project.DecidesTheSame(c.Path, c.Before, c.After))
}

// bringsIn reports whether what is said of a file that changed may depend on another one of which servers cannot be shown the former text:
// data that it brings in, or a fragment of its language, which headers may bring in. What they say of the former text of the file is then not
// what was wrong before.
func (ch *Checker) bringsIn(plan *checkPlan, f *diagnostics.File, path string) bool {
	if f.Former == nil || path == "" {
		return false
	}
	if language.IsFragment(path) {
		return language.Of(path).Family == language.Of(f.Path).Family
	}
	if !impact.IsData(path) {
		return false
	}
	name := []byte(filepath.Base(path))
	return bytes.Contains(f.Content, name) || bytes.Contains(f.Former, name) || !impact.Configures(path) && plan.before.mayConcern(f.Path, path)
}

// concerns returns a function that reports whether what is said of a file may depend on another one that changed: not on data that it
// neither imports nor includes by name and that its configuration does not extend, unless some server is set up by that. It is for one check.
func (ch *Checker) concerns(ctx context.Context, includers *dependants.Includers) func(file, path string) bool {
	importers := sync.OnceValue(func() func(string) (map[string]bool, bool) { return ch.finder.Importers(ctx) })
	extended := sync.OnceValue(func() func(string) []language.Family { return ch.finder.Extended(ctx) })
	type answer struct {
		files map[string]bool
		known bool
	}
	found := make(map[string]answer)
	return func(file, path string) bool {
		family := language.Of(file).Family
		if language.Imported(path) == 0 || family == 0 || language.Configured(path) != 0 || ch.finder.SetsUp(path) {
			return true
		}
		if family != language.Imported(path) {
			return slices.Contains(includers.Of(path), file) || language.MayExtend(family, path) && slices.Contains(extended()(path), family)
		}
		a, asked := found[path]
		if !asked {
			a.files, a.known = importers()(path)
			found[path] = a
		}
		return !a.known || a.files[file]
	}
}

// deciders returns a function that says, of the path of a file, which others it decides about: it says how their project is
// built, configures their language, or is data that they bring in.
func (ch *Checker) deciders(ctx context.Context, concerns func(file, path string) bool) func(path string) func(f *diagnostics.File) bool {
	isImported := ch.finder.ImportedData(ctx)
	return func(path string) func(f *diagnostics.File) bool {
		decides := isImported(path)
		if language.IsFragment(path) {
			decides = append(decides, language.Of(path).Family)
		}
		configured := language.Configured(path)
		reading := make(map[string]bool) // servers that read it
		reads := func(s diagnostics.Source) bool {
			is, looked := reading[s.Key.ID]
			if !looked {
				d, known := ch.finder.Definition(s.Key.ID)
				is = known && dependants.IsProjectFile(&d, path)
				reading[s.Key.ID] = is
			}
			return is
		}
		return func(f *diagnostics.File) bool {
			family := language.Of(f.Path).Family
			return slices.ContainsFunc(f.Sources, reads) ||
				family != 0 && (family == configured || slices.Contains(decides, family) && concerns(f.Path, path))
		}
	}
}
