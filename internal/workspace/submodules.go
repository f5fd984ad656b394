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
	if !w.hasSubmodules() {
		return nil
	}
	folders := slices.Sorted(maps.Keys(w.submodulesIn(ctx, "--file", gitModules)))
	return slices.DeleteFunc(folders, func(folder string) bool {
		real, err := fspath.Real(folder)
		return err != nil || real != folder || folder == w.root || !isGitCheckout(folder) // behind a link is another's folder
	})
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// gitModules is where git has the list of submodules.
const gitModules = ".gitmodules"

func (w *Workspace) hasSubmodules() bool {
	_, err := os.Lstat(filepath.Join(w.root, gitModules))
	return err == nil
}

// submodulesIn returns the names of the submodules of a list, by their folders. source says to git config where it is.
func (w *Workspace) submodulesIn(ctx context.Context, source ...string) map[string]string {
	args := slices.Concat([]string{"config"}, source, []string{"-z", "--get-regexp", `^submodule\..*\.path$`})
	settings, err := w.git(ctx, args...)
	if err != nil {
		return nil
	}
	names := make(map[string]string)
	for setting := range strings.SplitSeq(string(settings), "\x00") {
		key, path, _ := strings.Cut(setting, "\n")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		if path = filepath.FromSlash(path); path != "" && filepath.IsLocal(path) && filepath.IsLocal(filepath.FromSlash(name)) {
			names[filepath.Join(w.root, path)] = name
		}
	}
	return names
}

// A goneSubmodule is one that a revision has and that is not checked out any more. Its repository is still there; it names a folder of
// work that is not, so that git must be given another one.
type goneSubmodule struct{ folder, commit, repository string }

// goneSubmodules returns the submodules that a revision has, that are not checked out, and that once were.
func (w *Workspace) goneSubmodules(ctx context.Context, revision string) (gone []goneSubmodule) {
	names := w.submodulesIn(ctx, "--blob", revision+":./"+gitModules)
	maps.DeleteFunc(names, func(folder, _ string) bool { return isGitCheckout(folder) })
	if len(names) == 0 {
		return nil
	}
	for folder, commit := range w.recorded(ctx, revision, slices.Sorted(maps.Keys(names))) {
		at, err := w.git(ctx, "rev-parse", "--git-path", "modules/"+names[folder])
		repository := strings.TrimSuffix(string(at), "\n")
		if !filepath.IsAbs(repository) {
			repository = filepath.Join(w.root, repository)
		}
		if info, failed := os.Stat(repository); err == nil && failed == nil && info.IsDir() {
			gone = append(gone, goneSubmodule{folder, commit, repository})
		}
	}
	return gone
}

// addGoneTexts adds to texts those that files had in submodules that are gone.
func (w *Workspace) addGoneTexts(ctx context.Context, revision string, paths []string, texts map[string][]byte) {
	missing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, found := texts[path]
		return found || strings.Contains(path, "\n")
	})
	if !slices.ContainsFunc(missing, func(path string) bool { return w.hasSubmodules() || !isThere(path) }) {
		return
	}
	for _, gone := range w.goneSubmodules(ctx, revision) {
		var asked []string
		var names strings.Builder
		for _, path := range missing {
			if fspath.Below(gone.folder, path) {
				asked = append(asked, path)
				names.WriteString(gone.commit + ":" + w.at(gone.folder).Relative(path) + "\n")
			}
		}
		if len(asked) == 0 {
			continue
		}
		output, err := w.gitReading(ctx, strings.NewReader(names.String()), "--git-dir="+gone.repository, "--work-tree="+w.root, "cat-file", "--batch")
		if err == nil {
			_ = readObjects(output, asked, texts) // what is not among them is not known
		}
	}
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

// withSubmodules adds what differs in submodules from the commits that a revision has them at, and the files of those that are gone.
func (w *Workspace) withSubmodules(ctx context.Context, revision string, c Changes) (Changes, error) {
	if slices.Contains(c.Deleted, filepath.Join(w.root, gitModules)) || w.hasSubmodules() {
		for _, gone := range w.goneSubmodules(ctx, revision) {
			files, err := w.git(ctx, "--git-dir="+gone.repository, "--work-tree="+w.root, "ls-tree", "--full-tree", "-r", "-z", "--name-only", gone.commit)
			if err == nil { // they may have become files of the root's own
				c.Deleted = append(c.Deleted, slices.DeleteFunc(w.at(gone.folder).absolute(files), isThere)...)
			}
		}
		slices.Sort(c.Deleted)
	}
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
