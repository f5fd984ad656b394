package imports

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A family is languages whose files bring in each other.
type family struct {
	endings []string
	// imports returns what a file brings in.
	imports func(path string, text []byte) []reference
	// named returns the path that others name a file by, without what they leave
	// out; and that of the folder, if the file stands for it.
	named func(path string) (name, folder string)
	// passes finds where a file passes on all that another holds; nil: all do.
	passes *regexp.Regexp
	// declarations divides a text.
	declarations func(text string) []declaration
}

// A reference is what a file says of another that it brings in: the end of a path
// or, if exact, the whole of it.
type reference struct {
	path  string
	exact bool
}

var families = []*family{
	{
		endings: []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro"},
		imports: scriptImports, named: scriptNamed, passes: starExport, declarations: scriptDeclarations,
	},
	{
		endings: []string{".py", ".pyi"},
		imports: pythonImports, named: pythonNamed, passes: starImport, declarations: pythonDeclarations,
	},
	{
		endings: []string{".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp", ".txx", ".tcc", ".inc", ".def", ".cppm", ".ixx", ".m", ".mm", ".cu", ".cuh"},
		imports: includes, named: func(path string) (string, string) { return path, "" }, declarations: nativeDeclarations,
	},
}

const script, python, native = 0, 1, 2

func familyOf(path string) *family {
	ending := filepath.Ext(path)
	for _, f := range families {
		if slices.Contains(f.endings, ending) {
			return f
		}
	}
	return nil
}

// Knows reports whether the language of a file is known here.
func Knows(path string) bool { return familyOf(path) != nil }

// Declared returns the names that a text declares at the top level of its file.
func Declared(path string, text []byte) (declared []string) {
	f := familyOf(path)
	if f == nil {
		return nil
	}
	for _, d := range f.declarations(string(text)) {
		declared = append(declared, d.names...)
	}
	return declared
}

var scriptSpec = regexp.MustCompile(`(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["']([^"'\n]+)["']`)

func scriptImports(path string, text []byte) (list []reference) {
	var specs []string
	for line := range bytes.Lines(text) {
		if !bytes.ContainsAny(line, `"'`) || !bytes.Contains(line, []byte("from")) && !bytes.Contains(line, []byte("import")) && !bytes.Contains(line, []byte("require")) {
			continue // most lines; the expression is slower
		}
		for _, m := range scriptSpec.FindAllSubmatch(line, -1) {
			specs = append(specs, string(m[1]))
		}
	}
	for _, spec := range specs {
		if strings.HasPrefix(spec, ".") {
			name, _ := scriptNamed(filepath.Join(filepath.Dir(path), spec))
			list = append(list, reference{name, true})
			continue
		}
		name, _ := scriptNamed("/" + strings.TrimLeft(spec, "@~#/"))
		list = append(list, reference{name, false})
	}
	return list
}

func scriptNamed(path string) (name, folder string) {
	for _, ending := range []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
		if short, ok := strings.CutSuffix(path, ending); ok {
			path = short
			break
		}
	}
	if filepath.Base(path) == "index" {
		folder = filepath.Dir(path)
	}
	return path, folder
}

var (
	pythonFrom   = regexp.MustCompile(`(?m)^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)`)
	pythonImport = regexp.MustCompile(`(?m)^[ \t]*import[ \t]+([^\n#;]+)`)
)

func pythonImports(path string, text []byte) (list []reference) {
	for _, m := range pythonFrom.FindAllSubmatch(text, -1) {
		base, exact := string(filepath.Separator), false
		if dots := len(m[1]); dots > 0 {
			base, exact = filepath.Dir(path), true
			for range dots - 1 {
				base = filepath.Dir(base)
			}
		}
		module := filepath.Join(base, strings.ReplaceAll(string(m[2]), ".", "/"))
		list = append(list, reference{module, exact})
		for _, name := range identifier.FindAll(m[3], -1) { // it may be a module
			list = append(list, reference{filepath.Join(module, string(name)), exact})
		}
	}
	for _, m := range pythonImport.FindAllSubmatch(text, -1) {
		for part := range bytes.SplitSeq(m[1], []byte(",")) {
			name, _, _ := strings.Cut(strings.TrimSpace(string(part)), " ")
			list = append(list, reference{"/" + strings.ReplaceAll(name, ".", "/"), false})
		}
	}
	return list
}

func pythonNamed(path string) (name, folder string) {
	path = strings.TrimSuffix(path, filepath.Ext(path))
	if filepath.Base(path) == "__init__" {
		folder = filepath.Dir(path)
	}
	return path, folder
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*["<]([^">\n]+)[">]`)

func includes(_ string, text []byte) (list []reference) {
	for _, m := range includeLine.FindAllSubmatch(text, -1) {
		spec := filepath.Clean("/" + string(m[1])) // drops what leads upwards
		list = append(list, reference{spec, false})
	}
	return list
}

var (
	identifier = regexp.MustCompile(`[\pL_$][\pL\pN_$]*`)
	starExport = regexp.MustCompile(`\bexport\s*(?:type\s*)?\*`)
	starImport = regexp.MustCompile(`(?m)^[ \t]*from\s.*\bimport\s*\*`)
)

var (
	moduleMark    = regexp.MustCompile(`(?m)^\s*(import|export)\b|\brequire\s*\(|\bmodule\.exports\b`)
	defaultImport = regexp.MustCompile(`\bimport\s+(?:type\s+)?([\pL_$][\pL\pN_$]*)\s*(?:,[^;]*)?\bfrom\b|\b(?:const|let|var)\s+([\pL_$][\pL\pN_$]*)\s*=\s*require\(`)
	quotedPath    = regexp.MustCompile(`["'][^"'\n]*["']`)
	keywords      = map[string]bool{
		"import": true, "export": true, "from": true, "as": true, "type": true, "default": true, "const": true,
		"let": true, "var": true, "require": true, "if": true, "try": true, "except": true, "else": true, "module": true, "exports": true,
	}
)
