package archtest

import (
	"go/ast"
	"go/token"
	"maps"
	"strings"
)

// A guard is the mutex mu of a struct: it guards the fields that stand directly below it, up to the next empty line.
type guard map[string]bool

// guardsOf returns the guards of the structs of a package, by their names.
func guardsOf(p pkg) map[string]guard {
	guards := make(map[string]guard)
	for _, f := range p.files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			spec, isSpec := n.(*ast.TypeSpec)
			if !isSpec {
				return true
			}
			if s, isStruct := spec.Type.(*ast.StructType); isStruct {
				if g := guardOf(f.set, s); len(g) > 0 {
					guards[spec.Name.Name] = g
				}
			}
			return true
		})
	}
	return guards
}

func guardOf(set *token.FileSet, s *ast.StructType) guard {
	line := func(at token.Pos) int { return set.Position(at).Line }
	g, guarded, last := make(guard), false, 0
	for _, field := range s.Fields.List {
		begin, end := line(field.Pos()), line(field.End())
		if field.Doc != nil {
			begin = line(field.Doc.Pos())
		}
		guarded = guarded && begin <= last+1
		last = end
		for _, name := range field.Names {
			if name.Name == "mu" {
				guarded = true
			} else if guarded {
				g[name.Name] = true
			}
		}
	}
	return g
}

// fieldsAreGuarded reports methods that touch a field below mu and do not take mu before. Those whose names end in Locked
// are called with mu held.
func fieldsAreGuarded(pkgs []pkg, report func(string, ...any)) {
	for _, p := range pkgs {
		if room(p.path) == "" && !below(p.path, "pkg") {
			continue
		}
		guards := guardsOf(p)
		for _, f := range p.files {
			for _, d := range f.tree.Decls {
				method, ok := d.(*ast.FuncDecl)
				if !ok || f.test() || method.Body == nil || strings.HasSuffix(method.Name.Name, "Locked") {
					continue
				}
				receiver, of := receiverOf(method)
				for _, at := range touchesBeforeLock(method, receiver, guards[of]) {
					report("%s/%s:%d: %s of %s touches a field that mu guards: take mu, or call it …Locked", p.path, f.name, f.set.Position(at).Line, method.Name.Name, of)
				}
			}
		}
	}
}

// receiverOf returns the name of a method's receiver and that of its type, "" for those that are not there.
func receiverOf(method *ast.FuncDecl) (name, of string) {
	if method.Recv == nil || len(method.Recv.List[0].Names) == 0 {
		return "", ""
	}
	t := method.Recv.List[0].Type
	if pointer, ok := t.(*ast.StarExpr); ok {
		t = pointer.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return method.Recv.List[0].Names[0].Name, id.Name
	}
	return "", ""
}

// touchesBeforeLock returns where a method touches guarded fields above the first place where it takes mu, one for each
// field.
func touchesBeforeLock(method *ast.FuncDecl, receiver string, g guard) (found []token.Pos) {
	left, locked := maps.Clone(g), false
	ast.Inspect(method.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok || locked {
			return !locked
		}
		if x, ok := s.X.(*ast.SelectorExpr); ok && strings.HasSuffix(s.Sel.Name, "Lock") && x.Sel.Name == "mu" && isIdent(x.X, receiver) {
			locked = true
		} else if isIdent(s.X, receiver) && left[s.Sel.Name] {
			delete(left, s.Sel.Name)
			found = append(found, s.Pos())
		}
		return true
	})
	return found
}
