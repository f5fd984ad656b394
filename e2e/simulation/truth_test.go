package simulation

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/render"
	"github.com/lspine/lspine/internal/result"
)

var projects = []project{
	goProject, scriptProject("typescript"), scriptProject("typescript-language-server"), pythonProject, cppProject, rustProject, javaProject, lintProject,
}

// What an evaluation says that edits would break and mend is what a check says once they are
// written, also in files that nobody opened. Where a server sees nothing but the disk, it is not
// known in memory, and never safe; with leave to use the disk it is.
func TestEvaluationsSayWhatACheckSaysAfterTheEdit(t *testing.T) {
	for _, p := range projects {
		t.Run(p.server, func(t *testing.T) {
			t.Parallel()
			s := p.open(t)
			before := errorsOf(t, s)
			for _, e := range p.edits {
				session := simulate(t, s, api.SimulateRequest{Action: "create"}).Session
				simulate(t, s, api.SimulateRequest{Action: "edit", Session: session, Edits: edits(e.list...)})
				inMemory := simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: session}).Evaluation
				told := inMemory
				if (inMemory.Confidence != result.HighConfidence) != e.disk {
					t.Errorf("%s: in memory its confidence is %s, %s, %v", e.name, inMemory.Confidence, inMemory.Verdict, inMemory.Unknown)
				}
				if inMemory.Confidence != result.HighConfidence {
					if slices.Contains(harmless, inMemory.Verdict) {
						t.Errorf("%s: what is not known is %q", e.name, inMemory.Verdict)
					}
					told = simulate(t, s, api.SimulateRequest{Action: "evaluate", Session: session, OnDisk: true}).Evaluation
				}
				if diff := gocmp.Diff(before, errorsOf(t, s)); diff != "" {
					t.Errorf("%s: after its evaluation there are others (-before +after):\n%s", e.name, diff)
				}
				after := p.written(t, s, e.list)
				if diff := gocmp.Diff(difference(after, moved(before, e.list)), listOf(told.Introduced)); diff != "" || told.Confidence != result.HighConfidence {
					t.Errorf("%s (confidence %s, %v): errors introduced (-check +evaluation):\n%s", e.name, told.Confidence, told.Unknown, diff)
				}
				simulate(t, s, api.SimulateRequest{Action: "destroy", Session: session})
			}
		})
	}
}

// errorsOf returns the errors of all files, as a check finds them.
func errorsOf(t *testing.T, s *enginetest.Shop) []string {
	t.Helper()
	var files []string
	all := os.DirFS(s.Folder)
	err := fs.WalkDir(all, ".", func(path string, d fs.DirEntry, err error) error {
		if ending := filepath.Ext(path); err == nil && !d.IsDir() && slices.Contains([]string{".go", ".ts", ".py", ".cc", ".rs", ".java", ".js"}, ending) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	answer := s.Check(api.CheckRequest{Files: files, Baseline: "none", MaxBytes: -1, TimeoutMS: 60_000, Severities: []string{"error"}})
	if answer.Incomplete {
		t.Errorf("the check is not complete: %v\n%s", answer.Unknown, render.Brief(&answer))
	}
	var found []string
	for _, f := range slices.Concat(answer.Files, answer.Others) {
		for _, d := range f.Diagnostics {
			found = append(found, fmt.Sprintf("%s:%d:%d %s", f.Path, d.Line, d.Column, d.Message))
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func listOf(list []result.FileFinding) (all []string) {
	for _, f := range list {
		all = append(all, fmt.Sprintf("%s:%d:%d %s", f.File, f.Line, f.Column, f.Message))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// moved returns errors as they stand where edits move their files.
func moved(list []string, edits []api.FileEdit) []string {
	for _, e := range edits {
		for i, found := range list {
			if place, in := strings.CutPrefix(found, e.File+":"); in && e.RenameTo != "" {
				list = slices.Concat(list[:i:i], []string{e.RenameTo + ":" + place}, list[i+1:])
			}
		}
	}
	return list
}

// difference returns the errors that were not there before, wherever they stand in their file.
func difference(after, before []string) (all []string) {
	for _, found := range after {
		if !slices.Contains(before, found) {
			all = append(all, found)
		}
	}
	return all
}

// open opens an engine over the files of the project.
func (p project) open(t *testing.T) *enginetest.Shop {
	t.Helper()
	s := enginetest.OpenReal(t, p.archive, p.server)
	if p.server == "eslint" {
		if err := os.Mkdir(filepath.Join(s.Folder, "node_modules"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(lsptest.Library(t, lsptest.Require(t, "eslint"), "eslint"), filepath.Join(s.Folder, "node_modules", "eslint")); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// written writes edits to disk, as somebody else would, returns what a check finds then, and takes
// them back.
func (p project) written(t *testing.T, s *enginetest.Shop, list []api.FileEdit) (after []string) {
	t.Helper()
	if p.anew {
		t.Run("written", func(t *testing.T) { // its server ends with it
			s := p.open(t)
			errorsOf(t, s)
			write(t, s.Folder, list)
			after = errorsOf(t, s)
		})
		return after
	}
	takeBack := write(t, s.Folder, list)
	after = errorsOf(t, s)
	takeBack()
	errorsOf(t, s) // the session of these calls has seen them as they were
	return after
}

// write writes edits to disk.
func write(t *testing.T, folder string, list []api.FileEdit) (takeBack func()) {
	t.Helper()
	tree, err := edit.NewTree(1<<20, folder)
	if err != nil {
		t.Fatal(err)
	}
	plan := edit.NewPlan(tree)
	for _, e := range list {
		path := filepath.Join(folder, e.File)
		switch {
		case e.Delete:
			err = plan.Delete(path, edit.Missing{})
		case e.RenameTo != "":
			err = plan.Rename(path, filepath.Join(folder, e.RenameTo), edit.Existing{})
		case e.Content != nil:
			err = plan.Write(path, *e.Content)
		default:
			_, err = plan.Replace(path, *e.OldText, *e.NewText, false)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	changes := plan.Changes()
	if err := edit.Commit(t.Context(), plan, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		for _, c := range changes {
			var err error
			if c.Created || c.From != "" {
				err = os.Remove(c.Path)
			}
			if !c.Created && err == nil {
				err = os.WriteFile(cmp.Or(c.From, c.Path), c.Before, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
