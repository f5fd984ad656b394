package checking

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// newErrors lists the files of an answer that have new errors, and how many.
func newErrors(files ...[]result.File) map[string]int {
	found := make(map[string]int)
	for _, f := range slices.Concat(files...) {
		for _, d := range f.Diagnostics {
			if d.New {
				found[f.Path]++
			}
		}
	}
	return found
}

// In a large project the files that text shows to use what changed are judged, and no
// others: what an edit broke in them is said, and the answer is whole where the texts
// prove that there is nothing else.
func TestLargeProject(t *testing.T) {
	s := enginetest.OpenReal(t, lsptest.LargeGo, "gopls")
	edit := func(old, new string) result.Edit {
		t.Helper()
		return enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{{File: "lib/lib.go", OldText: &old, NewText: &new}}})
	}
	type said struct {
		Verdict    string
		New        map[string]int
		Dependants int
		Unknown    []string
	}
	of := func(r result.Edit) said {
		return said{r.Verdict, newErrors(r.Files, r.Others), r.Dependants.Found, r.Unknown}
	}
	for _, c := range []struct {
		name, old, new string
		want           said
	}{
		{"a body", "a + b", "b + a", said{"clean", map[string]int{}, 0, nil}},
		{"a parameter", "a, b int)", "a, b, c int)", said{"new_errors", map[string]int{"lib/lib.go": 1, "lib/lib_test.go": 1, "use/use.go": 1}, 4, nil}},
		{"the parameter again", "a, b, c int)", "a, b int)", said{"clean", map[string]int{}, 4, nil}},
		{"a type that others infer", "int) int {\n\treturn b + a", "int) string {\n\treturn \"\"", said{"new_errors", map[string]int{"lib/lib.go": 1, "last/last.go": 1}, 4, nil}},
		{"that type again", "int) string {\n\treturn \"\"", "int) int {\n\treturn a + b", said{"clean", map[string]int{}, 4, nil}},
	} {
		if diff := cmp.Diff(c.want, of(edit(c.old, c.new))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// In a large project a change by others is judged in parts as well.
func TestLargeProjectChangedByOthers(t *testing.T) {
	s := enginetest.OpenReal(t, lsptest.LargeGo, "gopls")
	before := s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}})
	for before.Incomplete { // gopls is still at work on the rest: no text from before proves that there is none
		before = s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}})
	}
	if before.Verdict != "clean" {
		t.Fatalf("before: %+v", before)
	}
	s.Write("lib/lib.go", "package lib\n\nfunc Sum(a, b, c int) int { return a + b + c }\n")
	broken := s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}})
	want := map[string]int{"lib/lib_test.go": 1, "use/use.go": 1}
	if diff := cmp.Diff(want, newErrors(broken.Files, broken.Others)); diff != "" || broken.Verdict != "new_errors" {
		t.Errorf("%s (-want +got):\n%s", broken.Verdict, diff)
	}
	s.Write("lib/lib.go", "package lib\n\nfunc Sum(a, b int) int { return a + b }\n")
	if mended := s.Check(api.CheckRequest{Files: []string{"lib/lib.go"}}); mended.Verdict != "clean" || len(mended.Others) != 2 || mended.Incomplete {
		t.Errorf("mended: %+v", mended)
	}
}

// Where the texts of a large project do not prove what a change reaches, the answer is
// not whole before the server has said it, and what it says later is told later.
func TestLargeProjectUnproven(t *testing.T) {
	const never = "//go:build never\n\n"
	s := enginetest.OpenReal(t, lsptest.LargeGo+"-- lib/alt.go --\n"+never+"package lib\n\nfunc Sum(a, b int) string { return \"\" }\n", "gopls")
	// Another file is built instead. What that means for last follows by way of a type.
	const beyond = "last/last.go"
	clause, tagged, untagged := "package lib\n", never+"package lib\n", "package lib\n"
	result := enginetest.Do(t, s, api.EditFiles, api.EditRequest{Edits: []api.FileEdit{
		{File: "lib/lib.go", OldText: &clause, NewText: &tagged}, {File: "lib/alt.go", OldText: &tagged, NewText: &untagged},
	}})
	told := newErrors(result.Others)
	if result.Verdict == "clean" || len(result.Unknown) == 0 && told[beyond] != 1 {
		t.Fatalf("another type from another file: %s\n%+v", render.Brief(&result), result)
	}
	for len(result.Unknown) > 0 && told[beyond] != 1 {
		next := s.Check(api.CheckRequest{Files: []string{"free/free.go"}})
		told = newErrors(next.Late, next.Others)
	}
}

// In a large project, what a file for another system did to one that is built here, too, is said in the same
// words whenever it is asked: only gopls knows it, and only if it is asked about all.
func TestLargeProjectOfOtherSystems(t *testing.T) {
	s := enginetest.OpenReal(t, `
-- go.mod --
module m

go 1.24
-- hook.go --
package m

func Run() { hook() }
-- hook_plan9.go --
package m

func hook() {}
-- hook_other.go --
//go:build !plan9

package m

func hook() {}
`, "gopls")
	s.Config.Settings.LargeProjectFiles = 1
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	s.Write("hook_plan9.go", "package m\n\nfunc other() {}\n")
	for i := range 2 {
		result, err := api.Check.Do(api.Call{Session: fmt.Sprint(i), Last: true}.In(t.Context()), s.Engine, api.CheckRequest{
			Baseline: api.BaselineHead, TimeoutMS: 60_000, WaitLimitMS: 60_000,
		})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"hook.go": 1}
		if diff := cmp.Diff(want, newErrors(result.Files, result.Others)); diff != "" || result.Verdict != "new_errors" {
			t.Errorf("%d: %s (-want +got):\n%s", i, result.Verdict, diff)
		}
	}
}

// In a large project, the older errors that an answer counts follow from what changed, not from what was asked
// before.
func TestLargeProjectOlderErrors(t *testing.T) {
	s := enginetest.OpenReal(t, lsptest.LargeGo, "gopls")
	s.Write("free/old.go", "package free\n\nvar Old = missing\n")
	s.Git("init", "-q")
	s.Git("add", ".")
	s.Git("commit", "-qm", "one")
	ask := func(req api.CheckRequest) result.Check {
		t.Helper()
		req.TimeoutMS, req.WaitLimitMS = 60_000, 60_000
		r, err := api.Check.Do(api.Call{Session: fmt.Sprint(req), Last: true}.In(t.Context()), s.Engine, req)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	s.Write("lib/lib.go", "package lib\n\nfunc Sum(a, b int) int { return a + b }\n")
	type said struct {
		Verdict        string
		OlderElsewhere int
	}
	var got []said
	for _, req := range []api.CheckRequest{{Files: []string{"."}, Baseline: api.BaselineNone}, {Baseline: api.BaselineHead}} {
		r := ask(req)
		got = append(got, said{r.Verdict, r.OlderElsewhere})
	}
	s = s.Reopen(func(*enginetest.Options) {})
	r := ask(api.CheckRequest{Baseline: api.BaselineHead})
	got = append(got, said{r.Verdict, r.OlderElsewhere})
	if diff := cmp.Diff([]said{{"new_errors", 0}, {"clean", 0}, {"clean", 0}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
