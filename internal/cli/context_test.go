package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/lsptest"
)

// The command line names the focus by files, lines and ranges of lines; its items are for people, or
// with their records for programs; without a focus, or with a mistake in one, it says how it is right.
func TestContext(t *testing.T) {
	t.Parallel()
	lsptest.Require(t, "gopls")
	dir := lsptest.Workspace(t, "-- go.mod --\nmodule m\n\ngo 1.24\n-- a.go --\npackage m\n\nfunc A() {}\n-- b.go --\npackage m\n\nfunc B() { A() }\n")
	lsptest.Git(t, dir, "init", "-q")
	lsptest.Git(t, dir, "add", "-A")
	lsptest.Git(t, dir, "commit", "-qm", "one")
	lsptest.WriteFile(t, filepath.Join(dir, "b.go"), "package m\n\nfunc B() { A(); A() }\n")
	const item = "a.go:3-3 A\nfunc A() {}\n"
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"context", "b.go:3", "--include", "definition"}, exitClean, item + "items: 1, 23 bytes of 8192, from gopls v"},
		{[]string{"context", "b.go:1-3", "--include", "definition", "--json"}, exitClean, `"source_type": "lsp_semantic"`},
		{[]string{"context", "--diff"}, exitClean, item},
		{[]string{"context", "--symbol", "a.go A", "--in-view", "b.go"}, exitClean, item},
		{[]string{"context", "b.go", "--in-view", "a.go:3", "--include", "definition"}, exitClean, "items: 0, 0 bytes of 8192\n"},
		{[]string{"context", "b.go", "--budget", "22", "--include", "definition"}, exitClean, "items: 0, 0 bytes of 22\nleft out: 1 item, for want of room; raise budget_bytes\n"},
		{[]string{"context"}, exitUsage, "context needs a focus"},
		{[]string{"context", "b.go", "--budget", "0"}, exitUsage, "--budget"},
		{[]string{"context", "b.go:99"}, exitUsage, "line 99 is past the end of b.go, which has 4 lines"},
		{[]string{"context", "none.go"}, exitUsage, "no such file"},
	} {
		var out, stderr strings.Builder
		code := Run(t.Context(), c.args, &Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Dir: dir, Environ: []string{}})
		if code != c.code || !strings.Contains(out.String()+stderr.String(), c.want) {
			t.Errorf("%v: code %d\n%s%s", c.args, code, out.String(), stderr.String())
		}
	}
}

// What stands behind the last colon is lines if it is numbers, and else part of the name.
func TestRangesOfTheCommandLine(t *testing.T) {
	t.Parallel()
	want := []api.Range{{File: "a.go"}, {File: "a.go", StartLine: 7}, {File: "a:b.go", StartLine: 7, EndLine: 9}, {File: "a.go:0"}, {File: "a.go:x"}, {File: "a.go:99999999999999999999"}, {File: "a.go:7-99999999999999999999"}, {File: "a.go:99999999999999999999-7"}}
	if diff := cmp.Diff(want, ranges([]string{"a.go", "a.go:7", "a:b.go:7-9", "a.go:0", "a.go:x", "a.go:99999999999999999999", "a.go:7-99999999999999999999", "a.go:99999999999999999999-7"})); diff != "" {
		t.Error(diff)
	}
}
