package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// A GitError says that git could not answer.
type GitError struct {
	Args   []string
	Reason string
}

func (e *GitError) Error() string {
	return strings.TrimSpace("git "+strings.Join(e.Args[:min(1, len(e.Args))], "")) + ": " + e.Reason
}

// Hint says what to do.
func (e *GitError) Hint() string {
	return "name the files to check, or run inside a git checkout with a commit"
}

// AllFiles returns every file below the root that git tracks or does not
// ignore, in submodules as well.
func (w *Workspace) AllFiles(ctx context.Context) ([]string, error) {
	names, err := w.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return append(w.absolute(names), w.filesOfSubmodules(ctx)...), ctx.Err()
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

// git runs git in the root; see [child.Git] for what cannot run in between.
func (w *Workspace) git(ctx context.Context, args ...string) ([]byte, error) {
	return w.gitReading(ctx, nil, args...)
}

// gitReading is git with something on its standard input.
func (w *Workspace) gitReading(ctx context.Context, input io.Reader, args ...string) ([]byte, error) {
	command := args
	if (args[0] == "diff" || args[0] == "hash-object") && !w.opts.Trusted {
		filters, err := w.ownFilters(ctx)
		if err != nil {
			return nil, err
		}
		command = slices.Concat(child.WithoutFilters(filters), args)
	}
	program, err := w.foreign.lookPath("git")
	if err != nil {
		return nil, &GitError{args, "git is not installed"}
	}
	cmd := child.Git(ctx, program, w.root, w.opts.Environ, command...)
	if !w.opts.Trusted {
		cmd.Env = append(cmd.Env, child.GitAlone...)
	}
	cmd.Stdin = input
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := child.Output(cmd)
	switch {
	case err == nil:
		return output, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, &GitError{args, w.plainly(stderr.String(), err)}
}

// ownFilters returns the names of the filters for files that the repository's own configuration defines.
func (w *Workspace) ownFilters(ctx context.Context) ([]string, error) {
	settings, err := w.git(ctx, "config", "--show-scope", "--name-only", "-z", "--get-regexp", `^filter\.`)
	var failed *GitError
	if errors.As(err, &failed) && failed.Reason == "exit status 1" { // it found none
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	fields := strings.Split(string(settings), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		name := strings.TrimPrefix(fields[i+1], "filter.")
		if end := strings.LastIndexByte(name, '.'); end >= 0 && (fields[i] == "local" || fields[i] == "worktree") {
			names = append(names, name[:end])
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Unversioned reports whether a folder is in no git repository, without running git: no folder above has
// one, and the environment names none.
func Unversioned(folder string, environ []string) bool {
	if fspath.Here.Variable(environ, "GIT_DIR") != "" {
		return false
	}
	return !child.IsVersioned(folder)
}

// quotedName is what git's messages are about.
var quotedName = lazyregexp.New(`'([^'\n]*)'`)

// plainly says in words for a reader why git failed.
func (w *Workspace) plainly(said string, err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	about := ""
	if m := quotedName.FindStringSubmatch(line); m != nil {
		about = m[1]
	}
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(strings.ToLower(said), word) })
	}
	switch {
	case has("not a git repository"):
		return w.root + " is not in a git checkout"
	case has("dubious ownership"):
		return "another user owns the checkout, so git does not read it; git config --global --add safe.directory " + w.root + " allows it"
	case has("does not have any commits", "ambiguous argument 'head'"):
		return "the repository has no commits yet"
	case has("unknown revision", "bad revision", "bad object", "needed a single revision", "invalid object name", "not a valid object name"):
		return strings.TrimSpace("there is no such revision " + about)
	case has("no merge base"):
		return "the revisions have no commit in common"
	case line == "":
		return fmt.Sprint(err)
	}
	for _, prefix := range []string{"fatal: ", "error: ", "warning: "} {
		line = strings.TrimPrefix(line, prefix)
	}
	return fmt.Sprintf("it says %q", line)
}
