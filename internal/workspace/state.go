package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/registry"
)

// maxStates bounds the folders of one server for one root: one for each process
// that runs it at the same time.
const maxStates = 16

// fillIn puts the folder of a server for a root into its arguments, if they ask
// for one. The folder is free for others after release.
func (w *Workspace) fillIn(c Candidate) (args []string, release func(), err error) {
	wants := func(arg string) bool { return strings.Contains(arg, registry.StateFolder) }
	if !slices.ContainsFunc(c.Args, wants) {
		return c.Args, func() {}, nil
	}
	folder, release, err := w.state(c.Key())
	if err != nil {
		return nil, nil, fmt.Errorf("a folder for %s: %w", c.Definition.ID, err)
	}
	for _, arg := range c.Args {
		args = append(args, strings.ReplaceAll(arg, registry.StateFolder, folder))
	}
	return args, release, nil
}

// state returns the first folder of a key that no other process holds. It stays
// for the next time: what a server keeps there spares it work.
func (w *Workspace) state(key Key) (folder string, release func(), err error) {
	base := w.opts.StateFolder
	if base == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", nil, err
		}
		base = filepath.Join(cache, "lspine")
	}
	sum := sha256.Sum256([]byte(key.Root))
	base = filepath.Join(base, key.ID, hex.EncodeToString(sum[:8]))
	for n := range maxStates {
		folder = base
		if n > 0 {
			folder = fmt.Sprintf("%s-%d", base, n+1)
		}
		if err = os.MkdirAll(folder, 0o700); err != nil {
			return "", nil, err
		}
		lock := flock.New(filepath.Join(folder, "lspine.lock"), flock.SetPermissions(0o600))
		free, err := lock.TryLock()
		if err != nil {
			return "", nil, err
		}
		if free {
			return folder, func() { _ = lock.Close() }, nil
		}
	}
	return "", nil, fmt.Errorf("%d processes run it for %s", maxStates, key.Root)
}
