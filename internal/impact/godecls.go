package impact

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/lspine/lspine/internal/lazyregexp"
)

// GoChanged returns the names whose meaning a change of a Go file changes for other files. Of a
// function only the signature counts, of everything else the whole declaration; a changed method
// also changes its type. known is false if the names do not tell all, as where a text does not
// parse or the build constraints change. nil stands for a file that is not there. texts remembers what
// it was divided into.
func GoChanged(texts *TextReader, path string, before, after []byte) (names []string, known bool) {
	d := texts.Between(path, before, after)
	if d.Opaque {
		return nil, false
	}
	names = slices.Concat(d.Sure, d.Inferred)
	slices.Sort(names)
	return names, true
}

// GoStaysInside reports whether a change of a Go file surely makes no error in any other: all that
// differs is in bodies of functions, and no function mentions anything of its package that it did not
// mention before. Otherwise variables elsewhere may begin to depend on themselves (Go specification,
// "Package initialization"). A generic function must stay as it is.
func GoStaysInside(texts *TextReader, path string, before, after []byte) bool {
	if names, known := GoChanged(texts, path, before, after); !known || len(names) > 0 {
		return false
	}
	was, ok := goMentionsOf(before)
	if !ok {
		return false
	}
	is, ok := goMentionsOf(after)
	if !ok || !slices.Equal(was.imports, is.imports) {
		return false
	}
	for name, mentioned := range is.by {
		for other := range mentioned {
			if !was.by[name][other] {
				return false
			}
		}
	}
	return true
}

// goMentions says what the functions of a Go file mention of their package.
type goMentions struct {
	// imports are the paths that the file imports, with their names.
	imports []string
	// by has what functions mention, by their names with those of the types that they belong to.
	by map[string]map[string]bool
}

// goMentionsOf reads a Go file; ok is false if it does not parse, or imports C.
func goMentionsOf(text []byte) (m goMentions, ok bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		return m, false
	}
	imported := make(map[string]bool)
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil || name == "C" {
			return m, false
		}
		as := ""
		if spec.Name != nil {
			as = spec.Name.Name
		}
		// A package that has another name than its folder is taken for something of ours.
		if known := cmp.Or(as, path.Base(name)); as != "" || !majorVersion.MatchString(known) {
			imported[known] = true
		}
		m.imports = append(m.imports, as+" "+name)
	}
	m.by = make(map[string]map[string]bool)
	for _, d := range file.Decls {
		f, isFunction := d.(*ast.FuncDecl)
		if !isFunction {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil && len(f.Recv.List) > 0 {
			name = types.ExprString(f.Recv.List[0].Type) + "." + name
		}
		if m.by[name] == nil {
			m.by[name] = make(map[string]bool)
		}
		maps.Copy(m.by[name], goMentioned(f, imported))
		if f.Body != nil && isGeneric(f) {
			// With other types the ones that it makes others of may have no end, which is an error there.
			m.by[name][string(text[f.Body.Pos()-file.FileStart:f.Body.End()-file.FileStart])] = true
		}
	}
	return m, true
}

// majorVersion is the last folder of packages of which the one above has their name.
var majorVersion = lazyregexp.New(`^v[0-9]+$`)

// isGeneric reports whether a function or its receiver has type parameters.
func isGeneric(f *ast.FuncDecl) bool {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return f.Type.TypeParams != nil
	}
	generic := false
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			generic = true
		}
		return true
	})
	return generic
}

// goMentioned returns the names in a function that may be those of declarations of its package, or of
// methods.
func goMentioned(f *ast.FuncDecl, imported map[string]bool) map[string]bool {
	names := make(map[string]bool)
	isOwn := func(name *ast.Ident) bool {
		return name.Obj != nil && f.Pos() <= name.Obj.Pos() && name.Obj.Pos() < f.End()
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Obj == nil && imported[x.Name] {
				return false // of another package
			}
			names[n.Sel.Name] = true
		case *ast.Ident:
			if !isOwn(n) && types.Universe.Lookup(n.Name) == nil {
				names[n.Name] = true
			}
		}
		return true
	})
	return names
}
