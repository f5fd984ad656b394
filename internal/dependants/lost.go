package dependants

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/registry"
)

// gone returns the paths at which there is no file any longer after the changes.
func (c Changes) gone() (paths []string) {
	for _, left := range c {
		path := cmp.Or(left.From, left.Path)
		isThere := func(other edit.Change) bool { return other.Path == path && !other.Deleted }
		if (left.Deleted || left.From != "") && !slices.ContainsFunc(c, isThere) {
			paths = append(paths, path)
		}
	}
	return paths
}

// noteLostBases notes which configurations extend a file that is gone: compilers refuse these, but servers go on without
// what it said, and do not report that.
func (s *Search) noteLostBases(texts impact.Texts) {
	for _, path := range s.changes.gone() {
		for _, config := range texts.Extending(path) {
			s.NotKnown(fmt.Sprintf("what is wrong with %s, which extends %s: that is gone, and servers judge files without it",
				s.names.Relative(config), s.names.Relative(path)))
		}
	}
}

// noteUnserved notes which projects no server can judge any longer, because the file that made them projects is gone.
func (s *Search) noteUnserved(ctx context.Context) {
	for _, path := range s.changes.gone() {
		if !s.SetsUp(path) {
			continue
		}
		all, err := s.workspace.Sources(ctx)
		if err != nil {
			return
		}
		for i := range s.config.Servers {
			d := &s.config.Servers[i]
			if d.Disabled || d.Role != registry.Primary || !IsProjectFile(d, path) {
				continue
			}
			isTheirs := func(other string) bool {
				_, speaks := d.LanguageID(other)
				return speaks && !IsProjectFile(d, other) && fspath.Below(filepath.Dir(path), other)
			}
			at := slices.IndexFunc(all, isTheirs)
			if at < 0 {
				continue
			}
			file := diagnostics.File{Path: all[at]}
			s.Sources(&file)
			missed := slices.IndexFunc(file.Failures, func(a diagnostics.Answer) bool { return a.Server == d.ID && !a.Dispensable })
			if len(file.Sources) == 0 && missed >= 0 {
				s.NotKnown(fmt.Sprintf("what deleting %s did to its project, of which no server judges %s: %s: %s",
					s.names.Relative(path), s.names.Relative(file.Path), d.ID, file.Failures[missed].Reason))
			}
		}
	}
}
