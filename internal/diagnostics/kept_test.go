package diagnostics

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
)

// grave makes a finding on a line, counted from 0.
func grave(line uint32, severity protocol.Severity, message string) protocol.Diagnostic {
	return protocol.Diagnostic{Range: protocol.Range{Start: protocol.Position{Line: line}}, Severity: severity, Message: message}
}

// A project that a file is not in is not loaded if a file that says what the project is has an error, the
// first of which is told: not one with warnings alone, nor another file, nor the project of the file itself.
func TestProjectsThatAreNotLoadedBeside(t *testing.T) {
	path := func(name string) string { return lsptest.Rooted("/w/" + name) }
	for name, c := range map[string]struct {
		files map[string][]protocol.Diagnostic
		want  string
	}{
		"none":          {nil, ""},
		"of its own":    {map[string][]protocol.Diagnostic{"own/toy.json": {grave(0, protocol.SeverityError, "wrong")}}, ""},
		"another file":  {map[string][]protocol.Diagnostic{"lib/a.toy": {grave(0, protocol.SeverityError, "wrong")}}, ""},
		"warnings":      {map[string][]protocol.Diagnostic{"lib/toy.json": {grave(0, protocol.SeverityWarning, "odd")}}, ""},
		"an error":      {map[string][]protocol.Diagnostic{"lib/toy.json": {grave(0, protocol.SeverityWarning, "odd"), grave(6, protocol.SeverityError, "wrong")}}, "lib/toy.json:7: wrong"},
		"a like folder": {map[string][]protocol.Diagnostic{"ow/toy.json": {grave(0, protocol.SeverityError, "wrong")}}, "ow/toy.json:1: wrong"},
		"several": {map[string][]protocol.Diagnostic{
			"lib/toy.json": {grave(1, protocol.SeverityError, "b"), grave(1, protocol.SeverityError, "a")}, "more/toy.json": {grave(0, protocol.SeverityError, "a")}, "own/toy.json": {grave(0, protocol.SeverityError, "a")},
		}, "lib/toy.json:2: a"},
		"a long one": {map[string][]protocol.Diagnostic{"lib/toy.json": {grave(0, protocol.SeverityError, strings.Repeat("é", 300))}}, "lib/toy.json:1: " + strings.Repeat("é", 200)},
	} {
		s := newStream(Key{ID: "toy"}, nil)
		s.projectFiles = []string{"toy.json"}
		for file, items := range c.files {
			s.fileLocked(path(file)).items = items
		}
		if c.want != "" {
			c.want = "the project is not loaded: " + strings.Replace(c.want, "/", string(filepath.Separator), 1)
		}
		if got := s.unloadedBeside(path("own/sub/a.toy")); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Of what is owed to a session the last debts are kept, and so are those of all sessions together.
func TestDebtsAreBounded(t *testing.T) {
	c := New(Options{})
	t.Cleanup(c.Close)
	kept := func(session string) (paths []string) {
		for _, d := range c.debts {
			if d.session == session {
				paths = append(paths, d.file.Path)
			}
		}
		return paths
	}
	add := func(session string, n int) {
		for i := range n {
			c.addDebt(debt{session: session, file: File{Path: fmt.Sprint(i)}})
		}
	}
	add("other", 1)
	add("own", 53)
	own := kept("own")
	if diff := cmp.Diff([]string{"50", "3", "52"}, []string{fmt.Sprint(len(own)), own[0], own[len(own)-1]}); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"0"}, kept("other")); diff != "" {
		t.Error(diff)
	}
	for i := range 949 {
		add(fmt.Sprint("session ", i), 1)
	}
	if len(c.debts) != 1000 || len(kept("other")) != 1 || len(kept("own")) != 50 {
		t.Errorf("%d are kept, of the first session %q", len(c.debts), kept("other"))
	}
	add("one more", 1)
	if len(c.debts) != 1000 || kept("other") != nil || len(kept("own")) != 50 {
		t.Errorf("%d are kept, of the first session %q", len(c.debts), kept("other"))
	}
}

// Findings of two lists are one where they say the same at the same place.
func TestFindingsOfBothLists(t *testing.T) {
	finding := func(line uint32, message string) Diagnostic {
		return Diagnostic{Diagnostic: grave(line, protocol.SeverityError, message)}
	}
	a, b := []Diagnostic{finding(1, "x"), finding(2, "y")}, []Diagnostic{finding(1, "x"), finding(1, "y"), finding(3, "x")}
	if diff := cmp.Diff([]Diagnostic{a[0], a[1], b[1], b[2]}, union(a, b)); diff != "" {
		t.Error(diff)
	}
}
