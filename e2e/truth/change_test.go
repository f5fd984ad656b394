package truth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/e2e/code"
)

// checkout makes the change a commit, beside the working tree, and switches to that.
func (w *world) checkout(t *testing.T, c code.Change) {
	t.Helper()
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(w.Root, ".git", "truth-index")}
	w.git(t, index, "", "read-tree", "HEAD")
	for _, name := range c.Names() {
		if text := c.Texts[name]; text != nil {
			id := w.git(t, nil, *text, "hash-object", "-w", "--stdin")
			w.git(t, index, "", "update-index", "--add", "--cacheinfo", "100644,"+id+","+name)
		} else {
			w.git(t, index, "", "update-index", "--force-remove", "--", name)
		}
	}
	tree := w.git(t, index, "", "write-tree")
	commit := w.git(t, nil, "", "commit-tree", "-p", "HEAD", "-m", "changed", tree)
	w.git(t, nil, "", "checkout", "-q", commit)
}

// asItIs fails the test if the tree is not as the driver believes.
func (w *world) asItIs(t *testing.T) {
	t.Helper()
	for name, text := range w.Files {
		if content, _ := os.ReadFile(filepath.Join(w.Root, name)); string(content) != text && !strings.HasSuffix(name, ".lock") {
			t.Fatalf("%s is not as it should be", name)
		}
	}
}
