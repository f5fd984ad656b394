package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

const (
	root   = "../.."
	module = "github.com/lspine/lspine"
)

// A pkg is a directory with Go files, for all platforms, tests included.
type pkg struct {
	path  string // below the module, with slashes: "internal/lsp/proc"
	files []file
}

type file struct {
	name      string
	doc       bool // has a package comment
	generated bool
	lines     int
	imports   []string
	sleeps    []int // lines that name time.Sleep
	opens     []int // lines that name os.ReadFile or os.Open
	shows     []int // lines that name json.NewEncoder, os.Stdout, os.Stderr or a method wire
	untyped   []int // lines with map[string]any or map[string]interface{}
	words     []word
	set       *token.FileSet
	tree      *ast.File
}

// A word is a string in the code, without what surrounds it.
type word struct {
	line int
	text string
}

func (f file) test() bool { return strings.HasSuffix(f.name, "_test.go") }

// scan parses the packages of the module, not those of modules within it.
func scan(t *testing.T) []pkg {
	t.Helper()
	var pkgs []pkg
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if dir != root {
			name := d.Name()
			_, err := os.Stat(filepath.Join(dir, "go.mod"))
			if err == nil || name[0] == '.' || name[0] == '_' || name == "testdata" || name == "node_modules" {
				return filepath.SkipDir
			}
		}
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(names) == 0 {
			return err
		}
		rel, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		p := pkg{path: filepath.ToSlash(rel)}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f, err := parse(filepath.Base(name), src)
			if err != nil {
				return err
			}
			p.files = append(p.files, f)
		}
		pkgs = append(pkgs, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 5 {
		t.Fatalf("only %d packages below %s", len(pkgs), root)
	}
	return pkgs
}

func parse(name string, src []byte) (file, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, name, src, parser.ParseComments)
	if err != nil {
		return file{}, err
	}
	f := file{name: name, doc: tree.Doc != nil, generated: ast.IsGenerated(tree), lines: bytes.Count(src, []byte("\n")), set: set, tree: tree}
	timeName := ""
	for _, spec := range tree.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return file{}, err
		}
		f.imports = append(f.imports, imported)
		if imported == "time" {
			timeName = "time"
			if spec.Name != nil {
				timeName = spec.Name.Name
			}
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		line := func() int { return set.Position(n.Pos()).Line }
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == timeName && n.Sel.Name == "Sleep" {
				f.sleeps = append(f.sleeps, line())
			}
			if isIdent(n.X, "os") && (n.Sel.Name == "ReadFile" || n.Sel.Name == "Open") {
				f.opens = append(f.opens, line())
			}
			stream := isIdent(n.X, "os") && (n.Sel.Name == "Stdout" || n.Sel.Name == "Stderr")
			if stream || isIdent(n.X, "json") && n.Sel.Name == "NewEncoder" || n.Sel.Name == "wire" {
				f.shows = append(f.shows, line())
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				f.words = append(f.words, word{line(), text})
			}
		case *ast.MapType:
			if isIdent(n.Key, "string") && isAny(n.Value) {
				f.untyped = append(f.untyped, line())
			}
		}
		return true
	})
	return f, nil
}

func isAny(x ast.Expr) bool {
	i, ok := x.(*ast.InterfaceType)
	return ok && len(i.Methods.List) == 0 || isIdent(x, "any")
}

func isIdent(x ast.Expr, name string) bool {
	i, ok := x.(*ast.Ident)
	return ok && i.Name == name
}

// A text is a file that git tracks or would track.
type text struct {
	name, content string
}

// texts reads the tracked files, without binary ones and checksums.
func texts(t *testing.T) []text {
	t.Helper()
	cmd := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		lsptest.Skip(t, fmt.Sprint("not a git checkout: ", err))
	}
	var all []text
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || bytes.IndexByte(b, 0) >= 0 || path.Base(name) == "go.sum" {
			continue // deleted, a symlink to a directory, or binary
		}
		all = append(all, text{name, string(b)})
	}
	return all
}
