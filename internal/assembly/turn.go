package assembly

import (
	"cmp"
	"context"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// maxErrors limits the errors of a turn around which context is gathered.
const maxErrors = 20

// AddItems adds to a closed turn what its model should see: the diagnostics of files that changed
// or that the changes broke, and what the code around new errors uses. budget limits the texts of
// all items together, in bytes; 0 means the default. What the code uses is left out, and a note says why, if permit
// returns an error.
func (a *Assembler) AddItems(ctx context.Context, turn *result.ClosedTurn, budget int, permit func(api.AssembleRequest) error) error {
	budget = cmp.Or(budget, api.DefaultContextBytes)
	found := newGathering(a, nil, nil)
	errors := api.AssembleRequest{Include: []string{result.ContextType, result.ContextDefinition, result.ContextSignature}}
	for _, f := range slices.Concat(turn.Check.Files, turn.Check.Others) {
		path, err := a.workspace.Resolve(a.workspace.Root(), f.Path)
		if err != nil || f.Error != nil || len(f.Diagnostics) == 0 && f.Verdict != result.Clean {
			continue // it was not checked; the check says why
		}
		if c := found.findingsOf(&f, path); c != nil {
			found.findings = append(found.findings, c)
		}
		for i := range f.Diagnostics {
			if d := &f.Diagnostics[i]; d.New && d.Severity == "error" && len(errors.Ranges) < maxErrors {
				errors.Ranges = append(errors.Ranges, api.Range{File: path, StartLine: api.OneBased(d.Line), EndLine: api.OneBased(d.Line)})
			}
		}
	}
	items, bytes, _ := found.choose(budget)
	turn.Items = items
	if errors.BudgetBytes = budget - bytes; errors.BudgetBytes < 1 || len(errors.Ranges) == 0 {
		return nil
	}
	var around result.Context
	err := permit(errors)
	if err == nil {
		around, err = a.Assemble(ctx, errors)
	}
	if err != nil {
		if cause := ctxCanceled(ctx); cause != nil {
			return cause
		}
		turn.Notes = append(turn.Notes, "what the code around the errors uses is not known: "+err.Error())
		return nil
	}
	turn.Items = append(turn.Items, around.Items...)
	turn.Notes = append(turn.Notes, around.Notes...)
	return nil
}
