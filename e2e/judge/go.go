package judge

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var goPlace = regexp.MustCompile(`^(.*?):(\d+(?::\d+)?)$`)

// goTruth checks every package of every module, and its tests, by the type checker of
// the compiler: go build itself does not look at the packages that import a broken one.
func goTruth(t testing.TB, root, _ string) Findings {
	r := newReport(root)
	for _, name := range Files(t, root, ".mod") {
		if filepath.Base(name) != "go.mod" {
			continue
		}
		dir := filepath.Join(root, filepath.Dir(name))
		loaded, err := packages.Load(&packages.Config{
			Context: t.Context(), Dir: dir, Tests: true,
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
				packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
			Env: append(os.Environ(), "GOPROXY=off", "GOFLAGS="),
		}, "./...")
		if err != nil {
			t.Logf("go list in %s: %v", name, err)
			r.found.Add(name, unclear+"its packages cannot be listed")
			r.found.Add(Everywhere, fatal+name)
			continue
		}
		r.packages(loaded)
		r.found.Add(name, unclear+"the type checker does not judge it")
	}
	return r.found
}

// packages adds what is wrong in packages.
func (r *report) packages(loaded []*packages.Package) {
	judged := make(map[string]bool)
	for _, p := range loaded {
		for _, file := range p.CompiledGoFiles {
			judged[file] = true
		}
		for _, e := range p.Errors {
			m := goPlace.FindStringSubmatch(e.Pos)
			switch {
			// What follows a blank explains the error before; but both declarations are wrong.
			case m == nil || strings.HasPrefix(e.Msg, "\t") && !strings.HasPrefix(e.Msg, "\tother declaration"):
			case e.Kind == packages.TypeError:
				r.add(m[1], m[2], e.Msg)
			case e.Kind == packages.ParseError: // gopls then says nothing of types
				r.add(m[1], m[2], fatal+e.Msg)
			}
		}
		if unloaded(p) {
			for _, file := range p.GoFiles {
				r.add(file, "", unclear+"its package cannot be loaded")
			}
		}
		for i, f := range p.Syntax {
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); i < len(p.CompiledGoFiles) && unloaded(p.Imports[path]) {
					r.add(p.CompiledGoFiles[i], path, unclear+path+" cannot be loaded, and may have any name")
				}
			}
		}
	}
	for _, p := range loaded {
		for _, file := range p.IgnoredFiles {
			if !judged[file] {
				r.add(file, "", unclear+"it is for other systems")
			}
		}
	}
}

// unloaded reports whether a package is not there, or not as a package: in a cycle, or
// two in a folder.
func unloaded(p *packages.Package) bool {
	return p != nil && (p.Name == "" || slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return e.Kind == packages.ListError && !strings.HasPrefix(e.Msg, "# ") // this heads what the compiler said
	}))
}
