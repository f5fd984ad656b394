// Package restate translates between what callers say and what the rooms below work with:
// lines and columns are counted from 1, and files are named from the caller's own folder.
package restate

import (
	"cmp"
	"errors"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// File restates the report of a file. With its text, which lines returns or nil, each diagnostic
// has the line that it begins in.
func File(n workspace.Names, r *diagnostics.FileReport, lines func(path string) *protocol.Mapper) result.File {
	f := result.File{
		Path: n.FromRoot(r.Path), Verdict: string(r.Verdict), Baseline: string(r.Baseline), Doubtful: r.Doubtful,
		Diagnostics: []result.Diagnostic{},
	}
	unseen, standing := make(map[diagnosticID]int), make(map[diagnosticID]int)
	for _, d := range r.New {
		unseen[idOf(d)]++
	}
	for _, d := range r.Standing {
		standing[idOf(d)]++
	}
	mapper := lines(r.Path)
	for _, d := range r.Diagnostics {
		p := diagnostic(d, mapper)
		if id := idOf(d); unseen[id] > 0 {
			unseen[id]--
			p.New = true
		} else if standing[id] > 0 {
			standing[id]--
			p.Standing = true
		}
		f.Diagnostics = append(f.Diagnostics, p)
	}
	for _, d := range r.Excused {
		f.Excused = append(f.Excused, diagnostic(d, nil))
	}
	for _, d := range r.Fixed {
		f.Fixed = append(f.Fixed, diagnostic(d, nil))
	}
	for _, a := range r.Answers {
		f.Servers = append(f.Servers, result.Answer{
			Server: a.Server, Root: a.Root, Version: a.Version, Freshness: string(a.Freshness),
			Reason: a.Reason, Hint: cmp.Or(Hint(a.Err), a.Lack.Next), WaitedMS: a.Waited.Milliseconds(), Dispensable: a.Dispensable, Untrusted: untrusted(&a), Note: a.Note, Says: a.Says,
		})
	}
	return f
}

// untrusted reports whether an answer lacks something only because the checkout is not trusted.
func untrusted(a *diagnostics.Answer) bool {
	var unavailable *roots.UnavailableError
	return a.Untrusted || errors.As(a.Err, &unavailable) && unavailable.State == roots.Untrusted
}

type diagnosticID struct {
	place   protocol.Range
	message string
}

func idOf(d diagnostics.Diagnostic) diagnosticID { return diagnosticID{d.Range, d.Message} }

func diagnostic(d diagnostics.Diagnostic, mapper *protocol.Mapper) result.Diagnostic {
	p := result.Diagnostic{
		Line: d.Range.Start.Line + 1, Column: d.Range.Start.Character + 1,
		EndLine: d.Range.End.Line + 1, EndColumn: d.Range.End.Character + 1,
		Severity: d.Severity.String(), Code: d.Code, Source: d.Source, Message: d.Message, Server: d.Server,
	}
	if mapper != nil {
		p.SourceLine = string(mapper.Line(int(d.Range.Start.Line)))
	}
	return p
}

// Hint returns the way out that an error names, or "".
func Hint(err error) string {
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		return hinted.Hint()
	}
	return ""
}

// Problem restates an error about one file of a check.
func Problem(err error) *result.Error {
	p := &result.Error{Kind: result.Failed, Message: err.Error(), Hint: Hint(err)}
	var (
		outside *workspace.OutsideWorkspaceError
		missing *workspace.NotFoundError
		refused *workspace.NotDiagnosedError
		failed  *git.Error
	)
	switch {
	case errors.As(err, &outside):
		p.Kind = result.Outside
	case errors.As(err, &missing):
		p.Kind = result.NotFound
	case errors.As(err, &refused):
		p.Kind = result.NotDiagnosed
	case errors.As(err, &failed):
		p.Kind = result.Git
	}
	return p
}
