package checking

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/result"
)

// What servers report about a change says the same whether others made it or it is drafted here: the same verdict, and the same
// is not known.
func TestChecksAndEditsKnowTheSame(t *testing.T) {
	t.Parallel()
	s := openToy(t, lsptest.Script{}, lsptest.Project+"-- old.toy --\nold\n")
	path := func(name string) string { return filepath.Join(s.root, name) }
	clean := diagnostics.Judgement{Reached: true}
	report := func(name string, j diagnostics.Judgement, b diagnostics.Baseline) diagnostics.FileReport {
		return diagnostics.FileReport{Path: path(name), Judgement: j, Verdict: j.Verdict(), Baseline: b}
	}
	wrong := func(r diagnostics.FileReport) diagnostics.FileReport {
		r.New, r.Diagnostics = []diagnostics.Diagnostic{wrongAt(0, "one")}, []diagnostics.Diagnostic{wrongAt(0, "one")}
		return r
	}
	broken, older := diagnostics.Judgement{Reached: true, NewErrors: true}, diagnostics.Judgement{Reached: true, OldErrors: true}
	own := []diagnostics.FileReport{report("main.toy", clean, diagnostics.Session)}
	type said struct {
		Verdict string
		Unknown []string
		Others  []string
	}
	for name, c := range map[string]struct {
		own, concerned, others []diagnostics.FileReport
		missed                 string // by the search
		unkept                 []string
		want                   said
	}{
		"nothing else":          {own: own, want: said{Verdict: "clean"}},
		"a user broke":          {own: own, concerned: []diagnostics.FileReport{wrong(report("lib.toy", broken, diagnostics.Session))}, want: said{"new_errors", nil, []string{"lib.toy"}}},
		"another broke":         {own: own, others: []diagnostics.FileReport{wrong(report("lib.toy", broken, diagnostics.Session))}, want: said{"new_errors", nil, []string{"lib.toy"}}},
		"another was broken":    {own: own, others: []diagnostics.FileReport{report("lib.toy", older, diagnostics.Session)}, want: said{Verdict: "clean"}},
		"a user is not heard":   {own: own, concerned: []diagnostics.FileReport{report("lib.toy", diagnostics.Judgement{Lacking: true}, diagnostics.None)}, want: said{"unknown", []string{"what the change did to files that use it, as they could not be judged: lib.toy"}, nil}},
		"the search went wrong": {own: own, missed: "who uses it", want: said{"unknown", []string{"who uses it"}, nil}},
		"nobody said what was wrong before": {
			own: own, others: []diagnostics.FileReport{wrong(report("old.toy", broken, diagnostics.None))},
			want: said{"unknown", []string{"whether the errors of other files are new, as it is not known what was wrong in them before: old.toy"}, nil},
		},
		"more than is kept": {own: own, unkept: []string{"the rest"}, want: said{"unknown", []string{"the rest"}, nil}},
		"nobody is there":   {own: []diagnostics.FileReport{report("main.toy", diagnostics.Judgement{Lacking: true}, diagnostics.None)}, want: said{Verdict: "lsp_unavailable"}},
	} {
		d := s.staged("main.toy", "use helper\n\n").show()
		j := &judged{shownDraft: d}
		detection := s.workspace.Detection()
		members := s.finder.Membership(t.Context(), detection)
		plan := &checkPlan{own: 1, files: []result.File{{}}, detection: detection, members: members, changes: d.changes, search: s.finder.Made(d.changes, detection, members)}
		plan.before = formerState{byTexts: true, known: true, texts: map[string][]byte{path("main.toy"): []byte("use helper\n")}}
		if c.missed != "" {
			for _, search := range []*dependants.Search{d.search, plan.search} {
				search.NotKnown(c.missed)
			}
		}
		j.fill(reports{own: c.own, concerned: c.concerned, others: c.others, unkept: c.unkept}, nil)
		answer, _ := s.present(plan, diagnostics.Report{Files: append(c.own[:len(c.own):len(c.own)], c.concerned...), Others: c.others, Unkept: c.unkept})
		got := []said{{j.answer.Verdict, j.answer.Unknown, paths(j.answer.Others)}, {answer.Verdict, answer.Unknown, paths(answer.Others)}}
		if diff := cmp.Diff([]said{c.want, c.want}, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, drafted and made by others (-want +got):\n%s", name, diff)
		}
	}
}
