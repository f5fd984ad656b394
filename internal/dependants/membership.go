package dependants

import (
	"context"
	"fmt"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A Membership knows, as of one point in time, which files projects leave out. Such files depend on
// nothing, and do not count as part of a folder that is checked. It is not safe for concurrent use.
type Membership struct {
	finder    *Finder
	detection *roots.Detection
	texts     impact.Texts
	// said is what the configurations say about a path; by also takes into account what imports it.
	said map[string]said
	by   map[string]string
}

// said names the configuration that leaves a file out, and its scope.
type said struct {
	by    string
	scope registry.Scope
}

// Membership returns which files projects leave out at present. It looks for the servers of files
// in detection.
func (f *Finder) Membership(ctx context.Context, detection *roots.Detection) *Membership {
	paths := func() []string {
		all, _ := f.workspace.Sources(ctx) // if ctx has ended, the caller notices
		return all
	}
	return &Membership{
		finder: f, detection: detection, by: make(map[string]string), said: make(map[string]said),
		texts: impact.TextsOf(&f.imported, impact.Tree{Paths: paths, Read: f.workspace.Read, Stamp: f.stamp, Touched: f.workspace.Touched}),
	}
}

// leftOut returns the configuration file by which a project leaves out a file, "" if none does.
func (m *Membership) leftOut(path string) string {
	if m == nil {
		return ""
	}
	by, known := m.by[path]
	if known {
		return by
	}
	said := m.saidOf(path)
	imported := said.scope == registry.TSConfig && m.texts.BroughtIn(path, func(importer string) bool { return m.saidOf(importer).by == "" })
	if !imported {
		by = said.by
	}
	m.by[path] = by
	return by
}

// saidOf returns what the configurations say about a file, regardless of what imports it.
func (m *Membership) saidOf(path string) (s said) {
	s, known := m.said[path]
	if known {
		return s
	}
	if s.by, s.scope = m.detection.LeftOut(path); s.by == "" {
		s = said{}
	}
	m.said[path] = s
	return s
}

// Within returns files without those that their project leaves out and that only a folder or a
// glob, not named, stands for. If all are left out, it returns all.
func (m *Membership) Within(files, named []string) []string {
	kept := slices.DeleteFunc(slices.Clone(files), func(path string) bool {
		return !slices.Contains(named, path) && m.leftOut(path) != ""
	})
	if len(kept) == 0 {
		return files
	}
	return kept
}

// Notes says which of these files are not part of their project.
func (m *Membership) Notes(paths []string) (notes []string) {
	left := make(map[string][]string)
	var order []string
	for _, path := range paths {
		if by := m.leftOut(path); by != "" {
			if left[by] == nil {
				order = append(order, by)
			}
			left[by] = append(left[by], m.finder.names.Relative(path))
		}
	}
	for _, by := range order {
		is, it := "is", "it"
		if len(left[by]) > 1 {
			is, it = "are", "them"
		}
		notes = append(notes, fmt.Sprintf("%s %s no part of the project: %s leaves %s out, so its own tools do not check %s",
			workspace.FirstOf(left[by]), is, m.finder.names.Relative(by), it, it))
	}
	return notes
}
