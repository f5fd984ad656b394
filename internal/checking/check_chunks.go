package checking

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/result"
)

// checkInParts checks more files than may be open at once, in chunks. All chunks share one
// deadline; as in any other check, a server that is demonstrably working is waited for longer.
func (ch *Checker) checkInParts(ctx context.Context, req api.CheckRequest, subject subjects, most int) (result.Check, error) {
	deadline := time.Now().Add(cmp.Or(api.Milliseconds(req.TimeoutMS), ch.opts.Config.Settings.FirstTouchTimeout))
	limit := ch.newWaitLimit(api.Milliseconds(req.TimeoutMS), api.Milliseconds(req.WaitLimitMS))
	var all result.Check
	others, late := make(map[string]result.File), make(map[string]result.File)
	var judgement diagnostics.Judgement
	for files := range slices.Chunk(subject.files, most) {
		part, some := req, subject
		some.files = files
		if req.TimeoutMS >= 0 && limit.left() == 0 { // a negative time-out is refused later
			part.TimeoutMS = max(1, int(time.Until(deadline).Milliseconds()))
		}
		answer, judged, err := ch.checkAtOnce(ctx, part, some, limit)
		if err != nil {
			return result.Check{}, err
		}
		subject.deleted = nil // the first chunk covers them
		all.Unknown = append(all.Unknown, answer.Unknown...)
		all.Deleted = append(all.Deleted, answer.Deleted...)
		all.Dependants.Found += answer.Dependants.Found
		all.Dependants.Checked += answer.Dependants.Checked
		all.Dependants.Unchecked = append(all.Dependants.Unchecked, answer.Dependants.Unchecked...)
		for _, note := range answer.Notes {
			if !slices.Contains(all.Notes, note) {
				all.Notes = append(all.Notes, note)
			}
		}
		judgement = judgement.And(judged)
		all.Root, all.Epoch, all.Files = answer.Root, answer.Epoch, append(all.Files, answer.Files...)
		for _, f := range answer.Others {
			others[f.Path] = f
		}
		for _, f := range answer.Late {
			late[f.Path] = f
		}
	}
	for _, f := range all.Files { // what the check of the file itself reports takes precedence
		delete(others, f.Path)
		delete(late, f.Path)
	}
	sorted := func(files map[string]result.File) (list []result.File) {
		for _, path := range slices.Sorted(maps.Keys(files)) {
			list = append(list, files[path])
		}
		return list
	}
	all.Others, all.Late, all.Verdict = sorted(others), sorted(late), string(judgement.Verdict())
	all.Incomplete = judgement.Lacking
	return all, nil
}
