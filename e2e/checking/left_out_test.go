package checking

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/result"
)

// gopls publishes that nothing is wrong with files in folders that the go command leaves out of all packages, whatever is in them. They are
// judged like others: alone, together, again, and by several at once.
func TestFilesThatGoLeavesOut(t *testing.T) {
	const archive = "-- go.mod --\nmodule m\n\ngo 1.24\n-- old/old.go --\npackage old\n\nvar old int = \"old\"\n"
	s := enginetest.OpenReal(t, archive, "gopls")
	s.Git("init", "-q")
	s.Git("add", "-A")
	s.Git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "old")
	files := []string{"_tried/a.go", "lib/testdata/b.go", ".hidden/c.go", "a</d.go", "plain/e.go"}
	for _, file := range files {
		s.Write(file, "package p\n\nvar x int = \"no\"\n")
	}
	check := func(files ...string) map[string][]string {
		answer, err := api.Check.Do(t.Context(), s.Engine, api.CheckRequest{Files: files})
		if err != nil {
			t.Error(err)
			return nil
		}
		found := map[string][]string{"": {answer.Verdict}}
		for _, f := range answer.Files {
			for _, d := range f.Diagnostics {
				message, _, _ := strings.Cut(d.Message, " (")
				found[f.Path] = append(found[f.Path], message)
			}
		}
		return found
	}
	want := map[string][]string{"": {result.NewErrors}}
	for _, file := range files {
		want[file] = []string{`cannot use "no"`}
	}
	for range 2 {
		if diff := cmp.Diff(want, check(files...)); diff != "" {
			t.Errorf("together (-want +got):\n%s", diff)
		}
	}
	for _, file := range files {
		s.Write(file, "package p\n\nvar x, y int = 1, \"no\"\n") // for the second time
		var asking sync.WaitGroup
		for range 4 {
			asking.Go(func() {
				if diff := cmp.Diff(map[string][]string{"": {result.NewErrors}, file: {`cannot use "no"`}}, check(file)); diff != "" {
					t.Errorf("alone, with three others (-want +got):\n%s", diff)
				}
			})
		}
		asking.Wait()
	}
	slices.Reverse(files)
	if diff := cmp.Diff(want, check(files...)); diff != "" {
		t.Errorf("together, after that (-want +got):\n%s", diff)
	}
}
