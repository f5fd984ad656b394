package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

const versioned = `
-- go.mod --
module m

go 1.24
-- a.go --
package m

func F() int { return 1 }
-- b.go --
package m

var x = F()
-- old.go --
package m

var old int = "broken for long"
`

// fenced returns the blocks of a guide in one language.
func fenced(t *testing.T, guide, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", guide))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		found = append(found, block+"\n")
	}
	return found
}

// repository returns a checkout with one commit on main.
func repository(t *testing.T) string {
	t.Helper()
	lsptest.Require(t, "gopls")
	root := lsptest.Workspace(t, versioned)
	must(t, root, "git init -q -b main", "git add -A", asSomebody+"commit -qm one")
	return root
}

// The guide's hook of git refuses a commit that breaks another file, and no other: not for errors
// that were there before, nor for what no server knows.
func TestPreCommitOfTheGuide(t *testing.T) {
	root := repository(t)
	hook := filepath.Join(root, ".git", "hooks", "pre-commit")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte(fenced(t, "ci.md", "sh")[0]), 0o755); err != nil {
		t.Fatal(err)
	}
	commit := func(name, text string) (said string, code int) {
		t.Helper()
		lsptest.WriteFile(t, filepath.Join(root, name), text)
		must(t, root, "git add -A")
		stdout, stderr, code := shell(t, root, asSomebody+"commit -qm more")
		return stdout + stderr, code
	}
	said, code := commit("a.go", "package m\n\nfunc F(n int) int { return n }\n")
	for _, want := range []string{"b.go:3:11: error: not enough arguments in call to F", "commit rejected: fix the new errors, or commit with --no-verify\n"} {
		if code != 1 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, without %q:\n%s", code, want, said)
		}
	}
	if said, code := commit("b.go", "package m\n\nvar x = F(1)\n"); code != 0 {
		t.Errorf("mended: exit code %d\n%s", code, said)
	}
	if said, code := commit("notes.nobody", "what no server knows\n"); code != 0 {
		t.Errorf("unknown: exit code %d\n%s", code, said)
	}
}

// The last step of the guide's workflow annotates what a branch broke, and fails; what was
// broken on main is no matter of it.
func TestWorkflowOfTheGuide(t *testing.T) {
	root := repository(t)
	workflow := fenced(t, "ci.md", "yaml")[1]
	step := strings.TrimSpace(workflow[strings.LastIndex(workflow, "- run: ")+len("- run: "):])
	must(t, root, "git update-ref refs/remotes/origin/main HEAD", "git checkout -q -b topic")
	pull := func() (string, int) {
		t.Helper()
		stdout, _, code := shell(t, root, "export CI=true GITHUB_BASE_REF=main; "+step)
		return stdout, code
	}
	if out, code := pull(); out != "" || code != 0 {
		t.Errorf("nothing changed: exit code %d\n%s", code, out)
	}
	lsptest.WriteFile(t, filepath.Join(root, "a.go"), "package m\n\nfunc F(n int) int { return n }\n")
	must(t, root, asSomebody+"commit -qam break")
	out, code := pull()
	want := "::error file=b.go,line=3,endLine=3,col=11,endColumn=11,title=compiler WrongArgCount::not enough arguments in call to F%0A\thave ()%0A\twant (int)\n"
	if diff := cmp.Diff(want, out); code != 1 || diff != "" {
		t.Errorf("exit code %d\n%s", code, diff)
	}
}
