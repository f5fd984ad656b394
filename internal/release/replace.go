package release

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Replace puts a program in the place of another in one rename: whoever starts it gets the old
// one or the new one. A link stays one. The new one has the mode of the old.
func Replace(file string, program []byte) error {
	file, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(file), ".lspine-*")
	if err != nil {
		return err
	}
	_, err = draft.Write(program)
	err = errors.Join(err, draft.Chmod(info.Mode()), draft.Sync(), draft.Close())
	if err == nil {
		err = moveOver(draft.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

// moveOver renames a file to one that is there. Windows lets nobody replace a program that
// runs, but rename it: there the old one stays beside the new one until the next time.
func moveOver(from, to string) error {
	if runtime.GOOS != "windows" {
		return os.Rename(from, to)
	}
	aside := to + ".old"
	_ = os.Remove(aside) // it may run still, then the next line says so
	if err := os.Rename(to, aside); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(aside, to))
	}
	return nil
}

// A Manager installed the program, and is who updates it.
type Manager struct {
	// Name is what people call it, Command what they type.
	Name, Command string
}

// ManagerOf returns who installed the program at a path with its links resolved, nil if it was
// put there by hand. Owned reports whether the system's own packages have a file.
func ManagerOf(file string, owned func(file string) *Manager) *Manager {
	elements := strings.Split(filepath.ToSlash(file), "/")
	has := func(names ...string) bool {
		for i := range elements {
			if len(elements)-i >= len(names) && slices.Equal(elements[i:i+len(names)], names) {
				return true
			}
		}
		return false
	}
	switch {
	case has("node_modules"):
		return &Manager{"npm", "npm install --global lspine@latest"}
	case has("Cellar"):
		return &Manager{"Homebrew", "brew upgrade lspine"}
	case strings.HasPrefix(file, "/nix/store/"):
		return &Manager{"Nix", "nix profile upgrade lspine"}
	case has("scoop", "apps"):
		return &Manager{"Scoop", "scoop update lspine"}
	case has("snap", "lspine"):
		return &Manager{"snap", "snap refresh lspine"}
	}
	return owned(file)
}
