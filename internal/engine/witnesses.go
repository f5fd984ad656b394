package engine

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
)

// witnesses returns files to ask about in the place of changed ones that are not
// there: servers that report on all files say what a deletion broke, or what was
// wrong before a creation, only when they are asked about some file.
func (ed *edition) witnesses(own []diagnostics.File) (files []diagnostics.File) {
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
			if f, ok := ed.witness(c.Path, key); ok {
				asked[key] = true
				files = append(files, f)
			}
		}
	}
	return files
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
