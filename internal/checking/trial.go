package checking

import (
	"context"
	"errors"
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/registry"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// onlyOnDisk reports whether a preview could not tell what the edit breaks for the one
// reason that its server judges what is on disk and nothing else. What was found out for
// the preview alone then no longer counts.
func (ed *edition) onlyOnDisk(preview *result.Edit) bool {
	if preview.Verdict == string(diagnostics.NewErrors) {
		return false
	}
	for _, f := range preview.Files {
		lacking := slices.ContainsFunc(f.Servers, func(a result.Answer) bool {
			return a.Freshness == string(diagnostics.Partial) && ed.judgesDisk(a.Server)
		})
		judged := f.Verdict != string(diagnostics.Unknown) && f.Verdict != string(diagnostics.LSPUnavailable)
		if f.Error != nil || !judged && !lacking {
			return false
		}
	}
	if !slices.ContainsFunc(ed.changes, func(c edit.Change) bool {
		return slices.ContainsFunc(ed.workspace.Candidates(c.Path), func(candidate workspace.Candidate) bool {
			return candidate.Unavailable == nil && ed.judgesDisk(candidate.Definition.ID)
		})
	}) {
		return false
	}
	ed.trial = true
	if slices.ContainsFunc(ed.changes, func(c edit.Change) bool { return ed.mustAsk(c.Path) }) {
		return len(ed.unknown) == 0 && !ed.cut
	}
	// Of the disk the server tells by itself.
	if reach := ed.dependants.reach; reach != nil {
		ed.notes = slices.DeleteFunc(ed.notes, func(n string) bool { return slices.Contains(reach.Notes, n) })
	}
	ed.dependants, ed.unknown, ed.cut = dependants{}, nil, false
	return true
}

// judgesDisk reports whether what is on disk is all that a server judges.
func (ed *edition) judgesDisk(id string) bool {
	d, known := ed.definition(id)
	return known && d.Role == registry.Primary && d.Diagnostics.Disk != nil && d.Diagnostics.Disk.Whole
}

// onTrial writes the edit, judges it there, and takes it back unless it is harmless. The
// result is then what a preview's would be, had its server known the new texts. preview
// says what that made the servers know.
func (ed *edition) onTrial(ctx context.Context, shown []showing, preview *result.Edit) (result.Edit, error) {
	trial, err := edit.Try(ctx, ed.plan, ed.journal)
	if err != nil {
		return ed.orRestored(ctx, shown, *preview, err)
	}
	ended := false
	defer func() {
		if !ended { // a panic: nobody could write here any more
			_ = trial.TakeBack()
		}
	}()
	ed.notes = slices.DeleteFunc(ed.notes, func(n string) bool { return n == seenWhenDone })
	ed.tellMoved(false)
	ed.look(ctx)
	answer, err := ed.judge(ctx, true)
	answer, err = ed.quiet(ctx, answer, err)
	ended = true
	if err == nil && harmless(&answer) {
		trial.Keep()
		return ed.finished(answer, nil), nil
	}
	seen := answer
	seen.Others = append(slices.Clip(answer.Others), preview.Others...)
	if failed := trial.TakeBack(); failed != nil {
		return result.Edit{}, errors.Join(failed, err, ed.restore(ctx, shown, &seen))
	}
	ed.tellMoved(true)
	return answer, errors.Join(err, ed.restore(ctx, shown, &seen))
}
