package setup

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/registry"
)

// lacksCommands returns a lack if the compilation database was made for another folder, and so
// describes no file of this workspace.
func (s *Setup) lacksCommands(d *registry.Definition, n *Need, path string, names []string) (lack diagnostics.Lack) {
	dirs := upwards(path, s.workspace.Root())
	if home, _ := firstWith(dirs, language.CompileFlags, language.ClangdConfig); home != "" || !slices.Contains(n.Markers, language.CompileCommands) {
		return lack
	}
	for _, dir := range dirs {
		for _, name := range slices.Concat([]string{language.CompileCommands, language.BuildCommands}, d.Elsewhere) {
			found, _ := fs.Glob(os.DirFS(dir), name)
			if len(found) == 0 {
				continue
			}
			database := filepath.Join(dir, filepath.FromSlash(found[0]))
			first, own := s.workspace.Compiled(database)
			if own || first == "" {
				return lack
			}
			home := n.Home(s.workspace.Root(), path)
			lack.Missing = fmt.Sprintf("%s is of another folder: it names no file of this one, but %s", s.names.Relative(database), first)
			lack.Next, lack.Names = s.Within(home, n.Next(home)), names
			return lack
		}
	}
	return lack
}
