package checking_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/render"
)

// openBeside opens a shop with additional servers besides the toy one.
func openBeside(t *testing.T, archive string, more ...registry.Definition) *enginetest.Shop {
	t.Helper()
	toy := lsptest.Script{}
	return enginetest.Open(t, archive, append(registry.Table{toy.Definition(t)}, more...))
}

// If the server for a prose file is missing, an edit still counts as judged, and apply_if_clean
// does not refuse it; a check of that file reports what is missing. A missing server for code is
// reported always.
func TestEditsOfProseNeedNoServer(t *testing.T) {
	t.Parallel()
	optional := func(d *registry.Definition) { d.Optional = true }
	s := openBeside(t, lsptest.Project, enginetest.Absent("prose", ".prose", optional), enginetest.Absent("code", ".code", func(*registry.Definition) {}))

	note := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("notes.prose", "one\n")}, Writing: api.Writing{Mode: api.ApplyIfClean}})
	if !note.Applied || note.Verdict != "" || len(note.Files) != 0 {
		t.Errorf("prose alone: %+v", note)
	}
	both := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("notes.prose", "two\n"), enginetest.Writing("new.toy", "use helper\n")}, Writing: api.Writing{Mode: api.ApplyIfClean}})
	if !both.Applied || both.Verdict != "clean" || len(both.Files) != 1 {
		t.Errorf("prose beside code: %+v", both)
	}
	lost := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("a.code", "x\n")}})
	if lost.Verdict != "lsp_unavailable" || len(lost.Files) != 1 {
		t.Errorf("code without its server: %+v", lost)
	}

	asked := s.Check(api.CheckRequest{Files: []string{"notes.prose"}})
	if asked.Verdict != "lsp_unavailable" || enginetest.Told(asked.Files[0]) != "notes.prose lsp_unavailable (unavailable)" ||
		!strings.Contains(asked.Files[0].Servers[0].Hint, "get prose") {
		t.Errorf("asked about the prose: %+v", asked)
	}
}

// A linter that the project configures and that is missing is reported with the way to get it,
// while the verdict is that of the server that is present. An optional one is not even mentioned.
func TestMissingLintersAreNamed(t *testing.T) {
	t.Parallel()
	linter := func(optional bool) func(d *registry.Definition) {
		return func(d *registry.Definition) {
			d.Role, d.Requires, d.Optional = registry.DiagnosticsOnly, []string{"toy.root"}, optional
		}
	}
	s := openBeside(t, lsptest.Project, enginetest.Absent("lint", ".toy", linter(false)), enginetest.Absent("words", ".toy", linter(true)))
	f := s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Files[0]
	if got := enginetest.Told(f); got != "main.toy clean (unavailable)" {
		t.Errorf("got %s", got)
	}
	for _, a := range f.Servers {
		if a.Freshness == "unavailable" && (a.Server != "lint" || !strings.Contains(a.Hint, "get lint")) {
			t.Errorf("the note is %+v", a)
		}
	}
	s.Write("main.toy", "use nothing\n")
	if got := enginetest.Told(s.Check(api.CheckRequest{Files: []string{"main.toy"}}).Files[0]); !strings.HasPrefix(got, "main.toy new_errors +1:5 undefined: nothing") {
		t.Errorf("got %s", got)
	}
}

// apply_if_clean waits for a linter that hangs: the other answers alone are not complete. The
// linter is named.
func TestIfCleanWaitsForEveryLinter(t *testing.T) {
	t.Parallel()
	hanging := lsptest.Script{ID: "lint", Mode: lsptest.Pull, Rules: []lsptest.Rule{lsptest.On("textDocument/diagnostic", lsptest.Hang())}}
	lint := hanging.Definition(t)
	lint.Role = registry.DiagnosticsOnly
	s := openBeside(t, lsptest.Project, lint)
	before := s.Read("main.toy")
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{
		Edits: []api.FileEdit{enginetest.Writing("main.toy", before+"\n")}, Writing: api.Writing{Mode: api.ApplyIfClean, Limits: api.Limits{TimeoutMS: 500}},
	})
	if result.Applied || s.Read("main.toy") != before || !strings.Contains(result.Summary, "not known to be clean") || !strings.Contains(render.Brief(&result), "lint") {
		t.Errorf("%+v\n%s", result, render.Brief(&result))
	}
	// An edit that is written nevertheless says that its answer is incomplete.
	written := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Writing("main.toy", before+"\n")}, Writing: api.Writing{Limits: api.Limits{TimeoutMS: 500}}})
	if !written.Applied || written.Verdict != "unknown" || !strings.Contains(render.Brief(&written), "lint") {
		t.Errorf("%+v\n%s", written, render.Brief(&written))
	}
}

// An edit that also adds the configuration of a linter is judged by that linter; one that removes
// it is not.
func TestEditThatBringsALinter(t *testing.T) {
	t.Parallel()
	d := lsptest.Script{ID: "lint", Mode: lsptest.Pull}.Definition(t)
	d.Role, d.Requires = registry.DiagnosticsOnly, []string{"lint.conf"}
	s := openBeside(t, lsptest.Project, d)
	judges := func(edits ...api.FileEdit) (ids []string) {
		t.Helper()
		for _, f := range enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: edits}).Files {
			if f.Path != "main.toy" {
				continue
			}
			for _, a := range f.Servers {
				ids = append(ids, a.Server+" "+a.Freshness)
			}
		}
		slices.Sort(ids)
		return ids
	}
	before := s.Read("main.toy")
	for _, step := range []struct {
		name  string
		edits []api.FileEdit
		want  []string
	}{
		{"without it", []api.FileEdit{enginetest.Writing("main.toy", before+"\n")}, []string{"toy fresh"}},
		{"with it", []api.FileEdit{enginetest.Writing("lint.conf", "all\n"), enginetest.Writing("main.toy", before)}, []string{"lint fresh", "toy fresh"}},
		{"taken away", []api.FileEdit{{File: "lint.conf", Delete: true}, enginetest.Writing("main.toy", before+"\n")}, []string{"toy fresh"}},
	} {
		if got := judges(step.edits...); !slices.Equal(got, step.want) {
			t.Errorf("%s: judged by %q, want %q", step.name, got, step.want)
		}
	}
}
