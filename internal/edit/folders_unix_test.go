//go:build unix

package edit

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A folder whose files the plan changes already moves whole, with its modes, or not at all: what is neither a file nor a folder, and
// what belongs to version control, is in the way, wherever it comes in the order of names.
func TestFoldersMoveWhole(t *testing.T) {
	for name, c := range map[string]struct {
		more    func(root string) error
		refused bool
	}{
		"files and folders": {func(string) error { return nil }, false},
		"a link":            {func(root string) error { return os.Symlink("../b.txt", filepath.Join(root, "dir", "link")) }, true},
		"a pipe":            {func(root string) error { return syscall.Mkfifo(filepath.Join(root, "dir", "pipe"), 0o600) }, true},
		"a checkout":        {func(root string) error { return os.Mkdir(filepath.Join(root, "dir", ".git"), 0o755) }, true},
	} {
		for _, deleted := range []bool{false, true} {
			root := put(t, map[string]string{"b.txt": "b\n", "dir/a.txt": "a\n", "dir/sub/s.txt": "s\n", "dir/z.txt": "z\n"})
			err := errors.Join(os.Chmod(filepath.Join(root, "dir"), 0o700), os.Chmod(filepath.Join(root, "dir", "sub"), os.ModeSetgid|0o750), c.more(root))
			if err != nil {
				t.Fatal(err)
			}
			before := seen(t, root)
			p := planIn(t, root)
			if err := p.Write("dir/a.txt", "changed\n"); err != nil {
				t.Fatal(err)
			}
			if deleted {
				err = p.Delete("dir", Missing{Recursive: true})
			} else {
				err = p.Rename("dir", "to/moved", Existing{})
			}
			if c.refused {
				if err == nil || !errors.As(err, new(*NotRegularError)) && !errors.As(err, new(*ProtectedError)) {
					t.Errorf("%s, deleted: %t: %v", name, deleted, err)
				}
				if diff := cmp.Diff(before, seen(t, root)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			trial, err := Try(t.Context(), p, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := trial.TakeBack(); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(before, seen(t, root)); diff != "" {
				t.Errorf("taken back (-want +got):\n%s", diff)
			}
			if err := Commit(t.Context(), p, t.TempDir()); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{".": before["."], "b.txt": before["b.txt"]}
			if !deleted {
				want["to/moved"], want["to/moved/sub"] = before["dir"], before["dir/sub"]
				want["to/moved/a.txt"] = before["dir/z.txt"][:len("-rw-r--r-- ")] + "changed\n"
				want["to/moved/z.txt"], want["to/moved/sub/s.txt"] = before["dir/z.txt"], before["dir/sub/s.txt"]
			}
			got := seen(t, root)
			delete(got, "to") // its mode is that of any new folder
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("deleted: %t (-want +got):\n%s", deleted, diff)
			}
		}
	}
}
