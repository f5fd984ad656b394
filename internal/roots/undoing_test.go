package roots

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Whatever undoes a restraint of the table is found: a file or a folder, in a folder that the checkout has ignored, or around
// a checkout that has another in it.
func TestWhatUndoesARestraintIsFound(t *testing.T) {
	for _, d := range registry.Builtin() {
		r := d.Executes.Restraint
		if r == nil {
			continue
		}
		for _, name := range r.Undone {
			for place, c := range map[string]struct{ root, at, want string }{
				"in the root":           {"", name, name},
				"in an ignored folder":  {"", "left/out/" + name, "left/out/" + name},
				"around the checkout":   {"inner", name, ""},
				"beneath a file's name": {"", "not-" + name, "-"},
			} {
				text := "[env]\n"
				outer := lsptest.Workspace(t, "-- .gitignore --\nleft\n-- inner/.git/HEAD --\n-- "+c.at+" --\n"+text)
				f := open(t, "", Options{Root: filepath.Join(outer, c.root)})
				want := c.want
				switch want {
				case "":
					want = filepath.Join(outer, filepath.FromSlash(name))
				case "-":
					want = ""
				}
				if diff := cmp.Diff(want, f.undoing(r)); diff != "" {
					t.Errorf("%s, %s %s (-want +got):\n%s", d.ID, name, place, diff)
				}
			}
		}
	}
}

// A configuration of cargo undoes a restraint if it gives the compiler variables, and if nobody can tell.
func TestConfigurationsOfCargoThatUndo(t *testing.T) {
	restraint := &registry.Restraint{
		Undone: []string{".cargo/config.toml"}, UndoneBy: map[string][]string{".cargo/config.toml": {"env", "include"}},
	}
	for text, undoes := range map[string]bool{
		"[alias]\nxtask = 'run'\n":               false,
		"[build]\ntarget-dir = 'env'\n# [env]\n": false,
		"[env]\nLD_PRELOAD = 'a.so'\n":           true,
		"\"\\u0065nv\".LD_PRELOAD = 'a.so'\n":    true,
		"env.LD_PRELOAD.value = 'a.so'\n":        true,
		"include = 'more.toml'\n":                true,
		"what = is this\n":                       true,
	} {
		for _, folder := range []string{".cargo", "linked"} {
			root := lsptest.Workspace(t, "-- "+folder+"/config.toml --\n"+text)
			if folder == "linked" {
				if err := os.Symlink("linked", filepath.Join(root, ".cargo")); err != nil {
					lsptest.Skip(t, err.Error())
				}
			}
			want := ""
			if undoes {
				want = ".cargo/config.toml"
			}
			if diff := cmp.Diff(want, open(t, "", Options{Root: root}).undoing(restraint)); diff != "" {
				t.Errorf("%q in %s (-want +got):\n%s", text, folder, diff)
			}
		}
	}
}

// Where the user's own folder is under version control, what lies in it is no less somebody else's: Node.js loads no module of
// the workspace, and where that is the user's own folder, what only this would restrain does not start.
func TestNodeInAHomeUnderVersionControl(t *testing.T) {
	lsptest.NeedShell(t)
	r := lsptest.NewRepository(t, "-- downloads/a.toy --\n")
	t.Setenv("HOME", r.Root)
	d := registry.Definition{
		ID: "toy", Languages: []registry.Language{{ID: "toy", Patterns: []string{".toy"}}}, SingleFile: true,
		Commands: []registry.Command{{Binary: "sh"}},
		Executes: registry.Executes{What: registry.ExecutesLibraries, How: "plug-ins", Restraint: &registry.Restraint{ByNode: true}},
	}
	for root, want := range map[string]struct{ guard, reason string }{
		"downloads": {guard: nodeFolder + "=" + filepath.Join(r.Root, "downloads")},
		"":          {reason: "this checkout is not trusted, and it runs plug-ins; nothing keeps it from that where your own folder is in the checkout"},
	} {
		f := open(t, "", Options{Root: filepath.Join(r.Root, root), Servers: registry.Table{d}})
		got := want
		got.guard, got.reason = "", ""
		variables, err := f.guarded(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variables {
			if strings.HasPrefix(v, nodeFolder+"=") {
				got.guard = v
			}
		}
		for _, c := range f.Candidates(filepath.Join(r.Root, "downloads", "a.toy")) {
			if c.Unavailable != nil {
				got.reason = c.Unavailable.Reason
			}
		}
		if got != want {
			t.Errorf("root %q: %+v, want %+v", root, got, want)
		}
	}
}
