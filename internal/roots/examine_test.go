package roots

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Every server that knows a file is examined, also where it is not asked, with the
// reason; which are asked is what Candidates says.
func TestExamineKnowsWhyServersAreNotAsked(t *testing.T) {
	server := func(id string, change func(d *registry.Definition)) registry.Definition {
		d := registry.Definition{
			ID: id, Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Commands: []registry.Command{{Binary: id}},
			SingleFile: true, Role: registry.Primary,
		}
		change(&d)
		return d
	}
	grouped := func(rank int) func(*registry.Definition) {
		return func(d *registry.Definition) { d.Group, d.Rank = "g", rank }
	}
	servers := registry.Table{
		server("best-none", grouped(1)), server("second", grouped(2)), server("third", grouped(3)),
		server("excluded", func(d *registry.Definition) { d.Excludes = []string{"no.x"} }),
		server("lacking", func(d *registry.Definition) { d.Requires = []string{"lint.json"} }),
		server("named", func(d *registry.Definition) { d.OptIn = true }),
		server("off", func(d *registry.Definition) { d.Disabled = true }),
		server("rootless", func(d *registry.Definition) { d.SingleFile, d.Roots = false, []string{"root.x"} }),
		server("other", func(d *registry.Definition) { d.Languages[0].Patterns[0] = ".y" }),
	}
	f := open(t, "-- no.x --\n-- sub/a.x --\n", Options{Servers: servers, LookPath: lsptest.LookKinds})
	path := filepath.Join(f.opts.Root, "sub", "a.x")
	var got, asked []string
	for _, x := range f.Examine(path) {
		got = append(got, strings.TrimSpace(x.Definition.ID+" "+string(x.Passed)+" "+x.By))
		if x.Passed == Asked {
			asked = append(asked, x.Definition.ID)
		}
	}
	want := []string{"best-none replaced second", "second", "third replaced second", "excluded excluded no.x", "lacking unconfigured", "off", "rootless", "named opt-in"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	var candidates []string
	for _, c := range f.Candidates(path) {
		candidates = append(candidates, c.Definition.ID)
	}
	if !slices.Equal(asked, candidates) {
		t.Errorf("asked %q, candidates %q", asked, candidates)
	}
}

// Of each command it is known where it was found, or what stood in the way.
func TestExamineTellsTheSearch(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.x --\n-- bin/locked --\n-- bin/old --\n-- bin/package.json --\n{\"name\":\"pack\",\"version\":\"1.2.3\"}\n-- bin/good --\n-- bin/old.exe --\n-- bin/good.exe --\n")
	bin := filepath.Join(root, "bin")
	for _, name := range []string{"old", "good"} {
		if err := os.Chmod(filepath.Join(bin, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", strings.Join([]string{bin, "", bin}, string(filepath.ListSeparator)))
	d := registry.Definition{ID: "x", Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, SingleFile: true, Commands: []registry.Command{
		{Binary: "absent"},
		{Binary: filepath.Join(root, "nowhere")},
		{Binary: "locked"},
		{Binary: filepath.Join(bin, "locked")},
		{Binary: "old", Package: &registry.Package{Name: "pack", MinMajor: 2}},
		{Binary: "good"},
		{Binary: "never looked for"},
	}}
	f := open(t, "", Options{Root: root, Servers: registry.Table{d}, Trusted: true})
	var got []string
	for _, s := range f.Examine(filepath.Join(root, "a.x"))[0].Searched {
		told := lsptest.Slashed(strings.ReplaceAll(s.Path+"|"+s.Obstacle, root, "ROOT"))
		got = append(got, strings.ReplaceAll(told, ".exe", "")) // the ending of programs on Windows
	}
	want := []string{
		"|absent not found in PATH", "|ROOT/nowhere does not exist", "|ROOT/bin/locked may not be executed", "|ROOT/bin/locked may not be executed",
		"ROOT/bin/old|ROOT/bin/old is pack 1.2.3, and version 2 or later is needed", "ROOT/bin/good|",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if name, version := PackageVersion(filepath.Join(bin, "good")); name != "pack" || version != "1.2.3" {
		t.Errorf("the package is %q %q", name, version)
	}
	if name, version := PackageVersion(filepath.Join(root, "nowhere")); name+version != "" {
		t.Errorf("what is not there is %q %q", name, version)
	}
	if dirs := f.SearchPath(); !slices.Equal(dirs, []string{bin}) {
		t.Errorf("looked in %q", dirs)
	}
}

// The command that can be run here is the one to prescribe; without any the first.
func TestFirstRunnable(t *testing.T) {
	f := open(t, "-- a --\n", Options{LookPath: func(name string) (string, error) {
		if name == "apt-get" {
			return found(name)
		}
		return "", exec.ErrNotFound
	}})
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"brew install x", "apt-get install x", "npm install x"}, "apt-get install x"},
		{[]string{"brew install x", "npm install x"}, "brew install x"},
		{nil, ""},
	} {
		if got := f.FirstRunnable(c.lines); got != c.want {
			t.Errorf("%q: %q, want %q", c.lines, got, c.want)
		}
	}
}

// Of several commands the first is prescribed whose program is there; we are always there, and a page to look at is no
// command.
func TestCommandsToPrescribe(t *testing.T) {
	f := open(t, "", Options{Root: t.TempDir(), LookPath: func(name string) (string, error) {
		if strings.HasSuffix(name, "there") {
			return found(name)
		}
		return "", exec.ErrNotFound
	}})
	for want, lines := range map[string][]string{
		"there a":          {"see there", "gone a", "there a", "there b"},
		"lspine install a": {"gone a", "lspine install a", "there a"},
		"gone a":           {"see page", "gone a", " there"},
		"":                 {"see page"},
		"seethere a":       {"gone", "seethere a"},
	} {
		if got := f.FirstRunnable(lines); got != want {
			t.Errorf("%q: %q, want %q", lines, got, want)
		}
	}
}

// Where a program is missing it is said what stands in the way: that it is not there, may not be executed, or what the
// search says.
func TestObstaclesOfPrograms(t *testing.T) {
	root := lsptest.Workspace(t, "-- there --\n-- folder/x --\n")
	t.Setenv("PATH", root)
	f := open(t, "", Options{Root: root})
	there := filepath.Join(root, "there")
	for _, c := range []struct {
		binary string
		err    error
		want   string
	}{
		{there, fs.ErrNotExist, there + " does not exist"},
		{there, fs.ErrPermission, there + " may not be executed"},
		{there, &exec.Error{Name: "there", Err: exec.ErrNotFound}, there + " may not be executed"},
		{there, errors.New("odd"), "odd"},
		{there + "x", errors.New("odd"), there + "x does not exist"},
		{"there", exec.ErrNotFound, there + " may not be executed"},
		{"folder", exec.ErrNotFound, "folder not found in PATH"},
		{"other", errors.New("odd"), "other not found in PATH"},
	} {
		if got := f.unfound(c.binary, c.err); got != c.want {
			t.Errorf("%s, %v: %q, want %q", c.binary, c.err, got, c.want)
		}
	}
}
