package assembly

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// TestsFor returns the tests of files: those named after them, and those that use what they
// declare.
func (a *Assembler) TestsFor(ctx context.Context, req api.TestsRequest) (result.Tests, error) {
	if len(req.Files) == 0 {
		return result.Tests{}, &api.ArgumentError{Argument: "files", Reason: "it is empty", Advice: `for example ["src/a.go"]`}
	}
	return overlay.Ask(ctx, a.view, req.Limits, headOfTests, func(ctx context.Context, q *symbols.Inquiry) (result.Tests, error) {
		answer := result.Tests{Files: []result.TestsOf{}}
		for _, name := range req.Files {
			of, notes, err := a.testsOf(ctx, q, name)
			if err != nil {
				return result.Tests{}, err
			}
			answer.Files, answer.Notes = append(answer.Files, of), append(answer.Notes, notes...)
		}
		return answer, nil
	})
}

func headOfTests(t *result.Tests) *result.Head { return &t.Head }

func (a *Assembler) testsOf(ctx context.Context, q *symbols.Inquiry, name string) (result.TestsOf, []string, error) {
	path, err := a.names.Resolve(name)
	if err != nil {
		return result.TestsOf{}, nil, err
	}
	text, err := q.Text(path)
	if err != nil {
		return result.TestsOf{}, nil, err
	}
	of := result.TestsOf{Path: a.names.Relative(path), Tests: []result.TestFile{}}
	relative := a.workspace.Relative(path)
	if symbols.IsTest(relative) {
		of.Tests = append(of.Tests, result.TestFile{Path: of.Path, Why: "itself"})
	} else if impact.HasInlineTests(relative, text.Content()) {
		of.Tests = append(of.Tests, result.TestFile{Path: of.Path, Why: "inside"})
	}
	files, err := a.workspace.Files(ctx)
	if err != nil {
		return of, nil, err
	}
	for i := range files {
		files[i] = a.workspace.Relative(files[i])
	}
	for _, test := range impact.TestsByName(relative, files) {
		shown := a.names.Relative(filepath.Join(a.workspace.Root(), filepath.FromSlash(test)))
		of.Tests = append(of.Tests, result.TestFile{Path: shown, Why: "name"})
	}
	notes, err := a.testsUsing(ctx, q, path, text, &of)
	return of, notes, err
}

// testsUsing adds the tests that use what a file declares. If no server can find them, notes say
// so.
func (a *Assembler) testsUsing(ctx context.Context, q *symbols.Inquiry, path string, text *protocol.Mapper, of *result.TestsOf) (notes []string, err error) {
	o, err := q.Outline(ctx, path)
	if err != nil {
		return []string{of.Path + ": by names alone: " + err.Error()}, nil
	}
	var subjects []impact.Subject
	for _, s := range impact.Declared(o, text) {
		subjects = append(subjects, impact.SubjectOf(path, s))
	}
	report := impact.Analyse(ctx, q, subjects, impact.Options{Relative: a.names.FromBase, Files: a.workspace.Files})
	for i := range report.Effects {
		if report.Effects[i].Err != nil {
			notes = []string{of.Path + ": not all that use it are known: " + reasonOf(report.Effects[i].Err)}
		}
	}
	for _, test := range report.Tests(a.names.FromBase) {
		shown := a.names.Relative(test.Path)
		i := slices.IndexFunc(of.Tests, func(t result.TestFile) bool { return t.Path == shown })
		switch {
		case i < 0:
			of.Tests = append(of.Tests, result.TestFile{Path: shown, Why: "references", Functions: test.Functions})
		case of.Tests[i].Why == "name":
			of.Tests[i].Why, of.Tests[i].Functions = "name and references", test.Functions
		default:
			of.Tests[i].Functions = test.Functions
		}
	}
	return append(notes, report.Notes...), nil
}
