package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Where folders cannot be watched, or changes are not heard of in time, looks
// tell all the same, and the workspace says why they are not cheap.
func TestLookWithoutWatching(t *testing.T) {
	for _, c := range []struct {
		name, want string
		adjust     func(*watching)
	}{
		{"untrusted", "somewhere far", func(s *watching) { s.distrust = func(string) string { return "somewhere far" } }},
		{"no more watches", "no space left", func(s *watching) {
			s.add = func(x *fsnotify.Watcher, dir string) error {
				if filepath.Base(dir) == "deep" {
					return syscall.ENOSPC
				}
				return x.Add(dir)
			}
		}},
		{"too many folders", "more than 2 folders", func(s *watching) { s.folders = 2 }},
		{"late", "not heard of in time", func(s *watching) { s.patience, s.misses = 0, 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, "-- a.toy --\n-- sub/deep/b.toy --\n-- z/c.toy --\n", Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}})
			c.adjust(&w.watching)
			if well, why := w.Watching(); well || !strings.Contains(why, "first look") || !w.CanWatch() {
				t.Errorf("before: %t, %s, can: %t", well, why, w.CanWatch())
			}
			w.takePicture()
			for _, name := range []string{"a.toy", "sub/deep/b.toy", "z/c.toy"} {
				path := filepath.Join(w.Root(), name)
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				swept, err := w.Look(t.Context(), nil)
				if err != nil || len(swept.Deleted) != 1 || swept.Deleted[0] != path {
					t.Errorf("%+v, %v", swept, err)
				}
			}
			if well, why := w.Watching(); well || !strings.Contains(why, c.want) || w.CanWatch() {
				t.Errorf("after: %t, %s, can: %t", well, why, w.CanWatch())
			}
		})
	}
}

// After changes went by unheard all is looked at, and watched again.
func TestLookAfterOverflow(t *testing.T) {
	a := seat(t, "-- sub/a.toy --\n1\n")
	x := a.tree.watcher
	if err := x.events.Remove(a.path("sub")); err != nil {
		t.Fatal(err)
	}
	a.write("sub/a.toy", "22\n")
	x.miss(fsnotify.ErrEventOverflow)
	a.look("changed sub/a.toy")
	a.write("sub/a.toy", "333\n")
	a.look("changed sub/a.toy")

	// More than anybody wants to remember is the same.
	x.mu.Lock()
	x.conditions.folders = 3
	x.mu.Unlock()
	for _, name := range []string{"1.toy", "2.toy", "p/3.toy"} {
		a.write(name, "")
	}
	if err := x.fence(t.Context()); err != nil || !x.news.all {
		t.Errorf("%+v, %v", x.news, err)
	}
	x.mu.Lock()
	x.conditions.folders = 100
	x.mu.Unlock()
	a.look("created 1.toy", "created 2.toy", "created p/3.toy")

	x.miss(errors.New("it broke"))
	a.write("sub/a.toy", "4444\n")
	a.look("changed sub/a.toy")
	if well, why := a.Watching(); well || !strings.Contains(why, "it broke") {
		t.Errorf("%t, %s", well, why)
	}
	a.write("sub/a.toy", "55555\n")
	a.look("changed sub/a.toy")
}

// The queue of the kernel really overflows when nobody listens.
func TestLookAfterAFlood(t *testing.T) {
	a := seat(t, "-- sub/a.toy --\n1\n")
	limit := 0
	content, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if _, scanned := fmt.Sscan(string(content), &limit); err != nil || scanned != nil || limit > 1_000_000 {
		lsptest.Skip(t, "the queue is endless")
	}
	x := a.tree.watcher
	x.mu.Lock() // so listen waits
	for i := range limit + 5000 {
		// Two names, because equal events become one.
		if err := os.Chmod(a.path([]string{"first.toy", "toy.root"}[i%2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.write("sub/new/b.toy", "1\n")
	x.mu.Unlock()
	a.look("changed first.toy", "created sub/new/b.toy") // another mode may be all that changed, but that does not show
	a.write("sub/new/b.toy", "22\n")
	a.look("changed sub/new/b.toy")
}

// A folder that may not be watched is, once it may.
func TestLookAtAForbiddenFolder(t *testing.T) {
	a := seat(t, "")
	allowed := false
	a.tree.watcher.conditions.add = func(x *fsnotify.Watcher, dir string) error {
		if filepath.Base(dir) == "secret" && !allowed {
			return syscall.EACCES
		}
		return x.Add(dir)
	}
	a.write("secret/a.toy", "1\n")
	a.look("created secret/a.toy")
	allowed = true
	if err := os.Chmod(a.path("secret"), 0o700); err != nil {
		t.Fatal(err)
	}
	a.look()
	a.write("secret/a.toy", "22\n")
	a.look("changed secret/a.toy")
	if well, why := a.Watching(); !well {
		t.Error("nobody watches:", why)
	}
}

// A folder of another file system ends the watch, because others may change it.
func TestOtherDeviceIsNotWatched(t *testing.T) {
	a := seat(t, "")
	info, err := os.Stat("/proc")
	if err != nil || device(info) == device(a.tree.root) {
		lsptest.Skip(t, "there is one file system")
	}
	a.tree.mu.Lock()
	root := a.tree.root
	a.checkDeviceLocked(&watcher{}, a.path("mnt"), info) // another watcher than the present one
	a.checkDeviceLocked(a.tree.watcher, a.path("sub"), root)
	a.tree.root = nil
	a.checkDeviceLocked(a.tree.watcher, a.path("mnt"), info) // nobody knows the root's
	a.tree.root = root
	if a.tree.watcher == nil {
		t.Error("nobody watches any more:", a.tree.blind)
	}
	a.checkDeviceLocked(a.tree.watcher, a.path("mnt"), info)
	a.tree.mu.Unlock()
	if well, why := a.Watching(); well || why != "mnt is on another file system" {
		t.Errorf("%t, %s", well, why)
	}
}

// A fence is passed by its own marker alone: not by that of one that began before
// or after it, nor by anything else that is heard of.
func TestFenceWaitsForItsOwn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	x := &watcher{conditions: watchingWell, dir: t.TempDir(), awaiting: make(map[string]*marker), matters: func(string) bool { return true }}
	x.conditions.patience = patience
	passed := make([]chan error, 3)
	begin := func(i int, marker string) {
		passed[i] = make(chan error, 1)
		go func() { passed[i] <- x.fence(ctx) }()
		lsptest.Eventually(t, patience, func() bool {
			x.mu.Lock()
			defer x.mu.Unlock()
			return x.awaiting[filepath.Join(x.dir, marker)] != nil
		}, "fence %d", i)
	}
	hear := func(op fsnotify.Op, name ...string) {
		x.hear(fsnotify.Event{Name: filepath.Join(append([]string{x.dir}, name...)...), Op: op})
	}
	for i := range passed {
		begin(i, fmt.Sprint(i+1))
	}
	hear(fsnotify.Create, "1")
	hear(fsnotify.Write, "sub", "1")
	hear(fsnotify.Write, "2")
	if err := <-passed[1]; err != nil {
		t.Error(err)
	}
	begin(1, "2") // it is used again
	hear(fsnotify.Write, "2")
	if err := <-passed[1]; err != nil {
		t.Error(err)
	}
	cancel()
	for _, i := range []int{0, 2} {
		if err := <-passed[i]; !errors.Is(err, context.Canceled) {
			t.Errorf("fence %d: %v", i, err)
		}
	}
	// Those given up are not used again before they were heard of.
	if ctx = t.Context(); len(x.idle) != 1 || len(x.awaiting) != 2 {
		t.Errorf("idle %v, awaiting %v", x.idle, x.awaiting)
	}
	begin(0, "2")
	begin(1, "4")
	hear(fsnotify.Write, "1")
	begin(2, "1")
	x.miss(errors.New("it broke"))
	for i := range passed {
		if err := <-passed[i]; err != nil {
			t.Errorf("fence %d after a miss: %v", i, err)
		}
	}
	if len(x.awaiting) > 0 || len(x.idle) > 0 {
		t.Errorf("idle %v, awaiting %v", x.idle, x.awaiting)
	}
}

// Closing ends the watcher, also in the middle of looks, and removes its folder;
// nobody watches after it.
func TestCloseEndsWatching(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
	dir := a.tree.watcher.dir
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if _, err := a.Look(t.Context(), nil); err != nil && !errors.Is(err, errClosed) {
					t.Error(err)
				}
			}
		})
	}
	if err := a.Close(t.Context()); err != nil {
		t.Error(err)
	}
	all.Wait()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
	if well, why := a.Watching(); well || why != errClosed.Error() {
		t.Errorf("%t, %s", well, why)
	}
}

// A panic of what listens to the disk ends that watcher: each look is a sweep then. One
// under the lock of the picture, or beside a look, is an error of that look.
func TestPanicAroundAWatcher(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
	x := a.tree.watcher
	_, err := a.told(t.Context(), func(func(*telling)) {
		a.tree.mu.Lock()
		defer a.tree.mu.Unlock()
		panic("looked")
	})
	if err == nil || !strings.Contains(err.Error(), "looked") {
		t.Error(err)
	}
	beside := &telling{}
	a.beside(beside, func() error { panic("told") })
	if _, err := beside.wait(t.Context()); err == nil || !strings.Contains(err.Error(), "told") {
		t.Error(err)
	}
	x.mu.Lock()
	x.matters = func(string) bool { panic("heard") }
	x.mu.Unlock()
	a.write("a.toy", "22\n")
	a.look("changed a.toy")
	if well, why := a.Watching(); well || !strings.Contains(why, "heard") {
		t.Errorf("%t, %s", well, why)
	}
}

// A watcher that was late too often is tried again after a rest: a busy machine is not
// busy for ever.
func TestLateWatcherRecovers(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	w := open(t, "-- a.toy --\n1\n", Options{
		Servers: registry.Table{lsptest.Script{}.Definition(t)}, Now: func() time.Time { return now },
	})
	look := func() {
		t.Helper()
		if _, err := w.Look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	healthy := w.watching
	w.watching.patience, w.watching.misses = 0, 1
	lsptest.Eventually(t, patience, func() bool {
		look()
		well, why := w.Watching()
		return !well && why == errLate.Error()
	}, "a fence is late")
	w.watching = healthy
	now = now.Add(healthy.rest - 1)
	if look(); w.tree.watcher != nil || w.CanWatch() {
		t.Error("it is tried again at once")
	}
	if now = now.Add(1); !w.CanWatch() {
		t.Error("it is not tried again")
	}
	look()
	if well, why := w.Watching(); !well {
		t.Error("it does not recover:", why)
	}
	if err := os.Remove(filepath.Join(w.Root(), "a.toy")); err != nil {
		t.Fatal(err)
	}
	swept, err := w.Look(t.Context(), nil)
	if diff := cmp.Diff([]string{filepath.Join(w.Root(), "a.toy")}, swept.Deleted); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
