package workspace

import (
	"context"
	"slices"
	"sync"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// maxDiffering bounds what hooks keep in mind of a session.
const maxDiffering = 20_000

// Differing returns what [git.Checkout.Differing] does for a folder, without anything else of a workspace being made. In a folder
// that is in no repository, the files are all that matter to servers; only then servers is called. At most maxDiffering files
// are returned.
//
// Of the options, Root, Environ, Trusted and Ignore count.
func Differing(ctx context.Context, opts Options, revision string, servers func() registry.Table) (commit string, files []string, err error) {
	w := &Workspace{root: opts.Root, opts: opts}
	if git.Unversioned(opts.Root, opts.Environ) {
		w.Finder = roots.New(roots.Options{Root: opts.Root, Servers: servers(), Environ: opts.Environ, Trusted: opts.Trusted})
		files, err = w.walk(ctx, maxDiffering, project.Never)
		return "", files, err
	}
	w.opts.Environ = child.Environ(opts.Root, opts.Environ)
	commit, files, err = w.checkout().Differing(ctx, revision)
	return commit, files[:min(len(files), maxDiffering)], err
}

// checkout returns what asks git about the root.
func (w *Workspace) checkout() *git.Checkout {
	return git.In(git.Options{
		Root: w.root, Environ: w.opts.Environ, Trusted: w.opts.Trusted, LookPath: roots.ForeignIn(w.root, w.opts.Trusted).LookPath,
		Skips: func(path string) bool { return w.skipped(path) != "" },
	})
}

// Git returns what answers for git.
func (w *Workspace) Git() *git.Checkout { return w.git }

// nested are the checkouts below the root that somebody asked about. git lists no file in them: they are clones, or the worktrees that
// agents make in a folder that is ignored. (Submodules are among them, too, and count in any case.) For the files in one of them, it takes the place of the root.
type nested struct {
	mu    sync.Mutex
	roots []string
}

// visit notes that somebody asks about a path: if it is in a checkout of its own, that one's files count from now on.
func (w *Workspace) visit(path string) {
	root := w.git.Nested(path)
	if root == "" {
		return
	}
	w.nested.mu.Lock()
	defer w.nested.mu.Unlock()
	if !slices.Contains(w.nested.roots, root) {
		w.nested.roots = append(w.nested.roots, root)
	}
}

// visited returns the checkouts below the root that somebody asked about.
func (w *Workspace) visited() []string {
	w.nested.mu.Lock()
	defer w.nested.mu.Unlock()
	return slices.Clone(w.nested.roots)
}
