package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/lspine/lspine/internal/project"
)

// bellRest is how long nothing must happen before a Bell rings: who saves many files wants
// one ring.
const bellRest = 50 * time.Millisecond

// A Bell waits for changes of files below a folder, whoever makes them. Folders that are never
// diagnosed, or that only tools use, are not watched. A Bell is for one goroutine.
type Bell struct {
	events *fsnotify.Watcher
	root   string
}

// A DeafError says that changes below a folder cannot be watched.
type DeafError struct {
	Root  string
	Cause error
}

func (e *DeafError) Error() string {
	return fmt.Sprintf("changes below %s cannot be listened to: %v", e.Root, e.Cause)
}

func (e *DeafError) Unwrap() error { return e.Cause }

// NewBell returns a Bell that watches from now on. The caller must close it. The error is a
// *[DeafError].
func NewBell(root string) (*Bell, error) {
	// Elsewhere what distrust says is about fences.
	if why := distrust(root); why != "" && runtime.GOOS == "linux" {
		return nil, &DeafError{root, errors.New(why)}
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, &DeafError{root, err}
	}
	b := &Bell{events, root}
	if err := b.add(root); err != nil {
		_ = events.Close()
		return nil, &DeafError{root, err}
	}
	return b, nil
}

// add listens to a folder and those in it. What is gone meanwhile, or may not be read, has
// nothing to say; but the root must be there.
func (b *Bell) add(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil && path == b.root:
			return err
		case err != nil:
			return nil
		case !entry.IsDir():
			return nil
		case path != b.root && (slices.Contains(Skipped, entry.Name()) || project.HoldsNow(path) == project.HoldsScratch):
			return filepath.SkipDir
		}
		err = b.events.Add(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil
		}
		return err
	})
}

// Wait returns nil when something has changed since it last returned (or since the Bell was
// made), and then nothing more for a moment. It returns ctx.Err() when ctx ends first, and a
// *[DeafError] when changes can no longer be watched.
func (b *Bell) Wait(ctx context.Context) error {
	var rest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-rest:
			return nil
		case err := <-b.events.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return &DeafError{b.root, err}
			}
		case e := <-b.events.Events:
			if e.Op == fsnotify.Chmod || slices.Contains(Skipped, filepath.Base(e.Name)) {
				continue
			}
			if e.Has(fsnotify.Create) {
				if err := b.add(e.Name); err != nil {
					return &DeafError{b.root, err}
				}
			}
		}
		rest = time.After(bellRest)
	}
}

// Close stops watching.
func (b *Bell) Close() error { return b.events.Close() }
