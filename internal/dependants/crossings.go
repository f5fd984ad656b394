package dependants

import (
	"context"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// ReadsByCgo reports whether the servers of a Go file read a file of C only because packages import "C".
func (f *Finder) ReadsByCgo(file *diagnostics.File, path string) bool {
	return language.Is(file.Path, language.Go) && language.Of(path).Family == language.NativeFamily && f.workspace.Crosses(language.Cgo, path) &&
		!f.anySource(*file, func(d registry.Definition) bool { return d.Concerns(path) })
}

// UsersOfC returns a function that reports whether what a server says of a Go file may depend on C: the file is in a package that
// imports "C", or uses one.
func (f *Finder) UsersOfC(ctx context.Context) func(path string) bool {
	users := make(map[string]bool)
	var changes []impact.Change
	for _, path := range f.workspace.FilesWithC() {
		users[path] = true
		if text, err := f.workspace.Searched(path, maxSearched); err == nil {
			changes = append(changes, impact.Change{Path: path, After: text}) // as if all of it were new
		}
	}
	if len(changes) == 0 {
		return func(path string) bool { return users[path] }
	}
	reach := impact.FindUsersByText(f.textsNow(ctx), changes)
	for _, path := range reach.Files() {
		users[path] = true
	}
	unknown := len(reach.Notes)+len(reach.Unknown) > 0 || ctx.Err() != nil
	return func(path string) bool { return unknown || users[path] }
}
