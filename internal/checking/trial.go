package checking

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
)

// onlyOnDisk reports whether the only reason why a preview could not tell what the changes break is
// that their server judges nothing but what is on disk. If so, it discards what was found for the
// preview alone.
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
		return len(j.search.Unknown) == 0
	}
	j.search.Drop() // the server reports on the disk by itself
	return true
}

// judgedOnDisk reports whether a changed file has a server that judges nothing but what is on disk.
func (t *transaction) judgedOnDisk() bool {
	return slices.ContainsFunc(t.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(t.workspace.Candidates(c.Path), func(candidate roots.Candidate) bool {
			return candidate.Unavailable == nil && t.finder.JudgesDisk(candidate.Definition.ID)
		})
	})
}

// try writes the changes, has them judged on disk, and rolls them back unless they are harmless and
// to be kept. The answer of a rollback is what a preview's would be if its server could see unsaved
// texts. seen are other files on which servers reported something before.
func (d *shownDraft) try(ctx context.Context, seen []result.File) (result.Edit, error) {
	d.tried = true
	d.search.ToDisk()
	trial, err := edit.Try(ctx, d.plan, d.journal)
	if err != nil {
		return result.Edit{}, errors.Join(err, d.takeBack(ctx, seen))
	}
	ended := false
	defer func() {
		if !ended { // on a panic, which would leave the disk locked for writers
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
