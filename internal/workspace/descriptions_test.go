package workspace

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/registry"
)

// Of each project a server is told who needs it, whether a list above leaves it out, where a file of its could be, and
// one that is there, if any: not one of another project that lies in it.
func TestDescriptionsForServers(t *testing.T) {
	languages := []registry.Language{{ID: "toy", Patterns: []string{".toy", ".x"}}}
	listed := &registry.Definition{ID: "listed", Languages: languages, Roots: []string{"toy.list", "toy.root"}, Lists: []string{"toy.list"}}
	single := &registry.Definition{ID: "single", Languages: languages, Manifests: []string{"toy.need"}, SingleFile: true}
	wordless := &registry.Definition{ID: "wordless", Roots: []string{"toy.root"}}
	for name, c := range map[string]struct {
		d       *registry.Definition
		archive string
		want    []lsp.Project // with names for paths
	}{
		"apart": {
			listed, "-- a/toy.root --\n../b\n-- a/in/c.toy --\n-- b/toy.root --\n-- b/z.toy --\n-- b/a.x --\n-- b/readme --\n",
			[]lsp.Project{{Root: "a", Probe: "a/lspine.toy", Source: "a/in/c.toy"}, {Root: "b", Probe: "b/lspine.toy", Source: "b/a.x", Users: []string{"a"}}},
		},
		"one in another": {
			listed, "-- a/toy.root --\n-- a/in/toy.root --\n-- a/in/c.toy --\n-- a/readme --\n-- b/toy.root --\n",
			[]lsp.Project{{Root: "a", Probe: "a/lspine.toy", Users: []string{}}, {Root: "a/in", Probe: "a/in/lspine.toy", Source: "a/in/c.toy"}, {Root: "b", Probe: "b/lspine.toy"}},
		},
		"left out of a list": {
			listed, "-- toy.list --\na\n-- a/toy.root --\n-- b/toy.root --\n-- b/c.toy --\n",
			[]lsp.Project{{Root: ".", Probe: "lspine.toy"}, {Root: "b", Probe: "b/lspine.toy", Source: "b/c.toy", Hidden: true}},
		},
		"manifests below": {
			single, "-- b/toy.need --\n-- b/b.toy --\n-- a/toy.need --\n-- a/in/a.toy --\n-- main.toy --\n",
			[]lsp.Project{{Root: ".", Probe: "a/lspine.toy", Source: "a/in/a.toy"}},
		},
		"manifests, one at the root": {
			single, "-- b/toy.need --\n-- b/b.toy --\n-- toy.need --\n",
			[]lsp.Project{{Root: ".", Probe: "lspine.toy", Source: "b/b.toy"}},
		},
		"no language": {wordless, "-- a/toy.root --\n-- a/a.toy --\n", []lsp.Project{{Root: "a"}}},
	} {
		w := open(t, c.archive, Options{Servers: registry.Table{*c.d, {ID: "toy", Languages: languages}}})
		w.takePicture()
		w.tree.mu.Lock()
		detection := w.Detection()
		all := w.projectsLocked(detection, c.d, nil)
		short := func(path string) string {
			if path == "" {
				return ""
			}
			return w.Relative(path)
		}
		var got []lsp.Project
		for _, root := range all.roots {
			p := w.describeLocked(detection, c.d, all, root)
			p.Root, p.Probe, p.Source = short(p.Root), short(p.Probe), short(p.Source)
			for i := range p.Users {
				p.Users[i] = short(p.Users[i])
			}
			got = append(got, p)
		}
		w.tree.mu.Unlock()
		for i := range c.want {
			if len(c.want[i].Users) == 0 {
				c.want[i].Users = nil
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A root that is gone, or a file, belongs to no project; one that is no root any more belongs to what is around it.
func TestRootsOfFolders(t *testing.T) {
	w := open(t, "-- a/toy.root --\n-- a/in/c.toy --\n-- b/c.toy --\n", Options{Servers: registry.Table{{ID: "toy", Roots: []string{"toy.root"}}}})
	in := func(name string) string { return filepath.Join(w.Root(), filepath.FromSlash(name)) }
	for _, single := range []bool{false, true} {
		d := &registry.Definition{ID: "toy", Roots: []string{"toy.root"}, SingleFile: single}
		outside := ""
		if single {
			outside = w.Root()
		}
		for name, want := range map[string]string{"a": in("a"), "a/in": in("a"), "b": outside, "gone": "", "a/in/c.toy": ""} {
			if got := w.Detection().RootNow(d, in(name)); got != want {
				t.Errorf("%s, single %t: %q, want %q", name, single, got, want)
			}
		}
	}
}
