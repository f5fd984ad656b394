package config

import (
	"path/filepath"
	"strings"

	"github.com/lspine/lspine/internal/fspath"
)

// mainCheckout returns the checkout that git made a worktree of, with links resolved; "" if the folder is no linked worktree. Both
// sides must say so: a checkout of somebody else can name any other one as its own, but cannot write there.
func mainCheckout(worktree string) string {
	line := func(path string) string {
		text, err := fspath.Read(path)
		first, _, _ := strings.Cut(string(text), "\n")
		if err != nil {
			return ""
		}
		return strings.TrimSpace(first)
	}
	own := filepath.Join(worktree, ".git")
	entry, is := strings.CutPrefix(line(own), "gitdir: ")
	if !is {
		return ""
	}
	if !filepath.IsAbs(entry) {
		entry = filepath.Join(worktree, entry)
	}
	back := line(filepath.Join(entry, "gitdir"))
	if !filepath.IsAbs(back) {
		back = filepath.Join(entry, back)
	}
	there, err := fspath.Real(back)
	if here, failed := fspath.Real(own); err != nil || failed != nil || here != there {
		return ""
	}
	common := filepath.Dir(filepath.Dir(entry)) // .git/worktrees/<name>
	if filepath.Base(filepath.Dir(entry)) != "worktrees" || filepath.Base(common) != ".git" {
		return ""
	}
	root, err := fspath.Real(filepath.Dir(common))
	if err != nil {
		return ""
	}
	return root
}
