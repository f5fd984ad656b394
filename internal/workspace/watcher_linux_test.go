package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/disk"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
)

// Where folders cannot be watched, or changes are not heard of in time, looks
// tell all the same, and the workspace says why they are not cheap.
func TestLookWithoutWatching(t *testing.T) {
	for _, c := range []struct {
		name, want string
		adjust     func(*disk.Conditions)
	}{
		{"untrusted", "somewhere far", func(s *disk.Conditions) { s.Distrust = func(string) string { return "somewhere far" } }},
		{"no more watches", "no space left", func(s *disk.Conditions) {
			s.Add = func(x *fsnotify.Watcher, dir string) error {
				if filepath.Base(dir) == "deep" {
					return syscall.ENOSPC
				}
				return x.Add(dir)
			}
		}},
		{"too many folders", "more than 2 folders", func(s *disk.Conditions) { s.Folders = 2 }},
		{"late", "not heard of in time", func(s *disk.Conditions) { s.Patience, s.Misses = 0, 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, "-- a.toy --\n-- sub/deep/b.toy --\n-- z/c.toy --\n", Options{Servers: registry.Table{lsptest.Script{}.Definition(t)}})
			c.adjust(&w.tree.Conditions)
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

// Closing ends the watcher, also in the middle of looks; nobody watches after it.
func TestCloseEndsWatching(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
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
	if well, why := a.Watching(); well || why != errClosed.Error() {
		t.Errorf("%t, %s", well, why)
	}
}

// A panic under the lock of the picture, or beside a look, is an error of that look.
func TestPanicOfALook(t *testing.T) {
	a := seat(t, "-- a.toy --\n1\n")
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
	healthy := w.tree.Conditions
	w.tree.Conditions.Patience, w.tree.Conditions.Misses = 0, 1
	lsptest.Eventually(t, patience, func() bool {
		look()
		well, why := w.Watching()
		return !well && why == disk.ErrLate.Error()
	}, "a fence is late")
	w.tree.Conditions = healthy
	now = now.Add(healthy.Rest - 1)
	if look(); w.tree.Watcher() != nil || w.CanWatch() {
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
