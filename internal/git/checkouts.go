package git

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
)

// Nested returns the checkout that a path is in, "" if that is the root, or none.
func (co *Checkout) Nested(path string) string {
	for folder := path; folder != co.root && fspath.Below(co.root, folder); folder = filepath.Dir(folder) {
		if isCheckout(folder) {
			return folder
		}
	}
	return ""
}

// outermostOf is [Checkout.Nested] for the checkout that is in no other but that of the root.
func (co *Checkout) outermostOf(path string) (outermost string) {
	for folder := path; folder != co.root && fspath.Below(co.root, folder); folder = filepath.Dir(folder) {
		if isCheckout(folder) {
			outermost = folder
		}
	}
	return outermost
}

func isCheckout(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// FilesIn returns the files of a checkout below the root: those that git tracks or does not ignore, and those that it ignores although
// their projects include them.
func (co *Checkout) FilesIn(ctx context.Context, nested string) ([]string, error) {
	there := co.at(nested)
	files, err := there.AllFiles(ctx)
	if err != nil {
		return nil, err
	}
	more, err := there.included(ctx)
	return append(files, more...), err
}

// checkouts returns the checkouts below the root in which files may have changed without git listing these: the worktrees of
// the same repository and, among paths that it does list, clones.
func (co *Checkout) checkouts(ctx context.Context, listed []string) (folders []string) {
	submodules := co.submodules(ctx)
	for _, path := range listed {
		if path = filepath.Clean(path); !slices.Contains(submodules, path) && isCheckout(path) && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	if own, err := os.Lstat(filepath.Join(co.root, ".git")); err == nil && own.IsDir() {
		if _, err := os.Lstat(filepath.Join(co.root, ".git", "worktrees")); err != nil {
			return folders
		}
	}
	names, err := co.git(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return folders
	}
	for line := range strings.SplitSeq(string(names), "\x00") {
		folder, is := strings.CutPrefix(line, "worktree ")
		if folder = filepath.FromSlash(folder); is && folder != co.root && fspath.Below(co.root, folder) && isCheckout(folder) && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// Differing returns the commit that is checked out, "" without one, and the files below the root whose changes nobody else
// keeps track of: those that differ from a revision, and those that git ignores although their projects include them. Those in
// checkouts below the root are among them.
func (co *Checkout) Differing(ctx context.Context, revision string) (commit string, files []string, err error) {
	changes, err := co.ChangesSince(ctx, revision)
	commit = co.Commit(ctx)
	if err != nil {
		return commit, nil, err
	}
	included, err := co.Included(ctx)
	files = slices.Concat(changes.Present, changes.Deleted, included)
	var below []func() []string
	for _, checkout := range co.checkouts(ctx, changes.Present) {
		below = append(below, guard.Begin(func() []string { return co.at(checkout).differing(ctx) }))
	}
	for _, differing := range below {
		files = append(files, differing()...)
	}
	return commit, files, err
}

// differing returns the files that differ from the commit that is checked out, without those of checkouts below the root.
func (co *Checkout) differing(ctx context.Context) []string {
	changes, err := co.ChangesSince(ctx, "HEAD")
	if err != nil {
		return nil
	}
	included, _ := co.included(ctx)
	return slices.Concat(changes.Present, changes.Deleted, included)
}
