package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// NotIgnored returns the files below a root that is in no checkout, without those that
// ignore files name: git applies these with an empty repository that stands elsewhere. Folders
// that are checkouts of their own are nested; their files are not among the others.
func (co *Checkout) NotIgnored(ctx context.Context) (files, nested []string, err error) {
	empty, err := os.MkdirTemp("", "lspine-files-")
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = os.RemoveAll(empty) }() // what is left is an empty repository
	if _, err := co.git(ctx, "init", "--quiet", "--bare", empty); err != nil {
		return nil, nil, err
	}
	names, err := co.git(ctx, "--git-dir="+empty, "--work-tree="+co.root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, nil, err
	}
	for _, path := range co.absolute(names) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			nested = append(nested, path)
			continue
		}
		files = append(files, path)
	}
	return files, nested, nil
}

// Ignoring returns the files outside of the root's folders, and in .git, by which git decides which files it lists; some may
// not be there.
func (co *Checkout) Ignoring(ctx context.Context) []string {
	paths := []string{filepath.Join(co.root, ".git")}
	for dir := co.root; dir != filepath.Dir(dir); {
		dir = filepath.Dir(dir)
		paths = append(paths, filepath.Join(dir, ".git"), filepath.Join(dir, fspath.IgnoreFile))
	}
	if own, err := co.git(ctx, "rev-parse", "--git-path", "index", "--git-path", "info/exclude", "--git-path", "config"); err == nil {
		for name := range strings.Lines(string(own)) {
			paths = append(paths, fspath.At(co.root, strings.TrimSuffix(name, "\n")))
		}
		if ours, err := co.git(ctx, "config", "--path", "--get", "core.excludesFile"); err == nil {
			paths = append(paths, fspath.At(co.root, strings.TrimSuffix(string(ours), "\n")))
		}
	}
	for _, variable := range co.environ {
		switch name, value, _ := strings.Cut(variable, "="); name {
		case "GIT_CONFIG_GLOBAL":
			paths = append(paths, value)
		case "HOME":
			paths = append(paths, filepath.Join(value, ".gitconfig"), filepath.Join(value, ".config", "git", "config"), filepath.Join(value, ".config", "git", "ignore"))
		case "XDG_CONFIG_HOME":
			paths = append(paths, filepath.Join(value, "git", "config"), filepath.Join(value, "git", "ignore"))
		}
	}
	return paths
}
