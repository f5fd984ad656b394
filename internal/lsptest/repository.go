package lsptest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A Repository is a git checkout of a test.
type Repository struct {
	T    testing.TB
	Root string
}

// GitEnvironment is the environment of git in tests: without the settings of whoever runs them, and with an author.
var GitEnvironment = append(os.Environ(),
	"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
)

// NewRepository returns a repository without commits that holds the files of a txtar archive. It skips the test where there is no git.
func NewRepository(t testing.TB, archive string) Repository {
	t.Helper()
	NeedGit(t)
	r := Repository{t, Workspace(t, archive)}
	r.Git("init", "--quiet")
	return r
}

// Git runs git in the repository.
func (r Repository) Git(args ...string) {
	r.T.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.Root, GitEnvironment
	if out, err := cmd.CombinedOutput(); err != nil {
		r.T.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// Commit commits all that there is.
func (r Repository) Commit() {
	r.T.Helper()
	r.Git("add", "--all")
	r.Git("commit", "--quiet", "--message=m")
}

// Write writes a file; its name has slashes.
func (r Repository) Write(name, text string) {
	r.T.Helper()
	WriteFile(r.T, filepath.Join(r.Root, filepath.FromSlash(name)), text)
}

// Remove removes a file or a folder with all in it; its name has slashes.
func (r Repository) Remove(name string) {
	r.T.Helper()
	if err := os.RemoveAll(filepath.Join(r.Root, filepath.FromSlash(name))); err != nil {
		r.T.Fatal(err)
	}
}

// AddSubmodule adds another repository as a submodule.
func (r Repository) AddSubmodule(other Repository, folder string) {
	r.T.Helper()
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.Root, folder)
}

// Names returns paths as they are below the root, with slashes, sorted.
func (r Repository) Names(paths []string) []string {
	r.T.Helper()
	var names []string
	for _, path := range paths {
		name, err := filepath.Rel(r.Root, path)
		if err != nil {
			r.T.Error(err)
		}
		names = append(names, filepath.ToSlash(name))
	}
	slices.Sort(names)
	return names
}
