package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// Files are named from the caller's own folder, unless it wants absolute names: then names
// that were relative become whole, and rules about names still see those from the folder.
func TestNames(t *testing.T) {
	root := filepath.Join(lsptest.Workspace(t, "-- tests/project/sub/main.py --\n"), "tests", "project")
	w, err := Open(Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(t.Context()) })
	main, sub, outside := filepath.Join(root, "sub", "main.py"), filepath.Join(root, "sub"), filepath.Join(filepath.Dir(root), "x.py")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(sub, link); err != nil {
		t.Skip(err)
	}
	type names struct {
		Base, Main, Outside, FromBase, Again, FromRoot, At string
		Shown                                              []string
	}
	of := func(n Names) names {
		return names{
			n.Base(), n.Relative(main), n.Relative(outside), n.FromBase(main), n.FromBase("main.py"), n.FromRoot(main),
			n.At(main, protocol.Position{Line: 2, Character: 4}), n.Shown([]string{"a/b.py", lsptest.Rooted("/c.py")}),
		}
	}
	for name, c := range map[string]struct {
		names Names
		want  names
	}{
		"from the root": {w.Names(""), names{root, "sub/main.py", outside, "sub/main.py", "main.py", "sub/main.py", "sub/main.py:3:5", []string{"a/b.py", lsptest.Rooted("/c.py")}}},
		"from a folder": {w.Names(sub), names{sub, "main.py", outside, "main.py", "main.py", "sub/main.py", "main.py:3:5", []string{"a/b.py", lsptest.Rooted("/c.py")}}},
		"through a link": {
			w.Names(link), names{sub, "main.py", outside, "main.py", "main.py", "sub/main.py", "main.py:3:5", []string{"a/b.py", lsptest.Rooted("/c.py")}},
		},
		"absolute": {w.Names("").Absolute(), names{root, main, outside, "sub/main.py", "main.py", main, main + ":3:5", []string{filepath.Join(root, "a", "b.py"), lsptest.Rooted("/c.py")}}},
		"absolute from a folder": {
			w.Names(sub).Absolute(),
			names{sub, main, outside, "main.py", "main.py", main, main + ":3:5", []string{filepath.Join(sub, "a", "b.py"), lsptest.Rooted("/c.py")}},
		},
	} {
		if diff := cmp.Diff(c.want, of(c.names)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A list of names ends after three, and says how many there are besides.
func TestFirstOf(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a, b, c": {"a", "b", "c"}, "a, b, c and 2 more": {"a", "b", "c", "d", "e"}} {
		if got := FirstOf(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}

// Five alternatives are named; of more the first four, and how many there are besides.
func TestAnyOf(t *testing.T) {
	for want, names := range map[string][]string{"a": {"a"}, "a or b or c or d or e": {"a", "b", "c", "d", "e"}, "a or b or c or d or 2 others": {"a", "b", "c", "d", "e", "f"}} {
		if got := AnyOf(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
