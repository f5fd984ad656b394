package gate

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// lookAgain is how often a file is looked at although no event told of a change: events do not tell what other machines change on
	// a network's file system, nor that a folder above was exchanged.
	lookAgain = 5 * time.Second
	// eventRest is how long after an event a file is looked at: who writes it may not be done.
	eventRest = 50 * time.Millisecond
	// maxLinks is how many links are followed to a file, as Linux does.
	maxLinks = 40
)

// A follower is an authority that takes tokens back by itself, while it is followed: until ctx ends. Others only look when they are asked.
type follower interface {
	follow(ctx context.Context)
}

// follow has an authority take back, until ended is called, what it does not know any more.
func (a Authority) follow(ctx context.Context) (ended func()) {
	of, ok := a.of.(follower)
	if !ok {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() { // received when it is ended
		defer close(done)
		of.follow(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

func (f *tokenFile) follow(ctx context.Context) {
	if runtime.GOOS != "linux" { // elsewhere, watching a folder opens each file in it, or keeps it from being removed
		f.lookWhen(ctx, nil)
		return
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		f.log.Warn("changes of the token file are noticed late", "within", lookAgain, "error", err)
		f.lookWhen(ctx, nil)
		return
	}
	defer func() { _ = events.Close() }() // it was only read
	f.lookWhen(ctx, events)
}

// lookWhen reads the file again when events, which may be nil, or the clock say that it may have changed, until ctx ends.
func (f *tokenFile) lookWhen(ctx context.Context, events *fsnotify.Watcher) {
	var told <-chan fsnotify.Event
	var missed <-chan error
	if events != nil {
		told, missed = events.Events, events.Errors
	}
	clock := time.NewTicker(lookAgain)
	defer clock.Stop()
	for {
		if events != nil {
			watchFolders(events, foldersTo(f.path)) // before the look, so nothing comes between them
		}
		f.refresh()
		var rest <-chan time.Time
		for looked := false; !looked; {
			select {
			case <-ctx.Done():
				return
			case <-clock.C:
				looked = true
			case <-rest:
				looked = true
			case <-told:
				if rest == nil {
					rest = time.After(eventRest)
				}
			case <-missed: // such as an overflow: what it did not tell may be about the file
				if rest == nil {
					rest = time.After(eventRest)
				}
			}
		}
	}
}

// foldersTo returns the folders in which something changes when another file takes the place of the one at path: its own, and
// that of each file to which links lead. So Kubernetes exchanges secrets: it gives the link ..data another target.
func foldersTo(path string) (folders []string) {
	for range maxLinks {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return folders
		}
		folders = append(folders, filepath.Dir(path), folder)
		target, err := os.Readlink(path)
		if err != nil {
			return folders
		}
		if path = target; !filepath.IsAbs(target) {
			path = filepath.Join(folder, target)
		}
	}
	return folders
}

// watchFolders has events tell of changes in folders, and in no others. What cannot be watched is left to the clock.
func watchFolders(events *fsnotify.Watcher, folders []string) {
	for _, former := range events.WatchList() {
		if !slices.Contains(folders, former) {
			_ = events.Remove(former) // it may be gone
		}
	}
	for _, folder := range folders {
		_ = events.Add(folder)
	}
}
