package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// goImports returns the packages that a Go file belongs to and imports. A package is its
// folder: the files of one see each other.
func goImports(path string, text []byte) []reference {
	list := []reference{{path: filepath.Dir(path), exact: true}}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
	if file == nil || err != nil && len(file.Imports) == 0 {
		return list
	}
	for _, spec := range file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil {
			list = append(list, reference{path: filepath.FromSlash("/" + name), spec: name})
		}
	}
	return list
}

// goNamed returns the file, which nobody names, and its package.
func goNamed(path string) (name, folder string) { return path, filepath.Dir(path) }

// goModules are the modules of a tree: where packages are by their import paths.
type goModules []goModule

type goModule struct{ path, dir string }

// goModulesOf reads the go.mod files among some paths.
func goModulesOf(tree Tree, paths []string) goModules {
	modules := goModules{}
	for _, path := range paths {
		if filepath.Base(path) != language.GoMod {
			continue
		}
		text, err := tree.Read(path)
		if err != nil {
			continue
		}
		dir := filepath.Dir(path)
		modules = append(modules, goModule{modfile.ModulePath(text), dir})
		file, err := modfile.Parse(path, text, nil)
		if err != nil {
			continue
		}
		for _, r := range file.Replace {
			if modfile.IsDirectoryPath(r.New.Path) {
				modules = append(modules, goModule{r.Old.Path, filepath.Join(dir, filepath.FromSlash(r.New.Path))})
			}
		}
	}
	return modules
}

// meaning returns the folders that an import path may mean: none outside of the tree.
func (m goModules) meaning(spec string) (list []reference) {
	for _, module := range m {
		rest, found := strings.CutPrefix(spec, module.path)
		if module.path == "" || !found || rest != "" && rest[0] != '/' {
			continue
		}
		ref := reference{path: filepath.Join(module.dir, filepath.FromSlash(rest)), exact: true}
		if !slices.Contains(list, ref) {
			list = append(list, ref)
		}
	}
	return list
}

// knowsHomes reports whether it is known by which import paths the packages of some files
// are called: they are in modules of the tree, and no copies of other ones.
func (g *graph) knowsHomes(changes []Change) bool {
	if g.family != families[language.GoFamily] {
		return true
	}
	return !slices.ContainsFunc(changes, func(c Change) bool {
		home := slices.ContainsFunc(g.modules, func(m goModule) bool { return isUnder(c.Path, m.dir) })
		return !home || slices.Contains(strings.Split(c.Path, string(filepath.Separator)), "vendor")
	})
}

var (
	goAny = lazyregexp.New(`(?m)^[ \t]*(?:func(?:\s*\([^)]*\))?|type|var|const)\s+([\pL_][\pL\pN_]*)`)
	// goDirective is a comment that the go command or the compiler reads.
	goDirective = lazyregexp.New(`^//(?:go:|export |line )|^// ?\+build`)
	goBuild     = lazyregexp.New(`(?m)^(?://go:build|// ?\+build)`)
)

// goDeclarations divides a Go file. The body of a function shows nothing: the types of
// its results are written.
func goDeclarations(path, text string) (list []declaration) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || file == nil {
		s := source{code: []byte(text)}
		return s.whole(goAny)
	}
	g := goFile{fset: fset, s: source{code: []byte(text)}}
	g.blankComments(file)
	// Who renames the package or builds it elsewhere changes it for everybody.
	head := g.part(file.Pos(), file.Name.End())
	head.shown += g.constraints(file, text)
	head.sure, head.shapes = head.shown, true
	list = append(list, head)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			list = append(list, g.function(d))
		case *ast.GenDecl:
			list = append(list, g.general(d)...)
		}
	}
	return list
}

// A goFile is a parsed file, with comments that mean nothing blank.
type goFile struct {
	fset *token.FileSet
	s    source
}

func (g *goFile) at(p token.Pos) int { return min(g.fset.Position(p).Offset, len(g.s.code)) }

func (g *goFile) part(from, to token.Pos, bodies ...body) declaration {
	return g.s.part(g.at(from), g.at(to), bodies)
}

// blankComments blanks all comments but directives and what stands above import "C".
func (g *goFile) blankComments(file *ast.File) {
	preambles := make(map[*ast.CommentGroup]bool)
	for _, d := range file.Decls {
		if imported, ok := d.(*ast.GenDecl); ok && imported.Tok == token.IMPORT {
			preambles[imported.Doc] = isCgo(imported)
			for _, spec := range imported.Specs {
				preambles[spec.(*ast.ImportSpec).Doc] = isCgo(imported)
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if !preambles[group] && !goDirective.MatchString(c.Text) {
				blank(g.s.code[g.at(c.Pos()):g.at(c.End())])
			}
		}
	}
}

// isCgo reports whether a declaration imports C.
func isCgo(d *ast.GenDecl) bool {
	return d.Tok == token.IMPORT && slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		return s.(*ast.ImportSpec).Path.Value == `"C"`
	})
}

// constraints returns the lines that say where a file is built.
func (g *goFile) constraints(file *ast.File, text string) string {
	var lines []string
	for line := range strings.SplitSeq(text[:g.at(file.Package)], "\n") {
		if goBuild.MatchString(line) {
			lines = append(lines, "\n"+line)
		}
	}
	return strings.Join(lines, "")
}

// function returns a function or a method, which changes its type as well.
func (g *goFile) function(d *ast.FuncDecl) declaration {
	var bodies []body
	if d.Body != nil {
		bodies = append(bodies, body{span{g.at(d.Body.Lbrace), g.at(d.Body.End())}, true})
	}
	part := g.part(start(d.Doc, d.Pos()), d.End(), bodies...)
	part.names, part.qualified = goNames(d.Name), d.Recv == nil
	if d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "main") {
		part.names = nil
	}
	if d.Recv != nil {
		for _, receiver := range d.Recv.List {
			ast.Inspect(receiver.Type, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok {
					part.names = append(part.names, goNames(name)...)
				}
				return true
			})
		}
	}
	return part
}

// start returns where a declaration begins, with the comment above it: a directive may be
// in it.
func start(doc *ast.CommentGroup, at token.Pos) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return at
}

// general returns the parts of a declaration of imports, constants, variables or types.
// The constants of a group depend on each other.
func (g *goFile) general(d *ast.GenDecl) (list []declaration) {
	from, isValue := start(d.Doc, d.Pos()), d.Tok == token.CONST || d.Tok == token.VAR
	if d.Tok == token.CONST || !d.Lparen.IsValid() {
		part := g.part(from, d.End())
		part.qualified = isValue
		for _, spec := range d.Specs {
			part.names = append(part.names, specNames(spec)...)
			part.links = part.links || mayBeCyclic(spec)
			part.shapes = part.links
		}
		return []declaration{part}
	}
	for i, spec := range d.Specs {
		var doc *ast.CommentGroup
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			doc = spec.Doc
		case *ast.TypeSpec:
			doc = spec.Doc
		case *ast.ImportSpec:
			doc = spec.Doc
		}
		part := g.part(start(doc, spec.Pos()), spec.End())
		if i == 0 && d.Doc != nil {
			part.shown = string(g.s.code[g.at(from):g.at(d.Doc.End())]) + "\n" + part.shown
			part.sure = part.shown
		}
		part.names, part.links = specNames(spec), mayBeCyclic(spec)
		part.qualified = isValue
		part.shapes = part.links
		list = append(list, part)
	}
	return list
}

func specNames(spec ast.Spec) (list []string) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		return goNames(spec.Names...)
	case *ast.TypeSpec:
		return goNames(spec.Name)
	}
	return nil
}

func goNames(all ...*ast.Ident) (list []string) {
	for _, name := range all {
		if name.Name != "_" {
			list = append(list, name.Name)
		}
	}
	return list
}

// mayBeCyclic reports whether something is an import that may lead back to the package
// that has it. That is wrong in every package on the way. C is not known here.
func mayBeCyclic(spec ast.Spec) bool {
	imported, ok := spec.(*ast.ImportSpec)
	if !ok {
		return false
	}
	name, err := strconv.Unquote(imported.Path.Value)
	first, _, _ := strings.Cut(name, "/")
	return err != nil || !slices.Contains(language.GoStandard, first)
}
