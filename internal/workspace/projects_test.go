package workspace

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// A project needs another if one of its manifests names it, in whatever form: by a path
// to it, into it or above it, or by the name of its folder.
func TestProjectsThatNeedOthers(t *testing.T) {
	builtin := registry.Builtin()
	for _, c := range []struct {
		name, server, archive string
		// changed is a root; want are those that need it.
		changed string
		want    []string
	}{
		{"go.mod replace", "gopls", "-- core/go.mod --\nmodule x/core\n-- app/go.mod --\nreplace x/core => ../core\n-- other/go.mod --\nrequire x/core v1.0.0\n", "core", []string{"app"}},
		{"by way of another", "gopls", "-- core/go.mod --\n-- lib/go.mod --\nreplace (\n\tx/core v1 => ../core\n)\n-- app/go.mod --\nreplace x/lib => ../lib\n", "core", []string{"lib", "app"}},
		{"in a circle", "gopls", "-- a/go.mod --\nreplace x => ../b\n-- b/go.mod --\nreplace x => ../a\n", "a", []string{"b"}},
		{"a module in a go.work", "gopls", "-- w/go.work --\nuse ./core\n-- w/core/go.mod --\n-- tools/go.mod --\nreplace x => ../w/core\n", "w", []string{"tools"}},
		{"go.work of others", "gopls", "-- w/go.work --\nuse ./core\nuse ../core\n-- w/core/go.mod --\n-- core/go.mod --\n", "core", []string{"w"}},
		{"Cargo path", "rust-analyzer", "-- core/Cargo.toml --\n-- app/Cargo.toml --\n[dependencies]\ncore={path=\"../core\"}\n", "core", []string{"app"}},
		{"extraPaths into it", "pyright", "-- core/pyproject.toml --\n-- app/pyrightconfig.json --\n{\"extraPaths\":[\"../core/src\"]}\n", "core", []string{"app"}},
		{"extraPaths above it", "pyright", "-- core/pyproject.toml --\n-- app/pyproject.toml --\n[tool.pyright]\nextraPaths = [\"..\"]\n", "core", []string{"app"}},
		{"requirements", "pyright", "-- core/setup.py --\n-- app/requirements.txt --\n-e ../core\nrequests==2\n", "core", []string{"app"}},
		{"uv workspace", "pyright", "-- p/core/pyproject.toml --\nname = \"core\"\n-- p/app/pyproject.toml --\ndependencies = [\"core>=1\"]\n", "p/core", []string{"p/app"}},
		{"the nearest of a name", "pyright", "-- p/core/pyproject.toml --\n-- q/core/pyproject.toml --\n-- q/app/pyproject.toml --\ndependencies = [\"core\"]\n", "p/core", nil},
		{"members by a glob", "pyright", "-- pyproject.toml --\nmembers = [\"packages/*\"]\n-- packages/core/pyproject.toml --\n", "packages/core", []string{"."}},
		{"its own name", "pyright", "-- p/core/pyproject.toml --\nname = \"core\"\n-- q/core/pyproject.toml --\nname = \"core\"\n", "p/core", nil},
		{"Maven modules", "jdtls", "-- pom.xml --\n<module>core</module>\n-- core/pom.xml --\n", "core", []string{"."}},
		{"Eclipse projects", "jdtls", "-- core/.project --\n-- app/.project --\n-- app/.classpath --\n<classpathentry kind=\"src\" path=\"/core\"/>\n", "core", []string{"app"}},
		{"Gradle", "jdtls", "-- core/build.gradle --\n-- app/build.gradle --\nimplementation project(':core')\n", "core", []string{"app"}},
		{"nothing", "gopls", "-- a/go.mod --\nmodule x/a\n-- b/go.mod --\nmodule x/b\n", "a", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, c.archive, Options{Servers: builtin, LookPath: found})
			w.takePicture()
			d, _ := builtin.Get(c.server)
			w.tree.mu.Lock()
			defer w.tree.mu.Unlock()
			p := w.projectsLocked(w.Detection(), &d, nil)
			root := filepath.Join(w.Root(), c.changed)
			if !slices.Contains(p.roots, root) {
				t.Fatalf("the roots are %q", p.roots)
			}
			var got []string
			for _, user := range p.dependants([]string{root}) {
				got = append(got, w.Relative(user))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("what needs it (-want +got):\n%s", diff)
			}
		})
	}
}

// Which projects go together is found out anew for the servers that are concerned: roots that
// are gone are forgotten, and what is known of other servers stays.
func TestConnectedProjectsAreFoundAnew(t *testing.T) {
	builtin := registry.Builtin()
	d, _ := builtin.Get("jdtls")
	w := open(t, "-- core/build.gradle --\n-- app/build.gradle --\nimplementation project(':core')\n", Options{Servers: builtin, LookPath: found})
	w.takePicture()
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	gone, other := roots.Key{ID: d.ID, Root: filepath.Join(w.Root(), "gone")}, roots.Key{ID: "other", Root: w.Root()}
	w.connected.with[gone], w.connected.with[other] = []string{gone.Root}, []string{other.Root}
	w.connectLocked(func(each *registry.Definition) bool { return each.ID == d.ID })
	app, core := filepath.Join(w.Root(), "app"), filepath.Join(w.Root(), "core")
	want := map[roots.Key][]string{{ID: d.ID, Root: app}: {app, core}, {ID: d.ID, Root: core}: {app, core}, other: {other.Root}}
	if diff := cmp.Diff(want, w.connected.with); diff != "" {
		t.Error(diff)
	}
}

// Of a server that never ran it is not known that it left something out.
func TestNothingIsLeftOutBeforeTheStart(t *testing.T) {
	w := open(t, "-- a.toy --\n", Options{})
	if left := w.LeftOut(roots.Key{ID: "toy", Root: w.Root()}); left != nil {
		t.Errorf("left out: %q", left)
	}
}
