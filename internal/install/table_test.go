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
		Dependencies, OptionalDependencies map[string]string
		Integrity, Resolved                string
		Link, InBundle                     bool
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
		for optional := range e.OptionalDependencies { // npm ci refuses a lock that lacks one
			if !slices.ContainsFunc(slices.Collect(maps.Keys(lock.Packages)), func(other string) bool { return strings.HasSuffix(other, "node_modules/"+optional) }) {
				t.Errorf("%s: %s may need %s, which is not in it", name, path, optional)
			}
		}
	}
}

// Every server that comes with a program of its own can be installed on the six systems of our
// releases; where the registry that the locks are made with had not all of them, this says which.
func TestSystemsOfLocks(t *testing.T) {
	lacking := make(map[string][]string)
	for _, p := range registry.Pins() {
		if !p.Kind.ByNPM() {
			continue
		}
		lock, err := fs.ReadFile(builtinLocks(), lockNames(&p)[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
			name, architecture, _ := strings.Cut(system, "/")
			fits, err := locksSystem(&p, lock, name, architecture)
			if err != nil {
				t.Fatalf("%s: %v", p.ID, err)
			}
			if !fits {
				lacking[p.ID] = append(lacking[p.ID], system)
			}
		}
	}
	allButOne := []string{"linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	want := map[string][]string{
		"devsense-php": allButOne, "postgres": allButOne, "rescript": allButOne, "squawk": allButOne, "tombi": allButOne,
	}
	if diff := cmp.Diff(want, lacking); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A program for the system is one of the optional packages of a pinned one, if these are for systems;
// what is optional for other reasons, or needed by others, is none.
func TestSystemOfALock(t *testing.T) {
	const lock = `{"packages": {
		"": {"dependencies": {"toy": "1.0.0"}},
		"node_modules/toy": {"optionalDependencies": {"toy-linux": "1", "toy-mac": "1", "toy-win": "1", "colours": "1"}},
		"node_modules/toy-linux": {"os": ["linux"], "cpu": ["x64"]},
		"node_modules/toy-mac": {"os": ["darwin"]},
		"node_modules/toy-win": {"os": ["win32"], "cpu": ["x64", "ia32"]},
		"node_modules/colours": {},
		"node_modules/plain": {"optionalDependencies": {"colours": "1"}},
		"node_modules/watch": {"optionalDependencies": {"fsevents": "1"}},
		"node_modules/fsevents": {"os": ["darwin"]}
	}}`
	for system, want := range map[string]bool{
		"linux/amd64": true, "linux/arm64": false, "darwin/amd64": true, "darwin/arm64": true,
		"windows/amd64": true, "windows/386": true, "windows/arm64": false, "freebsd/amd64": false,
	} {
		name, architecture, _ := strings.Cut(system, "/")
		if got, err := locksSystem(&registry.Pin{Kind: registry.Native, Packages: []string{"toy@1.0.0"}}, []byte(lock), name, architecture); got != want || err != nil {
			t.Errorf("%s: %t, %v", system, got, err)
		}
		if got, err := locksSystem(&registry.Pin{Kind: registry.FromNPM, Packages: []string{"watch@1.0.0"}}, []byte(lock), name, architecture); !got || err != nil {
			t.Errorf("a package without programs for %s: %t, %v", system, got, err)
		}
		for _, other := range []string{"plain@1.0.0", "gone@1.0.0"} {
			if got, err := locksSystem(&registry.Pin{Kind: registry.Native, Packages: []string{other}}, []byte(lock), name, architecture); !got || err != nil {
				t.Errorf("%s for %s: %t, %v", other, system, got, err)
			}
		}
	}
	if _, err := locksSystem(&registry.Pin{Kind: registry.Native, Packages: []string{"toy@1.0.0"}}, []byte("x"), "linux", "amd64"); err == nil {
		t.Error("a lock that is none is no error")
	}
	pin, dir := registry.Pin{ID: "toy", Kind: registry.Native, Packages: []string{"toy@1.0.0"}}, t.TempDir()
	elsewhere := strings.NewReplacer("linux", "plan9", "darwin", "plan9", "win32", "plan9").Replace(lock)
	refused := (&job{id: "toy", pin: &pin, dir: dir, locks: fstest.MapFS{"toy.json": {Data: []byte(elsewhere)}}}).npm(t.Context())
	if entries, err := os.ReadDir(dir); !errors.As(refused, new(*SystemError)) || len(entries) > 0 || err != nil {
		t.Errorf("without a program for this system: %v, wrote %v, %v", refused, entries, err)
	}
	err := &SystemError{"tombi", "darwin/arm64"}
	if hint := err.Hint(); hint == "" || strings.HasPrefix(hint, "lspine install") {
		t.Errorf("%v: %q", err, hint)
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
