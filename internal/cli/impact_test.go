package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// Without files it is the diff since the last commit that counts; a range with
// files, and a file that is not there, are refused.
func TestImpact(t *testing.T) {
	t.Parallel()
	lsptest.Require(t, "gopls")
	lsptest.NeedGit(t)
	dir := lsptest.Workspace(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\nfunc A() {}\n\nfunc B() { A() }\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "one"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	lsptest.WriteFile(t, filepath.Join(dir, "a.go"), "package m\n\nfunc A() { println() }\n\nfunc B() { A() }\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"impact"}, exitClean, "1 symbol, 0 references, 0 in tests, 1 in their own files\na.go:3:6 A (function) risk low: only its own file uses it\n  used by\n    a.go:5 B\n"},
		{[]string{"impact", "--symbol", "a.go B", "--json"}, exitClean, `"risk": "unknown"`},
		{[]string{"impact", "--since", "HEAD", "a.go"}, exitUsage, "--since takes the files of a diff"},
		{[]string{"impact", "none.go"}, exitUsage, "no such file"},
		{[]string{"impact", "--since", "nope"}, exitUsage, "nope"},
	} {
		var out, stderr strings.Builder
		code := Run(t.Context(), c.args, &Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Dir: dir, Environ: []string{}})
		if code != c.code || !strings.Contains(out.String()+stderr.String(), c.want) {
			t.Errorf("%v: code %d\n%s%s", c.args, code, out.String(), stderr.String())
		}
	}
}
