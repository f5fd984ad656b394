package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// While another installation holds the store nothing is removed, and who waits for it gives up when it is told to. What an
// installation left that was interrupted goes as soon as the store is held again.
func TestWhileTheStoreIsHeld(t *testing.T) {
	s := stocked(t, map[string]manifest{"a": withServers("1", 1, "toy")})
	left := filepath.Join(s.dir, unfinished+"1")
	unlock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lsptest.WriteFile(t, filepath.Join(left, "x"), "")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, remove := range map[string]func() error{
		"one": func() error { _, err := s.Remove(canceled, "toy"); return err },
		"all": func() error { return s.RemoveAll(canceled) },
	} {
		if err := remove(); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "waiting for another installation: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(1, len(s.List())); diff != "" {
		t.Errorf("what is installed: %s", diff)
	}
	unlock()
	again, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again()
	if _, err := os.Stat(left); err == nil {
		t.Error("what was left of an installation is there")
	}
	if err := s.RemoveAll(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("the store is there")
	}
}

// A store without a folder has nothing, and nothing is removed from it; one whose folder is a file is told, and that stays.
func TestStoresThatAreNone(t *testing.T) {
	none := NewStore("")
	if list, path := none.List(), none.Dir(); list != nil || path != "" {
		t.Errorf("%v in %q", list, path)
	}
	if path, runs := none.Find("gopls"); path != "" || runs != nil {
		t.Errorf("found %s, run with %q", path, runs)
	}
	none.Hold("gopls")()
	if err := none.RemoveAll(t.Context()); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	lsptest.WriteFile(t, file, "mine")
	if err := NewStore(file).RemoveAll(t.Context()); err == nil {
		t.Error("a file is removed as a store")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
}
