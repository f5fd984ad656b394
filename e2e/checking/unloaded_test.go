package checking

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/render"
)

// A module that gopls cannot load uses what changes: neither a check nor an edit is clean, and both say the same. A change that
// the module does not use is, although its go.mod is still wrong.
func TestModulesThatAreNotLoaded(t *testing.T) {
	s := enginetest.OpenReal(t, "-- a/go.mod --\nmodule m/a\n\ngo 1.24\n-- a/a.go --\npackage a\n\nfunc F(n int) int { return n }\n\nfunc G(n int) int { return n }\n"+
		"-- b/go.mod --\nmodule m/b\n\ngo 1.24\n\nrequire m/a v0.0.0\n\nreplace m/a => ../a\n-- b/vendor/modules.txt --\n# m/x v1\n## explicit\n"+
		"-- b/b.go --\npackage b\n\nimport \"m/a\"\n\nvar X = a.F(1)\n", "gopls")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	const unknown = "what the change did to files that use it, as they could not be judged: b/b.go (the project is not loaded: go.mod:1: " +
		`Inconsistent vendoring detected. Please re-run "go mod vendor". See https://github.com/golang/go/issues/39164 for more detail on this issue.)`
	type said struct {
		Verdict string
		Unknown []string
	}
	for _, c := range []struct {
		old, text string
		want      said
	}{
		{"func F(n int)", "func F(n, m int)", said{"unknown", []string{unknown}}},
		{"func G(n int)", "func G(n, m int)", said{Verdict: "clean"}},
	} {
		r := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{enginetest.Replacing("a/a.go", c.old, c.text)}})
		got := []said{{r.Verdict, r.Unknown}}
		for _, severities := range [][]string{nil, nil, {"hint", "error"}, {"warning"}} { // what is listed decides nothing
			r := s.Check(api.CheckRequest{Severities: severities})
			got = append(got, said{r.Verdict, r.Unknown})
			t.Log(render.Brief(&r))
		}
		if diff := cmp.Diff([]said{c.want, c.want, c.want, c.want, c.want}, got); diff != "" {
			t.Errorf("%s: an edit, and four checks (-want +got):\n%s", c.text, diff)
		}
		s.Git("checkout", "-q", ".")
	}
}
