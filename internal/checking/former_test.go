package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
)

// A new file is a former one at another path if git says so, or if the text is that of one that went or
// similar to it, which is the former path of nothing else: not where the file was known, nor with another ending or
// without a text.
func TestFormerPathsOfMovedFiles(t *testing.T) {
	type texts = map[string][]byte
	text := []byte("def a\n")
	file := func(path, text string) diagnostics.File { return diagnostics.File{Path: path, Content: []byte(text)} }
	for name, c := range map[string]struct {
		all       subjects
		files     []diagnostics.File
		committed texts
		want      map[string]string
	}{
		"nothing":                       {subjects{}, []diagnostics.File{file("b.toy", "def a\n")}, nil, map[string]string{}},
		"as git says":                   {subjects{from: map[string]string{"b.toy": "a.toy"}, deleted: []string{"c.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"c.toy": text}, map[string]string{"b.toy": "a.toy"}},
		"the committed text":            {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
		"of what went otherwise":        {subjects{went: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
		"another ending":                {subjects{deleted: []string{"a.txt"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"a.txt": text}, map[string]string{}},
		"another text":                  {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def b\n")}, texts{"a.toy": text}, map[string]string{}},
		"the most similar text":         {subjects{deleted: []string{"a.toy", "c.toy"}}, []diagnostics.File{file("b.toy", "def a\ndef b\ndef c\n")}, texts{"a.toy": []byte("def a\ndef b\n"), "c.toy": []byte("def a\ndef b\ndef c\ndef d\n")}, map[string]string{"b.toy": "c.toy"}},
		"half of the text":              {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\ndef b\n")}, texts{"a.toy": text}, map[string]string{}},
		"no text":                       {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", " \n")}, texts{"a.toy": []byte(" \n")}, map[string]string{}},
		"a file that was committed":     {subjects{deleted: []string{"a.toy"}}, []diagnostics.File{file("b.toy", "def a\n")}, texts{"b.toy": nil, "a.toy": text}, map[string]string{}},
		"each of what went once":        {subjects{deleted: []string{"a.toy", "c.toy"}}, []diagnostics.File{file("b.toy", "def a\n"), file("d.toy", "def a\n"), file("e.toy", "def a\n")}, texts{"a.toy": text, "c.toy": text}, map[string]string{"b.toy": "a.toy", "d.toy": "c.toy"}},
		"what git says has moved, once": {subjects{from: map[string]string{"b.toy": "a.toy"}, deleted: []string{"a.toy"}}, []diagnostics.File{file("d.toy", "def a\n")}, texts{"a.toy": text}, map[string]string{"b.toy": "a.toy"}},
	} {
		if diff := cmp.Diff(c.want, c.all.movedHere(c.files, c.committed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
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

// What a file is compared with depends on the baseline that is wanted and on where the text from
// before comes from. A file that stays as it was has no change.
func TestWhatAFileIsComparedWith(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := func(name string) string { return filepath.Join(s.root, name) }
	source := []diagnostics.Source{{Key: diagnostics.Key{ID: "toy", Root: s.root}}}
	type outcome struct {
		Baseline                   diagnostics.Baseline
		From, Former               string
		NoFormer, Created, Changed bool
	}
	plain := edit.Change{Path: path("a.toy"), Before: []byte("one"), After: []byte("two")}
	same := edit.Change{Path: path("a.toy"), Before: []byte("one"), After: []byte("one")}
	moved := edit.Change{Path: path("a.toy"), From: "b.toy", Before: []byte("one"), After: []byte("one")}
	created := edit.Change{Path: path("a.toy"), After: []byte("two"), Created: true}
	unknown := edit.Change{Path: path("a.toy"), After: []byte{}}
	for name, c := range map[string]struct {
		change         edit.Change
		source, wanted diagnostics.Baseline
		want           outcome
	}{
		"seen before":                        {plain, diagnostics.Session, diagnostics.Session, outcome{Former: "one", Changed: true}},
		"seen before, and the same":          {same, diagnostics.Session, diagnostics.Session, outcome{Former: "one"}},
		"committed":                          {plain, diagnostics.Head, diagnostics.Session, outcome{Baseline: diagnostics.Head, Former: "one", Changed: true}},
		"committed, and the same":            {same, diagnostics.Head, diagnostics.Session, outcome{Former: "one"}},
		"committed, and the same, if wanted": {same, diagnostics.Head, diagnostics.Head, outcome{Baseline: diagnostics.Head, Former: "one"}},
		"committed elsewhere":                {moved, diagnostics.Head, diagnostics.Session, outcome{Baseline: diagnostics.Head, From: "b.toy", Former: "one", Changed: true}},
		"given":                              {plain, diagnostics.Before, diagnostics.Session, outcome{Baseline: diagnostics.Before, Former: "one", Changed: true}},
		"given, without a baseline":          {plain, diagnostics.Before, diagnostics.None, outcome{Baseline: diagnostics.Before, Former: "one", Changed: true}},
		"without a baseline":                 {plain, diagnostics.Head, diagnostics.None, outcome{NoFormer: true, Changed: true}},
		"created":                            {created, diagnostics.Session, diagnostics.Session, outcome{Created: true, Changed: true}},
		"created since the commit":           {created, diagnostics.Session, diagnostics.Head, outcome{Baseline: diagnostics.Head, Created: true, Changed: true}},
		"not known":                          {unknown, diagnostics.Session, diagnostics.Session, outcome{NoFormer: true, Changed: true}},
	} {
		var p checkPlan
		f := diagnostics.File{Path: c.change.Path, Sources: source}
		p.compare(s.Checker, &f, c.change, c.source, c.wanted)
		got := outcome{f.Baseline, f.From, string(f.Former), f.NoFormer, f.Created, len(p.changes) == 1}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The former texts are those of all changed files, nothing of a file that is new; servers are shown
// those that they judge. If that of one is not known, there is no comparison.
func TestFormerTexts(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	path := func(name string) string { return filepath.Join(s.root, name) }
	type texts map[string]string
	for name, c := range map[string]struct {
		changes     dependants.Changes
		want, shown texts
		unknown     bool
	}{
		"nothing":          {nil, texts{}, texts{}, false},
		"a change":         {dependants.Changes{{Path: path("a.toy"), Before: []byte("one"), After: []byte("two")}}, texts{"a.toy": "one"}, texts{"a.toy": "one"}, false},
		"a new file":       {dependants.Changes{{Path: path("a.toy"), After: []byte("two"), Created: true}}, texts{"a.toy": ""}, texts{"a.toy": ""}, false},
		"a deletion":       {dependants.Changes{{Path: path("a.toy"), Before: []byte("one"), Deleted: true}}, texts{"a.toy": "one"}, texts{"a.toy": "one"}, false},
		"a moved file":     {dependants.Changes{{Path: path("a.toy"), From: path("b.toy"), Before: []byte("one"), After: []byte("two")}}, texts{"b.toy": "one", "a.toy": ""}, texts{"b.toy": "one", "a.toy": ""}, false},
		"no server":        {dependants.Changes{{Path: path("a.txt"), Before: []byte("one"), After: []byte("two")}}, texts{"a.txt": "one"}, texts{}, false},
		"not to be shown":  {dependants.Changes{{Path: path("a.toy"), Before: []byte("\x00"), After: []byte("two")}}, texts{"a.toy": "\x00"}, texts{}, false},
		"one is not known": {dependants.Changes{{Path: path("b.toy"), Before: []byte("one"), After: []byte("two")}, {Path: path("a.toy"), After: []byte("two")}}, texts{"b.toy": "one"}, texts{"b.toy": "one"}, true},
	} {
		p := checkPlan{changes: c.changes, detection: s.workspace.Detection()}
		p.planFormer(s.Checker, nil)
		got, shown := make(texts), make(texts)
		for path, text := range p.before.texts {
			got[filepath.Base(path)] = string(text)
		}
		for _, f := range p.formerFiles(s.Checker) {
			shown[filepath.Base(f.Path)] = string(f.Content)
			if len(f.Sources) != 1 {
				t.Errorf("%s: %s is shown to %d servers", name, f.Path, len(f.Sources))
			}
		}
		if diff := cmp.Diff([]texts{c.want, c.shown}, []texts{got, shown}); diff != "" || p.before.known == c.unknown {
			t.Errorf("%s: known %t (-want +got):\n%s", name, p.before.known, diff)
		}
	}
}
