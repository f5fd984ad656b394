package checking

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
)

// witnesses returns files to ask about in the place of changed ones that are not
// there: servers that report on all files say what a deletion broke, or what was
// wrong before a creation, only when they are asked about some file. Later are those of
// servers whose word on all files is the last part to be waited for.
func (ed *edition) witnesses(ctx context.Context, own []diagnostics.File) (files, later []diagnostics.File) {
	asked := make(map[diagnostics.Key]bool)
	for _, f := range own {
		for _, s := range f.Sources {
			d, _ := ed.definition(s.Key.ID)
			// A new file may be one that the server does not judge: of no crate.
			asked[s.Key] = asked[s.Key] || !f.Created || len(d.Diagnostics.Unjudged) == 0
		}
	}
	for _, c := range ed.changes {
		for _, candidate := range ed.detection.Candidates(c.Path) {
			key := diagnostics.Key(candidate.Key())
			reports := candidate.Unavailable == nil && candidate.Definition.Diagnostics.ClosedFiles == registry.ClosedPushes
			if !reports || asked[key] {
				continue
			}
			f, ok := ed.witness(c.Path, key)
			if !ok {
				f, ok = ed.anyWitness(ctx, c.Path, key)
			}
			switch asked[key] = asked[key] || ok; {
			case !ok && ctx.Err() != nil:
				ed.unknownOnce("what the change did to other files: the deadline came before a file was found by which their server could be asked")
			case ok && ed.inParts(f.Path):
				later = append(later, f)
			case ok:
				files = append(files, f)
			}
		}
		for _, f := range ed.manifestWitnesses(c.Path) {
			if !slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return asked[s.Key] }) {
				files = append(files, f)
				asked[f.Sources[0].Key] = true
			}
		}
	}
	return files, later
}

// unknownOnce notes something that could not be found out, once.
func (ed *edition) unknownOnce(what string) {
	if !slices.Contains(ed.unknown, what) {
		ed.unknown = append(ed.unknown, what)
	}
}

// witness returns a file of the same server: one beside path, else one that is
// open.
func (ed *edition) witness(path string, key diagnostics.Key) (diagnostics.File, bool) {
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path)) // without one, others will do
	for _, e := range entries {
		if filepath.Ext(e.Name()) == filepath.Ext(path) {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	for _, s := range ed.workspace.Running() {
		if s.Definition().ID == key.ID && s.Root() == key.Root {
			names = append(names, s.OpenDocuments()...)
		}
	}
	for _, name := range names {
		if ed.touches(name) {
			continue
		}
		f, ok := ed.dependant(name)
		f.Reported = true
		if ok && slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return s.Key == key }) {
			return f, true
		}
	}
	return diagnostics.File{}, false
}

// anyWitness returns a file of the server that is neither beside path nor open: the first
// of its kind, shortest path first.
func (ed *edition) anyWitness(ctx context.Context, path string, key diagnostics.Key) (diagnostics.File, bool) {
	all, err := ed.workspace.Sources(ctx)
	if err != nil {
		return diagnostics.File{}, false
	}
	all = slices.DeleteFunc(slices.Clone(all), func(other string) bool { return filepath.Ext(other) != filepath.Ext(path) || ed.touches(other) })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	for _, name := range all[:min(len(all), 100)] {
		f, ok := ed.dependant(name)
		f.Reported = true
		if ok && slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return s.Key == key }) {
			return f, true
		}
	}
	return diagnostics.File{}, false
}
