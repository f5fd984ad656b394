package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
	"github.com/lspine/lspine/internal/workspace"
)

func checkLimits(l api.Limits) error {
	if l.MaxBytes < 0 {
		return &api.ArgumentError{Argument: "max_bytes", Reason: "a budget is at least 1 byte", Advice: "for example 12000"}
	}
	if l.TimeoutMS < 0 {
		return &api.ArgumentError{Argument: "timeout_ms", Reason: "a deadline is at least 1 ms", Advice: "for example 5000"}
	}
	return nil
}

// maxAsked bounds how often a question is put while others change the disk.
const maxAsked = 4

// A question is what an operation of navigation asks. It is asked again if the
// disk turns out to have changed.
type question[Res any] func(ctx context.Context, q *symbols.Inquiry) (Res, error)

// ask answers a question within its limits from servers that know every change
// on disk. The look at the disk goes on beside the question.
func ask[Res any, P interface {
	*Res
	result.Result
}](ctx context.Context, e *Engine, limits api.Limits, head func(P) *result.Head, put question[Res]) (Res, error) {
	var none Res
	if err := checkLimits(limits); err != nil {
		return none, err
	}
	ctx, cancel := e.bounded(ctx)
	defer cancel()
	defer e.tidy()
	if err := e.overlays.Share(ctx); err != nil {
		return none, err
	}
	defer e.overlays.Unshare()
	if err := e.remember(ctx); err != nil {
		return none, err
	}
	for asked := 1; ; asked++ {
		q, result, disk, err := once(ctx, e, put)
		if disk.swept.Told && ctx.Err() == nil && asked < maxAsked {
			continue
		}
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				err = &symbols.TimeoutError{Server: "the workspace", Method: "the question"}
			}
			return none, err
		}
		h := head(&result)
		h.State, h.Notes = append(q.States(), h.State...), append(q.Notes(), h.Notes...)
		if disk.err != nil {
			h.State = append(h.State, "not every server could be told what changed on disk: "+disk.err.Error())
		}
		if disk.swept.Told {
			h.State = append(h.State, "files changed on disk with each question")
		}
		return result, nil
	}
}

// remember takes the first picture of the disk, before the first server starts.
func (e *Engine) remember(ctx context.Context) error {
	if e.opts.Once {
		return nil
	}
	return e.workspace.Remember(ctx)
}

// A look is what was found on disk while a question was put.
type look struct {
	swept workspace.Swept
	err   error
}

// once puts a question, and looks at the disk beside it.
func once[Res any](ctx context.Context, e *Engine, put question[Res]) (*symbols.Inquiry, Res, look, error) {
	looked := func() look { return look{} }
	if !e.opts.Once {
		held := e.heldNow()
		looked = guard.Begin(func() look {
			swept, err := e.workspace.Look(ctx, held)
			return look{swept, err}
		})
	}
	a := e.newAccess()
	defer a.close()
	q := symbols.New(a)
	result, err := put(ctx, q)
	err = a.explain(err)
	for _, lack := range a.lacks {
		q.Note(lack)
	}
	disk := looked()
	e.noticed(disk.swept)
	return q, result, disk, err
}

// heldNow returns the paths whose text is not that of the disk: those of checks
// at work, and those that a caller opened with a text.
func (e *Engine) heldNow() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heldLocked()
}

func (e *Engine) heldLocked() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(e.held)), maps.Keys(e.texts))
}
