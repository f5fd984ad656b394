package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

// columns is how long a line should be at most.
const columns = 140

type house struct {
	rooms []room
	total total
}

// A room is a package below internal; what is inside of it counts as a room of its own.
type room struct {
	name             string // below internal
	order            []string
	arrows           int
	back             []arrow
	lines, testLines int
	exported         int // names that other rooms can use: of the package, and methods and fields of its exported types
	widest           int // fields of the struct that has most, those that it embeds among them
	depth            int // of the embedding of own structs
}

func (r *room) backShare() string {
	if r.arrows == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%d %%", (100*len(r.back)+r.arrows/2)/r.arrows)
}

// total are figures of the whole module.
type total struct {
	lines, testLines int
	long             int // lines, in product and tests
	oneWord          int // functions and methods of the product
	testFiles        int
	insideTests      int // those in the package that they test
}

// measure measures the module in dir, as it is built for this system.
func measure(ctx context.Context, dir string) (*house, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
	}, "./...")
	if err != nil {
		return nil, err
	}
	h := &house{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, e)
		}
		h.total.oneWord += oneWordNames(p)
		own := room{}
		if err := countLines(p.Dir, &own, &h.total); err != nil {
			return nil, err
		}
		h.total.lines += own.lines
		h.total.testLines += own.testLines
		if _, name, inside := strings.Cut(p.PkgPath, "/internal/"); inside && len(p.GoFiles) > 0 {
			own.name = name
			inspectRoom(p, &own)
			h.rooms = append(h.rooms, own)
		}
	}
	return h, nil
}

// countLines counts the lines of the Go files in a folder, for all systems.
func countLines(folder string, r *room, sum *total) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		lines := bytes.Count(text, []byte("\n"))
		for line := range bytes.Lines(text) {
			if utf8.RuneCount(bytes.TrimSuffix(line, []byte("\n"))) > columns {
				sum.long++
			}
		}
		if !strings.HasSuffix(name, "_test.go") {
			r.lines += lines
			continue
		}
		r.testLines += lines
		sum.testFiles++
		if !isOutside(text) {
			sum.insideTests++
		}
	}
	return nil
}

// isOutside reports whether a file of tests sees only what its room shows to others.
func isOutside(text []byte) bool {
	for line := range bytes.Lines(text) {
		if name, ok := bytes.CutPrefix(line, []byte("package ")); ok {
			return bytes.HasSuffix(bytes.TrimSpace(name), []byte("_test"))
		}
	}
	return false
}

// oneWordNames counts the functions that are called by a single lower-case word, which no search finds.
func oneWordNames(p *packages.Package) (n int) {
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && !strings.ContainsFunc(d.Name.Name, unicode.IsUpper) && d.Name.Name != "main" && d.Name.Name != "init" {
				n++
			}
		}
	}
	return n
}

// inspectRoom says how the files of a room use each other, and how large what they declare is.
func inspectRoom(p *packages.Package, r *room) {
	fileOf := func(pos token.Pos) string { return filepath.Base(p.Fset.Position(pos).Filename) }
	used := make(map[[2]string]map[string]bool)
	for name, object := range p.TypesInfo.Uses {
		if object.Pkg() != p.Types || isLocal(p.Types, object) {
			continue
		}
		from, to := fileOf(name.Pos()), fileOf(object.Pos())
		if from == to {
			continue
		}
		if used[[2]string{from, to}] == nil {
			used[[2]string{from, to}] = make(map[string]bool)
		}
		used[[2]string{from, to}][object.Name()] = true
	}
	var arrows []arrow
	for _, pair := range slices.SortedFunc(maps.Keys(used), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	}) {
		arrows = append(arrows, arrow{pair[0], pair[1], slices.Sorted(maps.Keys(used[pair]))})
	}
	var files []string
	for _, f := range p.Syntax {
		files = append(files, fileOf(f.Pos()))
	}
	slices.Sort(files)
	r.arrows = len(arrows)
	r.order, r.back = arrowsBack(files, arrows)
	for _, name := range p.Types.Scope().Names() {
		object := p.Types.Scope().Lookup(name)
		if object.Exported() {
			r.exported++
		}
		named, ok := object.Type().(*types.Named)
		if _, isType := object.(*types.TypeName); !ok || !isType {
			continue
		}
		if object.Exported() {
			r.exported += exportedMembers(named)
		}
		if s, ok := named.Underlying().(*types.Struct); ok {
			r.widest, r.depth = max(r.widest, s.NumFields()), max(r.depth, embedding(s, p.Types))
		}
	}
}

// isLocal reports whether something is declared in a function, so that no other file can use it.
func isLocal(p *types.Package, object types.Object) bool {
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return false
	}
	if f, ok := object.(*types.Func); ok && f.Signature().Recv() != nil {
		return false
	}
	return object.Parent() != p.Scope()
}

func exportedMembers(named *types.Named) (n int) {
	for m := range named.Methods() {
		if m.Exported() {
			n++
		}
	}
	if s, ok := named.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			if f.Exported() {
				n++
			}
		}
	}
	return n
}

// embedding returns how deep own structs are embedded in each other.
func embedding(s *types.Struct, p *types.Package) (depth int) {
	for f := range s.Fields() {
		if !f.Embedded() {
			continue
		}
		t := f.Type()
		if pointer, ok := t.(*types.Pointer); ok {
			t = pointer.Elem()
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() != p {
			continue
		}
		if inner, ok := named.Underlying().(*types.Struct); ok {
			depth = max(depth, 1+embedding(inner, p))
		}
	}
	return depth
}
