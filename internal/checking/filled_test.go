package checking

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
)

// wrongAt is an error in a line.
func wrongAt(line uint32, message string) diagnostics.Diagnostic {
	return diagnostics.Diagnostic{Diagnostic: protocol.Diagnostic{Message: message, Severity: protocol.SeverityError, Range: protocol.Range{Start: protocol.Position{Line: line}}}}
}

// told is the result for such an error.
func told(line uint32, message string, fresh, standing bool) result.Diagnostic {
	return result.Diagnostic{Line: line + 1, Column: 1, EndLine: 1, EndColumn: 1, Severity: "error", Message: message, New: fresh, Standing: standing}
}

// What servers reported on the changed files and on others becomes one answer: the changed ones in
// their order, of the others those with something new or mended, each once and sorted; with the notes
// of servers and those on the files, with what came late, and with what is older kept aside.
func TestAnswerOfWhatWasReported(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\nold\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	d := s.stagedBy(func(p *edit.Plan) error {
		return errors.Join(p.Write(path("main.toy"), "use nothing\n"), p.Write(path("new.toy"), "new\n"), p.Rename(path("old.toy"), path("moved.toy"), edit.Existing{}))
	}).show()
	d.search.Unknown = []string{"who uses it", "one of many"}
	broken := diagnostics.Judgement{Reached: true, NewErrors: true}
	older := diagnostics.Judgement{Reached: true, OldErrors: true}
	report := func(name string, j diagnostics.Judgement, b diagnostics.Baseline) diagnostics.FileReport {
		return diagnostics.FileReport{Path: path(name), Judgement: j, Verdict: j.Verdict(), Baseline: b}
	}
	with := func(r diagnostics.FileReport, change func(*diagnostics.FileReport)) diagnostics.FileReport {
		change(&r)
		return r
	}
	findings := func(fresh, fixed []diagnostics.Diagnostic, all ...diagnostics.Diagnostic) func(*diagnostics.FileReport) {
		return func(r *diagnostics.FileReport) { r.New, r.Fixed, r.Diagnostics = fresh, fixed, all }
	}
	one, two := wrongAt(1, "one"), wrongAt(2, "two")
	own := []diagnostics.FileReport{
		with(report("new.toy", broken, diagnostics.None), findings([]diagnostics.Diagnostic{one}, nil, one)),
		with(report("main.toy", broken, diagnostics.None), findings([]diagnostics.Diagnostic{one}, nil, one, two)),
	}
	own[1].Answers = []diagnostics.Answer{{Server: "toy", Freshness: diagnostics.Fresh, Note: "it was restarted"}}
	mended := with(report("mended.toy", older, diagnostics.Session), findings(nil, []diagnostics.Diagnostic{two}))
	broke := with(report("broke.toy", broken, diagnostics.Session), findings([]diagnostics.Diagnostic{two}, nil, two))
	others := []diagnostics.FileReport{
		mended, broke, report("same.toy", broken, diagnostics.Session), mended,
		with(report("old.toy", broken, diagnostics.Session), findings(nil, []diagnostics.Diagnostic{two})),
	}
	d.late = []diagnostics.FileReport{with(report("late.toy", broken, diagnostics.Session), findings([]diagnostics.Diagnostic{one}, nil, one, two))}
	j := &judged{shownDraft: d}
	j.answer.Files, j.answer.Dependants = []result.File{{Path: "unread.toy", Error: &result.Error{Message: "it cannot be read"}}}, result.Dependants{Found: 3}
	j.answer.Notes = []string{"noted before"}
	j.fill(reports{own: own, others: others}, []string{"beware"})
	want := result.Edit{
		Head: result.Head{Notes: []string{
			"noted before", "what was wrong in main.toy before the edit is not known: all of it counts as new", "toy: it was restarted", "beware",
		}},
		Files: []result.File{
			{Path: "unread.toy", Error: &result.Error{Message: "it cannot be read"}},
			{Path: "new.toy", Verdict: "new_errors", Baseline: "none", Diagnostics: []result.Diagnostic{told(1, "one", true, false)}},
			{Path: "main.toy", Verdict: "new_errors", Baseline: "none", Diagnostics: []result.Diagnostic{told(1, "one", true, false)}, Older: 1, Servers: []result.Answer{{Server: "toy", Freshness: "fresh", Note: "it was restarted"}}},
		},
		Others: []result.File{
			{Path: "broke.toy", Verdict: "new_errors", Baseline: "session", Diagnostics: []result.Diagnostic{told(2, "two", true, false)}},
			{Path: "mended.toy", Verdict: "baseline_error", Baseline: "session", Fixed: []result.Diagnostic{told(2, "two", false, false)}},
		},
		Late:    []result.File{{Path: "late.toy", Verdict: "new_errors", Baseline: "session", Diagnostics: []result.Diagnostic{told(1, "one", true, false)}, Older: 1}},
		Unknown: []string{"who uses it", "one of many"}, Verdict: "new_errors", Dependants: result.Dependants{Found: 3},
	}
	if diff := cmp.Diff(want, j.answer, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]result.Diagnostic{"main.toy": {told(2, "two", false, false)}, "late.toy": {told(2, "two", false, false)}}, j.older); diff != "" || j.sure || j.overdue {
		t.Errorf("sure %t, overdue %t; what is older (-want +got):\n%s", j.sure, j.overdue, diff)
	}
}

// The verdict is that of all that was heard, others included. It is sure if everything is known and
// all that is needed came in time; a file that is not judged at all makes it unknown, also beside
// files without a verdict.
func TestVerdictOfWhatWasReported(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project)
	clean, broken := diagnostics.Judgement{Reached: true}, diagnostics.Judgement{Reached: true, NewErrors: true}
	older := diagnostics.Judgement{Reached: true, OldErrors: true}
	report := func(name string, j diagnostics.Judgement, change func(*diagnostics.FileReport)) []diagnostics.FileReport {
		r := diagnostics.FileReport{Path: filepath.Join(s.root, name), Judgement: j, Verdict: j.Verdict(), Baseline: diagnostics.Session, Answers: []diagnostics.Answer{{Server: "toy", Freshness: diagnostics.Fresh}}}
		if change != nil {
			change(&r)
		}
		return []diagnostics.FileReport{r}
	}
	fixed := func(r *diagnostics.FileReport) { r.Fixed = []diagnostics.Diagnostic{wrongAt(0, "one")} }
	fresh := func(r *diagnostics.FileReport) { r.New = []diagnostics.Diagnostic{wrongAt(0, "one")} }
	late := func(r *diagnostics.FileReport) { r.Answers[0].Freshness = diagnostics.Timeout }
	unread := []result.File{{Path: "unread.toy", Error: &result.Error{Message: "it cannot be read"}}}
	type outcome struct {
		Verdict       string
		Sure, Overdue bool
		Unknown       int
	}
	for name, c := range map[string]struct {
		own, others []diagnostics.FileReport
		files       []result.File
		notes       []string
		unchecked   []string
		want        outcome
	}{
		"clean":                                  {report("main.toy", clean, nil), nil, nil, nil, nil, outcome{"clean", true, false, 0}},
		"new errors":                             {report("main.toy", broken, fresh), nil, nil, nil, nil, outcome{"new_errors", true, false, 0}},
		"new errors elsewhere":                   {report("main.toy", clean, nil), report("lib.toy", broken, fresh), nil, nil, nil, outcome{"new_errors", true, false, 0}},
		"old errors in one that was mended":      {report("main.toy", clean, nil), report("lib.toy", older, fixed), nil, nil, nil, outcome{"clean", true, false, 0}},
		"old errors in one that stays as it is":  {report("main.toy", clean, nil), report("lib.toy", older, nil), nil, nil, nil, outcome{"clean", true, false, 0}},
		"one cannot be read":                     {report("main.toy", clean, nil), nil, unread, nil, nil, outcome{"unknown", false, false, 0}},
		"only one that cannot be read":           {nil, nil, unread, nil, nil, outcome{"unknown", false, false, 0}},
		"the search did not find all":            {report("main.toy", clean, nil), nil, nil, []string{"too many"}, nil, outcome{"unknown", false, false, 1}},
		"only that the search did not find all":  {nil, nil, nil, []string{"too many"}, nil, outcome{"unknown", false, false, 1}},
		"one is not checked":                     {report("main.toy", clean, nil), nil, nil, nil, []string{"a.toy"}, outcome{"unknown", false, false, 0}},
		"only one that is not checked":           {nil, nil, nil, nil, []string{"a.toy"}, outcome{"unknown", false, false, 0}},
		"late":                                   {report("main.toy", clean, late), nil, nil, nil, nil, outcome{"clean", false, true, 0}},
		"late elsewhere":                         {report("main.toy", clean, nil), report("lib.toy", clean, late), nil, nil, nil, outcome{"clean", false, true, 0}},
		"another is heard":                       {nil, report("lib.toy", clean, nil), nil, nil, nil, outcome{"clean", true, false, 0}},
		"another is not":                         {nil, report("lib.toy", diagnostics.Judgement{Lacking: true}, nil), nil, nil, nil, outcome{"unknown", false, false, 1}},
		"another that was known to be otherwise": {nil, report("lib.toy", older, fixed), nil, nil, nil, outcome{"clean", true, false, 0}},
	} {
		d := s.staged("main.toy", "use helper\n\n").show()
		d.search.Unknown = c.notes
		j := &judged{shownDraft: d}
		j.answer.Files, j.answer.Dependants.Unchecked = c.files, c.unchecked
		j.fill(reports{own: c.own, others: c.others}, nil)
		if diff := cmp.Diff(c.want, outcome{j.answer.Verdict, j.sure, j.overdue, len(j.answer.Unknown)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
