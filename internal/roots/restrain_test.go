package roots

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// executing is a server that runs builds, with a restraint or without.
func executing(what registry.Execution, restraint *registry.Restraint) registry.Definition {
	return registry.Definition{
		ID: "runs", Languages: []registry.Language{{ID: "x", Patterns: []string{".x"}}}, Commands: []registry.Command{{Binary: "runs"}},
		SingleFile: true, Role: registry.Primary, Settings: []byte(`{"a":{"own":1,"run":true}}`), InitializationOptions: []byte(`{"run":true}`),
		Env: []string{"OWN=1"}, Diagnostics: registry.Diagnostics{Disk: &registry.DiskCheck{}},
		Executes: registry.Executes{What: what, How: "its builds", Restraint: restraint},
	}
}

// A server that runs something of a project is restrained in a workspace that is not trusted, or is not started: where it
// has no restraint, or the workspace has a file that undoes it. In one that is trusted it is as it is, as is one
// that runs nothing.
func TestServersAreRestrained(t *testing.T) {
	restraint := &registry.Restraint{
		Settings: []byte(`{"a":{"run":false}}`), Options: []byte(`{"run":false}`), Env: []string{"RUN=no"}, Undone: []string{"undo.json", ".undo/a.toml"},
	}
	keeping := *restraint
	keeping.KeepsDisk = true
	type state struct {
		Unavailable, Settings, Options string
		Env                            []string
		Disk                           bool
	}
	asItIs := state{Settings: `{"a":{"own":1,"run":true}}`, Options: `{"run":true}`, Env: []string{"OWN=1"}, Disk: true}
	restrained := state{Settings: `{"a":{"own":1,"run":false}}`, Options: `{"run":false}`, Env: []string{"OWN=1", "RUN=no"}}
	whole := restrained
	whole.Disk = true
	not := func(why string) state {
		s := asItIs
		s.Unavailable = "untrusted: this checkout is not trusted, and " + why
		return s
	}
	undone := func(file string) state {
		return not("it runs its builds; what keeps it from that could be undone by " + filepath.FromSlash(file))
	}
	for _, c := range []struct {
		name, archive string
		definition    registry.Definition
		trusted       bool
		want          state
	}{
		{"it is restrained", "", executing(registry.ExecutesBuilds, restraint), false, restrained},
		{"it keeps what it judges on disk", "", executing(registry.ExecutesLibraries, &keeping), false, whole},
		{"it has no restraint", "", executing(registry.ExecutesBuilds, nil), false, not("it runs its builds")},
		{"nobody knows", "", executing(registry.ExecutesUnknown, nil), false, not("nobody knows what of a project it runs")},
		{"a file undoes it", "-- b/undo.json --\n-- undo.jsonc --\n", executing(registry.ExecutesBuilds, restraint), false, undone("b/undo.json")},
		{"a file beside the one that is judged", "-- deep/undo.json --\n", executing(registry.ExecutesBuilds, restraint), false, undone("deep/undo.json")},
		{"a file in a folder of a name", "-- deep/c/.undo/a.toml --\n", executing(registry.ExecutesBuilds, restraint), false, undone("deep/c/.undo/a.toml")},
		{"the first of two is named", "-- c/undo.json --\n-- b/z/.undo/a.toml --\n", executing(registry.ExecutesBuilds, restraint), false, undone("b/z/.undo/a.toml")},
		{"a file of a name that is alike", "-- undo.json5 --\n-- .undo/a.toml.txt --\n-- undo/a.json --\n", executing(registry.ExecutesBuilds, restraint), false, restrained},
		{"a file in a folder that is ignored", "-- .gitignore --\nignored\n-- ignored/c/undo.json --\n", executing(registry.ExecutesBuilds, restraint), false, undone("ignored/c/undo.json")},
		{"a file of a package", "-- node_modules/undo.json --\n", executing(registry.ExecutesBuilds, restraint), false, restrained},
		{"it is trusted", "-- undo.json --\n", executing(registry.ExecutesBuilds, restraint), true, asItIs},
		{"it is trusted, without restraint", "", executing(registry.ExecutesUnknown, nil), true, asItIs},
		{"it runs nothing", "-- undo.json --\n", executing(registry.ExecutesNothing, restraint), false, asItIs},
		{"a person's own server", "-- undo.json --\n", executing("", nil), false, asItIs},
	} {
		options := Options{Servers: registry.Table{c.definition}, Trusted: c.trusted, LookPath: found}
		f := open(t, "-- deep/a.x --\n"+c.archive, options)
		for _, got := range f.Candidates(filepath.Join(f.opts.Root, "deep", "a.x")) {
			d := got.Definition
			s := state{Settings: string(d.Settings), Options: string(d.InitializationOptions), Env: d.Env, Disk: d.Diagnostics.Disk != nil}
			if got.Unavailable != nil {
				s.Unavailable = strings.ReplaceAll(string(got.Unavailable.State)+": "+got.Unavailable.Reason, f.opts.Root, "ROOT")
			}
			if diff := cmp.Diff(c.want, s); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		}
	}
	if diff := cmp.Diff(executing(registry.ExecutesBuilds, restraint), executing(registry.ExecutesBuilds, restraint)); diff != "" || len(restraint.Env) != 1 {
		t.Errorf("the definition was changed: %s", diff)
	}
}

// Whatever may undo the restraint of a built-in server is found, wherever it lies and whether it is a file or a folder,
// also where no other server is known that reads such files.
func TestWhatUndoesRestraints(t *testing.T) {
	for _, d := range registry.Builtin() {
		if d.Executes.Restraint == nil {
			continue
		}
		file := "a" + d.Languages[0].Patterns[0]
		if !strings.HasPrefix(d.Languages[0].Patterns[0], ".") {
			file = d.Languages[0].Patterns[0]
		}
		for _, name := range d.Executes.Restraint.Undone {
			if len(d.Executes.Restraint.UndoneBy[name]) > 0 { // it depends on what is in it
				continue
			}
			for _, place := range []string{name, "deep/" + name, "deep/" + name + "/inside"} {
				alone := d
				alone.Roots, alone.Requires, alone.Excludes, alone.Within, alone.OptIn, alone.SingleFile = nil, nil, nil, nil, false, true
				f := open(t, "-- deep/"+file+" --\n-- "+place+" --\n", Options{Servers: registry.Table{alone}, LookPath: found})
				c := Candidate{Definition: alone}
				f.restrain(&c)
				want := strings.TrimSuffix(place, "/inside")
				if c.Unavailable == nil || !strings.HasSuffix(c.Unavailable.Reason, "could be undone by "+want) {
					t.Errorf("%s with %s: %v", d.ID, place, c.Unavailable)
				}
			}
		}
	}
}

// The answers of a server lack what it is kept from, of files in or below a folder with what it would run; not in a workspace that is trusted.
func TestWhatRestrainedServersLack(t *testing.T) {
	const lacks = "without builds, as this checkout is not trusted"
	of := func(lacks string, by ...string) registry.Definition {
		return executing(registry.ExecutesBuilds, &registry.Restraint{Lacks: lacks, LacksBy: by})
	}
	distant := of("builds")
	distant.Connect = "localhost:1"
	for _, c := range []struct {
		name       string
		definition registry.Definition
		trusted    bool
		want       map[string]string
	}{
		{"everywhere", of("builds"), false, map[string]string{"a.x": lacks, "m/deep/a.x": lacks}},
		{"where there is one", of("builds", "build.x", "make.x"), false, map[string]string{"a.x": "", "m/deep/a.x": lacks, "n/a.x": ""}},
		{"nothing", of(""), false, map[string]string{"a.x": "", "m/deep/a.x": ""}},
		{"in a workspace that is trusted", of("builds"), true, map[string]string{"a.x": "", "m/deep/a.x": ""}},
		{"of one that runs by itself", distant, false, map[string]string{"a.x": ""}},
		{"of one without restraint", executing(registry.ExecutesBuilds, nil), false, map[string]string{"a.x": ""}},
	} {
		f := open(t, "-- a.x --\n-- m/make.x --\n-- m/deep/a.x --\n-- n/a.x --\n", Options{Servers: registry.Table{c.definition}, Trusted: c.trusted, LookPath: found})
		got := make(map[string]string)
		for file := range c.want {
			got[file] = f.Restrained(&c.definition, filepath.Join(f.opts.Root, filepath.FromSlash(file)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	for _, d := range registry.Builtin() {
		if d.Executes.Restraint == nil {
			continue
		}
		for _, name := range d.Executes.Restraint.LacksBy {
			f := open(t, "-- m/"+name+" --\n-- m/deep/a.x --\n", Options{Servers: registry.Table{d}, LookPath: found})
			want := map[bool]string{true: "without " + d.Executes.Restraint.Lacks + ", as this checkout is not trusted"}[d.Executes.Restraint.Lacks != ""]
			if got := f.Restrained(&d, filepath.Join(f.opts.Root, "m", "deep", "a.x")); got != want {
				t.Errorf("%s with %s: %q, want %q", d.ID, name, got, want)
			}
		}
	}
}

// What keeps Node.js from loading modules is written once, and again when its text was changed; the options of Node.js that the user
// or the definition of the server has set are kept before it. A workspace that is trusted has none of it.
func TestVariablesOfTheGuard(t *testing.T) {
	state := filepath.Join(t.TempDir(), `a "state" folder`)
	if os.PathSeparator == '\\' {
		state = strings.ReplaceAll(state, `"`, "")
	}
	root := lsptest.Workspace(t, "-- .git/HEAD --\n-- package/a.x --\n")
	guard := func(trusted bool, own string, environ ...string) map[string]string {
		t.Helper()
		f := open(t, "", Options{Root: filepath.Join(root, "package"), Trusted: trusted, StateFolder: state, Environ: environ})
		env, err := f.guarded([]string{"A=" + own, "NODE_OPTIONS=" + own}[:min(2, 2*len(own))])
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for _, name := range []string{"NODE_OPTIONS", nodeFolder} {
			if value := fspath.Here.Variable(env, name); value != "" {
				got[name] = value
			}
		}
		return got
	}
	if diff := cmp.Diff(map[string]string{}, guard(true, "", "NODE_OPTIONS=--trace-warnings")); diff != "" {
		t.Errorf("trusted (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("it is written where it is not needed")
	}
	first := guard(false, "")
	files, err := filepath.Glob(filepath.Join(state, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(files[0])
	want := map[string]string{nodeFolder: root, "NODE_OPTIONS": `--require "` + quoted + `"`}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("not trusted (-want +got):\n%s", diff)
	}
	before, err := os.Stat(files[0])
	if err != nil {
		t.Fatal(err)
	}
	lsptest.Tick(t)
	want["NODE_OPTIONS"] = `--trace-warnings --require "` + quoted + `"`
	if diff := cmp.Diff(want, guard(false, "", "NODE_OPTIONS=--trace-warnings")); diff != "" {
		t.Errorf("with options of the user (-want +got):\n%s", diff)
	}
	want["NODE_OPTIONS"] = `--title=x --require "` + quoted + `"`
	if diff := cmp.Diff(want, guard(false, "--title=x", "NODE_OPTIONS=--trace-warnings")); diff != "" {
		t.Errorf("with options of the server (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"NODE_OPTIONS": "--title=x"}, guard(true, "--title=x")); diff != "" {
		t.Errorf("with options of the server, trusted (-want +got):\n%s", diff)
	}
	after, err := os.Stat(files[0])
	if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("it is written twice: %v", err)
	}
	lsptest.WriteFile(t, files[0], "// harmless\n")
	guard(false, "")
	text, err := os.ReadFile(files[0])
	if err != nil || string(text) != string(nodeGuard) {
		t.Errorf("another text stays: %v, %.40q", err, text)
	}
	if left, _ := filepath.Glob(filepath.Join(state, "*")); !slices.Equal(files, left) {
		t.Errorf("there are %v", left)
	}
}

// Where the guard cannot be written, nothing of a server that needs it is started.
func TestGuardThatCannotBeWritten(t *testing.T) {
	state := filepath.Join(lsptest.Workspace(t, "-- file --\n"), "file")
	f := open(t, "-- a.x --\n", Options{StateFolder: state, Servers: registry.Table{executing(registry.ExecutesBuilds, &registry.Restraint{})}, LookPath: found})
	c := f.Candidates(filepath.Join(f.opts.Root, "a.x"))[0]
	_, err := f.Prepared(c, nil)
	if err == nil || !strings.HasPrefix(fmt.Sprint(err), "what keeps Node.js from loading modules of a checkout that is not trusted: ") {
		t.Error(err)
	}
}
