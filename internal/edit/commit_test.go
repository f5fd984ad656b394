package edit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// seen is what a folder has: each path with its mode, and the text of files.
func seen(t testing.TB, root string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := []byte(nil)
		if info.Mode().IsRegular() {
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		relative, err := filepath.Rel(root, path)
		all[filepath.ToSlash(relative)] = fmt.Sprintf("%s %s", info.Mode(), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// mode returns how the mode of a file is shown where files have those that the tests give them; elsewhere
// all may do all but run it.
func mode(permissions string) string {
	if !lsptest.HasModes() {
		return "-rw-rw-rw-"
	}
	return permissions
}

// put writes files, "path: text" in pairs, into a new folder.
func put(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func planIn(t testing.TB, root string) *Plan {
	t.Helper()
	tree, err := NewTree(1<<20, root)
	if err != nil {
		t.Fatal(err)
	}
	return NewPlan(tree)
}

var five = map[string]string{
	"a.sh": "one\n", "sub/b.txt": "one\r\ntwo\r\n", "c.txt": "gone\n", "d.txt": "\ufeffold name\n",
	"left/e.bin": "\x00\x01", "left/deep/f.txt": "f\n",
}

// putFive makes a tree, and planFive a plan for it that does all that a plan
// can do with files.
func putFive(t testing.TB) string {
	root := put(t, five)
	if err := os.Chmod(filepath.Join(root, "a.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	return root
}

func planFive(t testing.TB, root string) *Plan {
	t.Helper()
	p := planIn(t, root)
	_, err := p.Replace("a.sh", "one", "1", false)
	_, err2 := p.Replace("sub/b.txt", "one\ntwo", "1\n2", false)
	err3 := p.Rename("d.txt", "made/of/d2.txt", Existing{})
	_, err4 := p.Replace("made/of/d2.txt", "old", "new", false)
	if err := errors.Join(err, err2, err3, err4, p.Delete("c.txt", Missing{}), p.Write("made/new.txt", "new\n"),
		p.Rename("left", "right", Existing{})); err != nil {
		t.Fatal(err)
	}
	return p
}

var fiveAfter = modesHere(map[string]string{
	".": "", "a.sh": mode("-rwxr-x--x") + " 1\n", "sub": "", "sub/b.txt": mode("-rw-r--r--") + " 1\r\n2\r\n", "made": "", "made/of": "",
	"made/of/d2.txt": mode("-rw-r--r--") + " \ufeffnew name\n", "made/new.txt": mode("-rw-r--r--") + " new\n",
	"right": "", "right/e.bin": mode("-rw-r--r--") + " \x00\x01", "right/deep": "", "right/deep/f.txt": mode("-rw-r--r--") + " f\n",
})

// modesHere puts the mode that files have in the place of others where a system keeps none.
func modesHere(all map[string]string) map[string]string {
	f, err := os.CreateTemp("", "lspine-mode")
	if err != nil {
		return all
	}
	defer func() { _ = os.Remove(f.Name()) }()
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil || info.Mode().Perm() == 0o600 {
		return all
	}
	for path, what := range all {
		if what != "" {
			all[path] = info.Mode().String() + what[len(info.Mode().String()):]
		}
	}
	return all
}

// withoutFolders leaves out the modes of folders.
func withoutFolders(all map[string]string) map[string]string {
	plain := make(map[string]string)
	for path, what := range all {
		if strings.HasPrefix(what, "d") {
			what = ""
		}
		plain[path] = what
	}
	return plain
}

// A commit does all of a plan: contents, modes, renames with edits, folders; it
// leaves no temporary file and no journal.
func TestCommitWritesAll(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	if err := Commit(t.Context(), planFive(t, root), journal); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fiveAfter, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
	if left := seen(t, journal); len(left) != 2 { // itself and the lock
		t.Errorf("the journal folder has %q", left)
	}
}

// failing returns a committer that fails at the nth step (from 1) with err, or
// from there on if all is set, and how many steps there were.
func failing(n int64, all bool, err error) (*committer, *atomic.Int64) {
	steps := new(atomic.Int64)
	return &committer{before: func(string, string) error {
		if now := steps.Add(1); now == n || all && now > n {
			return err
		}
		return nil
	}}, steps
}

// Whatever step fails, a full disk among them, everything is as it was before,
// without stray files, and the error says so.
func TestFailureAtEachStepChangesNothing(t *testing.T) {
	c, steps := failing(0, false, nil)
	root := putFive(t)
	if err := c.commit(t.Context(), planFive(t, root), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	total := steps.Load()
	decisions := 0
	for n := int64(1); n <= total; n++ {
		root, journal := putFive(t), t.TempDir()
		before := seen(t, root)
		c, _ := failing(n, false, syscall.ENOSPC)
		err := c.commit(t.Context(), planFive(t, root), journal)
		if err == nil { // what fails after the decision is for the next time
			decisions++
			if _, err := Recover(t.Context(), journal, root); err != nil {
				t.Errorf("step %d: %v", n, err)
			}
			if d := cmp.Diff(fiveAfter, withoutFolders(seen(t, root))); d != "" {
				t.Errorf("step %d: %s", n, d)
			}
			continue
		}
		var write *WriteError
		if !errors.As(err, &write) || !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "nothing was changed") || write.Path == "" {
			t.Errorf("step %d: %v", n, err)
		}
		if d := cmp.Diff(before, seen(t, root)); d != "" {
			t.Errorf("step %d, %v: %s", n, err, d)
		}
		if left := seen(t, journal); len(left) != 2 {
			t.Errorf("step %d: the journal folder has %q", n, left)
		}
	}
	if total < 40 || decisions > 20 {
		t.Errorf("%d steps, %d after the decision", total, decisions)
	}
}

// If undoing fails, too, the error says of each file what it is now, the old
// content is still there, and a recovery brings all back.
func TestUndoingThatFailsIsSaidAndRecovered(t *testing.T) {
	_, steps := failing(0, false, nil)
	broken := errors.New("the disk is gone")
	torn := 0
	for n := int64(1); torn == 0 || steps.Load() >= n; n++ {
		root, journal := putFive(t), t.TempDir()
		before := seen(t, root)
		var c *committer
		c, steps = failing(n, true, broken)
		err := c.commit(t.Context(), planFive(t, root), journal)
		if err == nil {
			break
		}
		var e *TornError
		if errors.As(err, &e) {
			torn++
			if !errors.Is(err, broken) || strings.Contains(err.Error(), "nothing was changed") {
				t.Errorf("step %d: %v", n, err)
			}
			for _, s := range e.States {
				now, err := hashOf(s.Path)
				if err != nil || s.State != StateBefore && s.State != StateAfter || !strings.Contains(e.Error(), s.Path+": "+string(s.State)) {
					t.Errorf("step %d: %v, %v, %s", n, s, err, now)
				}
			}
		}
		if _, err := Recover(t.Context(), journal, root); err != nil {
			t.Errorf("step %d: %v", n, err)
		}
		if d := cmp.Diff(before, seen(t, root)); d != "" {
			t.Errorf("step %d: %s", n, d)
		}
	}
	if torn < 5 {
		t.Errorf("only %d were torn", torn)
	}
}

// A read-only file among five is refused before anything is written, also by
// somebody who could write it all the same.
func TestReadOnlyFileIsRefused(t *testing.T) {
	for _, name := range []string{"a.sh", "c.txt", "d.txt"} {
		root := putFive(t)
		if err := os.Chmod(filepath.Join(root, name), 0o444); err != nil {
			t.Fatal(err)
		}
		before := seen(t, root)
		c, steps := failing(0, false, nil)
		err := c.commit(t.Context(), planFive(t, root), t.TempDir())
		var readOnly *ReadOnlyError
		if !errors.As(err, &readOnly) || filepath.Base(readOnly.Path) != name || steps.Load() != 0 {
			t.Errorf("%s: %v after %d steps", name, err, steps.Load())
		}
		if d := cmp.Diff(before, seen(t, root)); d != "" {
			t.Error(d)
		}
	}
}

// What somebody wrote, made, deleted or linked since the plan read it is kept,
// and nothing else is changed, whenever it happens before the file is moved.
func TestOthersWritesAreKept(t *testing.T) {
	for name, change := range map[string]func(root string) error{
		"written":  func(root string) error { return os.WriteFile(root+"/sub/b.txt", []byte("mine\n"), 0o644) },
		"appeared": func(root string) error { return os.WriteFile(root+"/right", []byte("mine\n"), 0o644) },
		"gone":     func(root string) error { return os.Remove(root + "/c.txt") },
		"replaced": func(root string) error {
			return errors.Join(os.WriteFile(root+"/x", []byte("mine\n"), 0o644), replaceFile(root+"/x", root+"/d.txt"))
		},
		"linked": func(root string) error {
			return errors.Join(os.Remove(root+"/a.sh"), os.Symlink("c.txt", root+"/a.sh"))
		},
	} {
		if name == "linked" && !lsptest.HasLinks() {
			continue
		}
		for _, at := range []string{"", "sync", "mark " + moving} {
			if name == "appeared" && at != "" {
				continue // the folder is made by then
			}
			root := putFive(t)
			plan := planFive(t, root)
			var once sync.Once
			var now map[string]string
			interfere := func() {
				if err := change(root); err != nil {
					t.Fatal(name, err)
				}
				now = seen(t, root)
			}
			c := &committer{before: func(step, path string) error {
				if step == at {
					once.Do(interfere)
				}
				return nil
			}}
			if at == "" {
				interfere()
			}
			err := c.commit(t.Context(), plan, t.TempDir())
			var conflict *ConflictError
			if !errors.As(err, &conflict) {
				t.Errorf("%s at %q: %v", name, at, err)
			}
			for path := range now { // what the commit itself had there
				if strings.Contains(path, tempPrefix) || strings.HasPrefix(path, "made") || strings.HasPrefix(path, "right/") || path == "right" && name != "appeared" {
					delete(now, path)
				}
			}
			if d := cmp.Diff(now, seen(t, root)); d != "" {
				t.Errorf("%s at %q: %s", name, at, d)
			}
		}
	}
}

// What appears where a file is to be made, at the last moment, is neither
// overwritten nor taken away, even if it is what was to be written.
func TestCreationDoesNotOverwrite(t *testing.T) {
	for _, theirs := range []string{"mine\n", "new\n"} {
		root := put(t, map[string]string{"a": "a\n"})
		p := planIn(t, root)
		if err := errors.Join(p.Write("a", "A\n"), p.Write("new", "new\n")); err != nil {
			t.Fatal(err)
		}
		c := &committer{before: func(step, path string) error {
			if step == "create" {
				return os.WriteFile(path, []byte(theirs), 0o600)
			}
			return nil
		}}
		err := c.commit(t.Context(), p, t.TempDir())
		var conflict *ConflictError
		if !errors.As(err, &conflict) {
			t.Error(err)
		}
		want := map[string]string{".": "", "a": mode("-rw-r--r--") + " a\n", "new": mode("-rw-------") + " " + theirs}
		if d := cmp.Diff(want, withoutFolders(seen(t, root))); d != "" {
			t.Error(d)
		}
	}
}

// A commit that was given up before its files are moved changes nothing; so
// does one that waits.
func TestContextEndsACommit(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	before := seen(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	c := &committer{before: func(step, _ string) error {
		if step == "sync" {
			cancel()
		}
		return nil
	}}
	if err := c.commit(ctx, planFive(t, root), journal); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := Commit(ctx, planFive(t, root), journal); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if d := cmp.Diff(before, seen(t, root)); d != "" {
		t.Error(d)
	}
}

// A hard link is broken: the other name keeps the old content. The mode is kept,
// a set-user-id bit included.
func TestHardLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	root := put(t, map[string]string{"a": "old\n"})
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
	if err := errors.Join(os.Chmod(a, os.ModeSetuid|0o750), os.Link(a, b)); err != nil {
		t.Fatal(err)
	}
	p := planIn(t, root)
	if err := errors.Join(p.Write("a", "new\n"), Commit(t.Context(), p, t.TempDir())); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "", "a": "urwxr-x--- new\n", "b": "urwxr-x--- old\n"}
	if d := cmp.Diff(want, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
}

// A file that a plan deletes and makes anew is the same file: it keeps its mode.
func TestModeOfAFileThatIsMadeAnew(t *testing.T) {
	root := put(t, map[string]string{"a.sh": "old\n"})
	if err := os.Chmod(filepath.Join(root, "a.sh"), 0o751); err != nil {
		t.Fatal(err)
	}
	p := planIn(t, root)
	if err := errors.Join(p.Delete("a.sh", Missing{}), p.Write("a.sh", "new\n"), Commit(t.Context(), p, t.TempDir())); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "", "a.sh": mode("-rwxr-x--x") + " new\n"}
	if d := cmp.Diff(want, withoutFolders(seen(t, root))); d != "" {
		t.Error(d)
	}
}

// What a commit costs, with all its syncing.
func BenchmarkCommit(b *testing.B) {
	for _, files := range []int{1, 5, 50} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			root, journal := put(b, nil), b.TempDir()
			for i := range b.N {
				p := planIn(b, root)
				for f := range files {
					if err := p.Write(fmt.Sprint(f), fmt.Sprint(i)); err != nil {
						b.Fatal(err)
					}
				}
				if err := Commit(b.Context(), p, journal); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What waits beside the files changes none of them; abandoned it leaves nothing, and
// committed it is what a commit is. Others wait for the one or the other.
func TestStagedEditsChangeNothing(t *testing.T) {
	root, journal := putFive(t), t.TempDir()
	before := seen(t, root)
	other := planFive(t, root)
	staged, err := Stage(t.Context(), planFive(t, root), journal)
	if err != nil {
		t.Fatal(err)
	}
	waiting := seen(t, root)
	for path, what := range before {
		if waiting[path] != what && path != "." {
			t.Errorf("%s is %q already", path, waiting[path])
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Stage(ctx, other, journal); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("another edit beside one that waits: %v", err)
	}
	staged.Abandon()
	if d := cmp.Diff(withoutFolders(before), withoutFolders(seen(t, root))); d != "" {
		t.Errorf("abandoned: %s", d)
	}
	if staged, err = Stage(t.Context(), planFive(t, root), journal); err != nil {
		t.Fatal(err)
	}
	longAgo := time.Now().Add(-time.Hour)
	for path := range seen(t, root) { // as if they had waited so long
		if _, there := before[path]; !there {
			if err := os.Chtimes(filepath.Join(root, path), longAgo, longAgo); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := staged.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Builds tell by the time that a file is new, not by what it says.
	for path, what := range withoutFolders(seen(t, root)) {
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if what != before[path] && info.ModTime().Equal(longAgo) {
			t.Errorf("%s is as old as what waited", path)
		}
	}
	if d := cmp.Diff(fiveAfter, withoutFolders(seen(t, root))); d != "" {
		t.Errorf("committed: %s", d)
	}
	if left := seen(t, journal); len(left) != 2 { // itself and the lock
		t.Errorf("the journal folder has %q", left)
	}
}
