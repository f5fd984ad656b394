package enginetest

import (
	"slices"

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
