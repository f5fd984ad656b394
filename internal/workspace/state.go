package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/roots"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/registry"
)

// maxStates bounds the folders of one server for one root: one for each process
// that runs it at the same time.
const maxStates = 16

// A filling is what a server is started with beside its definition.
type filling struct {
	args, env []string
	// release frees the folder of the server for others, and lets its program be removed.
	release func()
}

// fillIn puts the folder of a server for a root into its arguments, if they ask for
// one, and makes its copy of the user's configuration.
func (w *Workspace) fillIn(c roots.Candidate) (filling, error) {
	f := filling{args: c.Args, release: w.opts.Installed.Hold(c.Binary)}
	if u := c.Definition.UserConfig; u != nil {
		// It can do without: then it reads the user's own.
		if folder, err := w.stateBase(c.Key()); err == nil && w.copyConfig(u, folder, w.elsewhere(&c.Definition)) == nil {
			f.env = []string{u.Variable + "=" + folder}
		}
	}
	f.env = append(f.env, w.ProjectEnviron(&c)...)
	wants := func(arg string) bool { return strings.Contains(arg, registry.StateFolder) }
	if !slices.ContainsFunc(c.Args, wants) {
		return f, nil
	}
	folder, free, err := w.state(c.Key())
	if err != nil {
		f.release()
		return f, fmt.Errorf("a folder for %s: %w", c.Definition.ID, err)
	}
	letGo := f.release
	f.args, f.release = nil, func() { free(); letGo() }
	for _, arg := range c.Args {
		f.args = append(f.args, strings.ReplaceAll(arg, registry.StateFolder, folder))
	}
	return f, nil
}

// copyConfig writes the user's configuration of a server, what is added to it, and what was
// found, into a folder.
func (w *Workspace) copyConfig(u *registry.UserConfig, folder, found string) error {
	var text []byte
	if base := w.configFolder(u); base != "" {
		var err error
		if text, err = fspath.Read(filepath.Join(base, filepath.FromSlash(u.File))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	path := filepath.Join(folder, filepath.FromSlash(u.File))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Others of the same root may read it.
	whole, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = whole.Write(append(text, u.Addition+found...))
	if err = errors.Join(err, whole.Close()); err == nil {
		err = os.Rename(whole.Name(), path)
	}
	if err != nil {
		_ = os.Remove(whole.Name())
	}
	return err
}

// configFolder returns the folder that holds the user's configuration, "" for none.
func (w *Workspace) configFolder(u *registry.UserConfig) string {
	if folder := fspath.Here.Variable(w.Finder.Environ(), u.Variable); folder != "" {
		return folder
	}
	if home := fspath.Here.Variable(w.Finder.Environ(), "HOME"); home != "" {
		return filepath.Join(home, u.Default)
	}
	return ""
}

// state returns the first folder of a key that no other process holds, empty: what a process finds there of an earlier one
// is true of the files as they were then.
func (w *Workspace) state(key roots.Key) (folder string, release func(), err error) {
	base, err := w.stateBase(key)
	if err != nil {
		return "", nil, err
	}
	for n := range maxStates {
		folder = stateFolder(base, n)
		if err = os.MkdirAll(folder, 0o700); err != nil {
			return "", nil, err
		}
		lock := flock.New(filepath.Join(folder, stateLock), flock.SetPermissions(0o600))
		free, err := lock.TryLock()
		if err != nil {
			return "", nil, err
		}
		if free {
			if err := empty(folder); err != nil {
				_ = lock.Close()
				return "", nil, err
			}
			return folder, func() { _ = lock.Close() }, nil
		}
	}
	return "", nil, fmt.Errorf("%d processes run it for %s", maxStates, key.Root)
}

// stateFolder returns the folder of the process with a number, from 0, among those that run a server
// for one root at the same time.
func stateFolder(base string, n int) string {
	if n == 0 {
		return base
	}
	return fmt.Sprintf("%s-%d", base, n+1)
}

// stateLock, in the folder of a server, is locked by whoever uses it.
const stateLock = "lspine.lock"

// empty removes what is in a locked folder.
func empty(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if e.Name() != stateLock {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
		}
	}
	return err
}

// StatePath returns the folder in which something of the name keeps what it needs for the
// workspace. It may not be there yet.
func (w *Workspace) StatePath(name string) (string, error) {
	return w.stateBase(roots.Key{ID: name, Root: w.root})
}

// stateBase returns the folder in which a server keeps what it needs for a root.
func (w *Workspace) stateBase(key roots.Key) (string, error) {
	base, err := w.StateFolder()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(key.Root))
	return filepath.Join(base, key.ID, hex.EncodeToString(sum[:8])), nil
}
