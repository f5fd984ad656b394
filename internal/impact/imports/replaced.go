package imports

import (
	"slices"

	"github.com/lspine/lspine/internal/language"
)

// Replaced returns the scripts that bring in the file at path, which is gone, where another file is found in its place, themselves or by way of
// others; but not one that changed as well: that it came is known.
func (s *Search) Replaced(path string, changed func(path string) bool) map[string]bool {
	f := familyOf(path)
	if f == nil {
		f = bringing(path)
	}
	files := make(map[string]bool)
	if f != families[language.ScriptFamily] {
		return files
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.graphLocked(f)
	present := make(map[string]bool)
	for _, other := range slices.Concat(g.paths, g.workspace.data) {
		if name, folder := scriptNamed(other); other != path && !changed(other) {
			present[name], present[folder] = true, true
		}
	}
	for importer := range g.of(path) {
		isReplaced := func(ref reference) bool {
			finds := func(meant reference) bool { return meant.exact && !meant.under && present[meant.path] }
			return g.means(importer, ref, path) && slices.ContainsFunc(g.meaning(importer, ref), finds)
		}
		if slices.ContainsFunc(g.files[importer].imports, isReplaced) {
			files[importer] = true
			g.importedBy(importer, func(user string) bool { files[user] = true; return false })
		}
	}
	return files
}
