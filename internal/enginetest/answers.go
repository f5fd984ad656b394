package enginetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

// Answered is what matters of an answer here: which files it is about, and its notes.
type Answered struct {
	Files, Others []string
	Notes         []string
}

// AnsweredBy states an answer so.
func AnsweredBy(files, others []result.File, notes []string) Answered {
	t := Answered{Notes: notes}
	for _, f := range files {
		t.Files = append(t.Files, f.Path)
	}
	for _, f := range others {
		t.Others = append(t.Others, f.Path)
	}
	return t
}

// HasNew reports whether something new is wrong with a file.
func HasNew(f result.File) bool {
	return slices.ContainsFunc(f.Diagnostics, func(d result.Diagnostic) bool { return d.New })
}

// ExpectBroken compares what is new in other files with the beginnings of "path: message".
func ExpectBroken(t *testing.T, result result.Edit, want []string) {
	t.Helper()
	var got []string
	for _, f := range result.Others {
		for _, d := range f.Diagnostics {
			got = append(got, f.Path+": "+d.Message)
		}
	}
	same := len(got) == len(want)
	for i := range got {
		same = same && strings.HasPrefix(got[i], want[i])
	}
	if !same {
		t.Errorf("broke %q, want %q\n%s\n%+v %+v", got, want, render.Brief(&result), result.Dependants, result.Others)
	}
}
