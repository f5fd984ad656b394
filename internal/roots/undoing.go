package roots

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/project"
	"github.com/lspine/lspine/internal/registry"
)

// undoneKept is how long it is not looked for again.
const undoneKept = time.Second

// undoneBy returns what [Finder.undoing] does for the server with an id.
func (f *Finder) undoneBy(id string, r *registry.Restraint) string {
	u := &f.undone
	u.mu.Lock()
	defer u.mu.Unlock()
	if known, looked := u.found[id]; looked && f.opts.Now().Sub(known.at) < undoneKept {
		return known.file
	}
	if u.found == nil {
		u.found = make(map[string]undoneAt)
	}
	file := f.undoing(r)
	u.found[id] = undoneAt{file, f.opts.Now()}
	return file
}

// undoing returns what undoes a restraint, relative to the root; "" if nothing does. It is looked for in the workspace, and
// above it as far as a checkout may go that only seems to end here: whoever wrote this one may have written what is around it.
// The picture of the disk would not do: the checkout itself says what that leaves out.
func (f *Finder) undoing(r *registry.Restraint) string {
	names := slices.Concat(r.Undone, r.Flags)
	if len(names) == 0 {
		return ""
	}
	for folder := filepath.Dir(f.opts.Root); !aboveHome(folder) && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		for _, name := range names {
			if path := filepath.Join(folder, filepath.FromSlash(name)); undoes(r, name, path) {
				return path
			}
		}
	}
	found := ""
	_ = filepath.WalkDir(f.opts.Root, func(path string, e fs.DirEntry, err error) error {
		if err != nil { // no server reads what cannot be read
			return nil
		}
		for _, name := range names {
			first, _, _ := strings.Cut(name, "/")
			if !strings.EqualFold(first, e.Name()) { // some systems know no case
				continue
			}
			if path := filepath.Join(filepath.Dir(path), filepath.FromSlash(name)); undoes(r, name, path) {
				found = fspath.Relative(f.opts.Root, path)
				return fs.SkipAll
			}
		}
		if e.IsDir() && slices.Contains(disk.Skipped, e.Name()) {
			return fs.SkipDir
		}
		return nil
	})
	return found
}

// undoes reports whether what has a name undoes a restraint. What cannot be read or understood does: a server may.
func undoes(r *registry.Restraint, name, path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	if slices.Contains(r.Flags, name) {
		return !project.HarmlessFlags(path)
	}
	keys := r.UndoneBy[name]
	if keys == nil {
		return true
	}
	text, err := fspath.Read(path)
	if err != nil {
		return true
	}
	var settings map[string]toml.Primitive
	if _, err := toml.Decode(string(text), &settings); err != nil {
		return true
	}
	return slices.ContainsFunc(keys, func(key string) bool { _, has := settings[key]; return has })
}

// aboveHome reports whether a folder is the user's own or above it: what lies there no checkout brings.
func aboveHome(folder string) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if real, err := fspath.Real(home); err == nil {
		home = real
	}
	return fspath.Below(folder, home)
}
