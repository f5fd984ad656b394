package git

import (
	"cmp"
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
func (co *Checkout) submodules(ctx context.Context) []string {
	if !co.hasSubmodules() {
		return nil
	}
	folders := slices.Sorted(maps.Keys(co.submodulesIn(ctx, "--file", gitModules)))
	return slices.DeleteFunc(folders, func(folder string) bool {
		real, err := fspath.Real(folder)
		return err != nil || real != folder || folder == co.root || !isCheckout(folder) // behind a link is another's folder
	})
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// gitModules is where git has the list of submodules.
const gitModules = ".gitmodules"

func (co *Checkout) hasSubmodules() bool {
	_, err := os.Lstat(filepath.Join(co.root, gitModules))
	return err == nil
}

// submodulesIn returns the names of the submodules of a list, by their folders. source says to git config where it is.
func (co *Checkout) submodulesIn(ctx context.Context, source ...string) map[string]string {
	args := slices.Concat([]string{"config"}, source, []string{"-z", "--get-regexp", `^submodule\..*\.path$`})
	settings, err := co.git(ctx, args...)
	if err != nil {
		return nil
	}
	names := make(map[string]string)
	for setting := range strings.SplitSeq(string(settings), "\x00") {
		key, path, _ := strings.Cut(setting, "\n")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		if path = filepath.FromSlash(path); path != "" && filepath.IsLocal(path) && filepath.IsLocal(filepath.FromSlash(name)) {
			names[filepath.Join(co.root, path)] = name
		}
	}
	return names
}

// A goneSubmodule is one that a revision has and that is not checked out any more. Its repository is still there; it names a folder of
// work that is not, so that git must be given another one.
type goneSubmodule struct{ folder, commit, repository string }

// goneSubmodules returns the submodules that a revision has, that are not checked out, and that once were.
func (co *Checkout) goneSubmodules(ctx context.Context, revision string) (gone []goneSubmodule) {
	names := co.submodulesIn(ctx, "--blob", revision+":./"+gitModules)
	maps.DeleteFunc(names, func(folder, _ string) bool { return isCheckout(folder) })
	if len(names) == 0 {
		return nil
	}
	for folder, commit := range co.recorded(ctx, revision, slices.Sorted(maps.Keys(names))) {
		at, err := co.git(ctx, "rev-parse", "--git-path", "modules/"+names[folder])
		repository := strings.TrimSuffix(string(at), "\n")
		if !filepath.IsAbs(repository) {
			repository = filepath.Join(co.root, repository)
		}
		if info, failed := os.Stat(repository); err == nil && failed == nil && info.IsDir() {
			gone = append(gone, goneSubmodule{folder, commit, repository})
		}
	}
	return gone
}

// addGoneTexts adds to texts those that files had in submodules that are gone.
func (co *Checkout) addGoneTexts(ctx context.Context, revision string, paths []string, texts map[string][]byte) {
	missing := slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		_, found := texts[path]
		return found || strings.Contains(path, "\n")
	})
	if !slices.ContainsFunc(missing, func(path string) bool { return co.hasSubmodules() || !isThere(path) }) {
		return
	}
	for _, gone := range co.goneSubmodules(ctx, revision) {
		var asked []string
		var names strings.Builder
		for _, path := range missing {
			if fspath.Below(gone.folder, path) {
				asked = append(asked, path)
				names.WriteString(gone.commit + ":" + co.at(gone.folder).relative(path) + "\n")
			}
		}
		if len(asked) == 0 {
			continue
		}
		output, err := co.gitReading(ctx, strings.NewReader(names.String()), "--git-dir="+gone.repository, "--work-tree="+co.root, "cat-file", "--batch")
		if err == nil {
			_ = readObjects(output, asked, texts) // what is not among them is not known
		}
	}
}

// recorded returns which commits of submodules a revision names, by their folders. One that it does not name is not among them.
func (co *Checkout) recorded(ctx context.Context, revision string, folders []string) map[string]string {
	args := []string{"ls-tree", "-z", revision, "--"}
	for _, folder := range folders {
		args = append(args, co.relative(folder))
	}
	entries, err := co.git(ctx, args...)
	if err != nil {
		return nil
	}
	commits := make(map[string]string)
	for entry := range strings.SplitSeq(string(entries), "\x00") {
		// "<mode> <type> <id>\t<name>"
		about, name, _ := strings.Cut(entry, "\t")
		if id, is := strings.CutPrefix(about, "160000 commit "); is {
			commits[filepath.Join(co.root, filepath.FromSlash(name))] = id
		}
	}
	return commits
}

// inSubmodules calls ask for each submodule that is checked out, all at once. base is the
// commit that a revision of the root's repository has it at or, if there is none or the revision is "", the one that is checked out there.
func inSubmodules[T any](ctx context.Context, co *Checkout, revision string, ask func(there *Checkout, base string) (T, error)) []T {
	folders := co.submodules(ctx)
	if len(folders) == 0 {
		return nil
	}
	var commits map[string]string
	if revision != "" {
		commits = co.recorded(ctx, revision, folders)
	}
	var waits []func() *T
	for _, folder := range folders {
		waits = append(waits, guard.Begin(func() *T {
			for _, base := range []string{commits[folder], "HEAD"} {
				if base == "" {
					continue
				}
				if answer, err := ask(co.at(folder), base); err == nil {
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

// noTree is what git calls a commit without files, to compare with.
const noTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// changesOfSubmodules returns what changed in submodules between the commits that two revisions have them at.
func (co *Checkout) changesOfSubmodules(ctx context.Context, from, to string) (changes []FileChange) {
	names := co.submodulesIn(ctx, "--blob", from+":./"+gitModules)
	if names == nil {
		names = make(map[string]string)
	}
	maps.Copy(names, co.submodulesIn(ctx, "--blob", to+":./"+gitModules))
	if len(names) == 0 {
		return nil
	}
	folders := slices.Sorted(maps.Keys(names))
	was, is, checkedOut := co.recorded(ctx, from, folders), co.recorded(ctx, to, folders), co.submodules(ctx)
	for _, folder := range folders {
		switch was, is := was[folder], is[folder]; {
		case was == is:
		case is == "":
			changes = append(changes, FileChange{Path: folder, Deleted: true})
		case !slices.Contains(checkedOut, folder):
			changes = append(changes, FileChange{Path: folder, Unread: "this submodule is not checked out"})
		default:
			inside, err := co.at(folder).Changes(ctx, cmp.Or(was, noTree)+".."+is)
			if err != nil {
				inside = []FileChange{{Path: folder, Unread: "what changed in this submodule is not known: " + err.Error()}}
			}
			changes = append(changes, inside...)
		}
	}
	return changes
}

// withSubmodules adds what differs in submodules from the commits that a revision has them at, and the files of those that are gone.
func (co *Checkout) withSubmodules(ctx context.Context, revision string, c Changes) (Changes, error) {
	if slices.Contains(c.Deleted, filepath.Join(co.root, gitModules)) || co.hasSubmodules() {
		for _, gone := range co.goneSubmodules(ctx, revision) {
			files, err := co.git(ctx, "--git-dir="+gone.repository, "--work-tree="+co.root, "ls-tree", "--full-tree", "-r", "-z", "--name-only", gone.commit)
			if err == nil { // they may have become files of the root's own
				c.Deleted = append(c.Deleted, slices.DeleteFunc(co.at(gone.folder).absolute(files), isThere)...)
			}
		}
		slices.Sort(c.Deleted)
	}
	inside := inSubmodules(ctx, co, revision, func(there *Checkout, base string) (Changes, error) { return there.ChangesSince(ctx, base) })
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
func (co *Checkout) filesOfSubmodules(ctx context.Context) []string {
	return slices.Concat(inSubmodules(ctx, co, "", func(there *Checkout, _ string) ([]string, error) { return there.AllFiles(ctx) })...)
}
