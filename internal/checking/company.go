package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/workspace"
)

// A company says beside whom changes are evaluated: beside evaluations that use none of these
// servers, or alone, because they may have to be on disk.
type company struct {
	alone   bool
	servers []workspace.Key
}

// A companyError says that an evaluation cannot go on in its company. What it found out does not
// count; it begins anew in another one.
type companyError struct{ with company }

func (*companyError) Error() string { return "the evaluation needs servers that others may use" }

// company returns that of plans: servers of the files that they change. Which others are needed
// is known only when the users of these files are.
func (ch *Checker) company(how Evaluation, plans []*edit.Plan) company {
	var servers []workspace.Key
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

// takeTurn waits for an evaluation's turn, which is nil if it is alone. It is to use the context
// that is returned.
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

// suffices returns a *companyError if other servers were used than those that the turn is with.
func (with company) suffices(turn *overlay.Turn) error {
	if turn == nil {
		return nil
	}
	if strangers := turn.Strangers(); len(strangers) > 0 {
		return &companyError{company{servers: slices.Concat(with.servers, strangers)}}
	}
	return nil
}

// lockShown waits until nobody asks servers anything, and nobody else shows texts to those that
// are to be shown the changes.
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
