package assembly

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/git"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Impact returns the uses of what changes: files, symbols, or the differences in a range of git
// commits.
func (a *Assembler) Impact(ctx context.Context, req api.ImpactRequest) (result.Impact, error) {
	if len(req.Files) == 0 && len(req.Symbols) == 0 && req.GitRange == "" {
		req.GitRange = "HEAD"
	}
	if req.Scope != "" && req.Scope != "exported" && req.Scope != "all" {
		return result.Impact{}, &api.ArgumentError{Argument: "scope", Reason: fmt.Sprintf("%q is no scope", req.Scope), Advice: "scopes are exported and all"}
	}
	return overlay.Ask(ctx, a.view, req.Limits, headOfImpact, func(ctx context.Context, q *symbols.Inquiry) (result.Impact, error) {
		c, err := a.changeOf(ctx, q, req)
		if err != nil {
			return result.Impact{}, err
		}
		report := impact.Analyse(ctx, q, c.subjects, impact.Options{Relative: a.names.FromBase, Files: a.workspace.Files, Transitive: req.Transitive})
		if err := report.Err(); err != nil {
			return result.Impact{}, err
		}
		return a.impact(c, &report), nil
	})
}

func headOfImpact(i *result.Impact) *result.Head { return &i.Head }

// A change lists the symbols that, according to a request, will change or have changed.
type change struct {
	files    []string // as shown to the caller
	subjects []impact.Subject
	tests    []string // changed test files
	notes    []string
}

// add adds the symbols that are not yet in the change.
func (c *change) add(path string, declared []*symbols.Symbol) {
	for _, s := range declared {
		subject := impact.SubjectOf(path, s)
		if !slices.ContainsFunc(c.subjects, func(known impact.Subject) bool { return known.Place == subject.Place }) {
			c.subjects = append(c.subjects, subject)
		}
	}
}

func (a *Assembler) changeOf(ctx context.Context, q *symbols.Inquiry, req api.ImpactRequest) (*change, error) {
	c := &change{}
	for _, name := range req.Files {
		if err := a.changedFile(ctx, q, c, name, req.Scope); err != nil {
			return nil, err
		}
	}
	for _, at := range req.Symbols {
		subject, err := a.subject(ctx, q, symbols.Selector{At: at})
		if err != nil {
			return nil, err
		}
		c.subjects = append(c.subjects, subject)
	}
	if req.GitRange == "" {
		return c, nil
	}
	changes, err := a.workspace.Git().Changes(ctx, req.GitRange)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if err := a.diffedFile(ctx, q, c, &changes[i], req.Scope); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// changedFile adds the symbols of a file named by the caller.
func (a *Assembler) changedFile(ctx context.Context, q *symbols.Inquiry, c *change, name, scope string) error {
	o, text, err := a.outlined(ctx, q, name)
	if err != nil {
		return err
	}
	shown := a.names.Relative(o.Path)
	c.files = append(c.files, shown)
	declared := impact.Exported(o, text)
	if scope == "all" || len(declared) == 0 {
		declared = impact.Declared(o, text)
		if scope != "all" && len(declared) > 0 {
			c.notes = append(c.notes, shown+" exports nothing; took all that it declares")
		}
	}
	if len(declared) == 0 {
		c.notes = append(c.notes, shown+" declares nothing")
	}
	c.add(o.Path, declared)
	return nil
}

// outlined returns the outline and the text of a file named by the caller.
func (a *Assembler) outlined(ctx context.Context, q *symbols.Inquiry, name string) (*symbols.Outline, *protocol.Mapper, error) {
	path, err := a.names.Resolve(name)
	if err != nil {
		return nil, nil, err
	}
	text, err := q.Text(path)
	if err != nil {
		return nil, nil, err
	}
	o, err := q.Outline(ctx, path)
	return o, text, err
}

// diffedFile adds the symbols of a file that a diff touches. If no server handles the file, it is
// skipped with a note, because the caller did not name it.
func (a *Assembler) diffedFile(ctx context.Context, q *symbols.Inquiry, c *change, diffed *git.FileChange, scope string) error {
	shown := a.names.Relative(diffed.Path)
	if diffed.Unread != "" {
		c.notes = append(c.notes, shown+" left out: "+diffed.Unread)
		return nil
	}
	if diffed.Deleted {
		c.notes = append(c.notes, shown+" is deleted; check the workspace to see who misses it")
		return nil
	}
	o, text, err := a.outlined(ctx, q, diffed.Path)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		c.notes = append(c.notes, shown+" left out: "+err.Error())
		return nil
	}
	c.files = append(c.files, shown)
	if symbols.IsTest(a.names.FromBase(shown)) {
		c.tests = append(c.tests, shown)
		return nil
	}
	touched, deleted := impact.Touched(o, text, diffed.Hunks)
	if diffed.Whole {
		touched = impact.Declared(o, text)
	}
	if deleted {
		c.notes = append(c.notes, shown+": lines outside of every declaration were deleted; check the workspace to see who misses them")
	}
	if scope == "exported" {
		exported := impact.Exported(o, text)
		touched = slices.DeleteFunc(touched, func(s *symbols.Symbol) bool { return !slices.Contains(exported, s) })
	}
	c.add(o.Path, touched)
	return nil
}

// subject resolves a symbol named by the caller, and finds its declaration.
func (a *Assembler) subject(ctx context.Context, q *symbols.Inquiry, selector symbols.Selector) (impact.Subject, error) {
	t, err := q.Resolve(ctx, selector)
	if err != nil {
		return impact.Subject{}, err
	}
	if t.Symbol != nil {
		return impact.SubjectOf(t.Path, t.Symbol), nil
	}
	subject := impact.Subject{Name: t.Name, Kind: "symbol", Target: t}
	subject.Place.Path, subject.Place.Range.Start, subject.Place.Range.End = t.Path, t.At, t.At
	places, err := q.Places(ctx, symbols.Definition, t)
	if err = lsp.UnlessUnsupported(err); err != nil {
		return impact.Subject{}, err
	}
	if len(places) == 0 {
		return subject, nil
	}
	subject.Place = places[0]
	if o, err := q.Outline(ctx, places[0].Path); err == nil {
		if s := o.Declared(places[0].Range.Start); s != nil {
			declared := impact.SubjectOf(places[0].Path, s)
			declared.Target = t // a server certainly answers at the position the caller gave
			return declared, nil
		}
	}
	return subject, nil
}

// impact converts a report to a result.
func (a *Assembler) impact(c *change, report *impact.Report) result.Impact {
	answer := result.Impact{
		Changed: c.files, Total: len(report.Effects), Symbols: []result.ImpactSymbol{}, TestFiles: a.names.Shown(report.TestFiles),
	}
	answer.Notes = append(c.notes, report.Notes...)
	for _, test := range c.tests {
		if !slices.Contains(answer.TestFiles, test) {
			answer.TestFiles = append(answer.TestFiles, test)
		}
	}
	slices.Sort(answer.TestFiles)
	effects := slices.Clone(report.Effects)
	slices.SortStableFunc(effects, func(x, y impact.Effect) int { return a.comparePlaces(x.Place, y.Place) })
	for i := range effects {
		f := &effects[i]
		s := result.ImpactSymbol{
			Name: f.Name, Kind: f.Kind, At: a.names.At(f.Place.Path, f.Place.Range.Start), Risk: string(f.Risk), Why: f.Why,
			References: f.References, Own: f.Own, Tests: f.Tests,
			Users: a.users(f.Users), TestUsers: a.users(f.TestUsers), Transitive: a.users(f.Transitive),
		}
		if f.Err != nil {
			s.Risk, s.Failed = "unknown", reasonOf(f.Err)
			answer.Failed++
		}
		answer.References += s.References
		answer.Own += s.Own
		answer.Tests += s.Tests
		answer.Symbols = append(answer.Symbols, s)
	}
	return answer
}

func (a *Assembler) comparePlaces(x, y symbols.Place) int {
	if by := strings.Compare(a.names.Relative(x.Path), a.names.Relative(y.Path)); by != 0 {
		return by
	}
	switch {
	case x.Range.Start.Before(y.Range.Start):
		return -1
	case y.Range.Start.Before(x.Range.Start):
		return 1
	}
	return 0
}

// reasonOf says why a symbol could not be looked up.
func reasonOf(err error) string {
	var unsupported *lsp.UnsupportedError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the time was over before it was asked about; raise timeout_ms, or name fewer files"
	case errors.As(err, &unsupported):
		return unsupported.Error()
	}
	return err.Error()
}

func (a *Assembler) users(users []impact.User) []result.User {
	var list []result.User
	for _, u := range users {
		user := result.User{Name: u.Name, Path: a.names.Relative(u.Place.Path), Line: u.Place.Range.Start.Line + 1}
		if u.Uses > 1 {
			user.Uses = u.Uses
		}
		list = append(list, user)
	}
	return list
}
