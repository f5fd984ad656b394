package fspath_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/fspath"
	"github.com/lspine/lspine/internal/lsptest"
)

// States of a file that differ in nothing but their texts are told apart, whether the file was written or replaced; a file that
// nobody touches keeps its state.
func TestChangeOfAFile(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	dir := t.TempDir()
	file, draft := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	long := time.Now().Add(-time.Hour)
	seen := make(map[uint64]string)
	for _, step := range []struct{ name, written string }{{"at first", file}, {"written", file}, {"replaced", draft}} {
		lsptest.WriteFile(t, step.written, step.name[:2])
		if err := os.Chtimes(step.written, long, long); err != nil {
			t.Fatal(err)
		}
		if step.written == draft {
			if err := os.Rename(draft, file); err != nil {
				t.Fatal(err)
			}
		}
		var states [2]uint64
		for i := range states {
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			states[i] = fspath.Change(info)
		}
		if former := seen[states[0]]; former != "" || states[0] != states[1] {
			t.Errorf("%s: %v, %q", step.name, states, former)
		}
		seen[states[0]] = step.name
		lsptest.Tick(t)
	}
}
