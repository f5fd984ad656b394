package edit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Before a commit writes anything it sees that each file is still what the plan read, as far as can be told without
// reading it, and says of one that is not why.
func TestFilesThatAreNotAsTheyWere(t *testing.T) {
	lsptest.NeedLinks(t)
	lsptest.NeedModes(t)
	root := put(t, map[string]string{"file": "f\n", "real/file": "f\n", "locked": "l\n"})
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if err := errors.Join(os.Symlink("real", at("linked")), os.Symlink("file", at("link")), os.Mkdir(at("folder"), 0o755), os.Chmod(at("locked"), 0o444)); err != nil {
		t.Fatal(err)
	}
	hash := Hash([]byte("f\n"))
	for name, c := range map[string]struct {
		target target
		want   error
	}{
		"as it was":            {target{move: move{Path: at("file"), Before: hash}, like: at("file")}, nil},
		"new":                  {target{move: move{Path: at("new"), After: hash}}, nil},
		"what it is made like": {target{move: move{Path: at("new"), After: hash}, like: at("none")}, &ConflictError{at("none"), "it is gone"}},
		"gone":                 {target{move: move{Path: at("none"), Before: hash}}, &ConflictError{at("none"), "it is gone"}},
		"appeared":             {target{move: move{Path: at("file"), After: hash}}, &ConflictError{at("file"), "it appeared meanwhile"}},
		"a link":               {target{move: move{Path: at("link"), Before: hash}}, &ConflictError{at("link"), "it is no regular file any more"}},
		"a folder":             {target{move: move{Path: at("folder"), Before: hash}}, &ConflictError{at("folder"), "it is no regular file any more"}},
		"below a link":         {target{move: move{Path: at("linked/file"), Before: hash}}, &ConflictError{at("linked/file"), "its folder is now a symbolic link"}},
		"read-only":            {target{move: move{Path: at("locked"), Before: hash}}, &ReadOnlyError{at("locked")}},
	} {
		if diff := cmp.Diff(c.want, c.target.check()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if has := c.target.mode != nil; has != (c.target.like == at("file")) {
			t.Errorf("%s has a mode: %t", name, has)
		}
	}
}

// A file is compared byte by byte before it is moved, and once more by its time and size when it is.
func TestFilesThatOthersWrite(t *testing.T) {
	root := put(t, map[string]string{"file": "f\n"})
	path := filepath.Join(root, "file")
	written, gone := &ConflictError{path, "somebody wrote it meanwhile"}, &ConflictError{path, "it is gone, or no file any more"}
	fresh := func() *target {
		return &target{move: move{Path: path, Before: Hash([]byte("f\n"))}, before: []byte("f\n")}
	}
	replaced := func(text string, when time.Time) func() error {
		return func() error {
			return errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, when, when))
		}
	}
	then := time.Now().Add(-time.Hour)
	if err := replaced("f\n", then)(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change         func() error
		verify, unseen error
	}{
		"nobody":       {func() error { return nil }, nil, nil},
		"other text":   {replaced("g\n", then), written, nil},
		"another time": {replaced("f\n", then.Add(time.Second)), nil, written},
		"another size": {replaced("f\n\n", then), written, written},
		"deleted":      {func() error { return os.Remove(path) }, gone, written},
		"a folder":     {func() error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }, gone, written},
	} {
		seen := fresh()
		if err := seen.verify(); err != nil || seen.seen == nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		unseen := seen.unseen()
		if diff := cmp.Diff([]error{c.verify, c.unseen}, []error{fresh().verify(), unseen}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := errors.Join(os.RemoveAll(path), replaced("f\n", then)()); err != nil {
			t.Fatal(err)
		}
	}
	made := &target{move: move{Path: path, After: "x"}}
	if diff := cmp.Diff(error(&ConflictError{path, "it appeared meanwhile"}), made.verify()); diff != "" {
		t.Error(diff)
	}
	made.Path = filepath.Join(root, "none")
	if err := errors.Join(made.verify(), made.unseen()); err != nil {
		t.Errorf("what is new: %v", err)
	}
}

// A copy has the content, the mode and the owner of the file; it is made where nothing is, and of something.
func TestCopiesOfFiles(t *testing.T) {
	lsptest.NeedModes(t)
	root := put(t, map[string]string{"file": "f\n", "there": "t\n"})
	at := func(name string) string { return filepath.Join(root, name) }
	if err := os.Chmod(at("file"), 0o751); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(at("file"), at("copy")); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(at("file"), at("there")); !errors.Is(err, os.ErrExist) {
		t.Errorf("over another: %v", err)
	}
	if err := copyFile(at("none"), at("new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
	want := map[string]string{".": "", "file": "-rwxr-x--x f\n", "copy": "-rwxr-x--x f\n", "there": "-rw-r--r-- t\n"}
	if diff := cmp.Diff(want, withoutFolders(seen(t, root))); diff != "" {
		t.Error(diff)
	}
	if err := errors.Join(moveNew(at("copy"), at("moved")), moveNew(at("file"), at("there"))); !errors.Is(err, os.ErrExist) {
		t.Errorf("moved over another: %v", err)
	}
	want["moved"] = want["copy"]
	delete(want, "copy")
	if diff := cmp.Diff(want, withoutFolders(seen(t, root))); diff != "" {
		t.Error(diff)
	}
}

// The hash of a file is that of its content; of nothing there is none, and what is no file is like nothing else.
func TestHashesOfPaths(t *testing.T) {
	root := put(t, map[string]string{"file": "f\n", "folder/x": ""})
	got := make(map[string]string)
	for _, name := range []string{"file", "folder", "none"} {
		hash, err := hashOf(filepath.Join(root, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got[name] = hash
	}
	if diff := cmp.Diff(map[string]string{"file": Hash([]byte("f\n")), "folder": "no file", "none": ""}, got); diff != "" {
		t.Error(diff)
	}
	if hash, err := hashOf(filepath.Join(root, "file", "below")); err == nil || hash != "" {
		t.Errorf("below a file: %q, %v", hash, err)
	}
}

// A journal that would take away other files than those of an edit is not believed, and one of other roots is left.
func TestJournalsAreNotBelieved(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) string {
		path := filepath.Join(dir, "edit-x.moving")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for text, want := range map[string]string{
		`{"moves":[{"path":"/w/a","temp":"/w/.lspine-1.tmp","backup":"/w/.lspine-1-old.tmp"}]}`: "", `{"moves":[{"path":"/w/a"}]}`: "",
		`{"moves":[{"path":"/w/a","temp":"/w/b"}]}`: "/w/b is no temporary file of an edit", `{"moves":[{"path":"/w/a","temp":"/v/.lspine-1.tmp"}]}`: "/v/.lspine-1.tmp is no temporary file of an edit",
		`{"moves":[{"path":"/w/a","backup":"/w/b"}]}`: "/w/b is no temporary file of an edit", `{`: "unexpected end of JSON input",
	} {
		path := write(text)
		_, err := readJournal(path)
		if (err == nil) != (want == "") || err != nil && err.Error() != "journal "+path+": "+want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := readJournal(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	j := &journal{Moves: []move{{Path: filepath.FromSlash("/w/a")}, {Path: filepath.FromSlash("/v/b")}}}
	for roots, want := range map[string]bool{"": true, "/w": false, "/w /v": true, "/": true, "/u": false, "/w/a /v/b": true, "/w/ /v/b/c": false} {
		var list []string
		for root := range strings.FieldsSeq(roots) {
			list = append(list, filepath.FromSlash(root))
		}
		if got := j.within(list); got != want {
			t.Errorf("within %q: %t", roots, got)
		}
	}
}

// Where no journal was ever kept there is nothing to recover, and nobody waits; who is gone waits for nothing.
func TestRecoveryOfNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	report, err := Recover(t.Context(), dir)
	if diff := cmp.Diff(Report{}, report); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := Recover(gone, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("gone: %v", err)
	}
	if err := Commit(t.Context(), planIn(t, put(t, nil)), dir); err != nil {
		t.Errorf("of a plan without changes: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made for no change: %v", err)
	}
	unlock, err := lock(t.Context(), filepath.Join(t.TempDir(), "made", "deep"))
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	file := filepath.Join(put(t, map[string]string{"file": ""}), "file")
	if _, err := lock(t.Context(), file); err == nil || !strings.HasPrefix(err.Error(), "journal of edits: ") {
		t.Errorf("a file in its place: %v", err)
	}
	if _, err := lock(t.Context(), file); err == nil || !strings.HasPrefix(err.Error(), "journal of edits: ") {
		t.Errorf("once more, which the first may not hold up: %v", err)
	}
}
