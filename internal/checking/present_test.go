package checking

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
)

// An answer is composed of the reports by their role: the requested files, in their order; others
// with findings, once each. What could not be judged is named, and makes the verdict unknown. A
// file in no project of any server is nobody's user.
func TestPresentedByRole(t *testing.T) {
	d := lsptest.Script{Mode: lsptest.Pull, Rules: []lsptest.Rule{
		lsptest.On("textDocument/diagnostic", lsptest.Reply(`{"kind":"full","items":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"severity":3,"code":"loose","message":"in no project"}]}`)),
	}}.Definition(t)
	d.Diagnostics.Unjudged = map[string]string{"loose": "the file is in no project"}
	d.Diagnostics.Disk = &registry.DiskCheck{Method: "toy/compile", Params: json.RawMessage(`{}`), Whole: true, Lacks: "it compiles only the disk"}
	s := open(t, lsptest.Project, registry.Table{d})
	subjects, err := s.subjects(t.Context(), api.CheckRequest{Files: []string{"main.toy"}, Scope: api.ScopeFile})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := s.planCheck(t.Context(), api.CheckRequest{Files: []string{"main.toy"}, Scope: api.ScopeFile}, subjects, waitLimit{})
	if err != nil {
		t.Fatal(err)
	}
	heard, err := s.collector.Check(t.Context(), asked.request)
	if err != nil {
		t.Fatal(err)
	}
	apart := heard.Files[0]
	if !apart.Apart() {
		t.Fatalf("the file is in no project, and reported as %+v", apart)
	}

	found := func(line uint32) []diagnostics.Diagnostic {
		return []diagnostics.Diagnostic{{Diagnostic: protocol.Diagnostic{Message: "wrong", Severity: protocol.SeverityError, Range: protocol.Range{Start: protocol.Position{Line: line}}}}}
	}
	report := func(name string, j diagnostics.Judgement) diagnostics.FileReport {
		return diagnostics.FileReport{Path: filepath.Join(s.root, name), Judgement: j, Verdict: j.Verdict(), Baseline: diagnostics.Session}
	}
	clean, silent := diagnostics.Judgement{Reached: true}, diagnostics.Judgement{Reached: true, Lacking: true}
	fixed, standing, broken := report("d.toy", clean), report("c.toy", clean), report("b.toy", diagnostics.Judgement{Reached: true, NewErrors: true})
	fixed.Fixed, standing.Standing = found(1), found(2)
	broken.New, broken.Standing = found(3), found(4)
	type said struct {
		Files, Others, Unknown []string
		Verdict                string
	}
	for name, c := range map[string]struct {
		own, concerned, others []diagnostics.FileReport
		want                   said
	}{
		"nothing else": {
			own:  []diagnostics.FileReport{report("main.toy", clean), report("lib.toy", clean)},
			want: said{Files: []string{"main.toy", "refused", "", "lib.toy"}, Verdict: "unknown"},
		},
		"others have findings, or none": {
			own: []diagnostics.FileReport{report("main.toy", clean), report("lib.toy", clean)}, concerned: []diagnostics.FileReport{fixed, report("a.toy", clean), standing},
			others: []diagnostics.FileReport{broken, standing},
			want:   said{Files: []string{"main.toy", "refused", "", "lib.toy"}, Others: []string{"b.toy", "c.toy", "d.toy"}, Verdict: "new_errors"},
		},
		"one is silent, and one in no project": {
			own: []diagnostics.FileReport{report("main.toy", clean), report("lib.toy", clean)}, concerned: []diagnostics.FileReport{apart, report("a.toy", silent)},
			want: said{
				Files: []string{"main.toy", "refused", "", "lib.toy"}, Unknown: []string{"what the change did to files that use it, as they could not be judged: a.toy"}, Verdict: "unknown",
			},
		},
	} {
		plan := &checkPlan{
			own: len(c.own), files: []result.File{{}, {Path: "refused", Error: &result.Error{Kind: result.NotFound}}, {}, {}}, manifests: map[int]bool{2: true},
			detection: s.workspace.Detection(), members: asked.members, changes: dependants.Changes{edit.Change{Path: filepath.Join(s.root, "main.toy")}},
		}
		answer, _ := s.present(plan, diagnostics.Report{Files: append(c.own, c.concerned...), Others: c.others})
		got := said{Files: paths(answer.Files), Others: paths(answer.Others), Unknown: answer.Unknown, Verdict: answer.Verdict}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	plan := &checkPlan{own: 1, files: []result.File{{}}, detection: s.workspace.Detection(), members: asked.members}
	answer, judgement := s.present(plan, diagnostics.Report{Files: []diagnostics.FileReport{report("main.toy", clean), apart}})
	if diff := cmp.Diff(clean, judgement); diff != "" || answer.Verdict != "clean" || answer.Incomplete || len(answer.Unknown)+len(answer.Others) > 0 {
		t.Errorf("beside a file in no project: %+v\n%s", answer, diff)
	}
}

func paths(files []result.File) (list []string) {
	for i := range files {
		list = append(list, files[i].Path)
	}
	return list
}
