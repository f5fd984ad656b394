package edit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Of what is in their folder only journals that were written whole are read: one that was not is of an edit
// that did nothing and is taken away, one that makes no sense is told, and what else is there stays.
func TestJournalsOfAFolder(t *testing.T) {
	const whole = `{"Moves":[]}`
	dir := put(t, map[string]string{
		"edit-1.preparing": whole, "edit-2.moving": whole, "edit-3.decided": whole, "edit-4.new": "half", "edit-5.other": whole,
		"edit-6.moving": "half", "notes.moving": whole, "edit-7": whole,
	})
	journals, err := readJournals(dir)
	if err == nil || !strings.Contains(err.Error(), "edit-6.moving") || strings.Contains(err.Error(), "edit-4") {
		t.Errorf("what makes no sense is told by %v", err)
	}
	got := make(map[string]string)
	for _, j := range journals {
		got[j.id] = j.phase
		if j.file(j.phase) != filepath.Join(dir, "edit-"+j.id+j.phase) {
			t.Errorf("%s is in %s", j.id, j.file(j.phase))
		}
	}
	if diff := cmp.Diff(map[string]string{"1": preparing, "2": moving, "3": decided}, got); diff != "" {
		t.Error(diff)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{"edit-1.preparing", "edit-2.moving", "edit-3.decided", "edit-5.other", "edit-6.moving", "edit-7", "notes.moving"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(left))); diff != "" {
		t.Error(diff)
	}
	if journals, err := readJournals(filepath.Join(dir, "none")); !os.IsNotExist(err) || journals != nil {
		t.Errorf("a folder that is not there: %v, %v", journals, err)
	}
}

// An edit makes the folders that lack, each once, and none below what is no folder.
func TestFoldersThatLack(t *testing.T) {
	root := put(t, map[string]string{"there/file": "x"})
	made := make(map[string]bool)
	for _, dir := range []string{"there", "there/a/b", "there/a/c", "there/a"} {
		if err := missingFolders(filepath.Join(root, filepath.FromSlash(dir)), made); err != nil {
			t.Errorf("%s: %v", dir, err)
		}
	}
	want := make(map[string]bool)
	for _, dir := range []string{"there/a", "there/a/b", "there/a/c"} {
		want[filepath.Join(root, filepath.FromSlash(dir))] = true
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Error(diff)
	}
	file := filepath.Join(root, "there", "file")
	if diff := cmp.Diff(&ConflictError{file, "it is no folder"}, missingFolders(file, made)); diff != "" {
		t.Error(diff)
	}
}

// A name that only changes its letters is a new name of the same file, whether that is on disk, new, or was
// renamed so before; of a folder it is refused, and no change at all is none.
func TestNewLettersOfAName(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		before   func(*Plan) error
		want     []string
		says     string
	}{
		"the same name": {"main.txt", "main.txt", nil, nil, ""},
		"other letters": {"main.txt", "Main.txt", nil, []string{"main.txt to Main.txt"}, ""},
		"and back":      {"main.txt", "main.txt", func(p *Plan) error { return p.Rename("main.txt", "Main.txt", Existing{}) }, nil, ""},
		"a new file":    {"new.txt", "New.txt", func(p *Plan) error { return p.Write("new.txt", "new\n") }, []string{"New.txt"}, ""},
		"a folder":      {"dir", "Dir", nil, nil, "of a folder only the case of letters would change"},
		"that folder":   {"dir", "dir", nil, nil, ""},
		"not there":     {"none.txt", "None.txt", nil, nil, "no such file"},
		"gone":          {"main.txt", "Main.txt", func(p *Plan) error { return p.Delete("main.txt", Missing{}) }, []string{"main.txt deleted"}, "no such file"},
	} {
		p := folding(t, put(t, map[string]string{"main.txt": "one\n", "dir/file": "x\n"}))
		if c.before != nil {
			if err := c.before(p); err != nil {
				t.Fatal(err)
			}
		}
		err := p.Rename(c.from, c.to, Existing{})
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		var got []string
		for _, change := range p.Changes() {
			told := filepath.Base(change.Path)
			if change.From != "" {
				told = filepath.Base(change.From) + " to " + told
			}
			if change.Deleted {
				told += " deleted"
			}
			got = append(got, told)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
