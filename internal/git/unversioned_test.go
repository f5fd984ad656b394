package git_test

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/lsptest"
)

// A folder is in no repository where no folder above has one and the environment names none; everywhere else, git says itself
// what it is.
func TestUnversioned(t *testing.T) {
	root := lsptest.Workspace(t, "-- plain/sub/a.toy --\n-- cloned/.git/HEAD --\n-- cloned/sub/a.toy --\n-- linked/.git --\ngitdir: ../cloned/.git\n")
	for name, c := range map[string]struct {
		folder  string
		environ []string
		want    bool
	}{
		"no repository":                     {"plain/sub", nil, true},
		"the folder of one":                 {"cloned", nil, false},
		"a folder below":                    {"cloned/sub", nil, false},
		"a worktree":                        {"linked", nil, false},
		"a repository of the environment":   {"plain", []string{"GIT_DIR=" + filepath.Join(root, "cloned/.git")}, false},
		"an environment without a value":    {"plain", []string{"GIT_DIR="}, true},
		"a folder that is not there":        {"gone", nil, true},
		"a folder of a repository's inside": {"cloned/.git", nil, false},
	} {
		if got := git.Unversioned(filepath.Join(root, c.folder), c.environ); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
