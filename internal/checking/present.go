package checking

import (
	"slices"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
)

// present converts a report into the result.
func (ch *Checker) present(plan *checkPlan, report diagnostics.Report) (result.Check, diagnostics.Judgement) {
	answer := result.Check{Root: ch.workspace.Root(), Files: plan.files, Epoch: report.Epoch, CountOlder: plan.countOlder, AllErrors: plan.allErrors}
	found := reports{own: report.Files[:plan.own], concerned: report.Files[plan.own:], others: report.Others, unkept: report.Unkept}
	seen := ch.shownByOthers(plan)
	for i := range found.own {
		path := found.own[i].Path
		if plan.before.byTexts && !plan.request.NoBaseline && !plan.changes.Touch(path) { // what changed beside may be why
			// One that nobody named is judged as it is before the session is told of it.
			isFound := slices.Contains(plan.told, path) && plan.search != nil && plan.search.Uses(path)
			seen.unblame(&found.own[i], isFound)
		}
	}
	next := 0
	for i := range answer.Files {
		if answer.Files[i].Error == nil && !plan.manifests[i] {
			answer.Files[i] = restate.File(ch.names, &found.own[next], plan.lines)
			next++
		}
	}
	if plan.search != nil {
		answer.Dependants = plan.search.Counted()
	}
	o := seen.outcomeOf(found, answer.Files, answer.Dependants.Unchecked, func(r *diagnostics.FileReport) diagnostics.Judgement {
		one := r.Judgement
		if slices.Contains(plan.told, r.Path) {
			one = seen.elsewhere(one)
		}
		one.NewErrors = one.NewErrors || plan.countOlder && (one.OldErrors || r.Doubtful)
		return one
	})
	answer.Unknown = o.unknown
	for i := range o.others {
		plan.addOther(ch, &answer, &o.others[i])
	}
	for i := range report.Late {
		answer.Late = append(answer.Late, restate.File(ch.names, &report.Late[i], plan.lines))
	}
	for _, c := range plan.changes {
		if c.Deleted {
			answer.Deleted = append(answer.Deleted, ch.names.FromRoot(c.Path))
		}
	}
	answer.Verdict, answer.Incomplete = string(o.all.Verdict()), o.all.Lacking
	if !plan.request.NoBaseline {
		ch.collector.Tell(ch.session.name, slices.Concat(found.own, o.others, report.Late))
	}
	if !plan.before.versioned {
		ch.noteStart(plan)
	}
	if !o.all.Lacking && plan.before.byTexts && plan.before.known && len(plan.changes) > 0 {
		ch.collector.Carry(plan.before.texts, append(pathsOf(found.own), pathsOf(found.concerned)...))
	}
	answer.Notes = append(plan.members.Notes(pathsOf(found.own)), ch.caveats(plan.detection, pathsOf(found.own))...)
	return answer, o.all
}

// addOther lists another file in an answer if there is something new in it, or counts its older errors. Those of which it is not known
// whether they are older are none.
func (p *checkPlan) addOther(ch *Checker, answer *result.Check, o *diagnostics.FileReport) {
	changed := len(o.New)+len(o.Standing)+len(o.Fixed) > 0 && !p.before.noCommit
	if changed || p.allErrors && len(o.Diagnostics) > 0 {
		answer.Others = append(answer.Others, restate.File(ch.names, o, p.lines))
	}
	if older := o.OlderErrors(); !changed && !p.allErrors && !o.Doubtful && older > 0 && p.countsOthers(o) {
		answer.OlderElsewhere += older
		answer.OlderFiles++
	}
}

// countsOthers reports whether older errors of another file are counted: where the check is of the whole
// project, by what the texts say, and not by what servers happen to have said.
func (p *checkPlan) countsOthers(o *diagnostics.FileReport) bool {
	return (o.TellsAll() || p.before.noCommit) && (p.search == nil || !p.search.BreaksNoOther() && !p.search.MayOnlyFix(o.Path))
}
