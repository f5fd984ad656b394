package checking

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// Before a change a file is asked about by its former path and text, after it by the new ones, which
// take over what was wrong before. What does not exist then is not asked about, nor what no server
// judges; what cannot be judged has an error in its place.
func TestOwnFilesOfAChange(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\nold\n-- notes.txt --\none\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	staged := s.stagedBy(func(plan *edit.Plan) error {
		return errors.Join(
			plan.Write(path("main.toy"), "use nothing\n"), plan.Delete(path("lib.toy"), edit.Missing{}), plan.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}),
			plan.Write(path("new.toy"), "new\n"), plan.Write(path("notes.txt"), "two\n"), plan.Write(path("wrong.toy"), strings.Repeat("#", 3<<20)),
		)
	})
	type asked struct {
		Text           string
		From           string
		Created, Saved bool
	}
	for name, c := range map[string]struct {
		after, saved bool
		want         map[string]asked
		wrong        []string
	}{
		"before":             {false, false, map[string]asked{"main.toy": {Text: "use helper\n"}, "lib.toy": {Text: "def helper\n"}, "old.toy": {Text: "old\n"}}, nil},
		"after":              {true, false, map[string]asked{"main.toy": {Text: "use nothing\n"}, "moved.toy": {Text: "old\n", From: "old.toy", Created: true}, "new.toy": {Text: "new\n", Created: true}}, []string{"wrong.toy"}},
		"after, and on disk": {true, true, map[string]asked{"main.toy": {Text: "use nothing\n", Saved: true}, "moved.toy": {Text: "old\n", From: "old.toy", Created: true, Saved: true}, "new.toy": {Text: "new\n", Created: true, Saved: true}}, []string{"wrong.toy"}},
	} {
		files, results := staged.own(c.after, c.saved)
		got := make(map[string]asked)
		for _, f := range files {
			from := ""
			if f.From != "" {
				from = filepath.Base(f.From)
			}
			got[filepath.Base(f.Path)] = asked{string(f.Content), from, f.Created, f.Saved}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		var wrong []string
		for _, r := range results {
			if r.Error == nil || r.Diagnostics == nil {
				t.Errorf("%s: %+v", name, r)
			}
			wrong = append(wrong, r.Path)
		}
		if diff := cmp.Diff(c.wrong, wrong); diff != "" {
			t.Errorf("%s: what cannot be judged (-want +got):\n%s", name, diff)
		}
	}
}

// How far a judgement can be relied on: not where a server was late or none is there, in part where
// something was left out, is not known, or came from a server that was not done.
func TestConfidence(t *testing.T) {
	fresh, partial := result.Answer{Freshness: "fresh"}, result.Answer{Freshness: "partial"}
	dispensable := result.Answer{Freshness: "unavailable", Dispensable: true}
	by := func(answers ...result.Answer) []result.File { return []result.File{{}, {Servers: answers}} }
	for name, c := range map[string]struct {
		overdue bool
		answer  result.Edit
		want    string
	}{
		"clean":                           {false, result.Edit{Verdict: "clean", Files: by(fresh), Others: by(fresh)}, "high"},
		"without a server that is useful": {false, result.Edit{Verdict: "clean", Files: by(fresh, dispensable)}, "high"},
		"new errors":                      {false, result.Edit{Verdict: "new_errors", Files: by(fresh)}, "high"},
		"nobody judges it":                {false, result.Edit{}, "high"},
		"late":                            {true, result.Edit{Verdict: "clean"}, "low"},
		"late, with new errors":           {true, result.Edit{Verdict: "new_errors"}, "low"},
		"no server":                       {false, result.Edit{Verdict: "lsp_unavailable"}, "low"},
		"unknown":                         {false, result.Edit{Verdict: "unknown"}, "partial"},
		"something is not known":          {false, result.Edit{Verdict: "clean", Unknown: []string{"this"}}, "partial"},
		"a user was not checked":          {false, result.Edit{Verdict: "clean", Dependants: result.Dependants{Unchecked: []string{"a"}}}, "partial"},
		"a server was not done":           {false, result.Edit{Verdict: "new_errors", Files: by(fresh, partial)}, "partial"},
		"a server was not done elsewhere": {false, result.Edit{Verdict: "new_errors", Others: by(partial)}, "partial"},
		"a file cannot be judged":         {false, result.Edit{Verdict: "new_errors", Files: []result.File{{Error: &result.Error{}}}}, "partial"},
	} {
		if got := (&transaction{overdue: c.overdue}).confidence(&c.answer); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	died := (&transaction{}).evaluated(result.Edit{Verdict: "clean"}, true)
	broke := (&transaction{}).evaluated(result.Edit{Verdict: "new_errors"}, true)
	lived := (&transaction{}).evaluated(result.Edit{Verdict: "clean"}, false)
	const again = "a server ended during the evaluation: evaluate again"
	want := []Evaluated{
		{result.Edit{Verdict: "unknown", Unknown: []string{again}}, "partial", true},
		{result.Edit{Verdict: "new_errors", Unknown: []string{again}}, "partial", true},
		{result.Edit{Verdict: "clean"}, "high", false},
	}
	if diff := cmp.Diff(want, []Evaluated{died, broke, lived}); diff != "" {
		t.Errorf("of servers that end (-want +got):\n%s", diff)
	}
}

// Changes are tried on disk only if nothing else keeps their judgement from being complete: no new
// error, no file that lacks more than the disk, nothing that stays unknown.
func TestOnlyTheDiskIsLacking(t *testing.T) {
	compiles := lsptest.Script{}.Definition(t)
	compiles.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/compile", Params: json.RawMessage(`{}`), Whole: true}
	lacks := result.Answer{Server: compiles.ID, Freshness: "partial"}
	late := result.Answer{Server: compiles.ID, Freshness: "timeout"}
	other := result.Answer{Server: "other", Freshness: "partial"}
	for name, c := range map[string]struct {
		compiles bool
		answer   result.Edit
		unknown  []string
		want     bool
	}{
		"the disk":              {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{lacks}}}}, nil, true},
		"nothing":               {true, result.Edit{Verdict: "clean", Files: []result.File{{Verdict: "clean"}}}, nil, true},
		"no server needs it":    {false, result.Edit{Verdict: "clean", Files: []result.File{{Verdict: "clean"}}}, nil, false},
		"it has new errors":     {true, result.Edit{Verdict: "new_errors", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{lacks}}}}, nil, false},
		"a file cannot be read": {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "clean", Error: &result.Error{}}}}, nil, false},
		"a server is late":      {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{late}}}}, nil, false},
		"another server":        {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{other}}}}, nil, false},
		"one of two files":      {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{lacks}}, {Verdict: "lsp_unavailable"}}}, nil, false},
		"something is unknown":  {true, result.Edit{Verdict: "unknown", Files: []result.File{{Verdict: "unknown", Servers: []result.Answer{lacks}}}}, []string{"this"}, false},
	} {
		d := lsptest.Script{}.Definition(t)
		if c.compiles {
			d = compiles
		}
		s := open(t, lsptest.Project, registry.Table{d})
		j := &judged{shownDraft: s.staged("main.toy", "use helper\n\n").show(), answer: c.answer}
		j.search.Unknown = c.unknown
		if got := j.onlyOnDisk(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// A round is an answer with an error in a file after one that had it as well: of the same words, names
// aside, or again a new one. What is not known ends no row, a file without errors does.
func TestRoundsOfSelfCorrection(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	s.opts.Config.Settings.SelfCorrectionLimit = 2
	wrong := func(message string) []result.Diagnostic {
		return []result.Diagnostic{{Severity: "error", Code: "7", Message: message}}
	}
	odd := []result.Diagnostic{{Severity: "warning", Message: "odd"}}
	type outcome struct {
		Rounds   int
		Escalate bool
	}
	var got []outcome
	for _, c := range []struct {
		file  result.File
		older []result.Diagnostic
		other bool
	}{
		{file: result.File{Path: "a", Verdict: "new_errors", Diagnostics: wrong("no 'x'")}},
		{file: result.File{Path: "a", Verdict: "baseline_error"}, older: wrong("no 'y'")},
		{file: result.File{Path: "a", Verdict: "unknown"}},
		{file: result.File{Path: "a", Verdict: "lsp_unavailable"}},
		{file: result.File{Path: "a", Verdict: "clean", Error: &result.Error{}}},
		{file: result.File{Path: "b", Verdict: "new_errors", Diagnostics: wrong("no 'x'")}, other: true},
		{file: result.File{Path: "a", Verdict: "new_errors", Diagnostics: wrong("another")}, other: true},
		{file: result.File{Path: "a", Verdict: "baseline_error"}, older: wrong("an old one")},
		{file: result.File{Path: "a", Verdict: "new_errors", Diagnostics: wrong("no 'x'")}},
		{file: result.File{Path: "a", Verdict: "warnings_only", Diagnostics: odd}},
		{file: result.File{Path: "a", Verdict: "new_errors", Diagnostics: wrong("no 'x'")}},
	} {
		j := &judged{shownDraft: s.staged("main.toy", "use helper\n\n").show(), older: map[string][]result.Diagnostic{c.file.Path: c.older}}
		if c.other {
			j.answer.Others = []result.File{c.file}
		} else {
			j.answer.Files = []result.File{c.file}
		}
		j.countRounds()
		got = append(got, outcome{j.answer.Rounds, j.answer.Escalate})
	}
	want := []outcome{{1, false}, {2, false}, {}, {}, {}, {1, false}, {3, true}, {}, {1, false}, {}, {1, false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of a report only what is new is listed; the rest is counted, by whether this session caused it, and
// kept for the count of rounds.
func TestOnlyWhatIsNewIsListed(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	found := func(line uint32, message string) diagnostics.Diagnostic {
		return diagnostics.Diagnostic{Diagnostic: protocol.Diagnostic{Message: message, Severity: protocol.SeverityError, Range: protocol.Range{Start: protocol.Position{Line: line}}}}
	}
	fresh, standing, older, last := found(0, "new"), found(1, "standing"), found(2, "older"), found(3, "older, too")
	r := diagnostics.FileReport{
		Path: filepath.Join(s.root, "main.toy"), Diagnostics: []diagnostics.Diagnostic{fresh, standing, older, last},
		New: []diagnostics.Diagnostic{fresh}, Standing: []diagnostics.Diagnostic{standing},
	}
	j := &judged{shownDraft: s.staged("main.toy", "use helper\n\n").show(), older: make(map[string][]result.Diagnostic)}
	f := j.presentNew(&r)
	type listed struct {
		Path            string
		New, Kept       []string
		Standing, Older int
	}
	got := listed{Path: f.Path, Standing: f.Standing, Older: f.Older}
	for _, d := range f.Diagnostics {
		got.New = append(got.New, d.Message)
	}
	for _, d := range j.older["main.toy"] {
		got.Kept = append(got.Kept, d.Message)
	}
	if diff := cmp.Diff(listed{"main.toy", []string{"new"}, []string{"standing", "older", "older, too"}, 1, 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if f := j.presentNew(&diagnostics.FileReport{Path: r.Path}); f.Diagnostics == nil {
		t.Error("of nothing no list is there")
	}
}

// A change that could not be judged is kept all the same, and what it broke is not known.
func TestKeptWithoutAJudgement(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	j := &judged{shownDraft: s.staged("main.toy", "use helper\n\n").show(), answer: result.Edit{Verdict: "clean", Late: []result.File{{}}}, failed: errors.New("no time")}
	want := result.Edit{Verdict: "unknown", Applied: true, Files: []result.File{}, Unknown: []string{"what the edit broke, as it was not judged: no time"}}
	if diff := cmp.Diff(want, j.keep()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	j.failed, j.answer = nil, result.Edit{Verdict: "clean"}
	if diff := cmp.Diff(result.Edit{Verdict: "clean", Applied: true}, j.keep()); diff != "" {
		t.Errorf("judged (-want +got):\n%s", diff)
	}
}

// A preview says that nothing is written, and an edit that was to be clean why it is not.
func TestSummariesOfWhatIsNotWritten(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	for name, c := range map[string]struct {
		mode   string
		answer result.Edit
		want   string
	}{
		"written":      {api.Apply, result.Edit{Applied: true}, "two lines"},
		"a preview":    {api.Preview, result.Edit{Verdict: "new_errors"}, "Preview, nothing is written: two lines"},
		"not clean":    {api.ApplyIfClean, result.Edit{Verdict: "new_errors"}, "Not applied, because it is not clean: two lines"},
		"not known":    {api.ApplyIfClean, result.Edit{Verdict: "unknown"}, "Not applied, because it is not known to be clean: two lines"},
		"it was clean": {api.ApplyIfClean, result.Edit{Verdict: "clean", Applied: true}, "two lines"},
	} {
		staged := s.staged("main.toy", "use helper\n\n")
		staged.mode = c.mode
		answer := c.answer
		staged.describe(&answer, "two lines")
		want := result.Edit{Mode: c.mode, Verdict: c.answer.Verdict, Applied: c.answer.Applied, Summary: c.want, Changes: []result.Edited{{Path: "main.toy", Added: 1, Hash: edit.Hash([]byte("use helper\n\n"))}}}
		if diff := cmp.Diff(want, answer, cmpopts.IgnoreFields(result.Edit{}, "Diff")); diff != "" || (answer.Diff == "") != c.answer.Applied {
			t.Errorf("%s, with the difference %q (-want +got):\n%s", name, answer.Diff, diff)
		}
	}
}

// Changes are passing if they are not to be kept; a mode that nobody knows, and limits that make no
// sense, are refused.
func TestModesOfWriting(t *testing.T) {
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	for _, c := range []struct {
		how     api.Writing
		mode    string
		passing bool
		wrong   string
	}{
		{api.Writing{}, api.Apply, false, ""},
		{api.Writing{Mode: api.Apply}, api.Apply, false, ""},
		{api.Writing{Mode: api.Preview}, api.Preview, true, ""},
		{api.Writing{Mode: api.ApplyIfClean}, api.ApplyIfClean, true, ""},
		{api.Writing{Mode: "perhaps"}, "", false, "mode"},
		{api.Writing{Severities: []string{"loud"}}, "", false, "severities"},
		{api.Writing{Limits: api.Limits{TimeoutMS: -1}}, "", false, "timeout_ms"},
	} {
		tx, err := s.newTransaction(c.how)
		if c.wrong != "" {
			var wrong *api.ArgumentError
			if !errors.As(err, &wrong) || wrong.Argument != c.wrong || wrong.Advice == "" {
				t.Errorf("%+v: %v", c.how, err)
			}
			continue
		}
		if err != nil || tx.mode != c.mode || tx.passing != c.passing || tx.mayTry() != (c.mode == api.ApplyIfClean) {
			t.Errorf("%+v: %+v, %v", c.how, tx, err)
		}
	}
}
