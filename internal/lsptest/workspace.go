package lsptest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// Workspace writes the files of a txtar archive (its text, not its name) into
// a directory of the test and returns that, absolute and without symlinks.
func Workspace(t testing.TB, archive string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if !filepath.IsLocal(f.Name) {
			t.Fatalf("the archive has a file outside the workspace: %s", f.Name)
		}
		WriteFile(t, filepath.Join(root, filepath.FromSlash(f.Name)), string(f.Data))
	}
	return root
}

// WriteFile writes a file and the directories above it.
func WriteFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Eventually waits until the condition holds, and fails the test now if it
// does not within the time. It is for what can only be looked at, such as
// processes and files; prefer an event wherever there is one.
func Eventually(t testing.TB, within time.Duration, condition func() bool, format string, args ...any) {
	t.Helper()
	if !holdsWithin(within, condition) {
		t.Fatalf("not within %v: %s", within, fmt.Sprintf(format, args...))
	}
}

func holdsWithin(within time.Duration, condition func() bool) bool {
	for end := time.Now().Add(within); ; time.Sleep(5 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// Project is a project of the toy language: main.toy uses what lib.toy declares.
const Project = `
-- toy.root --
-- main.toy --
use helper
-- lib.toy --
def helper
`

// LargeGo is a module that is configured to be a large project: one package is used by
// two others, of which one is used by a third, and none by the last.
const LargeGo = `
-- .lspine.jsonc --
{"lsp": {"largeProjectFiles": 1}}
-- go.mod --
module m

go 1.24
-- lib/lib.go --
package lib

// Sum adds.
func Sum(a, b int) int {
	return a + b
}

func total() int { return Sum(1, 2) }
-- lib/lib_test.go --
package lib_test

import (
	"testing"

	"m/lib"
)

func TestSum(t *testing.T) { _ = lib.Sum(1, 2) }
-- use/use.go --
package use

import "m/lib"

var Result = lib.Sum(1, 2)
-- last/last.go --
package last

import "m/use"

var number int = use.Result
-- other/other.go --
package other

import "m/lib"

var Other = lib.Sum
-- free/free.go --
package free

func Free() {}
`

// Git runs git in a folder, as somebody. It skips the test where there is no git.
func Git(t testing.TB, folder string, args ...string) {
	t.Helper()
	NeedGit(t)
	cmd := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
