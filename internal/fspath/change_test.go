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

// A file was touched when its text changed, whatever time it was given: nobody makes it look older.
func TestTouched(t *testing.T) {
	lsptest.NeedTimesOfChange(t)
	began := time.Now().Add(-time.Minute)
	file := filepath.Join(t.TempDir(), "a")
	lsptest.WriteFile(t, file, "text")
	for _, given := range []time.Time{began.Add(-time.Hour), began.Add(time.Hour)} {
		if err := os.Chtimes(file, given, given); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if touched := fspath.Touched(info); touched.Before(began) || touched.Before(info.ModTime()) {
			t.Errorf("given %v, it was touched %v", given, touched)
		}
	}
}
