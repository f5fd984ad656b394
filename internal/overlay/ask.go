package overlay

import (
	"context"
	"errors"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

// maxAsked bounds how often a question is put while others change the disk.
const maxAsked = 4

// A Question asks servers what an operation wants to know. It may be called again: its answer is
// dropped if files turn out to have changed on disk meanwhile.
type Question[Res any] func(ctx context.Context, q *symbols.Inquiry) (Res, error)

// Ask puts a question to servers and returns its answer once they know every change on disk. The
// disk is looked at while the question is answered; if something changed the question is put
// again. head returns the part of a result that is told about states and notes. If time runs out
// the error is a *[symbols.TimeoutError].
func Ask[Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, v *View, limits api.Limits, head func(P) *result.Head, put Question[Res]) (Res, error) {
	var none Res
	if err := limits.Valid(); err != nil {
		return none, err
	}
	ctx, cancel := v.texts.bounded(ctx)
	defer cancel()
	defer v.texts.Tidy()
	if err := v.texts.Shown.Share(ctx); err != nil {
		return none, err
	}
	defer v.texts.Shown.Unshare()
	if err := v.texts.Remember(ctx); err != nil {
		return none, err
	}
	for asked := 1; ; asked++ {
		before := v.texts.opts.Workspace.Tellings()
		q, answer, disk, err := once(ctx, v, put)
		moved := v.texts.opts.Workspace.Tellings() != before // by this look, or by one of another call
		if moved && ctx.Err() == nil && asked < maxAsked {
			continue
		}
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				err = &symbols.TimeoutError{Server: "the workspace", Method: "the question"}
			}
			return none, err
		}
		h := head(&answer)
		h.State, h.Notes = append(q.States(), h.State...), append(q.Notes(), h.Notes...)
		h.Completeness = asTold(q.Completeness(), disk.err, moved)
		if disk.err != nil {
			h.State = append(h.State, "not every server could be told what changed on disk: "+disk.err.Error())
		}
		if moved {
			h.State = append(h.State, "files changed on disk with each question")
		}
		return answer, nil
	}
}

// asTold returns the completeness of an answer: it is not known if not every server could be told what changed on disk, or
// if that went on changing.
func asTold(c result.Completeness, untold error, moved bool) result.Completeness {
	if c != "" && (untold != nil || moved) {
		return result.NotKnown
	}
	return c
}

// A look is what was found on disk while a question was put.
type look struct {
	swept workspace.Swept
	err   error
}

// once puts a question, and looks at the disk beside it.
func once[Res any](ctx context.Context, v *View, put Question[Res]) (*symbols.Inquiry, Res, look, error) {
	looked := func() look { return look{} }
	if !v.texts.opts.Once {
		held := v.texts.Held()
		looked = guard.Begin(func() look {
			swept, err := v.texts.opts.Workspace.Look(ctx, held)
			return look{swept, err}
		})
	}
	a := v.Access()
	defer a.Close()
	q := symbols.New(a)
	result, err := put(ctx, q)
	err = a.explain(err)
	for _, lack := range a.notes {
		q.Note(lack)
	}
	if a.partial {
		q.Partial()
	}
	if v.note != nil {
		v.note(a.asked())
	}
	disk := looked()
	v.texts.Noticed(disk.swept)
	return q, result, disk, err
}

// bounded returns the context of a question: with the deadline of its call or, without
// one, that of the configuration, which moves on while a server demonstrably works.
func (t *Texts) bounded(ctx context.Context) (context.Context, func()) {
	if t.opts.Settings.PatienceLimit > 0 {
		return call.Following(ctx, t.opts.Settings.RequestTimeout, t.opts.Workspace.AtWork())
	}
	return call.Within(ctx, t.opts.Settings.RequestTimeout)
}
