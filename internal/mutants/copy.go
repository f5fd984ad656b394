package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// inCopy calls f with a copy of the working tree as the working directory, and removes the copy.
// What git ignores is not copied; the tools of the tests are linked.
func inCopy(ctx context.Context, f func() (int, error)) (n int, err error) {
	tree, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	copied, err := os.MkdirTemp("", "mutants-tree")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.Chdir(tree), os.RemoveAll(copied)) }()
	if err := copyTree(ctx, tree, copied); err != nil {
		return 0, err
	}
	if err := os.Chdir(copied); err != nil {
		return 0, err
	}
	return f()
}

// copyTree makes an empty folder a clone of a repository, with the files as the working tree has
// them.
func copyTree(ctx context.Context, from, to string) error {
	git := func(args ...string) (string, error) {
		var stderr strings.Builder
		run := exec.CommandContext(ctx, "git", args...)
		run.Stderr = &stderr
		out, err := run.Output()
		if err != nil {
			return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, &stderr)
		}
		return string(out), nil
	}
	files, err := git("-C", from, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return err
	}
	if _, err := git("clone", "--quiet", "--shared", "--no-checkout", from, to); err != nil {
		return err
	}
	for _, file := range strings.FieldsFunc(files, func(r rune) bool { return r == 0 }) {
		if err := copyFile(filepath.Join(from, file), filepath.Join(to, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err // a file of the index that does not exist was deleted
		}
	}
	if _, err := git("-C", to, "reset", "--quiet"); err != nil {
		return err
	}
	tools := filepath.Join(from, ".tools")
	if _, err := os.Stat(tools); err != nil {
		return nil // none are installed
	}
	return os.Symlink(tools, filepath.Join(to, ".tools"))
}

// copyFile copies a file or a symbolic link; the folders above it are made.
func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, info.Mode().Perm())
}
