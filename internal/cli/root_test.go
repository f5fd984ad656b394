package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The root of a command is the checkout of the file that it names, wherever it runs: that around the current folder if it contains
// the file.
func TestRootOfNamedFiles(t *testing.T) {
	root := lsptest.Workspace(t, "-- one/.git/HEAD --\n-- one/sub/a.go --\n-- one/inner/.git/HEAD --\n-- one/inner/i.go --\n-- two/.git/HEAD --\n"+
		"-- two/sub/b.go --\n-- plain/c.go --\n")
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if err := os.Symlink(in("two/sub"), in("link")); err != nil {
		t.Skip(err)
	}
	environ := []string{"HOME=" + root, "USERPROFILE=" + root}
	for _, c := range []struct{ dir, name, want string }{
		{"one", "", "one"},
		{"one/sub", "a.go", "one"},
		{"one", in("two/sub/b.go"), "two"},
		{"one", "../two/sub/b.go", "two"},
		{"one", in("two/sub"), "two"},
		{"one", in("link/b.go"), "two"},
		{"one", "inner/i.go", "one"},
		{"one/inner", "../sub/a.go", "one"},
		{"one", in("missing.go"), "one"},
		{"one", in("plain/c.go"), "one"},
		{"plain", "c.go", "plain"},
		{"plain", in("one/sub/a.go"), "one"},
		{"", "two/sub/b.go", "two"},
		{"", "plain/c.go", "plain"},
		{"", "", root + " is a home folder and no workspace"},
	} {
		got, err := (&global{}).rootFor(&Streams{Dir: in(c.dir), Environ: environ}, []string{c.name}[:min(1, len(c.name))])
		want := in(c.want)
		if err != nil {
			got, want = err.Error(), c.want
		}
		if got != want {
			t.Errorf("%s of %s: %s, want %s", c.name, c.dir, got, want)
		}
	}
	if got, err := (&global{root: in("one")}).rootFor(&Streams{Dir: root, Environ: environ}, []string{in("two/sub/b.go")}); got != in("one") || err != nil {
		t.Errorf("--root: %s, %v", got, err)
	}
}

// Files of several checkouts are checked in their own ones, in the order in which they are named; the worst
// outcome is that of all.
func TestFilesOfSeveralRoots(t *testing.T) {
	root := lsptest.Workspace(t, "-- one/.git/HEAD --\n-- one/a.go --\n-- one/b.go --\n-- two/.git/HEAD --\n-- two/c.go --\n")
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	f := checkFlags{global: &global{}}
	got, err := f.byRoot(&Streams{Dir: in("one")}, []string{in("one/a.go"), in("two/c.go"), in("one/b.go"), in("one/missing.go")})
	want := [][]string{{in("one/a.go"), in("one/b.go"), in("one/missing.go")}, {in("two/c.go")}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for want, both := range map[error][2]error{
		nil: {}, exit(exitUsage): {exit(exitDiagnostics), exit(exitUsage)}, exit(exitDiagnostics): {exit(exitDiagnostics), exit(exitUnavailable)},
		exit(exitUnavailable): {nil, exit(exitUnavailable)},
	} {
		if a, b := worse(both[0], both[1]), worse(both[1], both[0]); a != want || b != want {
			t.Errorf("of %v: %v and %v, want %v", both, a, b, want)
		}
	}
}
