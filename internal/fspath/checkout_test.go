package fspath_test

import (
	"maps"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// The root is the nearest folder under version control, else the folder
// itself.
func TestFindRoot(t *testing.T) {
	root := lsptest.Workspace(t, "-- git/.git --\n-- git/a/b/x --\n-- jj/.jj/x --\n-- jj/a/x --\n-- nested/.git/x --\n-- nested/a/.hg/x --\n-- nested/a/b/x --\n-- svn/.svn/x --\n-- svn/a/x --\n")
	for dir, want := range map[string]string{"git/a/b": "git", "git": "git", "jj/a": "jj", "nested/a/b": "nested/a", "svn/a": "svn"} {
		if got := fspath.FindRoot(filepath.Join(root, dir)); got != filepath.Join(root, want) {
			t.Errorf("the root of %s is %s", dir, got)
		}
	}
}

// No servers run for the whole disk, a home or a folder of homes, unless that is a checkout; for a project in a home
// they do.
func TestFoldersThatAreTooWide(t *testing.T) {
	root, err := fspath.Follow(lsptest.Workspace(t, "-- homes/me/project/a.go --\n-- repo/.git/HEAD --\n-- repo/home/a.go --\n"))
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	homes := []string{"", "relative", in("gone"), in("homes/me"), in("repo/home")}
	want := map[string]string{
		in("homes/me"): "a home folder", in("repo/home"): "a home folder", in("homes"): "a folder of home folders", root: "a folder of home folders",
		in("repo"): "", in("homes/me/project"): "", filepath.VolumeName(root) + string(filepath.Separator): "the whole disk",
	}
	if runtime.GOOS == "linux" {
		maps.Copy(want, map[string]string{"/home": "a folder of home folders", "/Users": "a folder of home folders", "/home/you": "a home folder", "/home/you/project": ""})
	}
	for dir, want := range want {
		if got := fspath.TooWide(dir, homes); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// A path is below a folder by whole segments, and named from there for people; what is elsewhere keeps its name.
func TestBelowAFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	for path, want := range map[string]string{
		filepath.Join(root, "a", "b.toy"): "a/b.toy", filepath.Join(root, "..x"): "..x", root: ".",
		root + "2": "", filepath.Dir(root): "", filepath.Join(root, "..", "x"): "",
	} {
		below := want != ""
		if want == "" {
			want = path
		}
		if got := fspath.Relative(root, path); got != want || fspath.Below(root, path) != below {
			t.Errorf("%s is %s, want %s; it is below: %t", path, got, want, fspath.Below(root, path))
		}
	}
}
