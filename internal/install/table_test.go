package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// Every pinned server has its checksums, and they are those of its versions: scripts/servers
// --lock writes them anew. Every package has one, and none says where it comes from, which is
// left to the settings of npm.
func TestLocksAreOfThePins(t *testing.T) {
	locks, used := builtinLocks(), make(map[string]bool)
	for _, p := range registry.Pins() {
		for _, name := range lockNames(&p) {
			used[name] = true
			text, err := fs.ReadFile(locks, name)
			if err != nil {
				t.Errorf("%s: %v", p.ID, err)
				continue
			}
			switch filepath.Ext(name) {
			case ".json":
				checkLock(t, &p, name, text)
			case ".mod":
				module, version := p.Package()
				for at := module; ; at = at[:strings.LastIndexByte(at, '/')] {
					if strings.Contains(string(text), "\t"+at+" "+version+" ") {
						break
					}
					if !strings.Contains(at, "/") {
						t.Errorf("%s is not of %s %s", name, module, version)
						break
					}
				}
			}
		}
	}
	all, err := fs.Glob(locks, "*")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), all); diff != "" {
		t.Error(diff)
	}
}

func checkLock(t *testing.T, p *registry.Pin, name string, text []byte) {
	t.Helper()
	type entry struct {
		Dependencies        map[string]string
		Integrity, Resolved string
		Link, InBundle      bool
	}
	var lock struct{ Packages map[string]entry }
	var wanted entry
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(name, err)
	}
	if err := json.Unmarshal(packageJSON(p), &wanted); err != nil {
		t.Fatal(p.ID, err)
	}
	if diff := cmp.Diff(wanted.Dependencies, lock.Packages[""].Dependencies); diff != "" {
		t.Errorf("%s is not of %s: %s", name, p.ID, diff)
	}
	for path, e := range lock.Packages {
		if path != "" && !e.InBundle && (!strings.HasPrefix(e.Integrity, "sha512-") || e.Resolved != "" || e.Link) {
			t.Errorf("%s: %s: %+v", name, path, e)
		}
	}
}

// What one folder is named after has one set of versions, and every program has one folder.
func TestFoldersAreOfOnePackage(t *testing.T) {
	sets, owners := make(map[string]string), make(map[string]string)
	for _, p := range registry.Pins() {
		if p.Kind == registry.FromDebian || p.Kind == registry.FromRustup {
			continue
		}
		set := strings.Join(p.Packages, ",")
		if other, known := sets[p.Folder()]; known && other != set {
			t.Errorf("%s is %s and %s", p.Folder(), set, other)
		}
		sets[p.Folder()] = set
		for _, program := range p.Programs {
			if other, known := owners[program.Name]; known && other != p.Folder() {
				t.Errorf("%s is in %s and %s", program.Name, p.Folder(), other)
			}
			owners[program.Name] = p.Folder()
		}
	}
}

// What can be installed is a server of the registry that starts with one of the programs that
// are installed, and its first hint is our command.
func TestWaysAreOfServers(t *testing.T) {
	ways := Ways()
	if len(ways) < 45 {
		t.Errorf("only %d servers can be installed", len(ways))
	}
	for _, w := range ways {
		d, known := registry.Builtin().Get(w.ID)
		p, pinned := registry.PinOf(w.ID)
		if !known || !pinned {
			t.Fatalf("%s is not known", w.ID)
		}
		if !slices.ContainsFunc(d.Commands, func(c registry.Command) bool { return p.Brings(c.Binary) }) {
			t.Errorf("%s brings none of its programs: %v", w.ID, p.Programs)
		}
		if d.Install[0] != "lspine install "+w.ID {
			t.Errorf("%s: the first hint is %s", w.ID, d.Install[0])
		}
		if again, found := WayOf(w.ID); !found || cmp.Diff(w, again) != "" {
			t.Errorf("%s: %s", w.ID, cmp.Diff(w, again))
		}
	}
	for _, id := range []string{"clangd", "tsgo", "none"} { // not pinned, no server, nothing
		if w, found := WayOf(id); found {
			t.Errorf("%+v", w)
		}
	}
}

// Of several versions that bring a program, none of them pinned, the newest is found.
func TestFindTheNewest(t *testing.T) {
	s := &Store{dir: t.TempDir(), locks: fstest.MapFS{}, pins: []registry.Pin{{ID: "toy", Kind: registry.FromNPM, Packages: []string{"toy@9.0.0"}, Programs: []registry.PinnedProgram{{Name: "toy"}}}}}
	p := &s.pins[0]
	now := time.Now()
	for version, age := range map[string]time.Duration{"1": 2 * time.Hour, "2": 0, "3": time.Hour} {
		dir := filepath.Join(s.dir, p.Folder(), version)
		m := manifest{Installed: now.Add(-age), Servers: map[string]server{"toy": {Programs: map[string]string{"toy": "bin/toy"}, Runs: []string{"node" + version}}}}
		if err := errors.Join(os.MkdirAll(dir, 0o755), m.write(dir)); err != nil {
			t.Fatal(err)
		}
	}
	path, runs := s.Find("toy")
	if want := filepath.Join(s.dir, p.Folder(), "2", "bin", "toy"); path != want || !slices.Equal(runs, []string{"node2"}) {
		t.Errorf("%s, which runs with %q; want %s", path, runs, want)
	}
}
