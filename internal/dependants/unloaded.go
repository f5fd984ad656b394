package dependants

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
)

// InBrokenModules returns the Go files that use what changes and are in a module whose go.mod is reported to be wrong, which
// gopls may not have loaded: then it says nothing of them by itself. Asked about one, it says so.
func (s *Search) InBrokenModules(ctx context.Context, reports []diagnostics.FileReport) []diagnostics.File {
	var files []string
	for i := range reports {
		if filepath.Base(reports[i].Path) == language.GoMod && reports[i].HasErrors() {
			files = append(files, s.filesOfModule(ctx, filepath.Dir(reports[i].Path))...)
		}
	}
	var users []string
	for _, c := range s.changes {
		if len(files) == 0 || !language.Is(c.Path, language.Go) {
			continue
		}
		names, known := impact.GoChanged(&s.imported, c.Path, c.Before, c.After)
		if !known || len(names) > 0 || c.From != "" {
			users = append(users, s.usersAmong(files, c, names, known && c.From == "")...)
		}
	}
	found := s.choose(&s.Found, users)
	for i := range found {
		found[i].Shown = true
	}
	return found
}

// filesOfModule returns the Go files of the module in a folder.
func (s *Search) filesOfModule(ctx context.Context, folder string) []string {
	all, err := s.workspace.Files(ctx)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(path string) bool {
		return !language.Is(path, language.Go) || !fspath.Below(folder, path) || s.moduleAround(filepath.Dir(path)) != folder
	})
}

// moduleAround returns the folder of the module that a folder is in, "" if that is none below the root.
func (f *Finder) moduleAround(dir string) string {
	for folder := dir; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, language.GoMod)); err == nil {
			return folder
		}
		if folder == f.workspace.Root() || folder == filepath.Dir(folder) {
			return ""
		}
	}
}
