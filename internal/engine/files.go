package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/refcache"
	"github.com/lspine/lspine/internal/registry"
)

// prepareWriting sets up what may be edited, and finishes or rolls back writes that another process
// left unfinished. It returns the folder that records unfinished writes.
func (e *Engine) prepareWriting() (journal string, err error) {
	tree, err := edit.NewTree(int64(e.opts.Config.Settings.MaxFileBytes), e.Root())
	if err != nil {
		return "", err
	}
	e.tree, e.files = tree, editable{tree, e.names.Base()}
	state, err := e.stateFolder()
	if err != nil {
		return e.aloneJournal()
	}
	journal = filepath.Join(state, "journal", edit.Hash([]byte(e.Root()))[:16])
	if _, err := os.Stat(journal); err != nil {
		return journal, nil // nothing was ever written here
	}
	// The next commit reports what cannot be finished now.
	_, _ = edit.Recover(context.Background(), journal, e.Root())
	return journal, nil
}

// stateFolder returns the folder for what outlives the process.
func (e *Engine) stateFolder() (string, error) {
	if e.opts.State != "" {
		return e.opts.State, nil
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "lspine"), err
}

// openReferences returns the cache of answers, nil if there is none.
func (e *Engine) openReferences(servers registry.Table) *refcache.Cache {
	folder, err := e.stateFolder()
	if err != nil || e.opts.Config.Settings.ReferenceCache == config.ReferenceCacheOff {
		return nil
	}
	return refcache.New(refcache.Options{
		Workspace: e.workspace, Servers: servers, Folder: folder, Version: e.opts.Version, Once: e.opts.Once,
		NoIndexes: e.opts.Config.Settings.Indexes == config.IndexesOff, AlwaysIndexes: e.opts.Config.Settings.Indexes == config.IndexesAlways,
	})
}

// aloneJournal returns a new folder for the journal of edits of a user who has no folder of his own. It is where nobody
// can have put a journal before, which would move files: what a crash leaves is therefore not found by the next process.
func (e *Engine) aloneJournal() (journal string, err error) {
	e.journalAlone, err = os.MkdirTemp("", "lspine-journal-")
	return e.journalAlone, err
}

// leaveJournal removes the folder of this engine alone, unless edits are left in it that could not be undone.
func (e *Engine) leaveJournal() {
	if e.journalAlone == "" {
		return
	}
	if left, err := filepath.Glob(filepath.Join(e.journalAlone, "edit-*")); err == nil && len(left) == 0 {
		_ = os.RemoveAll(e.journalAlone) // it holds nothing
	}
}

// editable is the files of the workspace, named as the caller names them.
type editable struct {
	*edit.Tree
	base string
}

// Resolve implements [edit.Files].
func (f editable) Resolve(path string) (string, error) {
	if path == "" {
		return f.Tree.Resolve(path) // its error says what is wrong with the path
	}
	absolute, err := fspath.Named(f.base, path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return f.Tree.Resolve(absolute)
}
