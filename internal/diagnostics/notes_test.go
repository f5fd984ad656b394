package diagnostics

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A report takes over what the one before it noted of the same server for the same file, unless
// it has a note of its own.
func TestNotesOfAnEarlierReportAreKept(t *testing.T) {
	report := func(answers ...[]Answer) (r Report) {
		for i, a := range answers {
			r.Files = append(r.Files, FileReport{Path: fmt.Sprint(i), Answers: a})
		}
		return r
	}
	earlier := report(
		[]Answer{{Server: "a", Root: "/r", Note: "started again"}, {Server: "b", Root: "/r", Note: "slow"}, {Server: "c", Root: "/r", Note: "old"}},
		[]Answer{{Server: "a", Root: "/r"}},
	)
	got := report(
		[]Answer{{Server: "b", Root: "/r"}, {Server: "a", Root: "/r"}, {Server: "a", Root: "/r/sub"}, {Server: "c", Root: "/r", Note: "its own"}, {Server: "d", Root: "/r"}},
		[]Answer{{Server: "a", Root: "/r"}},
		[]Answer{{Server: "a", Root: "/r"}},
	)
	got.KeepNotes(&earlier)
	var notes [][]string
	for _, f := range got.Files {
		var of []string
		for _, a := range f.Answers {
			of = append(of, a.Note)
		}
		notes = append(notes, of)
	}
	if diff := cmp.Diff([][]string{{"slow", "started again", "", "its own", ""}, {""}, {""}}, notes); diff != "" {
		t.Error(diff)
	}
}
