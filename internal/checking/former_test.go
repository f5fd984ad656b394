package checking

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A new file is a former one at another path if git says so, or if the text is that of one that went,
// which is the former path of nothing else: not where the file was known, nor with another ending or
// without a text.
func TestFormerPathsOfMovedFiles(t *testing.T) {
	type texts = map[string][]byte
	text := []byte("def a\n")
	file := func(path, text string) diagnostics.File { return diagnostics.File{Path: path, Content: []byte(text)} }
	for name, c := range map[string]struct {
		all               subjects
		files             []diagnostics.File
		judged, committed texts
		want              map[string]string
	}{
		"nothing":                       {subjects{}, []diagnostics.File{file("b.toy", "def a\n")}, nil, nil, map[string]string{}},
		"as git says":                   {subjects{from: map[string]string{"b.toy": "a.toy"}, deleted: []string{"c.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"c.toy": text}, nil, map[string]string{"b.toy": "a.toy"}},
		"the text that was judged":      {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"a.toy": text}, nil, map[string]string{"b.toy": "a.toy"}},
		"not the text that was judged":  {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"a.toy": []byte("def b\n")}, texts{"a.toy": text}, map[string]string{}},
		"the committed text":            {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, nil, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
		"of what went otherwise":        {subjects{went: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, nil, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
		"another ending":                {subjects{deleted: []string{"a.txt"}}, []diagnostics.File{file("b.toy", "def a\n")}, nil, texts{"a.txt": text}, map[string]string{}},
		"another text":                  {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def b\n")}, nil, texts{"a.toy": text}, map[string]string{}},
		"no text":                       {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", " \n")}, nil, texts{"a.toy": []byte(" \n")}, map[string]string{}},
		"a file that was judged":        {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"b.toy": nil}, texts{"a.toy": text}, map[string]string{}},
		"a file that was committed":     {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, nil, texts{"b.toy": nil, "a.toy": text}, map[string]string{}},
		"each of what went once":        {subjects{deleted: []string{"a.toy", "c.toy"}}, []diagnostics.File{file("b.toy", "def a\n"), file("d.toy", "def a\n"), file("e.toy", "def a\n")}, nil, texts{"a.toy": text, "c.toy": text}, map[string]string{"b.toy": "a.toy", "d.toy": "c.toy"}},
		"what git says has moved, once": {subjects{from: map[string]string{"b.toy": "a.toy"}, deleted: []string{"a.toy"}}, []diagnostics.File{file("d.toy", "def a\n")}, nil, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
	} {
		if diff := cmp.Diff(c.want, c.all.movedHere(c.files, c.judged, c.committed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What a file is compared with depends on the baseline that is wanted and on where the text from
// before comes from; that text is shown first, unless servers have just judged it, or cannot be shown
// it. A file that stays as it was has no change.
func TestWhatAFileIsComparedWith(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := func(name string) string { return filepath.Join(s.root, name) }
	source := []diagnostics.Source{{Key: diagnostics.Key{ID: "toy", Root: s.root}}}
	type outcome struct {
		File    diagnostics.File
		Before  []diagnostics.File
		Changed bool
	}
	plain := edit.Change{Path: path("a.toy"), Before: []byte("one"), After: []byte("two")}
	same := edit.Change{Path: path("a.toy"), Before: []byte("one"), After: []byte("one")}
	moved := edit.Change{Path: path("a.toy"), From: path("b.toy"), Before: []byte("one"), After: []byte("one")}
	created := edit.Change{Path: path("a.toy"), After: []byte("two"), Created: true}
	binary := edit.Change{Path: path("a.toy"), Before: []byte("\x00"), After: []byte("two")}
	unknown := edit.Change{Path: path("a.toy"), After: []byte{}}
	was := []diagnostics.File{{Path: path("a.toy"), Content: []byte("one"), Sources: source}}
	elsewhere := []diagnostics.File{{Path: path("b.toy"), Content: []byte("one"), Sources: source}, {Path: path("a.toy"), Sources: source}}
	at := func(b diagnostics.Baseline) diagnostics.File {
		return diagnostics.File{Path: path("a.toy"), Sources: source, Baseline: b}
	}
	fromB := at(diagnostics.Head)
	fromB.From = path("b.toy")
	new, newSince := at(""), at(diagnostics.Head)
	new.Created, newSince.Created = true, true
	for name, c := range map[string]struct {
		change         edit.Change
		source, wanted diagnostics.Baseline
		again          bool
		want           outcome
	}{
		"judged before":                      {plain, diagnostics.Session, diagnostics.Session, false, outcome{at(""), nil, true}},
		"judged for another since":           {plain, diagnostics.Session, diagnostics.Session, true, outcome{at(diagnostics.Session), was, true}},
		"judged before, and the same":        {same, diagnostics.Session, diagnostics.Session, false, outcome{at(""), nil, false}},
		"committed":                          {plain, diagnostics.Head, diagnostics.Session, false, outcome{at(diagnostics.Head), was, true}},
		"committed, and the same":            {same, diagnostics.Head, diagnostics.Session, false, outcome{at(""), nil, false}},
		"committed, and the same, if wanted": {same, diagnostics.Head, diagnostics.Head, false, outcome{at(diagnostics.Head), was, false}},
		"committed elsewhere":                {moved, diagnostics.Head, diagnostics.Session, false, outcome{fromB, elsewhere, true}},
		"given":                              {plain, diagnostics.Before, diagnostics.Session, false, outcome{at(diagnostics.Before), was, true}},
		"given, without a baseline":          {plain, diagnostics.Before, diagnostics.None, false, outcome{at(diagnostics.Before), was, true}},
		"without a baseline":                 {plain, diagnostics.Head, diagnostics.None, false, outcome{at(""), nil, true}},
		"without one, and judged since":      {plain, diagnostics.Session, diagnostics.None, true, outcome{at(""), nil, true}},
		"created":                            {created, diagnostics.Session, diagnostics.Session, false, outcome{new, nil, true}},
		"created since the commit":           {created, diagnostics.Session, diagnostics.Head, false, outcome{newSince, nil, true}},
		"what cannot be shown":               {binary, diagnostics.Head, diagnostics.Session, false, outcome{at(diagnostics.Head), nil, true}},
		"not known":                          {unknown, diagnostics.Session, diagnostics.Session, false, outcome{at(""), nil, true}},
	} {
		var p checkPlan
		f := diagnostics.File{Path: c.change.Path, Sources: source}
		p.compare(s.Checker, &f, c.change, c.source, c.wanted, c.again)
		got := outcome{f, p.before, len(p.changes) == 1}
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The former texts of all changed files that a server judges are shown, those that are shown already
// aside: nothing of a file that is new. If that of one is not known, there is no comparison.
func TestFormerTexts(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := func(name string) string { return filepath.Join(s.root, name) }
	type shown map[string]string
	for name, c := range map[string]struct {
		changes dependants.Changes
		before  []diagnostics.File
		want    shown
		unknown bool
	}{
		"nothing":          {nil, nil, shown{}, false},
		"a change":         {dependants.Changes{{Path: path("a.toy"), Before: []byte("one"), After: []byte("two")}}, nil, shown{"a.toy": "one"}, false},
		"a new file":       {dependants.Changes{{Path: path("a.toy"), After: []byte("two"), Created: true}}, nil, shown{"a.toy": ""}, false},
		"a deletion":       {dependants.Changes{{Path: path("a.toy"), Before: []byte("one"), Deleted: true}}, nil, shown{"a.toy": "one"}, false},
		"a moved file":     {dependants.Changes{{Path: path("a.toy"), From: path("b.toy"), Before: []byte("one"), After: []byte("two")}}, nil, shown{"b.toy": "one", "a.toy": ""}, false},
		"shown already":    {dependants.Changes{{Path: path("a.toy"), Before: []byte("one"), After: []byte("two")}}, []diagnostics.File{{Path: path("a.toy")}}, shown{}, false},
		"no server":        {dependants.Changes{{Path: path("a.txt"), Before: []byte("one"), After: []byte("two")}}, nil, shown{}, false},
		"not to be shown":  {dependants.Changes{{Path: path("a.toy"), Before: []byte("\x00"), After: []byte("two")}}, nil, shown{}, false},
		"one is not known": {dependants.Changes{{Path: path("b.toy"), Before: []byte("one"), After: []byte("two")}, {Path: path("a.toy"), After: []byte("two")}}, nil, shown{}, true},
	} {
		p := checkPlan{changes: c.changes, before: c.before, detection: s.workspace.Detection()}
		texts, known := p.former(s.Checker)
		got := make(shown)
		for _, f := range texts {
			got[filepath.Base(f.Path)] = string(f.Content)
			if len(f.Sources) != 1 {
				t.Errorf("%s: %s is shown to %d servers", name, f.Path, len(f.Sources))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" || known == c.unknown {
			t.Errorf("%s: known %t (-want +got):\n%s", name, known, diff)
		}
		p.completeBefore(s.Checker)
		if want := len(c.before) + len(texts); len(c.before) > 0 && len(p.before) != want || len(c.before) == 0 && len(p.before) != 0 {
			t.Errorf("%s: %d files are shown in all", name, len(p.before))
		}
	}
}

// What is gone after changes is what they delete, and what they move away.
func TestWhatIsGone(t *testing.T) {
	changes := dependants.Changes{{Path: "a"}, {Path: "b", Deleted: true}, {Path: "c", From: "d"}, {Path: "e", Created: true}}
	if diff := cmp.Diff([]string{"b", "d"}, gone(changes)); diff != "" {
		t.Error(diff)
	}
}

// A session notes what it was told is gone: once a check has judged it completely, for as long as it
// stays away. What a change took away is absent until it is judged again.
func TestWhatASessionNotesOfFiles(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	changes := []edit.Change{{Path: "kept"}, {Path: "gone", Deleted: true}, {Path: "new", From: "old"}}
	s.noteGone(changes, diagnostics.Judgement{Lacking: true})
	if diff := cmp.Diff([]string{"gone", "kept", "old"}, s.newlyGone([]string{"gone", "kept", "old"})); diff != "" {
		t.Errorf("judged in part (-want +got):\n%s", diff)
	}
	s.noteGone(changes, diagnostics.Judgement{})
	if diff := cmp.Diff([]string{"kept", "new"}, s.newlyGone([]string{"gone", "kept", "new", "old"})); diff != "" {
		t.Errorf("judged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{}, s.newlyGone([]string{"old"})); diff != "" {
		t.Errorf("one came back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gone"}, s.newlyGone([]string{"gone", "old"})); diff != "" {
		t.Errorf("it went again (-want +got):\n%s", diff)
	}

	absent := func() (paths []string) {
		for _, path := range []string{"gone", "kept", "new", "old"} {
			if s.wasAbsent(path) {
				paths = append(paths, path)
			}
		}
		return paths
	}
	s.noteAbsent(changes, true)
	if diff := cmp.Diff([]string{"gone", "old"}, absent()); diff != "" {
		t.Errorf("absent (-want +got):\n%s", diff)
	}
	back := []edit.Change{{Path: "gone", Created: true}, {Path: "old", Deleted: true}}
	s.noteAbsent(back, false)
	if diff := cmp.Diff([]string{"gone", "old"}, absent()); diff != "" {
		t.Errorf("back, and judged in part (-want +got):\n%s", diff)
	}
	s.noteAbsent(back, true)
	if diff := cmp.Diff([]string{"old"}, absent()); diff != "" {
		t.Errorf("back, and judged (-want +got):\n%s", diff)
	}

	config := filepath.Join(s.root, "tsconfig.json")
	s.noteConfigured([]edit.Change{{Path: config, After: []byte("{}")}, {Path: "kept", After: []byte("x")}})
	if text, known := s.configuredBy(config); !known || string(text) != "{}" {
		t.Errorf("%q, known %t", text, known)
	}
	if _, known := s.configuredBy("kept"); known {
		t.Error("a file that configures nothing is noted")
	}
	if diff := cmp.Diff(map[string][]byte{config: []byte("{}")}, s.judged()); diff != "" {
		t.Errorf("judged last (-want +got):\n%s", diff)
	}
	s.noteConfigured([]edit.Change{{Path: config, Deleted: true}})
	if _, known := s.configuredBy(config); known {
		t.Error("what is deleted is noted still")
	}
}

// Files that were taken away and are there again are checked, once each, if a server judges them.
func TestFilesThatReturned(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- notes.txt --\nx\n-- more.toy --\n\n")
	var changes []edit.Change
	for _, name := range []string{"main.toy", "lib.toy", "notes.txt", "never.toy"} {
		changes = append(changes, edit.Change{Path: filepath.Join(s.root, name), Deleted: true})
	}
	s.noteAbsent(changes, true)
	all := subjects{files: []string{filepath.Join(s.root, "lib.toy")}}
	s.addReturned(&all, s.judging(t.Context()))
	slices.Sort(all.files)
	if diff := cmp.Diff([]string{filepath.Join(s.root, "lib.toy"), filepath.Join(s.root, "main.toy")}, all.files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
