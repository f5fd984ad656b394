package checking

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// onlyOnDisk reports whether a preview could not tell what the changes break for the one
// reason that its server judges what is on disk and nothing else. What was found out for
// the preview alone then no longer counts.
func (j *judged) onlyOnDisk() bool {
	if j.answer.Verdict == string(diagnostics.NewErrors) {
		return false
	}
	for _, f := range j.answer.Files {
		lacking := slices.ContainsFunc(f.Servers, func(a result.Answer) bool {
			return a.Freshness == string(diagnostics.Partial) && j.finder.JudgesDisk(a.Server)
		})
		judged := f.Verdict != string(diagnostics.Unknown) && f.Verdict != string(diagnostics.LSPUnavailable)
		if f.Error != nil || !judged && !lacking {
			return false
		}
	}
	if !j.judgedOnDisk() {
		return false
	}
	j.search.ToDisk()
	if slices.ContainsFunc(j.changes, func(c edit.Change) bool { return j.search.MustAsk(c.Path) }) {
		return len(j.search.Unknown)+len(j.search.Notes) == 0
	}
	j.search.Drop() // of the disk the server tells by itself
	return true
}

// judgedOnDisk reports whether a changed file has a server that judges what is on disk and
// nothing else.
func (t *transaction) judgedOnDisk() bool {
	return slices.ContainsFunc(t.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(t.workspace.Candidates(c.Path), func(candidate workspace.Candidate) bool {
			return candidate.Unavailable == nil && t.finder.JudgesDisk(candidate.Definition.ID)
		})
	})
}

// try writes the changes, has them judged on disk, and takes them back unless they are
// harmless and wanted. The answer is then what a preview's would be, had its server known the new texts.
// seen is what servers said of other files before.
func (d *shownDraft) try(ctx context.Context, seen []result.File) (result.Edit, error) {
	d.tried = true
	d.search.ToDisk()
	trial, err := edit.Try(ctx, d.plan, d.journal)
	if err != nil {
		return result.Edit{}, errors.Join(err, d.takeBack(ctx, seen))
	}
	ended := false
	defer func() {
		if !ended { // a panic: nobody could write here any more
			_ = trial.TakeBack()
		}
	}()
	d.tellMoved(false)
	d.look(ctx)
	j := d.judgeOnDisk(ctx)
	ended = true
	if j.failed == nil && j.harmless() && d.mode == api.ApplyIfClean {
		trial.Keep()
		if d.wrote != nil {
			d.wrote(d.changes)
		}
		return j.keep(), nil
	}
	seen = slices.Concat(j.answer.Others, seen)
	if failed := trial.TakeBack(); failed != nil {
		return result.Edit{}, errors.Join(failed, j.failed, d.takeBack(ctx, seen))
	}
	d.tellMoved(true)
	return j.answer, errors.Join(j.failed, d.takeBack(ctx, seen))
}
