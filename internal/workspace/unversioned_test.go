package workspace

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Where no folder above has a repository and the environment names none, what changed is refused
// without git being run; everywhere else, git says itself what it is.
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
		if got := Unversioned(filepath.Join(root, c.folder), c.environ); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	_, changes, err := ChangesIn(t.Context(), Options{Root: filepath.Join(root, "plain"), Environ: []string{"PATH="}}, "HEAD")
	var failed *GitError
	if !errors.As(err, &failed) || failed.Error() != "git diff: the folder is in no git repository" {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(Changes{}, changes); diff != "" {
		t.Error(diff)
	}
}
