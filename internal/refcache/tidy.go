package refcache

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lspine/lspine/internal/fspath"
)

// rootFile is the file beside a database that names the root of its workspace.
const rootFile = "root"

// abandoned is how long nobody used the database of a workspace that is gone when it is removed: it may be on a disk that
// is not there now.
const abandoned = 30 * 24 * time.Hour

// settleIn names the root of a new database, and removes those of workspaces that are gone. It does nothing if the database is not new.
func (c *Cache) settleIn() error {
	folder := filepath.Dir(c.store.Path())
	if _, err := os.Lstat(filepath.Join(folder, rootFile)); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	err := os.WriteFile(filepath.Join(folder, rootFile), []byte(c.opts.Workspace.Root()), 0o600)
	return errors.Join(err, removeAbandoned(c.opts.Folder, c.scanner.now()))
}

// removeAbandoned removes the databases in a folder whose workspaces are gone, and which nobody used for long.
func removeAbandoned(folder string, now time.Time) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		own := filepath.Join(folder, e.Name())
		if raw, odd := hex.DecodeString(e.Name()); odd != nil || len(raw) != 8 || !e.IsDir() {
			continue
		}
		root, unread := fspath.Read(filepath.Join(own, rootFile))
		used, unused := os.Stat(filepath.Join(own, "refs.db"))
		if unread != nil || unused == nil && now.Sub(used.ModTime()) < abandoned {
			continue
		}
		if _, gone := os.Stat(string(root)); errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, os.RemoveAll(own))
		}
	}
	return err
}
