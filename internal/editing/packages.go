package editing

import (
	"errors"
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
	// module is the folder of their module.
	module string
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
	return movedPackages{from, to, module}
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
		now, moved := p.moved(name)
		if err != nil || !moved {
			continue
		}
		start := files.Position(spec.Path.Pos()).Offset
		after = after[:start] + strconv.Quote(now) + after[start+len(spec.Path.Value):]
		n++
	}
	after, directives := p.linked(after)
	return after, n + directives
}

// moved returns the import path that a package has afterwards, and whether that is another one.
func (p movedPackages) moved(name string) (now string, is bool) {
	if name != p.from && !strings.HasPrefix(name, p.from+"/") {
		return name, false
	}
	return p.to + strings.TrimPrefix(name, p.from), true
}

// linked returns a text whose directives //go:linkname name the symbols of the packages where they are then.
func (p movedPackages) linked(text string) (after string, n int) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "//go:linkname ") && len(words) == 3 {
			slash := strings.LastIndexByte(words[2], '/') + 1
			if dot := strings.IndexByte(words[2][slash:], '.'); dot >= 0 {
				if now, moved := p.moved(words[2][:slash+dot]); moved {
					line = strings.Replace(line, words[2], now+words[2][slash+dot:], 1)
					n++
				}
			}
		}
		b.WriteString(line)
	}
	return b.String(), n
}

// toolsRenamed returns a go.mod that names the packages which are tools where they are then.
func (p movedPackages) toolsRenamed(text string) (after string, n int) {
	file, err := modfile.Parse(language.GoMod, []byte(text), nil)
	if err != nil {
		return text, 0
	}
	for _, tool := range slices.Clone(file.Tool) {
		now, moved := p.moved(tool.Path)
		if !moved {
			continue
		}
		if errors.Join(file.DropTool(tool.Path), file.AddTool(now)) != nil {
			return text, 0
		}
		n++
	}
	file.Cleanup()
	formatted, err := file.Format()
	if err != nil || n == 0 {
		return text, 0
	}
	return string(formatted), n
}
