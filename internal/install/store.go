package install

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// A Store is the private folder: a folder for each package, and in it one for each version.
// It is safe for concurrent use, by several processes as well.
type Store struct {
	dir string
	// pins are what can be installed, locks their checksums.
	pins  []registry.Pin
	locks fs.FS
	// aside is where a tool runs that has no folder of the store to run in, "" for the present folder.
	aside string
}

// NewStore returns the store in a folder, which need not exist; "" is a store that has
// nothing, and takes nothing.
func NewStore(dir string) *Store {
	return &Store{dir: dir, pins: registry.Pins(), locks: builtinLocks()}
}

// Aside returns the same store with its tools running in a folder, and not in the present one. rustup looks there, and in the folders
// above, for a file that says which toolchain is meant, and where it comes from: a checkout of a stranger must not say that.
func (s *Store) Aside(folder string) *Store {
	other := *s
	other.aside = folder
	return &other
}

// pinOf returns the pin of a server that can be installed here.
func (s *Store) pinOf(id string) (p registry.Pin, found bool) {
	for _, p := range s.pins {
		if p.ID == id && p.Installable(runtime.GOOS) {
			return p, true
		}
	}
	return registry.Pin{}, false
}

// Folder returns the private folder of the user whose environment it is (in the form of
// os.Environ), "" if that says none.
func Folder(environ []string) string {
	variable := func(name string) string {
		if value := fspath.Here.Variable(environ, name); filepath.IsAbs(value) {
			return value
		}
		return ""
	}
	data := variable("XDG_DATA_HOME")
	if home := cmp.Or(variable("HOME"), variable("USERPROFILE")); data == "" && home != "" {
		switch runtime.GOOS {
		case "windows":
			data = cmp.Or(variable("LocalAppData"), variable("LOCALAPPDATA"), filepath.Join(home, "AppData", "Local"))
		case "darwin":
			data = filepath.Join(home, "Library", "Application Support")
		default:
			data = filepath.Join(home, ".local", "share")
		}
	}
	if data == "" {
		return ""
	}
	return filepath.Join(data, "lspine", "servers")
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

const manifestName = "lspine.json"

// A manifest says what is in the folder of a version. It is written last.
type manifest struct {
	Package   string    `json:"package"`
	Version   string    `json:"version"`
	Installed time.Time `json:"installed"`
	// Servers are those that were asked for, by id.
	Servers map[string]server `json:"servers"`
}

type server struct {
	// Programs are their files, relative to the folder and with slashes, by name.
	Programs map[string]string `json:"programs"`
	// Runs are the programs on PATH that they run with.
	Runs []string `json:"runs,omitempty"`
}

func readManifest(dir string) (m manifest, err error) {
	text, err := fspath.Read(filepath.Join(dir, manifestName))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	return m, err
}

// write puts a manifest into a folder, in the place of another in one step.
func (m *manifest) write(dir string) error {
	text, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		return err
	}
	draft := filepath.Join(dir, manifestName+".new")
	if err := os.WriteFile(draft, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(draft, filepath.Join(dir, manifestName))
}

// folderOf returns the folder of a pin. Its name changes with all that decides what is in it,
// so that what is there is never changed.
func (s *Store) folderOf(p *registry.Pin) string {
	sum := sha256.New()
	write := func(text string) { sum.Write([]byte(text + "\x00")) }
	write(runtime.GOOS + "/" + runtime.GOARCH)
	write(string(p.Kind))
	write(strings.Join(p.Packages, ","))
	for _, name := range lockNames(p) {
		text, _ := fs.ReadFile(s.locks, name) // installing says what is missing
		write(string(text))
	}
	for _, program := range p.Programs {
		if text, err := launcher(program); err == nil {
			write(string(text))
		}
	}
	_, version := p.Package()
	return filepath.Join(s.dir, p.Folder(), version+"-"+hex.EncodeToString(sum.Sum(nil))[:8])
}

// versions returns the folders of a package that are complete.
func (s *Store) versions(folder string) (dirs []string) {
	if s.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, folder))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		dir := filepath.Join(s.dir, folder, e.Name())
		if _, err := os.Stat(filepath.Join(dir, manifestName)); err == nil && e.IsDir() {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Find returns the path of a program of an installed server, and the programs on PATH that it
// runs with; "" if none brings it. Of several versions it is the one that is pinned now, else
// the newest.
func (s *Store) Find(program string) (path string, runs []string) {
	var newest time.Time
	for _, p := range s.pins {
		if !p.Brings(program) {
			continue
		}
		pinned := s.folderOf(&p)
		for _, dir := range s.versions(p.Folder()) {
			m, err := readManifest(dir)
			if err != nil {
				continue
			}
			for _, installed := range m.Servers {
				file, has := installed.Programs[program]
				if !has {
					continue
				}
				if dir == pinned {
					return filepath.Join(dir, filepath.FromSlash(file)), installed.Runs
				}
				if path == "" || m.Installed.After(newest) {
					path, runs, newest = filepath.Join(dir, filepath.FromSlash(file)), installed.Runs, m.Installed
				}
			}
		}
	}
	return path, runs
}

// Hold keeps the version that a program belongs to from being removed while a server runs. A
// program from elsewhere needs no hold.
func (s *Store) Hold(program string) (release func()) {
	relative, err := filepath.Rel(s.dir, program)
	parts := strings.Split(filepath.ToSlash(relative), "/")
	if s.dir == "" || err != nil || !filepath.IsLocal(relative) || len(parts) < 3 {
		return func() {}
	}
	lock := flock.New(useOf(filepath.Join(s.dir, parts[0], parts[1])))
	// Where locks do not work, nothing is held.
	if _, err := lock.TryRLock(); err != nil {
		return func() {}
	}
	return func() { _ = lock.Close() }
}

// useOf returns the file that is locked while the version in a folder is used.
func useOf(dir string) string { return filepath.Join(dir, ".lspine-in-use") }

// An Installed is a version of a server that is in the store.
type Installed struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	// Folder is where it is.
	Folder string `json:"folder"`
	// Outdated says that this program pins something else.
	Outdated bool `json:"outdated,omitempty"`
}

// List returns what is installed, by id.
func (s *Store) List() []Installed {
	var list []Installed
	for _, p := range s.pins {
		for _, dir := range s.versions(p.Folder()) {
			m, err := readManifest(dir)
			if _, has := m.Servers[p.ID]; err == nil && has {
				list = append(list, Installed{p.ID, m.Version, dir, dir != s.folderOf(&p)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Installed) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// drop takes a server out of the folder of a version, and removes that if it was the last.
// What is in use stays, and is removed another time.
func drop(dir, id string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	if delete(m.Servers, id); len(m.Servers) > 0 {
		return m.write(dir)
	}
	lock := flock.New(useOf(dir))
	free, err := lock.TryLock()
	if err == nil && !free {
		return &InUseError{ID: id, Folder: dir}
	}
	// Gone in one step: a folder without its manifest is none.
	if err := errors.Join(os.Remove(filepath.Join(dir, manifestName)), lock.Close()); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), removeEmpty(filepath.Dir(dir)))
}

// removeEmpty removes a folder in which nothing is left.
func removeEmpty(dir string) error {
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return nil
	}
	return os.Remove(dir)
}

// An InUseError says that a version is not removed because it runs.
type InUseError struct{ ID, Folder string }

func (e *InUseError) Error() string { return e.ID + " runs, and was not removed: " + e.Folder }

// Hint says what to do.
func (e *InUseError) Hint() string {
	return "lspine daemon stop --all ends the servers that run; then again"
}
