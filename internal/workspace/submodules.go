package workspace

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/guard"
)

// submodules returns the folders of the repository's submodules that are checked out. What git does for them is done here, because
// git would look into them with the settings of their own repositories.
func (w *Workspace) submodules(ctx context.Context) []string {
	const list = ".gitmodules"
	if _, err := os.Lstat(filepath.Join(w.root, list)); err != nil {
		return nil
	}
	settings, err := w.git(ctx, "config", "--file", list, "-z", "--get-regexp", `^submodule\..*\.path$`)
	if err != nil {
		return nil
	}
	var names []string
	for setting := range strings.SplitSeq(string(settings), "\x00") {
		if _, name, _ := strings.Cut(setting, "\n"); filepath.IsLocal(filepath.FromSlash(name)) {
			names = append(names, name)
		}
	}
	folders := w.absolute([]byte(strings.Join(names, "\x00")))
	slices.Sort(folders)
	return slices.DeleteFunc(slices.Compact(folders), func(folder string) bool {
		real, err := fspath.Real(folder)
		return err != nil || real != folder || folder == w.root || !isGitCheckout(folder) // behind a link is another's folder
	})
}

// recorded returns which commits of submodules a revision names, by their folders. One that it does not name is not among them.
func (w *Workspace) recorded(ctx context.Context, revision string, folders []string) map[string]string {
	args := []string{"ls-tree", "-z", revision, "--"}
	for _, folder := range folders {
		args = append(args, w.Relative(folder))
	}
	entries, err := w.git(ctx, args...)
	if err != nil {
		return nil
	}
	commits := make(map[string]string)
	for entry := range strings.SplitSeq(string(entries), "\x00") {
		// "<mode> <type> <id>\t<name>"
		about, name, _ := strings.Cut(entry, "\t")
		if id, is := strings.CutPrefix(about, "160000 commit "); is {
			commits[filepath.Join(w.root, filepath.FromSlash(name))] = id
		}
	}
	return commits
}

// inSubmodules calls ask for each submodule that is checked out, all at once, with a workspace that can only ask git. base is the
// commit that a revision of the root's repository has it at or, if there is none or the revision is "", the one that is checked out there.
func inSubmodules[T any](ctx context.Context, w *Workspace, revision string, ask func(there *Workspace, base string) (T, error)) []T {
	folders := w.submodules(ctx)
	if len(folders) == 0 {
		return nil
	}
	var commits map[string]string
	if revision != "" {
		commits = w.recorded(ctx, revision, folders)
	}
	var waits []func() *T
	for _, folder := range folders {
		waits = append(waits, guard.Begin(func() *T {
			for _, base := range []string{commits[folder], "HEAD"} {
				if base == "" {
					continue
				}
				if answer, err := ask(w.at(folder), base); err == nil {
					return &answer
				}
			}
			return nil // it is no repository, or has no commits
		}))
	}
	var answers []T
	for _, wait := range waits {
		if answer := wait(); answer != nil {
			answers = append(answers, *answer)
		}
	}
	return answers
}

// withSubmodules adds what differs in submodules from the commits that a revision has them at.
func (w *Workspace) withSubmodules(ctx context.Context, revision string, c Changes) (Changes, error) {
	inside := inSubmodules(ctx, w, revision, func(there *Workspace, base string) (Changes, error) { return there.ChangesSince(ctx, base) })
	for _, more := range inside {
		c.Present, c.Deleted = append(c.Present, more.Present...), append(c.Deleted, more.Deleted...)
		maps.Copy(c.Renamed, more.Renamed)
	}
	if len(inside) > 0 {
		slices.Sort(c.Present)
		slices.Sort(c.Deleted)
	}
	return c, ctx.Err()
}

// filesOfSubmodules returns the files of all submodules that git tracks or does not ignore.
func (w *Workspace) filesOfSubmodules(ctx context.Context) []string {
	return slices.Concat(inSubmodules(ctx, w, "", func(there *Workspace, _ string) ([]string, error) { return there.AllFiles(ctx) })...)
}

// includedInSubmodules returns the files of all submodules that git ignores although their projects include them.
func (w *Workspace) includedInSubmodules(ctx context.Context) []string {
	return slices.Concat(inSubmodules(ctx, w, "", func(there *Workspace, _ string) ([]string, error) { return there.included(ctx) })...)
}
