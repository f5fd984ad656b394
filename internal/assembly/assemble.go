package assembly

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// Assemble returns context items around a focus, closest first, within a budget. What servers do
// not answer is listed in the result's failures and is not an error, because the caller can work
// without it.
func (a *Assembler) Assemble(ctx context.Context, req api.AssembleRequest) (result.Context, error) {
	include, err := checkAssemble(&req)
	if err != nil {
		return result.Context{}, err
	}
	var found *gathering
	answer, err := overlay.Ask(ctx, a.view, api.Limits{TimeoutMS: req.TimeoutMS}, headOfContext, func(ctx context.Context, q *symbols.Inquiry) (c result.Context, err error) {
		found = newGathering(a, q, include)
		err = found.gather(ctx, &req)
		c.Notes = found.notes
		return c, err
	})
	if err != nil {
		return result.Context{}, err
	}
	if include[result.ContextDiagnostics] { // not inside the inquiry: a check takes the same locks
		found.diagnose(ctx, found.focus.files())
	}
	answer.BudgetBytes = cmp.Or(req.BudgetBytes, api.DefaultContextBytes)
	answer.Items, answer.Bytes, answer.Left = found.choose(answer.BudgetBytes)
	slices.SortStableFunc(found.failures, func(x, y result.ContextFailure) int { // they arrive in any order
		return cmp.Or(strings.Compare(x.Query, y.Query), strings.Compare(x.Target.Path, y.Target.Path), cmp.Compare(x.Target.Line, y.Target.Line))
	})
	answer.Failures = found.failures
	return answer, nil
}

func headOfContext(c *result.Context) *result.Head { return &c.Head }

// checkAssemble validates a request and returns the kinds of items that it asks for.
func checkAssemble(r *api.AssembleRequest) (include map[string]bool, err error) {
	include = make(map[string]bool)
	for _, kind := range r.Include {
		if !slices.Contains(api.ContextKinds, kind) {
			return nil, &api.ArgumentError{Argument: "include", Reason: fmt.Sprintf("%q is no kind of items", kind), Advice: "kinds are " + strings.Join(api.ContextKinds, ", ")}
		}
		include[kind] = true
	}
	if len(include) == 0 {
		for _, kind := range api.DefaultContextKinds() {
			include[kind] = true
		}
	}
	switch {
	case len(r.Files)+len(r.Ranges)+len(r.Symbols) == 0 && r.GitRange == "" && strings.TrimSpace(r.Text) == "":
		return nil, &api.ArgumentError{Argument: "files", Reason: "no files, ranges, symbols, git_range or text are given", Advice: `for example ranges [{"file": "src/a.go", "start_line": 42}], or git_range "HEAD"`}
	case r.BudgetBytes < 0:
		return nil, &api.ArgumentError{Argument: "budget_bytes", Reason: "a budget is at least 1 byte", Advice: "for example 8192"}
	}
	for argument, ranges := range map[string][]api.Range{"ranges": r.Ranges, "in_view": r.InView} {
		for _, of := range ranges {
			switch {
			case of.File == "":
				return nil, &api.ArgumentError{Argument: argument, Reason: "a range has no file", Advice: `for example [{"file": "src/a.go", "start_line": 42}]`}
			case of.EndLine > 0 && (of.StartLine == 0 || of.EndLine < of.StartLine):
				return nil, &api.ArgumentError{Argument: argument, Reason: fmt.Sprintf("%s: the end, line %d, is before the start, or there is no start", of.File, of.EndLine), Advice: `for example [{"file": "src/a.go", "start_line": 10, "end_line": 20}]`}
			}
		}
	}
	return include, api.Limits{TimeoutMS: r.TimeoutMS}.Valid()
}

// maxAsking limits how many requests of one call are sent to servers at the same time.
const maxAsking = 4

// beside calls do for each number below n, several at a time, and waits for all of them. do must
// not call beside.
func (g *gathering) beside(n int, do func(i int)) {
	var all guard.Group
	for i := range n {
		g.slots <- struct{}{}
		all.Go(func() {
			defer func() { <-g.slots }()
			do(i)
		})
	}
	all.Wait()
}
