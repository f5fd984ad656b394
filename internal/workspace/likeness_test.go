package workspace

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The names that are like a missing one are told in the order of their likeness, at most three, and none that is too
// unlike; what is like a short name differs in two letters at most.
func TestNamesThatAreLikeAnother(t *testing.T) {
	root := lsptest.Workspace(t, "-- ab --\n-- abcd --\n-- abcde --\n-- abcxyz.toy --\n-- abcdefghijkl.toy --\n-- xbcdefghijkl.toy --\n-- xycdefghijkl.toy --\n-- xyzwvfghijkl.toy --\n-- xyzwvughijkl.toy --\n-- folder/abcdefghijkm.toy --\n-- abcdefghijkn.toy/x --\n")
	near := func(name string) (names []string) {
		for _, path := range nearest(filepath.Join(root, name)) {
			names = append(names, filepath.Base(path))
		}
		return names
	}
	for name, want := range map[string][]string{
		"abcdefghijkm.toy": {"abcdefghijkl.toy", "xbcdefghijkl.toy", "xycdefghijkl.toy"},
		"abc":              {"ab", "abcd", "abcde"},
		"q":                {"ab"},
		"xyzwvughizzz.toy": {"xyzwvughijkl.toy", "xyzwvfghijkl.toy"},
		"none/abcd":        nil,
	} {
		if diff := cmp.Diff(want, near(name)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
