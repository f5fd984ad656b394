package dependants_test

import (
	"errors"
	"testing"

	"github.com/lspine/lspine/internal/roots"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/dependants"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/setup"
)

// A server that can be had judges a file; of one that cannot the reason is the answer, and it is
// missed only where it is the one for code and nobody switched it off.
func TestServersThatJudgeAFile(t *testing.T) {
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	w := s.Workspace()
	c := diagnostics.New(diagnostics.Options{})
	t.Cleanup(c.Close)
	names := w.Names("")
	f := dependants.New(dependants.Options{Workspace: w, Collector: c, Config: s.Config}).For(names, setup.New(w, c, names), "")
	candidate := func(id string, role registry.Role, unavailable *roots.UnavailableError) roots.Candidate {
		return roots.Candidate{Definition: registry.Definition{ID: id, Role: role}, Root: w.Root(), Unavailable: unavailable}
	}
	absent := func(state roots.State) *roots.UnavailableError {
		return &roots.UnavailableError{State: state, Reason: "not found"}
	}
	file := diagnostics.File{Path: w.Root() + "/main.toy"}
	f.AddSources(&file, []roots.Candidate{
		candidate("there", registry.Primary, nil), candidate("code", registry.Primary, absent(roots.Unavailable)),
		candidate("off", registry.Primary, absent(roots.Disabled)), candidate("lint", registry.DiagnosticsOnly, absent(roots.Unavailable)),
	})
	type said struct {
		Sources, Missed, Others []string
	}
	var got said
	for _, source := range file.Sources {
		got.Sources = append(got.Sources, source.Key.ID)
	}
	for _, a := range file.Failures {
		var unavailable *roots.UnavailableError
		if a.Freshness != diagnostics.Unavailable || a.Reason != "not found" || !errors.As(a.Err, &unavailable) || a.Root != w.Root() {
			t.Errorf("%+v", a)
		}
		if a.Dispensable {
			got.Others = append(got.Others, a.Server)
		} else {
			got.Missed = append(got.Missed, a.Server)
		}
	}
	if diff := cmp.Diff(said{Sources: []string{"there"}, Missed: []string{"code"}, Others: []string{"off", "lint"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
