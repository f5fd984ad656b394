package symbols

import (
	"path/filepath"
	"testing"

	"github.com/lspine/lspine/internal/lsptest"
)

// several is a server that judges several projects.
type several struct {
	*fake
	roots []string
	begun map[string]int
}

func (s *several) Roots() []string            { return s.roots }
func (s *several) BegunSince() map[string]int { return s.begun }
func (s *several) Root() string               { return "" }

// A server of several projects knows more than open files if it finds the others of one
// of them.
func TestFilesOfSeveralProjects(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	lsptest.WriteFile(t, filepath.Join(with, "build", "all.json"), "")
	for _, c := range []struct {
		loadsBy, roots []string
		want           string
	}{
		{nil, []string{without}, ""},
		{[]string{"all.json", "build/all.json"}, []string{without}, "all.json"},
		{[]string{"all.json", "build/all.json"}, []string{without, with}, ""},
	} {
		s := &several{fake: newFake("a.go", ""), roots: c.roots}
		s.def.LoadsBy = c.loadsBy
		if got := ofOpenFiles(s); got != c.want {
			t.Errorf("by %q in %q: %q, want %q", c.loadsBy, c.roots, got, c.want)
		}
	}
}

// What a server loads for a project that is new is what it begins after that.
func TestLoadsOfTheLastProject(t *testing.T) {
	s := &several{fake: newFake("a.go", ""), begun: map[string]int{"indexing": 2, "checking": 5}}
	if got := loadsOfLast(s); got != 2 {
		t.Errorf("%d loads, want 2", got)
	}
	s.begun = map[string]int{"indexing": 0}
	if got := loadsOfLast(s); got != 0 {
		t.Errorf("%d loads, want 0", got)
	}
}
