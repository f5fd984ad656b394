// Package git asks git what a folder holds, what changed in it, and what its files were before. It runs git in the one way in
// which nothing runs that the configuration of a checkout names (see [child.Git]), and it does itself what git does for
// submodules, because git would look into them with the settings of their own repositories.
//
// A [Checkout] has no state: what it answers is true of the moment in which it is asked.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/child"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lazyregexp"
)

// Options say where and how git is run. Root is needed.
type Options struct {
	// Root is the folder that is asked about: absolute, links resolved. It may be a part of a checkout.
	Root string
	// Environ is the environment of git, as KEY=value.
	Environ []string
	// Trusted says that filters which the repository itself defines run, and that git may fetch.
	Trusted bool
	// LookPath finds git, exec.LookPath by default.
	LookPath func(name string) (string, error)
	// Skips reports whether a file below the root is left alone, even if a project includes it; nil: none is.
	Skips func(path string) bool
}

// A Checkout is a folder about which git is asked, with the submodules and other checkouts below it. It is safe for concurrent use.
type Checkout struct {
	root     string
	environ  []string
	trusted  bool
	lookPath func(name string) (string, error)
	skips    func(path string) bool
}

// In returns the checkout that a folder is, or is in. That there is one is not known before git is asked.
func In(opts Options) *Checkout {
	if opts.LookPath == nil {
		opts.LookPath = exec.LookPath
	}
	if opts.Skips == nil {
		opts.Skips = func(string) bool { return false }
	}
	return &Checkout{opts.Root, opts.Environ, opts.Trusted, opts.LookPath, opts.Skips}
}

// at returns the checkout in another folder below the root.
func (co *Checkout) at(nested string) *Checkout {
	there := *co
	there.root = nested
	return &there
}

func (co *Checkout) relative(path string) string { return fspath.Relative(co.root, path) }

// An Error says that git could not answer.
type Error struct {
	Args   []string
	Reason string
}

func (e *Error) Error() string {
	return strings.TrimSpace("git "+strings.Join(e.Args[:min(1, len(e.Args))], "")) + ": " + e.Reason
}

// Hint says what to do.
func (e *Error) Hint() string {
	return "name the files to check, or run inside a git checkout with a commit"
}

// AllFiles returns every file below the root that git tracks or does not
// ignore, in submodules as well.
func (co *Checkout) AllFiles(ctx context.Context) ([]string, error) {
	names, err := co.git(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return append(co.absolute(names), co.filesOfSubmodules(ctx)...), ctx.Err()
}

func (co *Checkout) absolute(names []byte) []string {
	var paths []string
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if name != "" {
			paths = append(paths, filepath.Join(co.root, filepath.FromSlash(name)))
		}
	}
	return paths
}

// git runs git in the root; see [child.Git] for what cannot run in between.
func (co *Checkout) git(ctx context.Context, args ...string) ([]byte, error) {
	return co.gitReading(ctx, nil, args...)
}

// gitReading is git with something on its standard input.
func (co *Checkout) gitReading(ctx context.Context, input io.Reader, args ...string) ([]byte, error) {
	command := args
	if (args[0] == "diff" || args[0] == "hash-object") && !co.trusted {
		filters, err := co.ownFilters(ctx)
		if err != nil {
			return nil, err
		}
		command = slices.Concat(child.WithoutFilters(filters), args)
	}
	program, err := co.lookPath("git")
	if err != nil {
		return nil, &Error{args, "git is not installed"}
	}
	cmd := child.Git(ctx, program, co.root, co.environ, command...)
	if !co.trusted {
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
	return nil, &Error{args, co.plainly(stderr.String(), err)}
}

// ownFilters returns the names of the filters for files that the repository's own configuration defines.
func (co *Checkout) ownFilters(ctx context.Context) ([]string, error) {
	settings, err := co.git(ctx, "config", "--show-scope", "--name-only", "-z", "--get-regexp", `^filter\.`)
	var failed *Error
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
func (co *Checkout) plainly(said string, err error) string {
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
		return co.root + " is not in a git checkout"
	case has("dubious ownership"):
		return "another user owns the checkout, so git does not read it; git config --global --add safe.directory " + co.root + " allows it"
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
