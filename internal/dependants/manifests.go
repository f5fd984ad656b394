package dependants

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// A manifest says how a project is built: Cargo.toml, pom.xml. Servers that compile the project are
// not shown it as a document; they read it from disk, and report on all files.

// IsProjectFile reports whether a file is one by which a server finds or loads projects.
func IsProjectFile(d *registry.Definition, path string) bool {
	name := filepath.Base(path)
	return slices.ContainsFunc(slices.Concat(d.Roots, d.Manifests, d.Diagnostics.ProjectFiles), func(pattern string) bool {
		match, _ := filepath.Match(pattern, name)
		return match
	})
}

// SetsUp reports whether any server finds or loads projects by a file.
func (f *Finder) SetsUp(path string) bool {
	return slices.ContainsFunc(f.config.Servers, func(d registry.Definition) bool { return IsProjectFile(&d, path) })
}

// Readers returns the servers that read a file as a manifest.
func (f *Finder) Readers(path string) (readers []registry.Definition) {
	name := filepath.Base(path)
	for i := range f.config.Servers {
		d := &f.config.Servers[i]
		named := slices.Contains(d.Roots, name) || slices.Contains(d.Manifests, name) || slices.Contains(d.Diagnostics.ProjectFiles, name)
		if !named || d.Disabled || d.Role != registry.Primary || d.Diagnostics.ClosedFiles != registry.ClosedPushes {
			continue
		}
		if _, shown := d.LanguageID(path); !shown {
			readers = append(readers, *d)
		}
	}
	return readers
}

// manifestControls returns, for each server that reads a manifest, a control file by which the
// server is asked about the project: one below the manifest if there is one.
func (s *Search) manifestControls(path string) (files []diagnostics.File) {
	readers := s.Readers(path)
	if len(readers) == 0 {
		return nil
	}
	all, err := s.workspace.Files(context.Background())
	if err != nil {
		return nil
	}
	folder := filepath.Dir(path)
	for _, d := range readers {
		sources := slices.DeleteFunc(slices.Clone(all), func(other string) bool {
			_, speaks := d.LanguageID(other)
			return !speaks || s.changes.Touch(other)
		})
		slices.SortFunc(sources, func(a, b string) int {
			return cmp.Or(-cmpBool(fspath.Below(folder, a), fspath.Below(folder, b)), len(a)-len(b), strings.Compare(a, b))
		})
		f, found := s.firstJudged(sources, func(source diagnostics.Source) bool { return source.Key.ID == d.ID })
		if found {
			files = append(files, f)
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

// ImportedData returns a function that returns the families of the files that a file of data decides about, because they import it or because
// their configurations extend it, while no available server judges the file itself: the effect of a change shows only in those
// others. The function is for one moment, and not safe for concurrent use.
func (f *Finder) ImportedData(ctx context.Context) func(path string) []language.Family {
	members := f.Membership(ctx, f.workspace.Detection())
	return func(path string) []language.Family {
		if !impact.IsData(path) || impact.Configures(path) {
			return nil
		}
		file := diagnostics.File{Path: path}
		if f.AddSources(&file, roots.Missed(members.detection.Candidates(path))); len(file.Sources) > 0 {
			return nil
		}
		families := members.texts.Extended(path)
		if members.texts.BroughtIn(path, func(string) bool { return true }) {
			families = append(families, language.Imported(path))
		}
		return families
	}
}

// Extended returns a function that returns the families of whose configurations some extend a file that is not named like one of theirs. The
// function is for one moment, and not safe for concurrent use.
func (f *Finder) Extended(ctx context.Context) func(path string) []language.Family {
	return f.Membership(ctx, f.workspace.Detection()).texts.Extended
}

// Importers returns a function that returns the files that bring in a file of data, themselves or by way of others. Known is false if that
// cannot be told, if the file may matter to others as well, or is one that configurations of the same family extend. The function is for one moment, and not safe for concurrent use.
func (f *Finder) Importers(ctx context.Context) func(path string) (files map[string]bool, known bool) {
	members := f.Membership(ctx, f.workspace.Detection())
	return func(path string) (map[string]bool, bool) {
		if !impact.IsData(path) || impact.Configures(path) || slices.Contains(members.texts.Extended(path), language.Imported(path)) {
			return nil, false
		}
		return members.texts.Importers(path)
	}
}

// IsManifest reports whether the effect of a change of a file is found by checking other files,
// while no available server judges the file itself.
func (f *Finder) IsManifest(path string) bool {
	file := diagnostics.File{Path: path}
	if f.Sources(&file); len(file.Sources) > 0 || len(f.Readers(path)) == 0 {
		return false
	}
	return len(f.Made(nil, f.workspace.Detection(), nil).manifestControls(path)) > 0
}
