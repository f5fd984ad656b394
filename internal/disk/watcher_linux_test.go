package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// After changes went by unheard all is looked at, and watched again.
func TestLookAfterOverflow(t *testing.T) {
	a := seat(t, "-- sub/a.toy --\n1\n")
	x := a.watcher
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
	x.conditions.Folders = 3
	x.mu.Unlock()
	for _, name := range []string{"1.toy", "2.toy", "p/3.toy"} {
		a.write(name, "")
	}
	if err := x.Fence(t.Context()); err != nil || !x.news.All {
		t.Errorf("%+v, %v", x.news, err)
	}
	x.mu.Lock()
	x.conditions.Folders = 100
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
	a := seat(t, "-- second.toy --\n-- sub/a.toy --\n1\n")
	limit := 0
	content, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if _, scanned := fmt.Sscan(string(content), &limit); err != nil || scanned != nil || limit > 1_000_000 {
		lsptest.Skip(t, "the queue is endless")
	}
	x := a.watcher
	x.mu.Lock() // so listen waits
	for i := range limit + 5000 {
		// Two names, because equal events become one.
		if err := os.Chmod(a.path([]string{"first.toy", "second.toy"}[i%2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.write("sub/new/b.toy", "1\n")
	x.mu.Unlock()
	a.look("changed first.toy", "changed second.toy", "created sub/new/b.toy") // another mode may be all that changed, but that does not show
	a.write("sub/new/b.toy", "22\n")
	a.look("changed sub/new/b.toy")
}

// A folder that may not be watched is, once it may.
func TestLookAtAForbiddenFolder(t *testing.T) {
	a := seat(t, "")
	allowed := false
	a.watcher.conditions.Add = func(x *fsnotify.Watcher, dir string) error {
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
	if err != nil || device(info) == device(a.root) {
		lsptest.Skip(t, "there is one file system")
	}
	root := a.root
	a.checkDevice(&Watcher{}, a.path("mnt"), info) // another watcher than the present one
	a.checkDevice(a.watcher, a.path("sub"), root)
	a.root = nil
	a.checkDevice(a.watcher, a.path("mnt"), info) // nobody knows the root's
	a.root = root
	if a.watcher == nil {
		t.Error("nobody watches any more:", a.blind)
	}
	a.checkDevice(a.watcher, a.path("mnt"), info)
	if well, why := a.Watching(); well || why != "mnt is on another file system" {
		t.Errorf("%t, %s", well, why)
	}
}

// A fence is passed by its own marker alone: not by that of one that began before
// or after it, nor by anything else that is heard of.
func TestFenceWaitsForItsOwn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	x := &Watcher{conditions: Usual, dir: t.TempDir(), awaiting: make(map[string]*marker), matters: func(string) bool { return true }}
	x.conditions.Patience = patience
	passed := make([]chan error, 3)
	begin := func(i int, marker string) {
		passed[i] = make(chan error, 1)
		go func() { passed[i] <- x.Fence(ctx) }()
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

// What was touched since a mark is no longer known once it is not kept in mind, and not before the first picture, in one that
// has not all files, or without a watcher.
func TestTouchedIsNotKnown(t *testing.T) {
	a := seat(t, "")
	_, mark, _ := a.Touched(0)
	if _, _, ok := a.Touched(mark); !ok {
		t.Error("nothing happened, and it is not known")
	}
	for range maxChanged + 1 {
		a.Note(a.path("first.toy"), protocol.Changed)
	}
	if _, _, ok := a.Touched(mark); ok {
		t.Error("what is no longer kept in mind is known")
	}
	for _, c := range []struct {
		name  string
		count int
		taken bool
		blind string
	}{
		{"in a tree that is too large", MaxFiles, true, ""},
		{"before a look", 7, false, ""},
		{"without a watcher", 7, true, "of a test"},
	} {
		if a.count, a.taken = c.count, c.taken; c.blind != "" {
			a.Blind(c.blind)
		}
		if touched, now, ok := a.Touched(0); touched != nil || now != 0 || ok {
			t.Errorf("%s it is known: %q, %d, %v", c.name, touched, now, ok)
		}
	}
}

// A watcher that panics is of no use any more: its end is the error of each fence, and looks compare.
func TestPanicOfAWatcher(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
	x := a.watcher
	x.mu.Lock()
	x.matters = func(string) bool { panic("heard") }
	x.mu.Unlock()
	a.write("a.toy", "22\n")
	a.look("changed a.toy")
	if well, why := a.Watching(); well || !strings.Contains(why, "heard") {
		t.Errorf("%t, %s", well, why)
	}
}

// The end of a watcher removes its folder.
func TestWatcherLeavesNothing(t *testing.T) {
	a := seat(t, "")
	dir := a.watcher.dir
	a.Blind("over")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
	if a.Blind("again"); a.Watch() != nil || a.blind != "over" {
		t.Errorf("it is %q", a.blind)
	}
}
