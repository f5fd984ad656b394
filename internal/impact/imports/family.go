package imports

import (
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A family is languages whose files bring in each other.
type family struct {
	// imports returns what a file brings in.
	imports func(path string, text []byte) []reference
	// named returns the path that others name a file by, without what they leave
	// out; and that of the folder, if the file stands for it.
	named func(path string) (name, folder string)
	// declarations divides the text of a file.
	declarations func(path, text string) []declaration
	// reported says that the language server finds who is concerned by itself, sooner or
	// later: the search only makes it sooner.
	reported bool
}

// A reference is what a file says of another that it brings in: the end of a path
// or, if exact, the whole of it.
type reference struct {
	path  string
	exact bool
	// under says that any file in a folder may be meant.
	under bool
	// whole says that all that the other file holds can be reached through this one.
	whole bool
	// spec is what stands in the file where a resolver is to say what it means.
	spec string
}

// families are those of which it is known how a file brings in another; nil stands for the others.
var families = [...]*family{
	language.ScriptFamily: {imports: scriptImports, named: scriptNamed, declarations: scriptDeclarations},
	language.PythonFamily: {imports: pythonImports, named: pythonNamed, declarations: pythonDeclarations},
	language.NativeFamily: {imports: includes, named: func(path string) (string, string) { return path, "" }, declarations: nativeDeclarations},
	language.GoFamily:     {imports: goImports, named: goNamed, declarations: goDeclarations, reported: true},
	language.JVMFamily:    nil,
}

// familyOf returns the family of a file, nil if it is of none.
func familyOf(path string) *family { return families[language.Of(path).Family] }

// Knows reports whether the language of a file is known here, and is one of which
// nobody else finds who is concerned by a change.
func Knows(path string) bool {
	f := familyOf(path)
	return f != nil && !f.reported
}

// Follows reports whether who is concerned by a change of a file can be found here at all.
func Follows(path string) bool { return familyOf(path) != nil }

// Declared returns the names that a text declares at the top level of its file.
func Declared(path string, text []byte) (declared []string) {
	f := familyOf(path)
	if f == nil {
		return nil
	}
	for _, d := range f.declarations(path, string(text)) {
		declared = append(declared, d.names...)
	}
	return declared
}

var (
	identifier = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)
	quotedPath = lazyregexp.New(`["'][^"'\n]*["']`)
	keywords   = map[string]bool{
		"import": true, "export": true, "from": true, "as": true, "type": true, "default": true, "const": true,
		"let": true, "var": true, "require": true, "if": true, "try": true, "except": true, "else": true, "module": true, "exports": true,
	}
)

func isUnder(path, folder string) bool {
	return strings.HasPrefix(path, folder+string(filepath.Separator))
}
