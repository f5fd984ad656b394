package child_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/lsptest"
)

// What git says about the command that it runs a hook for is not handed on. The repository that a variable names counts
// only for folders without one of their own.
func TestEnvironmentOfAGitHook(t *testing.T) {
	root := lsptest.Workspace(t, "-- own/.git/HEAD --\n-- own/below/a --\n-- linked/.git --\ngitdir: elsewhere\n-- plain/a --\n")
	separator := string(os.PathListSeparator)
	environ := []string{
		"HOME=/h", "GIT_EXEC_PATH=/lib/git", "PATH=/lib/git" + separator + "/bin", "GIT_DIR=/r/.git", "GIT_WORK_TREE=/r", "GIT_INDEX_FILE=.git/index.lock",
		"GIT_PREFIX=sub/", "GIT_OBJECT_DIRECTORY=/o", "GIT_CONFIG_PARAMETERS='user.name'='a'", "GIT_CONFIG_GLOBAL=/c", "GIT_CEILING_DIRECTORIES=/h", "GIT_DIRECTION=x", "PATHS=/lib/git",
	}
	in := []string{"HOME=/h", "GIT_EXEC_PATH=/lib/git", "PATH=/bin"}
	own := append(append([]string(nil), in...), "GIT_CONFIG_GLOBAL=/c", "GIT_CEILING_DIRECTORIES=/h", "GIT_DIRECTION=x", "PATHS=/lib/git")
	named := append(append([]string(nil), in...), "GIT_DIR=/r/.git", "GIT_WORK_TREE=/r", "GIT_OBJECT_DIRECTORY=/o", "GIT_CONFIG_GLOBAL=/c", "GIT_CEILING_DIRECTORIES=/h", "GIT_DIRECTION=x", "PATHS=/lib/git")
	for folder, want := range map[string][]string{"own": own, "own/below": own, "linked": own, "plain": named} {
		folder = filepath.Join(root, filepath.FromSlash(folder))
		got := child.Environ(folder, environ)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in %s (-want +got):\n%s", folder, diff)
		}
		if diff := cmp.Diff(want, child.Environ(folder, got)); diff != "" {
			t.Errorf("in %s, the second time (-want +got):\n%s", folder, diff)
		}
	}
}
