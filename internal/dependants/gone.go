package dependants

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/registry"
)

// MissingGone returns a function that reports whether a file's servers miss files that are gone, as [Finder.MissesGone] does, unless the texts
// prove that the file brings in none of them, itself or by way of others. former are the texts that changed files had, by path. The
// function is for one moment, and not safe for concurrent use.
func (f *Finder) MissingGone(ctx context.Context, gone []string, former map[string][]byte) func(file diagnostics.File) bool {
	importers := sync.OnceValues(func() (map[string]bool, bool) { return f.importersOfGone(ctx, gone, former) })
	byPackage := func(d registry.Definition) bool { return !d.Has(registry.FindsSaved) } // no text names the file
	return func(file diagnostics.File) bool {
		if !f.MissesGone(file, gone) {
			return false
		}
		if f.anySource(file, byPackage) {
			return true
		}
		files, known := importers()
		return !known || files[file.Path]
	}
}

// importersOfGone returns the files that bring in one of those that are gone; known is false if that cannot be told: a package that
// lost the file that stands for it may be brought in by the name of any file in it, and what is declared for everybody by none.
func (f *Finder) importersOfGone(ctx context.Context, gone []string, former map[string][]byte) (files map[string]bool, known bool) {
	files = make(map[string]bool)
	starts := slices.Clone(gone)
	for _, path := range gone {
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if strings.HasPrefix(name, "__") {
			return nil, false
		}
		for changed, text := range former {
			if bytes.Contains(text, []byte(name)) && !slices.Contains(starts, changed) {
				starts = append(starts, changed)
			}
		}
	}
	members := f.Membership(ctx, f.workspace.Detection())
	for _, path := range starts {
		importers, known := members.texts.Importers(path)
		if !known {
			return nil, false
		}
		files[path] = true
		maps.Copy(files, importers)
	}
	return files, true
}

// Replaced returns the scripts that find other files in the place of those that are gone, themselves or by way of others: their servers keep to
// that, whatever they are shown. former are the texts that changed files had, by path.
func (f *Finder) Replaced(ctx context.Context, gone []string, former map[string][]byte) map[string]bool {
	files := make(map[string]bool)
	if len(gone) == 0 {
		return files
	}
	changed := func(path string) bool { _, is := former[path]; return is }
	members := f.Membership(ctx, f.workspace.Detection())
	for _, path := range gone {
		maps.Copy(files, members.texts.Replaced(path, changed))
	}
	return files
}
