package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
)

// A company says what the evaluation of changes may run in parallel with: evaluations that use none
// of these servers or, if alone, nothing, because the changes may have to be on disk.
type company struct {
	alone   bool
	servers []roots.Key
}

// A companyError says that an evaluation turned out to need another company. Its results so far do
// not count; it starts again with that company.
type companyError struct{ with company }

func (*companyError) Error() string { return "the evaluation needs servers that others may use" }

// company returns the company for plans: the servers of the files that they change. Which other
// servers are needed is known only once the users of these files are.
func (ch *Checker) company(how Evaluation, plans []*edit.Plan) company {
	var servers []roots.Key
	for _, plan := range plans {
		for _, c := range plan.Changes() {
			if how.OnDisk || c.Deleted || c.From != "" {
				return company{alone: true}
			}
			for _, candidate := range ch.workspace.Candidates(c.Path) {
				d := candidate.Definition
				switch {
				case candidate.Unavailable != nil:
				case d.Has(registry.ReadsSaved), c.Created && d.Has(registry.JudgesSaved):
					return company{alone: true}
				default:
					servers = append(servers, candidate.Key())
				}
			}
		}
	}
	return company{servers: servers}
}

// takeTurn waits until the evaluation may run. The turn is nil if it runs alone. The evaluation
// must use the returned context.
func (ch *Checker) takeTurn(ctx context.Context, with company) (_ *overlay.Turn, _ context.Context, release func(), err error) {
	if with.alone {
		return nil, ctx, ch.overlay.Writers.Unlock, ch.overlay.Writers.Lock(ctx)
	}
	turn, err := ch.overlay.TakeTurn(ctx, with.servers)
	if err != nil {
		return nil, nil, nil, err
	}
	return turn, turn.Watch(ctx), turn.End, nil
}

// suffices returns a *companyError if the turn has used servers that are not part of the company.
func (with company) suffices(turn *overlay.Turn) error {
	if turn == nil {
		return nil
	}
	if strangers := turn.Strangers(); len(strangers) > 0 {
		return &companyError{company{servers: slices.Concat(with.servers, strangers)}}
	}
	return nil
}

// lockShown waits until nobody asks servers anything, and nobody else shows texts to the servers
// that will be shown the changes.
func (t *transaction) lockShown(ctx context.Context) (release func(), err error) {
	if t.turn == nil {
		return t.overlay.Shown.Unlock, t.overlay.Shown.Lock(ctx)
	}
	return t.overlay.Shown.Leave, t.overlay.Shown.Join(ctx)
}

// isWaitedFor reports whether somebody waits for the transaction to end.
func (t *transaction) isWaitedFor() bool {
	return t.overlay.Wanted() || t.turn != nil && t.turn.Wanted()
}
