package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// house is a room whose own tests notice nothing, and what stands above it.
const house = `
-- go.mod --
module house

go 1.24
-- internal/room/room.go --
package room

type level int

func Above(n int) bool { return n < 3 }

func Program(n int) bool { return n < 4 }

func Nowhere(n int) bool { return n < 5 }

func Level() level { return 4 }
-- internal/room/room_test.go --
package room

import "testing"

func TestNothing(t *testing.T) {}
-- internal/front/front_test.go --
package front

import (
	"testing"

	"house/internal/room"
)

func TestAbove(t *testing.T) {
	if room.Above(3) || room.Level() != 4 {
		t.Error("wrong")
	}
}
-- internal/beside/beside_test.go --
package beside

import "testing"

func TestBeside(t *testing.T) {}
-- internal/broken/broken_test.go --
package broken

import (
	"testing"

	"house/internal/room"
)

func TestBroken(t *testing.T) { t.Error(room.Level()) }
-- internal/untested/untested.go --
package untested

import "house/internal/room"

var Level = room.Level()
-- cmd/program/main.go --
package main

import (
	"os"

	"house/internal/room"
)

func main() {
	if room.Program(4) {
		os.Exit(1)
	}
}
-- e2e/program_test.go --
package e2e

import (
	"os/exec"
	"testing"
)

func TestProgram(t *testing.T) {
	if out, err := exec.Command("go", "run", "../cmd/program").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
`

// What a room's own tests let pass is tried with the tests of the packages above it, and with
// those that build the program. Tests that fail anyway notice nothing, and the tree is as before.
func TestEverywhere(t *testing.T) {
	folder := lsptest.Workspace(t, house)
	t.Chdir(folder)
	all, err := mutantsOf(t.Context(), options{rooms: "room", only: "with <=|returns 5"})
	if err != nil {
		t.Fatal(err)
	}
	var tries tester
	t.Cleanup(tries.close)
	var out strings.Builder
	noticed, err := tries.everywhere(t.Context(), all, &out)
	if err != nil {
		t.Fatal(err, &out)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(got)
	want := []string{
		"SURVIVED everything internal/room/room.go:9: Nowhere: n < 5 with <=",
		"left out: the tests of internal/broken fail without a mutant",
		"noticed by e2e internal/room/room.go:7: Program: n < 4 with <=",
		"noticed by internal/front internal/room/room.go:11: Level: returns 5",
		"noticed by internal/front internal/room/room.go:5: Above: n < 3 with <=",
	}
	if diff := cmp.Diff(want, got); diff != "" || noticed != 3 {
		t.Errorf("%d noticed: %s", noticed, diff)
	}
	wantTree, gotTree := lsptest.Workspace(t, house), folder
	if diff := cmp.Diff(treeOf(t, wantTree), treeOf(t, gotTree)); diff != "" {
		t.Errorf("the tree after it: %s", diff)
	}
}

// On a branch the changes since another one are tried, committed or not; a revision that there is not
// is an error.
func TestSinceABranch(t *testing.T) {
	folder := lsptest.Workspace(t, house)
	t.Chdir(folder)
	for _, args := range []string{"init -q -b main", "add -A", "commit -qm first", "checkout -qb other"} {
		lsptest.Git(t, folder, strings.Fields(args)...)
	}
	room := filepath.Join("internal", "room", "room.go")
	text, err := os.ReadFile(room)
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, room, strings.Replace(string(text), "n < 5", "n < 6", 1))
	survivors, err := start(t.Context(), options{since: "main", sample: 9})
	if survivors != 1 || err != nil { // with <=
		t.Errorf("%d survive, %v", survivors, err)
	}
	if _, err := start(t.Context(), options{since: "gone"}); err == nil || err.Error() != "-since: there is no revision gone" {
		t.Error(err)
	}
}

// treeOf returns the texts of the files below a folder.
func treeOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		texts[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Mutants run in a copy, which has the working tree's files and not those of the last commit; what
// they write does not reach the tree.
func TestInCopy(t *testing.T) {
	folder := lsptest.Workspace(t, `
-- .gitignore --
/.tools
*.log
-- .tools/bin/tool --
a tool
-- internal/room/room.go --
package room
-- internal/room/gone.go --
package room
-- internal/room/testdata/run.sh --
#!/bin/sh
`)
	t.Chdir(folder)
	for _, command := range [][]string{
		{"git", "init", "-q"},
		{"git", "add", "-A"},
		{"git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "first"},
		{"rm", "internal/room/gone.go"},
		{"chmod", "+x", "internal/room/testdata/run.sh"},
		{"ln", "-s", "room.go", "internal/room/link.go"},
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	lsptest.WriteFile(t, filepath.Join(folder, "internal/room/room.go"), "package room // changed\n")
	lsptest.WriteFile(t, filepath.Join(folder, "internal/room/new.go"), "package room // new\n")
	lsptest.WriteFile(t, filepath.Join(folder, "internal/room/daemon.log"), "ignored\n")
	before := treeOf(t, folder)
	n, err := inCopy(t.Context(), func() (int, error) {
		want := map[string]string{
			".gitignore":                    "/.tools\n*.log\n",
			"internal/room/link.go":         "package room // changed\n",
			"internal/room/new.go":          "package room // new\n",
			"internal/room/room.go":         "package room // changed\n",
			"internal/room/testdata/run.sh": "#!/bin/sh\n",
		}
		copied, err := os.Getwd()
		if err != nil {
			return 0, err
		}
		tool, err := os.ReadFile(".tools/bin/tool")
		if err != nil || string(tool) != "a tool\n" {
			t.Errorf("the tool is %q, %v", tool, err)
		}
		status, err := exec.CommandContext(t.Context(), "git", "status", "--porcelain").Output()
		if err != nil {
			return 0, err
		}
		wantStatus := " D internal/room/gone.go\n M internal/room/room.go\n M internal/room/testdata/run.sh\n?? internal/room/link.go\n?? internal/room/new.go\n"
		if diff := cmp.Diff(wantStatus, string(status)); diff != "" {
			t.Error(diff)
		}
		if err := os.Remove(".tools"); err != nil { // a link
			return 0, err
		}
		if diff := cmp.Diff(want, treeOf(t, copied)); diff != "" {
			t.Error(diff)
		}
		return 7, os.WriteFile("internal/room/daemon.log", nil, 0o600)
	})
	if n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if diff := cmp.Diff(before, treeOf(t, folder)); diff != "" {
		t.Errorf("the tree after it: %s", diff)
	}
}
