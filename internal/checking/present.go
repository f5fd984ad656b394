package checking

import (
	"slices"
	"strings"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// present converts a report into the result.
func (ch *Checker) present(plan *checkPlan, report diagnostics.Report) (result.Check, diagnostics.Judgement) {
	answer := result.Check{Root: ch.workspace.Root(), Files: plan.files, Unknown: plan.unknown, Epoch: report.Epoch, CountOlder: plan.countOlder, AllErrors: plan.allErrors}
	if plan.search != nil {
		answer.Unknown = slices.Concat(plan.unknown, plan.search.Unknown)
	}
	judgement := diagnostics.Judgement{Reached: plan.own == 0} // with no own files there are only deletions
	own, concerned := report.Files[:plan.own], report.Files[plan.own:]
	next := 0
	for i := range answer.Files {
		if answer.Files[i].Error == nil && !plan.manifests[i] {
			answer.Files[i] = restate.File(ch.names, &own[next], plan.lines)
			one := own[next].Judgement
			if slices.Contains(plan.told, own[next].Path) {
				one = plan.elsewhere(one)
			}
			one.NewErrors = one.NewErrors || plan.countOlder && one.OldErrors
			judgement = judgement.And(one)
			next++
		}
	}
	var silent, doubtful unheard
	var told []diagnostics.FileReport
	for i, o := range slices.Concat(concerned, report.Others) {
		if o.Apart() {
			continue
		}
		if i >= len(concerned) {
			ch.unblame(plan, &o)
		}
		if older := o.OlderErrors(); plan.noCommit || len(o.New)+len(o.Standing)+len(o.Fixed) == 0 {
			if plan.countsOthers(&o) && older > 0 && !plan.allErrors {
				answer.OlderElsewhere += older
				answer.OlderFiles++
			}
		}
		if len(o.New)+len(o.Standing)+len(o.Fixed) > 0 && !plan.noCommit || plan.allErrors && len(o.Diagnostics) > 0 {
			answer.Others = append(answer.Others, restate.File(ch.names, &o, plan.lines))
		}
		told = append(told, o)
		judgement = judgement.And(plan.elsewhere(o.Judgement))
		if len(o.Doubtful) > 0 {
			doubtful.add(ch.names.FromRoot(o.Path), &o)
		} else if o.Judgement.Lacking {
			silent.add(ch.names.FromRoot(o.Path), &o)
		}
	}
	// A file may be reported both as a dependant and as one of the other files.
	slices.SortStableFunc(answer.Others, func(a, b result.File) int { return strings.Compare(a.Path, b.Path) })
	answer.Others = slices.CompactFunc(answer.Others, func(a, b result.File) bool { return a.Path == b.Path })
	if len(silent.files) > 0 {
		answer.Unknown = append(answer.Unknown, "files that use what changed could not be judged: "+silent.String())
	}
	if len(doubtful.files) > 0 {
		answer.Unknown = append(answer.Unknown, "whether the errors of other files are new, as it is not known what was wrong in them before: "+doubtful.String())
	}
	if left := ch.leftOut(own); left != "" && len(plan.changes) > 0 {
		answer.Unknown = append(answer.Unknown, left)
	}
	if plan.search != nil {
		answer.Dependants = plan.search.Counted()
	}
	for i := range report.Late {
		answer.Late = append(answer.Late, restate.File(ch.names, &report.Late[i], plan.lines))
	}
	for _, c := range plan.changes {
		if c.Deleted {
			answer.Deleted = append(answer.Deleted, ch.names.FromRoot(c.Path))
		}
	}
	failed := slices.ContainsFunc(answer.Files, func(f result.File) bool { return f.Error != nil })
	judgement.Lacking = judgement.Lacking || failed || len(answer.Unknown)+len(answer.Dependants.Unchecked) > 0
	answer.Verdict, answer.Incomplete = string(judgement.Verdict()), judgement.Lacking
	if !plan.request.NoBaseline {
		ch.collector.Tell(ch.session.name, slices.Concat(own, told, report.Late))
	}
	if !plan.versioned {
		ch.noteStart(plan)
	}
	if !judgement.Lacking && plan.byTexts && plan.formerKnown && len(plan.changes) > 0 {
		ch.collector.Carry(plan.former, append(pathsOf(own), pathsOf(concerned)...))
	}
	answer.Notes = append(plan.members.Notes(pathsOf(own)), ch.caveats(plan.detection, pathsOf(own))...)
	return answer, judgement
}

// countsOthers reports whether older errors of another file are counted: where the check is of the whole
// project, by what the texts say, and not by what servers happen to have said.
func (p *checkPlan) countsOthers(o *diagnostics.FileReport) bool {
	return (o.TellsAll() || p.noCommit) && (p.search == nil || !p.search.BreaksNoOther())
}

// elsewhere returns what a judgement of another file than the requested and the changed ones contributes: older errors
// there never decide, and without a commit to compare with, an error there says nothing about a change.
func (p *checkPlan) elsewhere(j diagnostics.Judgement) diagnostics.Judgement {
	j.OldErrors = false
	j.NewErrors = j.NewErrors && !p.noCommit
	return j
}
