package symbols

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
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

func (s *several) Open(context.Context, string, string) (Server, error) { return s, nil }

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

// A server that knows open files alone says so with what it knows of the project, and only then.
func TestAnswersOfOpenFilesAreMarked(t *testing.T) {
	for name, c := range map[string]struct {
		loadsBy []string
		want    []string
	}{"it knows the project": {nil, nil}, "it does not": {[]string{"all.json"}, []string{"fakels knows only open files here: there is no all.json"}}} {
		f := newFake("a.go", "f\n")
		f.references = func(context.Context, string, protocol.Position) ([]protocol.Location, error) {
			return located(Place{here("/r/a.go"), span(0, 0, 0, 1)}), nil
		}
		s := &several{fake: f, roots: []string{t.TempDir()}}
		s.def.LoadsBy = c.loadsBy
		q := New(s)
		if _, err := q.References(t.Context(), Target{Path: here("/r/a.go"), Name: "f"}, true); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Outline(t.Context(), here("/r/a.go")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, q.Notes()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A line, a column or a pattern means nothing without the file that it is in.
func TestSelectorsOfNoFile(t *testing.T) {
	for _, s := range []Selector{{Symbol: "f", Line: 3}, {Symbol: "f", Column: 3}, {Symbol: "f", Pattern: "@@f"}} {
		var wrong *SelectorError
		if _, err := New(newFake()).Resolve(t.Context(), s); !errors.As(err, &wrong) || wrong.Argument != "file" {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
