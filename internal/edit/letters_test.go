package edit

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
)

// folding is a plan for a system where the case of letters does not count.
func folding(t testing.TB, root string) *Plan {
	t.Helper()
	p := planIn(t, root)
	p.style = fspath.MacOS
	return p
}

// names are the files below a folder, with their texts.
func names(t testing.TB, root string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	files, _, err := planIn(t, root).List(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		relative, err2 := filepath.Rel(root, path)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(relative)] = string(content)
	}
	return all
}

// Two names of a new file that differ in the case of letters are one file where that does not count.
func TestNewFilesInOtherLetters(t *testing.T) {
	root := put(t, nil)
	p := folding(t, root)
	if err := errors.Join(p.Write("new.go", "one\n"), p.Write("NEW.go", "two\n")); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	if err := p.Create("New.go", Existing{}); !errors.As(err, &exists) {
		t.Errorf("created beside itself: %v", err)
	}
	if err := Commit(t.Context(), p, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"new.go": "two\n"}, names(t, root)); diff != "" {
		t.Error(diff)
	}
}

// A file is renamed to the same name in other letters, with its edits, and a failure at any step
// leaves it as it was.
func TestRenameToOtherLetters(t *testing.T) {
	probe := put(t, map[string]string{"a": ""})
	if err := os.Rename(filepath.Join(probe, "a"), filepath.Join(probe, "A")); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(probe); err != nil || entries[0].Name() != "A" {
		t.Skip("the system says that it renamed a to A, and did not: Wine does")
	}
	plan := func(t *testing.T, root string, edits bool) *Plan {
		p := folding(t, root)
		err := p.Rename("main.go", "Main.go", Existing{})
		if edits {
			_, err2 := p.Replace("main.go", "one", "two", false)
			err = errors.Join(err, err2)
		}
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for name, c := range map[string]struct {
		edits bool
		want  map[string]string
	}{
		"renamed":            {false, map[string]string{"Main.go": "one\n"}},
		"renamed and edited": {true, map[string]string{"Main.go": "two\n"}},
	} {
		root, journal := put(t, map[string]string{"main.go": "one\n"}), t.TempDir()
		p := plan(t, root, c.edits)
		changes := p.Changes()
		if len(changes) != 1 || filepath.Base(changes[0].Path) != "Main.go" || filepath.Base(changes[0].From) != "main.go" {
			t.Errorf("%s: %+v", name, changes)
		}
		if err := Commit(t.Context(), p, journal); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, names(t, root)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		broken := errors.New("broken")
		for step := int64(1); ; step++ {
			root := put(t, map[string]string{"main.go": "one\n"})
			p := plan(t, root, c.edits)
			c, steps := failing(step, false, broken)
			if err := c.commit(t.Context(), p, t.TempDir()); err == nil {
				if steps.Load() >= step {
					continue // a step whose failure is of no account
				}
				break
			}
			if diff := cmp.Diff(map[string]string{"main.go": "one\n"}, names(t, root)); diff != "" {
				t.Errorf("%s, step %d: %s", name, step, diff)
			}
		}
	}
}

// Where the case of letters counts, they are two files.
func TestOtherLettersAreOtherFiles(t *testing.T) {
	root := put(t, map[string]string{"main.go": "one\n"})
	if _, err := os.Stat(filepath.Join(root, "MAIN.go")); err == nil {
		t.Skip("here they are one")
	}
	p := planIn(t, root)
	if err := errors.Join(p.Write("Main.go", "two\n"), Commit(t.Context(), p, t.TempDir())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"main.go": "one\n", "Main.go": "two\n"}, names(t, root)); diff != "" {
		t.Error(diff)
	}
}

// .git and the like are protected under every name that a system takes for them.
func TestProtectedNames(t *testing.T) {
	for name, style := range map[string]fspath.Style{".git./config": fspath.Windows, "GIT~1/config": fspath.Windows, "a/.g\u200cit": fspath.MacOS, ".GIT/x": fspath.Linux, ".hg/hgrc": fspath.Linux, "a/.jj/repo/config.toml": fspath.Linux, ".SVN/x": fspath.Linux, "HG~1/hgrc": fspath.Windows} {
		var protection *ProtectedError
		if err := protected(style, "/project/"+name); !errors.As(err, &protection) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := protected(fspath.Linux, "/project/.git./config"); err != nil {
		t.Error(err)
	}
}

// .git and the like are protected also where an edit is to begin in them.
func TestProtectedRoots(t *testing.T) {
	root := put(t, map[string]string{".git/config": "[core]\n", ".git/info/exclude": ""})
	for dir, name := range map[string]string{".git": "config", ".git/info": "exclude"} {
		tree, err := NewTree(1<<20, filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil {
			t.Fatal(err)
		}
		var protection *ProtectedError
		if path, err := tree.Resolve(name); !errors.As(err, &protection) {
			t.Errorf("%s in %s: %s, %v", name, dir, path, err)
		}
	}
}
