package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// prepareWriting finds what may be edited, and finishes what another process was
// kept from finishing.
func (e *Engine) prepareWriting() error {
	tree, err := edit.NewTree(int64(e.opts.Config.Settings.MaxFileBytes), e.Root())
	if err != nil {
		return err
	}
	e.files = editable{tree, e.base()}
	state := e.opts.State
	if state == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir() // without a home
		}
		state = filepath.Join(cache, "lspine")
	}
	e.journal = filepath.Join(state, "journal", edit.Hash([]byte(e.Root()))[:16])
	if _, err := os.Stat(e.journal); err != nil {
		return nil // nothing was ever written here
	}
	// What cannot be finished now is said by the next commit.
	_, _ = edit.Recover(context.Background(), e.journal, e.Root())
	return nil
}

// editable are the files of the workspace, named as its users do.
type editable struct {
	*edit.Tree
	base string
}

// Resolve implements [edit.Files].
func (f editable) Resolve(path string) (string, error) {
	if path == "" {
		return f.Tree.Resolve(path) // says what is wrong with it
	}
	absolute, err := workspace.Path(f.base, path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return f.Tree.Resolve(absolute)
}

// handed are the errors of one file that were reported after edits and are still
// there, and how often in a row there were such errors.
type handed struct {
	rounds int
	errors map[string]bool // code and message, without quoted names
}

// count notes which errors of the changed files are handed out, and says in the
// result if that happened too often (03-diagnostics, section 4).
func (ed *edition) count(result *result.Edit) {
	ed.mu.Lock()
	defer ed.mu.Unlock()
	for _, f := range append(result.Files[:len(result.Files):len(result.Files)], result.Others...) {
		if f.Verdict == string(diagnostics.LSPUnavailable) || f.Verdict == string(diagnostics.Unknown) || f.Error != nil {
			continue
		}
		before := ed.handed[f.Path]
		now := handed{errors: make(map[string]bool)}
		for _, d := range f.Diagnostics {
			if d.Severity == "error" {
				now.errors[d.Code+" "+diagnostics.Unnamed(d.Message)] = true
			}
		}
		for _, d := range ed.older[f.Path] {
			if id := d.Code + " " + diagnostics.Unnamed(d.Message); d.Severity == "error" && before.errors[id] {
				now.errors[id] = true
			}
		}
		if len(now.errors) == 0 {
			delete(ed.handed, f.Path)
			continue
		}
		now.rounds = before.rounds + 1
		ed.handed[f.Path] = now
		result.Rounds = max(result.Rounds, now.rounds)
	}
	result.Escalate = result.Rounds > ed.opts.Config.Settings.SelfCorrectionLimit
}
