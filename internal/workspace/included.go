package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// Limits of what is looked at for files that git ignores.
const (
	maxIncluded = 5_000  // files that projects include
	maxIgnored  = 50_000 // files and folders altogether
	// maxDiffering bounds what hooks keep in mind of a session.
	maxDiffering = 20_000
)

// included returns the files below the root that git ignores although their projects include them, above all generated code:
// what uses them, or what they use, can be broken like any other file.
func (w *Workspace) included(ctx context.Context) ([]string, error) {
	names, err := w.git(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, err
	}
	scopes := project.NewScopes(w.root)
	var files []string
	seen := 0
	for _, ignored := range w.absolute(names) {
		if w.isNever(filepath.Dir(ignored)) {
			continue
		}
		_ = filepath.WalkDir(ignored, func(path string, e fs.DirEntry, err error) error {
			seen++
			switch {
			case ctx.Err() != nil || seen > maxIgnored || len(files) == maxIncluded:
				return filepath.SkipAll
			case err != nil: // it is gone, or may not be read
				return nil
			case e.IsDir() && (project.Never(path) || isGitCheckout(path)):
				return filepath.SkipDir
			case e.Type().IsRegular() && w.skipped(path) == "" && scopes.Includes(path):
				files = append(files, path)
			}
			return nil
		})
	}
	slices.Sort(files)
	return slices.Compact(files), ctx.Err() // git names a folder and, again, what is in it
}

// Differing returns the commit that is checked out in a folder, "" without one, and the files below it whose changes nobody else
// keeps track of: those that differ from a revision, and those that git ignores although their projects include them. In a
// folder that is in no repository, these are all files that matter to servers. Those in checkouts below the folder are among
// them. At most maxDiffering files are returned.
func Differing(ctx context.Context, opts Options, revision string) (commit string, files []string, err error) {
	if Unversioned(opts.Root, opts.Environ) {
		w := &Workspace{root: opts.Root, opts: opts, foreign: foreignIn(opts.Root, opts.Trusted), index: registry.NewIndex(opts.Servers)}
		files, err = w.walk(ctx, maxDiffering, project.Never)
		return "", files, err
	}
	commit, changes, err := ChangesIn(ctx, opts, revision)
	if err != nil {
		return commit, nil, err
	}
	opts.Environ = child.Environ(opts.Root, opts.Environ)
	w := &Workspace{root: opts.Root, opts: opts, foreign: foreignIn(opts.Root, opts.Trusted)}
	included, err := w.included(ctx)
	files = slices.Concat(changes.Present, changes.Deleted, included, w.includedInSubmodules(ctx))
	var below []func() []string
	for _, checkout := range w.checkouts(ctx, changes.Present) {
		below = append(below, guard.Begin(func() []string { return w.differingBelow(ctx, checkout) }))
	}
	for _, differing := range below {
		files = append(files, differing()...)
	}
	return commit, files[:min(len(files), maxDiffering)], err
}

// isNever reports whether a folder, or one above it below the root, is never part of a project.
func (w *Workspace) isNever(folder string) bool {
	for ; folder != w.root && fspath.Below(w.root, folder); folder = filepath.Dir(folder) {
		if project.Never(folder) {
			return true
		}
	}
	return false
}

// nested are the checkouts below the root that somebody asked about. git lists no file in them: they are clones, or the worktrees that
// agents make in a folder that is ignored. (Submodules are among them, too, and count in any case.) For the files in one of them, it takes the place of the root.
type nested struct {
	mu    sync.Mutex
	roots []string
}

// nestedOf returns the checkout that a path is in, "" if that is the root, or none.
func (w *Workspace) nestedOf(path string) string {
	for folder := path; folder != w.root && fspath.Below(w.root, folder); folder = filepath.Dir(folder) {
		if isGitCheckout(folder) {
			return folder
		}
	}
	return ""
}

// outermostOf is nestedOf for the checkout that is in no other but that of the root.
func (w *Workspace) outermostOf(path string) (outermost string) {
	for folder := path; folder != w.root && fspath.Below(w.root, folder); folder = filepath.Dir(folder) {
		if isGitCheckout(folder) {
			outermost = folder
		}
	}
	return outermost
}

func isGitCheckout(folder string) bool {
	_, err := os.Lstat(filepath.Join(folder, ".git"))
	return err == nil
}

// visit notes that somebody asks about a path: if it is in a checkout of its own, that one's files count from now on.
func (w *Workspace) visit(path string) {
	root := w.nestedOf(path)
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

// at returns a workspace for a checkout below the root that can only ask git.
func (w *Workspace) at(nested string) *Workspace {
	return &Workspace{root: nested, opts: w.opts, foreign: w.foreign}
}

// tracked returns the files of a checkout below the root.
func (w *Workspace) tracked(ctx context.Context, nested string) ([]string, error) {
	there := w.at(nested)
	files, err := there.AllFiles(ctx)
	if err != nil {
		return nil, err
	}
	more, err := there.included(ctx)
	return append(files, more...), err
}

// checkouts returns the checkouts below the root in which files may have changed without git listing these: the worktrees of
// the same repository and, among paths that it does list, clones.
func (w *Workspace) checkouts(ctx context.Context, listed []string) (folders []string) {
	submodules := w.submodules(ctx)
	for _, path := range listed {
		if path = filepath.Clean(path); !slices.Contains(submodules, path) && isGitCheckout(path) && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	if own, err := os.Lstat(filepath.Join(w.root, ".git")); err == nil && own.IsDir() {
		if _, err := os.Lstat(filepath.Join(w.root, ".git", "worktrees")); err != nil {
			return folders
		}
	}
	names, err := w.git(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return folders
	}
	for line := range strings.SplitSeq(string(names), "\x00") {
		folder, is := strings.CutPrefix(line, "worktree ")
		if folder = filepath.FromSlash(folder); is && folder != w.root && fspath.Below(w.root, folder) && isGitCheckout(folder) && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// differingBelow returns the files of a checkout below the root that differ from the commit that is checked out there.
func (w *Workspace) differingBelow(ctx context.Context, checkout string) []string {
	there := w.at(checkout)
	changes, err := there.ChangesSince(ctx, "HEAD")
	if err != nil {
		return nil
	}
	included, _ := there.included(ctx)
	return slices.Concat(changes.Present, changes.Deleted, included)
}

// IgnoredSince returns the files that git ignores although their projects include them, above all generated code, and that may have
// been written since a commit was made.
func (w *Workspace) IgnoredSince(ctx context.Context, revision string) ([]string, error) {
	files, err := w.included(ctx)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	made, err := w.git(ctx, "log", "-1", "--format=%ct", "--end-of-options", revision)
	if err != nil {
		return nil, err
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(made)), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of %s: %w", revision, err)
	}
	return slices.DeleteFunc(files, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || fspath.Touched(info).Unix() < seconds
	}), nil
}
