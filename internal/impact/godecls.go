package impact

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"slices"
)

// GoChanged returns the names of what a change of a Go file makes different for others: of
// functions the signature counts, of all else the whole declaration. Known is false if
// either text does not parse; nil is no file.
func GoChanged(before, after []byte) (names []string, known bool) {
	old, ok := goDeclarations(before)
	now, okNow := goDeclarations(after)
	if !ok || !okNow {
		return nil, false
	}
	all := maps.Clone(old)
	maps.Copy(all, now)
	for name := range all {
		if old[name] != now[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, true
}

// goDeclarations returns the declarations of a file as others see them, by name; of one name
// there may be several.
func goDeclarations(text []byte) (declared map[string]string, ok bool) {
	declared = make(map[string]string)
	if text == nil {
		return declared, true
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, false
	}
	add := func(name string, node any) {
		var b bytes.Buffer
		_ = printer.Fprint(&b, token.NewFileSet(), node) // a buffer never fails
		declared[name] += b.String() + "\n"
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body, d.Doc = nil, nil
			add(d.Name.Name, d)
		case *ast.GenDecl:
			for i, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name.Name, spec)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name.Name, spec)
						if d.Tok == token.CONST && len(spec.Values) == 0 { // it is what those above it are
							for _, above := range d.Specs[:i] {
								add(name.Name, above)
							}
						}
					}
				}
			}
		}
	}
	return declared, true
}
