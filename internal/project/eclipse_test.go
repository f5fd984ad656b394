package project

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// jdtls writes its filters into a .project, and removes those of former ones: it is told what makes it do neither.
func TestFiltersOfEclipse(t *testing.T) {
	const (
		plain   = "/.project --\n<projectDescription/>\n"
		written = "/.project --\n<arguments>node_modules|x\\.y|__CREATED_BY_JAVA_LANGUAGE_SERVER__</arguments>\n"
	)
	defaults := []string{"node_modules", `\.git`}
	for _, c := range []struct {
		name, archive string
		want          []string
	}{
		{"none", "-- a/pom.xml --\n", defaults},
		{"a project without filters", "-- a" + plain, []string{}},
		{"projects in folders of the project", "-- b/c/d" + plain, []string{}},
		{"filters that it wrote", "-- a" + written, []string{"node_modules", `x\.y`}},
		{"both", "-- a" + plain + "-- b" + written, []string{"node_modules", `x\.y`}},
		{"in a package", "-- a/node_modules/p" + plain + "-- b/.hidden" + plain, defaults},
		{"too deep", "-- a/1/2/3/4/5/6" + plain, defaults},
	} {
		root := lsptest.Workspace(t, c.archive)
		got := EclipseFilters([]string{filepath.Join(root, "a"), filepath.Join(root, "b"), filepath.Join(root, "missing")})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
