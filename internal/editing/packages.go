package editing

import (
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/language"
)

// movedPackages are Go packages that have other import paths because their folder moves.
type movedPackages struct {
	// from and to are import paths of the folder; from is "" if no import path changes.
	from, to string
}

// packagesThatMove returns which packages have other import paths after a movement: those of a folder that moves within its
// module. The go command knows no other way to say where they are.
func (e *Editor) packagesThatMove(plan *edit.Plan, m movement) movedPackages {
	if !m.Folder || !m.code {
		return movedPackages{}
	}
	from, module := importPath(plan, e.workspace.Root(), m.From)
	to, other := importPath(plan, e.workspace.Root(), m.To)
	if module == "" || module != other || module == m.From {
		return movedPackages{}
	}
	return movedPackages{from, to}
}

// importPath returns the import path of a folder, and the folder of its module, "" if it is in none below the root.
func importPath(plan *edit.Plan, root, folder string) (name, module string) {
	for module = folder; ; module = filepath.Dir(module) {
		if text, err := plan.ReadFile(filepath.Join(module, language.GoMod)); err == nil {
			relative, err := filepath.Rel(module, folder)
			if name = modfile.ModulePath(text); name == "" || err != nil {
				return "", ""
			}
			return path.Join(name, filepath.ToSlash(relative)), module
		}
		if module == root || module == filepath.Dir(module) {
			return "", ""
		}
	}
}

// renamedIn returns the text of a Go file that imports the packages where they are then, and how many imports changed.
func (p movedPackages) renamedIn(text string) (after string, n int) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ImportsOnly)
	if file == nil || err != nil && len(file.Imports) == 0 {
		return text, 0
	}
	after = text
	for _, spec := range slices.Backward(file.Imports) {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil || name != p.from && !strings.HasPrefix(name, p.from+"/") {
			continue
		}
		start := files.Position(spec.Path.Pos()).Offset
		after = after[:start] + strconv.Quote(p.to+strings.TrimPrefix(name, p.from)) + after[start+len(spec.Path.Value):]
		n++
	}
	return after, n
}
