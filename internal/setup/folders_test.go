package setup

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// The folders of a file are those up to the root, the nearest first; of a file elsewhere there are none. The first of
// them that has one of some files is found, by the first of those.
func TestFoldersUpwards(t *testing.T) {
	root := lsptest.Workspace(t, "-- a --\n-- sub/b --\n-- sub/inner/a --\n-- sub/inner/b --\n")
	relative := func(dirs []string) (names []string) {
		for _, dir := range dirs {
			name, _ := filepath.Rel(root, dir)
			names = append(names, filepath.ToSlash(name))
		}
		return names
	}
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	for file, want := range map[string][]string{"x": {"."}, "sub/inner/x": {"sub/inner", "sub", "."}, "sub/gone/deep/x": {"sub/gone/deep", "sub/gone", "sub", "."}, "../x": nil} {
		if diff := cmp.Diff(want, relative(upwards(at(file), root))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	dirs := upwards(at("sub/inner/x"), root)
	for _, c := range []struct {
		dirs  []string
		names []string
		want  []string
	}{
		{dirs, []string{"b", "a"}, []string{"sub/inner", "b"}},
		{dirs, []string{"a", "b"}, []string{"sub/inner", "a"}},
		{dirs[1:], []string{"a", "b"}, []string{"sub", "b"}},
		{dirs[1:], []string{"a"}, []string{".", "a"}},
		{dirs, []string{"c"}, nil},
		{dirs, nil, nil},
		{nil, []string{"a"}, nil},
	} {
		var got []string
		if dir, name := firstWith(c.dirs, c.names...); dir != "" || name != "" {
			got = append(relative([]string{dir}), name)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.names, diff)
		}
	}
	if got := []bool{isFolder(at("sub")), isFolder(at("a")), isFolder(at("gone")), exists(at("a")), exists(at("gone"))}; !cmp.Equal(got, []bool{true, false, false, true, false}) {
		t.Errorf("%v", got)
	}
}

// What a server needs is looked for from the folder of the file up to the root, and no further; where to make it is the
// outermost folder with a build file, by the first way there is.
func TestWhereNeedsAreMet(t *testing.T) {
	above := lsptest.Workspace(t, "-- compile_flags.txt --\n-- w/Makefile --\n-- w/src/a.c --\n-- w/src/deep/Makefile --\n-- w/src/deep/meson.build --\n-- w/own/compile_commands.json --\n-- w/built/build/compile_commands.json --\n-- w/other/out/Debug/compile_commands.json --\n")
	root := filepath.Join(above, "w")
	n := NeedOf(server(t, "clangd"), "a.c")
	for file, want := range map[string]struct {
		Met  bool
		Home string
		Next string
	}{
		"src/a.c":      {false, ".", "bear -- make"},
		"src/deep/a.c": {false, "src/deep", "meson setup build"},
		"own/a.c":      {true, ".", "bear -- make"},
		"own/sub/a.c":  {true, ".", "bear -- make"},
		"built/x/a.c":  {true, ".", "bear -- make"},
		"other/a.c":    {true, ".", "bear -- make"},
	} {
		got := want
		path := filepath.Join(root, filepath.FromSlash(file))
		got.Met = n.Met(root, path)
		home := n.Home(root, path)
		name, _ := filepath.Rel(root, home)
		got.Home, got.Next = filepath.ToSlash(name), n.Next(home)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	if !n.Met(above, filepath.Join(root, "src", "a.c")) {
		t.Error("what is above is not found from a root above")
	}
	if home := n.Home(filepath.Join(root, "src"), filepath.Join(root, "src", "a.c")); home != filepath.Join(root, "src") {
		t.Errorf("without a build file it is made in %s", home)
	}
	module := NeedOf(server(t, "gopls"), "a.go")
	if got := module.Next(filepath.Join(root, "a b")); got != "go mod init example.com/"+Quoted("a b") {
		t.Errorf("%s", got)
	}
}

// Packages are declared by every package.json that can be read, for whatever use; the nearest of them is where they are
// to be installed.
func TestDeclaredPackages(t *testing.T) {
	root := lsptest.Workspace(t, `-- package.json --
{"dependencies": {"outer": "1"}, "peerDependencies": {"peer": "1"}}
-- sub/package.json --
{"devDependencies": {"dev": "1"}}
-- sub/broken/package.json --
{
-- sub/broken/none/x --
-- yarn.lock --
-- sub/pnpm-lock.yaml --
-- node_modules/outer/x --
-- sub/node_modules/@s/p/x --
`)
	dirs := upwards(filepath.Join(root, "sub", "broken", "none", "a.ts"), root)
	declared, home := declaredPackages(dirs)
	if diff := cmp.Diff(map[string]bool{"outer": true, "peer": true, "dev": true}, declared); diff != "" || home != filepath.Join(root, "sub") {
		t.Errorf("%s (-want +got):\n%s", home, diff)
	}
	if declared, home := declaredPackages(dirs[:2]); len(declared) > 0 || home != "" {
		t.Errorf("%v in %s", declared, home)
	}
	got := []string{packageManager(dirs), packageManager(dirs[3:]), packageManager(dirs[:2])}
	if diff := cmp.Diff([]string{"pnpm install", "yarn install", "npm install"}, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]bool{"outer": true, "@s/p": true, "@s/q": false, "dev": false} {
		if installed(filepath.Join(root, "sub", "broken"), name) != want {
			t.Errorf("%s is installed: %t", name, !want)
		}
	}
	for names, want := range map[string]bool{"": false, "left": false, "left jest": true, "@types/left": true, "vitest": true, "mocha": true, "mocha2": false} {
		absent := make(map[string]bool)
		for _, name := range strings.Fields(names) {
			absent[name] = true
		}
		if typesAbsent(absent) != want {
			t.Errorf("%q declares globals: %t", names, !want)
		}
	}
}

// A package is a project's own if a folder of its sources has it, or what it is in; a package of one word is nobody's.
func TestPackagesOfAProject(t *testing.T) {
	s, root := opened(t, "-- com/a/X.java --\n-- src/org/b/X.java --\n-- src/main/java/net/c/X.java --\n-- src/test/java/io/d/X.java --\n-- single/X.java --\n")
	for name, want := range map[string]bool{
		"com.a.X": true, "com.a.deep.er.X": true, "com.z.X": false, "org.b.X": true, "net.c.X": true, "io.d.X": true, "single.X": false, "X": false, "com.X": false,
	} {
		if s.hasPackage(root, name) != want {
			t.Errorf("%s is of the project: %t", name, !want)
		}
	}
	if got := []string{fixedBy(""), fixedBy("make")}; !cmp.Equal(got, []string{"", " (to fix it: make)"}) {
		t.Errorf("%q", got)
	}
}
