package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// A bell rings for what is written, made and removed, also in folders that came after it, once
// for all that happened together; folders that are never diagnosed are not listened to.
func TestBell(t *testing.T) {
	root := lsptest.Workspace(t, "-- a.go --\n-- sub/b.go --\n-- .git/index --\n-- sub/node_modules/m/c.js --\n")
	b, err := NewBell(root)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	folders := func() (names []string) {
		for _, dir := range b.events.WatchList() {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(dir, root)))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff([]string{"", "/sub"}, folders()); diff != "" {
		t.Error(diff)
	}
	for _, change := range []func() error{
		func() error { return os.WriteFile(filepath.Join(root, "sub", "b.go"), []byte("package b\n"), 0o644) },
		func() error { return os.Remove(filepath.Join(root, "a.go")) },
		func() error { return os.MkdirAll(filepath.Join(root, "new", "below"), 0o755) },
		func() error {
			return os.WriteFile(filepath.Join(root, "new", "below", "d.go"), []byte("package d\n"), 0o644)
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := b.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"", "/new", "/new/below", "/sub"}, folders()); diff != "" {
		t.Error(diff)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := b.Wait(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing happened, and it says %v", err)
	}
	var deaf *DeafError
	if _, err := NewBell(filepath.Join(root, "nowhere")); !errors.As(err, &deaf) || deaf.Root != filepath.Join(root, "nowhere") {
		t.Errorf("no folder: %v", err)
	}
}
