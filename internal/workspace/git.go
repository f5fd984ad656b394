package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A GitError says that git could not answer.
type GitError struct {
	Args   []string
	Reason string
}

func (e *GitError) Error() string { return "git " + strings.Join(e.Args, " ") + ": " + e.Reason }

// Hint says what to do.
func (e *GitError) Hint() string {
	return "name the files to check, or run inside a git checkout with a commit"
}

// FindRoot returns the workspace root for a folder: the nearest folder at or
// above it that is under version control, else the folder itself.
func FindRoot(dir string) string {
	for folder := dir; ; folder = filepath.Dir(folder) {
		if IsCheckout(folder) {
			return folder
		}
		if folder == filepath.Dir(folder) {
			return dir
		}
	}
}

// IsCheckout reports whether a folder is the top of something under version control.
func IsCheckout(dir string) bool {
	for _, marker := range []string{".git", ".hg", ".jj", ".svn"} {
		if _, err := os.Stat(filepath.Join(dir, marker)); err == nil {
			return true
		}
	}
	return false
}

// AllFiles returns every file below the root that git tracks or does not
// ignore.
func (w *Workspace) AllFiles(ctx context.Context) ([]string, error) {
	names, err := w.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return w.absolute(names), nil
}

func (w *Workspace) absolute(names []byte) []string {
	var paths []string
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if name != "" {
			paths = append(paths, filepath.Join(w.root, filepath.FromSlash(name)))
		}
	}
	return paths
}

// git runs git in the root with fixed arguments and no user hooks in between.
func (w *Workspace) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = w.root
	cmd.Env = append(append([]string(nil), w.opts.Environ...), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	switch {
	case err == nil:
		return output, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, &GitError{args, "git is not installed"}
	}
	if strings.Contains(strings.ToLower(stderr.String()), "not a git repository") {
		return nil, &GitError{args, w.root + " is not in a git checkout"}
	}
	reason, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	if reason == "" {
		reason = fmt.Sprint(err)
	}
	return nil, &GitError{args, reason}
}
