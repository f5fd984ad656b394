package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/registry"
)

// What a sweep, and what the finding of servers costs for each of many names, six
// folders deep, where only the server for Go is there.
func BenchmarkManyNames(b *testing.B) {
	root := b.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a/b/c/d/e/f"), 0o755); err != nil {
		b.Fatal(err)
	}
	w, err := Open(Options{Root: root, Servers: registry.Builtin(), LookPath: func(name string) (string, error) {
		if name == "gopls" {
			return found(name)
		}
		return "", exec.ErrNotFound
	}})
	if err != nil {
		b.Fatal(err)
	}
	for _, ending := range []string{".go", ".ts", ".py", ".md", ".yaml", ".png"} {
		names := make([]string, 1000)
		for i := range names {
			names[i] = filepath.Join(root, "a/b/c/d/e/f", fmt.Sprintf("file%d%s", i, ending))
		}
		b.Run("matters"+ending, func(b *testing.B) {
			for i := range b.N {
				w.matters(filepath.Base(names[i%len(names)]))
			}
		})
		b.Run("candidates"+ending, func(b *testing.B) {
			for i := range b.N {
				w.Candidates(names[i%len(names)])
			}
		})
	}
}
