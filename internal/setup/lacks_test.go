package setup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
)

// A vendor folder counts as the go command has it: its list must be that of go.mod, and what
// is on its list must be there.
func TestVendoredPackages(t *testing.T) {
	const list = "# example.com/a v1.0.0\n## explicit\nexample.com/a\nexample.com/a/sub\n# example.com/b v1.0.0 => ../b\n## explicit\n"
	names := []string{"example.com/a/sub", "example.com/other"}
	for name, c := range map[string]struct {
		module, folders string
		want            diagnostics.Lack
	}{
		"as it should be": {"go 1.22\nrequire example.com/a v1.0.0\n", "-- example.com/a/sub/x.go --\n", diagnostics.Lack{}},
		"another version": {
			"go 1.22\nrequire example.com/a v1.0.1\n", "-- example.com/a/sub/x.go --\n",
			diagnostics.Lack{Missing: "vendor/modules.txt is not of this go.mod, which requires example.com/a v1.0.1", Names: names},
		},
		"replaced": {"go 1.22\nrequire example.com/b v1.2.0\nreplace example.com/b => ../b\n", "-- example.com/a/sub/x.go --\n", diagnostics.Lack{}},
		"a package is gone": {
			"go 1.22\nrequire example.com/a v1.0.0\n", "-- example.com/a/x.go --\n",
			diagnostics.Lack{Missing: "vendor lacks packages that vendor/modules.txt names: example.com/a/sub", Names: names[:1]},
		},
		"before vendor folders counted": {"go 1.13\nrequire example.com/a v1.0.1\n", "-- example.com/a/x.go --\n", diagnostics.Lack{}},
	} {
		t.Setenv("GOFLAGS", "")
		file, err := modfile.Parse("go.mod", []byte("module example.com/m\n"+c.module), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, lacksVendored(file, []byte(list), lsptest.Workspace(t, c.folders), names)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	file, err := modfile.Parse("go.mod", []byte("module example.com/m\ngo 1.22\nrequire example.com/a v1.0.1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if lack := lacksVendored(file, []byte(list), t.TempDir(), names); lack.Missing != "" {
		t.Errorf("with -mod=mod no vendor folder counts: %s", lack.Missing)
	}
}
