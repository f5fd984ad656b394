package roots

import (
	"os"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

func TestMain(m *testing.M) { lsptest.Main(m) }

// open returns a finder for a folder with the files of an archive, or for opts.Root.
func open(t *testing.T, archive string, opts Options) *Finder {
	t.Helper()
	if opts.Root == "" {
		opts.Root = lsptest.Workspace(t, archive)
	}
	return New(opts)
}

func symlink(t *testing.T, target, link string) {
	t.Helper()
	lsptest.NeedLinks(t)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}
