package judge

import (
	"os"
	"path/filepath"
	"regexp"
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
			continue
		}
		for _, p := range loaded {
			for _, e := range p.Errors {
				m := goPlace.FindStringSubmatch(e.Pos)
				// What follows a blank explains the error before; but both declarations are wrong.
				if m == nil || strings.HasPrefix(e.Msg, "\t") && !strings.HasPrefix(e.Msg, "\tother declaration") {
					continue
				}
				if e.Kind == packages.TypeError || e.Kind == packages.ParseError {
					r.add(m[1], m[2], e.Msg)
				}
			}
		}
	}
	return r.found
}
