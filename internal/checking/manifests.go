package checking

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A manifest says how a project is built: Cargo.toml, pom.xml. No server that compiles the
// project is shown it as a document; each reads it from disk, and reports on all files.

// readers are the servers for which a file is a manifest.
func (ch *Checker) readers(path string) (readers []registry.Definition) {
	name := filepath.Base(path)
	for _, d := range ch.opts.Config.Servers {
		_, shown := d.LanguageID(path)
		named := slices.Contains(d.Roots, name) || slices.Contains(d.Manifests, name) || slices.Contains(d.Diagnostics.ProjectFiles, name)
		if named && !shown && !d.Disabled && d.Role == registry.Primary && d.Diagnostics.ClosedFiles == registry.ClosedPushes {
			readers = append(readers, d)
		}
	}
	return readers
}

// manifestWitnesses returns, for each server that reads a manifest, a file by which it is
// asked what became of the project: one below the manifest if there is one.
func (ed *edition) manifestWitnesses(path string) (files []diagnostics.File) {
	readers := ed.readers(path)
	if len(readers) == 0 {
		return nil
	}
	all, err := ed.workspace.Files(context.Background())
	if err != nil {
		return nil
	}
	folder := filepath.Dir(path)
	for _, d := range readers {
		sources := slices.DeleteFunc(slices.Clone(all), func(other string) bool {
			_, speaks := d.LanguageID(other)
			return !speaks || ed.touches(other)
		})
		slices.SortFunc(sources, func(a, b string) int {
			return cmp.Or(-cmpBool(workspace.Below(folder, a), workspace.Below(folder, b)), len(a)-len(b), strings.Compare(a, b))
		})
		for _, name := range sources[:min(len(sources), 100)] {
			f, ok := ed.dependant(name)
			f.Reported = true
			if ok && slices.ContainsFunc(f.Sources, func(s diagnostics.Source) bool { return s.Key.ID == d.ID }) {
				files = append(files, f)
				break
			}
		}
	}
	return files
}

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// isManifest reports whether what a change of a file breaks is found out by asking about
// others, and no server that is there judges the file itself.
func (ch *Checker) isManifest(path string) bool {
	f := diagnostics.File{Path: path}
	if ch.sources(&f); len(f.Sources) > 0 || len(ch.readers(path)) == 0 {
		return false
	}
	ed := &edition{Checker: ch, detection: ch.workspace.Detection()}
	return len(ed.manifestWitnesses(path)) > 0
}

// addManifest notes a manifest that was asked about: its change is judged, and nothing is
// said of the file.
func (p *checkPlan) addManifest(path string, content []byte) {
	if p.manifests == nil {
		p.manifests = make(map[int]bool)
	}
	p.manifests[len(p.files)-1] = true
	p.changes = append(p.changes, edit.Change{Path: path, After: content})
}
