package checking

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What could not be judged is not clean, and apply_if_clean does not write it: files that use what
// changed and got no answer, and those that were too many. Findings with nothing to compare
// them to are said to be such.
func TestDoubtIsNotClean(t *testing.T) {
	s := openToy(t, lsptest.Script{}, project)
	known := diagnostics.Judgement{Reached: true}
	clean := func(path string) diagnostics.FileReport {
		return diagnostics.FileReport{Path: filepath.Join(s.root, path), Judgement: known, Baseline: diagnostics.Session}
	}
	silent, late, broken := clean("a.toy"), clean("b.toy"), clean("main.toy")
	silent.Judgement = diagnostics.Judgement{Lacking: true}
	late.Judgement.Lacking = true
	broken.Judgement.NewErrors, broken.Baseline = true, diagnostics.None
	broken.New = []diagnostics.Diagnostic{{}}
	main := []diagnostics.FileReport{clean("main.toy")}
	for _, c := range []struct {
		name        string
		own, others []diagnostics.FileReport
		change      func(*edition)
		verdict     string
		harmless    bool
		says        string
	}{
		{"all is known", main, []diagnostics.FileReport{clean("lib.toy")}, nil, "clean", true, ""},
		{"a user is silent", main, []diagnostics.FileReport{silent}, nil, "unknown", false, "could not be judged: a.toy"},
		{"a user is late", main, []diagnostics.FileReport{late}, nil, "unknown", false, "could not be judged: b.toy"},
		{"the search failed", main, nil, func(ed *edition) { ed.unknown = []string{"who uses it"} }, "unknown", false, "who uses it"},
		{"users are left out", main, nil, func(ed *edition) { ed.cut = true }, "unknown", false, ""},
		{"nothing to compare with", []diagnostics.FileReport{broken}, nil, nil, "new_errors", false, "before the edit is not known"},
		{"a user broke, and nothing to compare with", main, []diagnostics.FileReport{broken}, nil, "unknown", false, "could not be judged: main.toy"},
		{"nobody judges it", nil, nil, nil, "", true, ""},
		{"nobody answers", []diagnostics.FileReport{silent}, nil, nil, "lsp_unavailable", false, ""},
	} {
		ed, err := s.newEdition(api.Writing{})
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(ed)
		}
		var result result.Edit
		ed.fill(&result, c.own, c.others)
		said := strings.Join(append(result.Notes, result.Unknown...), "\n")
		if result.Verdict != c.verdict || harmless(&result) != c.harmless || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s, harmless %t, %q", c.name, result.Verdict, harmless(&result), said)
		}
	}
}

// What somebody else breaks while an edit is judged is not listed as new in its answer,
// but that the edit uses what is gone is.
func TestOthersChangeMeanwhile(t *testing.T) {
	s := openToy(t, lsptest.Script{}, project)
	s.check("main.toy")
	ed, err := s.newEdition(api.Writing{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.root, "main.toy")
	if err := ed.plan.Write(file, "use helper\nuse helper\n"); err != nil {
		t.Fatal(err)
	}
	ed.changes = ed.plan.Changes()
	ed.since = ed.collector.Now()
	if err := edit.Commit(t.Context(), ed.plan, ed.journal); err != nil {
		t.Fatal(err)
	}
	ed.look(t.Context())
	result, err := ed.judge(t.Context(), true)
	if err != nil || result.Verdict != "clean" {
		t.Fatalf("%+v %v", result, err)
	}
	lsptest.WriteFile(t, filepath.Join(s.root, "lib.toy"), "def other\n")
	if result = ed.settled(t.Context(), result, nil); result.Verdict != "new_errors" || len(result.Files) != 1 || len(result.Files[0].Diagnostics) != 1 || result.Files[0].Older+result.Files[0].Standing != 1 {
		t.Errorf("%+v", result)
	}
}
