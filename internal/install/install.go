package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// An Outcome says what came of installing a server.
type Outcome struct {
	Installed
	// Already says that it was there before.
	Already bool
	// Removed are the folders of other versions that are gone, Kept those that are still in use.
	Removed, Kept []string
	// Lacks are programs that it runs with, and that are not on PATH.
	Lacks []string
	// Before is a program of the same name on PATH, which is used before it; "" for none.
	Before string
}

// Install brings a server into the store, and removes other versions of it. environ is the
// environment of what does the work, in the form of os.Environ. Of two installations at the same
// time one waits for the other. When it fails, nothing is left.
func (s *Store) Install(ctx context.Context, environ []string, id string) (o Outcome, err error) {
	p, pinned := s.pinOf(id)
	if !pinned {
		return o, &UnknownError{ID: id}
	}
	way := wayOf(&p)
	tool, err := exec.LookPath(way.By)
	if err != nil {
		_, hint := p.Kind.Tool()
		return o, &NeedsError{id, way.By, hint}
	}
	for _, need := range way.Needs {
		if _, err := exec.LookPath(need); err != nil {
			o.Lacks = append(o.Lacks, need)
		}
	}
	work := job{id: id, pin: &p, tool: tool, environ: environ, locks: s.locks}
	if p.Kind == registry.FromRustup {
		o.ID = id
		work.dir = s.aside
		return o, work.rustup(ctx)
	}
	if s.dir == "" {
		return o, errors.New("there is no folder for it: neither XDG_DATA_HOME nor HOME is set")
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return o, err
	}
	defer unlock()
	if path, err := exec.LookPath(p.Programs[0].Name); err == nil {
		o.Before = path
	}
	dir := s.folderOf(&p)
	o.Installed = Installed{ID: id, Version: way.Version, Folder: dir}
	if m, err := readManifest(dir); err == nil {
		if o.Already = s.has(&m, dir, id); !o.Already {
			if err := add(&m, dir, &p); err != nil {
				return o, err
			}
		}
	} else if err := s.place(ctx, &work, dir); err != nil {
		return o, err
	}
	o.Removed, o.Kept, err = s.prune(&p, dir)
	return o, err
}

// has reports whether a server is installed in a folder, with its programs.
func (s *Store) has(m *manifest, dir, id string) bool {
	installed, has := m.Servers[id]
	for _, file := range installed.Programs {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file))); err != nil {
			return false
		}
	}
	return has
}

// place makes the folder of a version: beside its place, to which it is moved when it is whole.
func (s *Store) place(ctx context.Context, work *job, dir string) (err error) {
	work.dir, err = os.MkdirTemp(s.dir, unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(work.dir))
		}
	}()
	if work.pin.Kind == registry.FromGo {
		err = work.golang(ctx)
	} else {
		err = work.npm(ctx)
	}
	if err != nil {
		return err
	}
	name, version := work.pin.Package()
	m := manifest{Package: name, Version: version, Installed: time.Now().UTC().Round(time.Second)}
	if err := add(&m, work.dir, work.pin); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	// What is there without a manifest is what was left of a removal.
	if err := removeAll(dir); err != nil {
		return err
	}
	if err := os.Chmod(work.dir, 0o755); err != nil {
		return err
	}
	return os.Rename(work.dir, dir)
}

// add notes a server in the manifest of a folder that has its package.
func add(m *manifest, dir string, p *registry.Pin) error {
	added := server{Programs: make(map[string]string)}
	for _, program := range p.Programs {
		file := fileOf(p, program)
		path := filepath.Join(dir, filepath.FromSlash(file))
		if _, err := exec.LookPath(path); err != nil {
			return &FailedError{ID: p.ID, Reason: fmt.Sprintf("its packages have no program %s", file)}
		}
		added.Programs[program.Name] = file
		if runs := interpreter(path); runs != "" && !slices.Contains(added.Runs, runs) {
			added.Runs = append(added.Runs, runs)
		}
	}
	if m.Servers == nil {
		m.Servers = make(map[string]server)
	}
	m.Servers[p.ID] = added
	return m.write(dir)
}

// fileOf returns the file of a program below the folder of its version, with slashes.
func fileOf(p *registry.Pin, program registry.PinnedProgram) string {
	ending := ""
	if runtime.GOOS == "windows" {
		ending = map[bool]string{true: ".exe", false: ".cmd"}[p.Kind == registry.FromGo]
	}
	switch {
	case p.Kind == registry.FromGo:
		return "bin/" + program.Name + ending
	case program.File != "" && runtime.GOOS != "windows" || strings.HasPrefix(program.File, "bin/"):
		return program.File
	}
	return "node_modules/.bin/" + program.Name + ending
}

// interpreter returns the program on PATH that a script is run with, "" for another kind of program.
func interpreter(path string) string {
	if strings.HasSuffix(path, ".cmd") {
		return "node" // npm's
	}
	file, err := fspath.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	start := make([]byte, 256)
	n, _ := file.Read(start)
	line, _, _ := strings.Cut(string(start[:n]), "\n")
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if !strings.HasPrefix(line, "#!") || len(words) < 2 || filepath.Base(words[0]) != "env" {
		return ""
	}
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}

// unfinished begins the names of folders that are being filled.
const unfinished = ".unfinished-"

// lockName is the file in the store that its lock is on.
const lockName = ".lock"

// lock keeps other processes from changing the store. What an installation left that was
// interrupted goes.
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(s.dir, lockName))
	if _, err := l.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another installation: %w", err)
	}
	left, _ := filepath.Glob(filepath.Join(s.dir, unfinished+"*"))
	for _, dir := range left {
		_ = removeAll(dir) // or the next time
	}
	return func() { _ = l.Close() }, nil
}

// prune takes a server out of all versions of its package but the one in a folder.
func (s *Store) prune(p *registry.Pin, but string) (removed, kept []string, err error) {
	for _, dir := range s.versions(p.Folder()) {
		if m, err := readManifest(dir); err != nil || dir == but || m.Servers[p.ID].Programs == nil {
			continue
		}
		var used *InUseError
		switch failed := drop(dir, p.ID); {
		case errors.As(failed, &used):
			kept = append(kept, dir)
		case failed != nil:
			err = errors.Join(err, failed)
		default:
			removed = append(removed, dir)
		}
	}
	return removed, kept, err
}

// Outdated returns the servers of which another version is installed than this program pins, by id.
func (s *Store) Outdated() (ids []string) {
	for _, x := range s.List() {
		if _, pinned := s.pinOf(x.ID); x.Outdated && pinned && !slices.Contains(ids, x.ID) {
			ids = append(ids, x.ID)
		}
	}
	return ids
}

// Remove takes a server out of the store, in all its versions. A server that is not there
// is an [UnknownError]; one that runs is an [InUseError], and stays.
func (s *Store) Remove(ctx context.Context, id string) (removed []string, err error) {
	i := slices.IndexFunc(s.pins, func(p registry.Pin) bool { return p.ID == id })
	if i < 0 || !slices.ContainsFunc(s.List(), func(x Installed) bool { return x.ID == id }) {
		return nil, &UnknownError{ID: id, Installed: true}
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	removed, kept, err := s.prune(&s.pins[i], "")
	if err == nil && len(kept) > 0 {
		err = &InUseError{ID: id, Folder: kept[0]}
	}
	return removed, err
}

// RemoveAll removes the store. A version that runs is an [InUseError], and stays; all others go.
func (s *Store) RemoveAll(ctx context.Context) error {
	if _, err := os.Stat(s.dir); s.dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := s.empty(ctx); err != nil {
		return err
	}
	// Not every system removes a file that is open, as a lock is while it is held. What another
	// installation has brought since then stays.
	return errors.Join(os.Remove(filepath.Join(s.dir, lockName)), os.Remove(s.dir))
}

// empty removes all but the lock.
func (s *Store) empty(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := os.ReadDir(s.dir)
	for _, p := range entries {
		for _, dir := range s.versions(p.Name()) {
			lock := flock.New(useOf(dir))
			free, failed := lock.TryLock()
			if failed == nil && !free {
				err = errors.Join(err, &InUseError{ID: p.Name(), Folder: dir})
				continue
			}
			err = errors.Join(err, lock.Close(), removeAll(dir))
		}
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != lockName {
			err = errors.Join(err, removeAll(filepath.Join(s.dir, e.Name())))
		}
	}
	return err
}

// removeAll removes a folder with all in it, also where a folder may not be written.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o755)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
