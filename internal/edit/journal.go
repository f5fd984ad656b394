package edit

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/lspine/lspine/internal/fspath"
)

// The phases of a commit are the suffix of its journal, so that the step from
// one to the next is a rename, which is all or nothing.
const (
	preparing = ".preparing" // temporary files may be there; no file is moved
	moving    = ".moving"    // some files may be moved: all go back
	decided   = ".decided"   // all files are moved: what is left is taken away
)

const (
	journalPrefix = "edit-"
	tempPrefix    = ".lspine-" // of files beside the edited ones
	tempSuffix    = ".tmp"
)

// A move is what a commit does at one path.
type move struct {
	Path   string `json:"path"`
	Temp   string `json:"temp,omitempty"`   // where the new content waits
	Backup string `json:"backup,omitempty"` // where the old one is kept
	// Spelled is the name that the file at Path gets at last, which differs in the case of
	// letters alone and means the same file; "" for none.
	Spelled string `json:"spelled,omitempty"`
	Before  string `json:"before,omitempty"` // hash; "" for no file
	After   string `json:"after,omitempty"`
}

// A journal says of one commit what a crash may leave. It is written before
// anything else, and taken away at the end.
type journal struct {
	Moves   []move   `json:"moves"`
	Made    []string `json:"made,omitempty"`    // folders, parents first
	Removed []string `json:"removed,omitempty"` // folders to go if empty, parents last

	dir, id, phase string
}

// newJournal names the temporary files and backups of the targets, with keeps one of
// each. Nothing is written yet.
func newJournal(dir string, targets []*target, folders map[string]bool, keeps bool) (*journal, error) {
	j := &journal{dir: dir, id: rand.Text()[:10]}
	made := make(map[string]bool)
	for i, t := range targets {
		name := filepath.Join(filepath.Dir(t.Path), fmt.Sprintf("%s%s-%d", tempPrefix, j.id, i))
		if t.After != "" {
			t.Temp = name + tempSuffix
			if err := missingFolders(filepath.Dir(t.Path), made); err != nil {
				return nil, err
			}
		}
		// One file that is overwritten is replaced at once: no need to go back.
		if t.Before != "" && (keeps || len(targets) > 1 || t.After == "" || t.Spelled != "") {
			t.Backup = name + "-old" + tempSuffix
		}
		j.Moves = append(j.Moves, t.move)
	}
	for folder, stands := range folders {
		if !stands {
			j.Removed = append(j.Removed, folder)
		} else if err := missingFolders(folder, made); err != nil {
			return nil, err
		}
	}
	j.Made = slices.Sorted(maps.Keys(made))
	slices.Sort(j.Removed)
	slices.Reverse(j.Removed)
	return j, nil
}

// missingFolders adds to made the folders that must be made for dir to exist.
func missingFolders(dir string, made map[string]bool) error {
	info, err := os.Lstat(dir)
	switch {
	case err == nil && !info.IsDir():
		return &ConflictError{dir, "it is no folder"}
	case err == nil || made[dir]:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w; nothing was changed", dir, err)
	}
	made[dir] = true
	return missingFolders(filepath.Dir(dir), made)
}

// several reports whether a crash between the steps could be seen.
func (j *journal) several() bool { return len(j.Moves) > 1 }

// folders are those in which names change.
func (j *journal) folders() []string {
	dirs := make(map[string]bool)
	for _, m := range j.Moves {
		dirs[filepath.Dir(m.Path)] = true
	}
	for _, dir := range j.Made {
		dirs[filepath.Dir(dir)] = true
	}
	return slices.Sorted(maps.Keys(dirs))
}

func (j *journal) file(phase string) string {
	return filepath.Join(j.dir, journalPrefix+j.id+phase)
}

// save writes the journal, synced if it is about several files.
func (j *journal) save() (err error) {
	content, err := json.MarshalIndent(j, "", " ")
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.file(".new"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if j.several() {
		err = errors.Join(err, f.Sync())
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return j.mark(preparing)
}

// mark puts the journal into a phase.
func (j *journal) mark(phase string) error {
	from := j.file(".new")
	if j.phase != "" {
		from = j.file(j.phase)
	}
	if err := replaceFile(from, j.file(phase)); err != nil {
		return err
	}
	j.phase = phase
	if j.several() {
		return syncDir(j.dir)
	}
	return nil
}

// drop takes the journal away.
func (j *journal) drop() error {
	err := removeFile(j.file(".new"))
	if j.phase != "" {
		err = removeFile(j.file(j.phase))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readJournals returns the journals in dir. One that was not written whole is
// of a commit that did nothing, and is taken away.
func readJournals(dir string) (journals []*journal, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), journalPrefix)
		phase := filepath.Ext(name)
		switch {
		case !ours:
			continue
		case phase == ".new":
			err = errors.Join(err, removeFile(filepath.Join(dir, e.Name())))
			continue
		case phase != preparing && phase != moving && phase != decided:
			continue
		}
		j, failed := readJournal(filepath.Join(dir, e.Name()))
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		j.dir, j.id, j.phase = dir, strings.TrimSuffix(name, phase), phase
		journals = append(journals, j)
	}
	return journals, err
}

func readJournal(path string) (*journal, error) {
	content, err := fspath.Read(path)
	if err != nil {
		return nil, err
	}
	j := new(journal)
	if err := json.Unmarshal(content, j); err != nil {
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	for _, m := range j.Moves {
		for _, temp := range []string{m.Temp, m.Backup} {
			if temp != "" && (filepath.Dir(temp) != filepath.Dir(m.Path) || !strings.HasPrefix(filepath.Base(temp), tempPrefix)) {
				return nil, fmt.Errorf("journal %s: %s is no temporary file of an edit", path, temp)
			}
		}
	}
	return j, nil
}

// committing has a place for each journal, held by who commits or recovers with it in
// this process: a lock of the operating system is between processes.
var committing sync.Map

// lockRetry is how often a lock that another process has is tried: nobody says when
// it is free.
const lockRetry = 10 * time.Millisecond

// lock makes journalDir and waits for the lock in it. A process that ends, in
// whatever way, gives it back.
func lock(ctx context.Context, journalDir string) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	held, _ := committing.LoadOrStore(filepath.Clean(journalDir), make(chan struct{}, 1))
	place := held.(chan struct{})
	select {
	case place <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for another edit: %w", ctx.Err())
	}
	release, err := lockDir(ctx, journalDir)
	if err != nil {
		<-place
		return nil, err
	}
	return func() { release(); <-place }, nil
}

func lockDir(ctx context.Context, journalDir string) (unlock func(), err error) {
	if err := os.MkdirAll(journalDir, 0o700); err != nil {
		return nil, fmt.Errorf("journal of edits: %w", err)
	}
	lock := flock.New(filepath.Join(journalDir, "edit.lock"), flock.SetPermissions(0o600))
	switch _, err := lock.TryLockContext(ctx, lockRetry); {
	case err == nil:
		return func() { _ = lock.Close() }, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("waiting for the edit of another process: %w", ctx.Err())
	default:
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
}
