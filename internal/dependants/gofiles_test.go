package dependants

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The Go files that import "C" are found in a folder of any name.
func TestFilesThatImportC(t *testing.T) {
	root := lsptest.Workspace(t, "-- a[1]/c.go --\npackage x\n\n// int g(void);\nimport \"C\"\n-- a[1]/plain.go --\npackage x\n-- a[1]/c.txt --\npackage x\n\nimport \"C\"\n")
	for folder, want := range map[string][]string{"a[1]": {filepath.Join(root, "a[1]", "c.go")}, "a1": nil, ".": nil} {
		if diff := cmp.Diff(want, new(Finder).withC(filepath.Join(root, folder))); diff != "" {
			t.Errorf("%s: %s", folder, diff)
		}
	}
}
