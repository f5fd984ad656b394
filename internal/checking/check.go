package checking

import (
	"context"
	"slices"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/call"
	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/impact"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// Check checks the files that a request names, by default those that changed, and the files that
// their changes affect.
func (ch *Checker) Check(ctx context.Context, req api.CheckRequest) (result.Check, error) {
	return ch.check(ctx, req, false)
}

// check checks files; alone says that no others than those that the request names have changed.
func (ch *Checker) check(ctx context.Context, req api.CheckRequest, alone bool) (answer result.Check, err error) {
	all, err := ch.subjects(ctx, req)
	if err != nil {
		return result.Check{}, err
	}
	all.alone = all.alone || alone
	if len(all.files)+len(all.deleted) == 0 {
		return result.Check{Root: ch.workspace.Root(), Verdict: string(diagnostics.Clean), Files: []result.File{}, Epoch: ch.collector.Epoch()}, nil
	}
	call.CountOf(ctx).Expect(len(all.files))
	if most := ch.opts.Config.Settings.MaxOpenDocuments; len(all.files) > most && len(req.Contents) == 0 {
		answer, err = ch.checkInParts(ctx, req, all, most)
	} else {
		answer, _, err = ch.checkAtOnce(ctx, req, all, ch.newWaitLimit(api.Milliseconds(req.TimeoutMS), api.Milliseconds(req.WaitLimitMS)))
	}
	return answer, err
}

// maxAsked bounds how often a check is made while others change the disk.
const maxAsked = 3

// checkAtOnce shows all files to their servers before it asks about any. If it turns out that the disk
// changed elsewhere meanwhile, everything is planned and asked again: servers may have answered about
// texts that nobody knew of.
func (ch *Checker) checkAtOnce(ctx context.Context, req api.CheckRequest, all subjects, limit waitLimit) (result.Check, diagnostics.Judgement, error) {
	defer ch.overlay.Tidy()
	var earlier diagnostics.Report
	for asked, began := 1, time.Now(); ; asked++ {
		plan, report, moved, err := ch.askOnce(ctx, req, all, limit, asked > 1)
		if err != nil {
			return result.Check{}, diagnostics.Judgement{}, err
		}
		report.Late = append(earlier.Late, report.Late...)
		report.KeepNotes(&earlier)
		if moved && asked < maxAsked && ctx.Err() == nil {
			earlier = report
			continue
		}
		if all.doubted == nil && ctx.Err() == nil && ch.hasTime(ctx, req, began) {
			if all.doubted = plan.unknownBefore(ch, &report); len(all.doubted) > 0 {
				earlier = report
				continue
			}
		}
		if moved && asked >= maxAsked {
			plan.unknown = append(plan.unknown, "files went on changing on disk: they did each time that the servers were asked")
		}
		answer, judgement := ch.present(plan, report)
		return answer, judgement, nil
	}
}

// askOnce plans a check, waits for the locks that it needs, and asks the servers; moved says that these
// were told meanwhile that something changed on disk. again says that the files were counted as done
// before.
func (ch *Checker) askOnce(ctx context.Context, req api.CheckRequest, all subjects, limit waitLimit, again bool) (plan *checkPlan, report diagnostics.Report, moved bool, err error) {
	var own []string // the check shows these itself
	for _, name := range all.files {
		if path, err := ch.names.Resolve(name); err == nil {
			own = append(own, path)
		}
	}
	untold, err := ch.seeDisk(ctx, own)
	if err != nil {
		return nil, report, false, err
	}
	before := ch.workspace.Tellings()
	if plan, err = ch.planCheck(ctx, req, all, limit); err != nil {
		return nil, report, false, err
	}
	if plan.unknown = append(plan.unknown, untold...); again {
		plan.request.Answered = nil
	}
	release, err := plan.acquire(ctx, ch)
	if err != nil {
		return nil, report, false, err
	}
	defer release()
	report, moved, err = ch.runCheck(ctx, plan, before)
	return plan, report, moved, err
}

// seeDisk tells the running servers what changed on disk until now, but nothing of documents that somebody
// holds or that are in except. A server that does not take it in gets half of the time that is left: the
// others are asked in the other half. untold says that not all could be told.
func (ch *Checker) seeDisk(ctx context.Context, except []string) (untold []string, err error) {
	if err := ch.overlay.Remember(ctx); err != nil || ch.opts.Once || len(ch.workspace.Running()) == 0 {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, call.Left(ctx, ch.opts.Config.Settings.DiagnosticTimeout)/2)
	defer cancel()
	disk, err := ch.workspace.Look(bounded, append(ch.overlay.Held(), except...))
	if ch.overlay.Noticed(disk); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return untoldBecause(err), nil
}

func untoldBecause(err error) []string {
	if err == nil {
		return nil
	}
	return []string{"not every server could be told what changed on disk: " + err.Error()}
}

// planCheck resolves the paths of a request, reads its files, and finds out what changed and with what that is compared.
func (ch *Checker) planCheck(ctx context.Context, req api.CheckRequest, all subjects, limit waitLimit) (*checkPlan, error) {
	plan, baseline, err := ch.newCheckPlan(req)
	if err != nil {
		return nil, err
	}
	plan.limit, plan.told, plan.doubted, plan.revision = limit, all.told, all.doubted, ch.revision(req)
	plan.request.Answered = call.CountOf(ctx).Done
	plan.detection = ch.workspace.Detection()
	plan.members = ch.finder.Membership(ctx, plan.detection)
	everywhere, isImported := ch.isEverywhere(req), ch.finder.ImportedData(ctx)
	plan.includers = ch.finder.Includers(ctx)
	plan.before.concerns = ch.concerns(ctx, plan.includers)
	given := make(map[string]string)
	seen := make(map[string]bool)
	for _, name := range all.files {
		path, err := ch.names.Resolve(name)
		if err == nil && seen[path] {
			continue
		}
		seen[path] = true
		var file diagnostics.File
		if err == nil {
			file, err = ch.planFile(plan, name, path, req)
		}
		if err != nil {
			plan.files = append(plan.files, result.File{Path: ch.names.FromRoot(name), Diagnostics: []result.Diagnostic{}, Error: restate.Problem(err)})
			continue
		}
		if len(file.Sources) == 0 && ch.finder.IsManifest(path) {
			plan.files = append(plan.files, result.File{Path: ch.names.FromRoot(path), Diagnostics: []result.Diagnostic{}, ByUsers: true})
			plan.addManifest(path, file.Content)
			continue
		}
		file.Everywhere = everywhere
		if before, ok := req.Before[name]; ok {
			given[path] = before
		}
		if len(file.Sources) == 0 && (len(isImported(path)) > 0 || ch.isFragment(path) || len(plan.includers.Of(path)) > 0 || len(req.Files) == 0 && impact.Configures(path)) {
			plan.files = append(plan.files, result.File{Path: ch.names.FromRoot(path), Diagnostics: []result.Diagnostic{}, ByUsers: true})
			plan.addSilent(file)
			continue
		}
		_, plan.given[path] = req.Contents[name]
		plan.files = append(plan.files, result.File{Path: ch.names.FromRoot(path)})
		plan.request.Files = append(plan.request.Files, file)
		plan.contents[path] = file.Content
	}
	plan.own = len(plan.request.Files)
	var listed func()
	plan.listing, listed = ch.listChanges(ctx, req, baseline, all.alone)
	defer listed()
	if err := ch.planBefore(ctx, plan, req, baseline, all, given); err != nil {
		return nil, err
	}
	plan.unlimited = all.unlimited
	for _, c := range plan.changes {
		plan.include(ch, c)
	}
	beside := plan.looksBeside(req, baseline, &all)
	for former := formerTexts(plan.changes); ; former = plan.before.texts {
		if more := plan.findCrossings(ch, former, beside); plan.before.texts != nil && !more {
			break
		}
		var others map[string][]byte
		if beside {
			if others, err = ch.changedBeside(ctx, plan, req); err != nil {
				return nil, err
			}
		}
		plan.planFormer(ch, others)
	}
	plan.findUsersOfC(ctx, ch)
	plan.planMissing(ch)
	if err := ch.planConcerned(ctx, plan); err != nil {
		return nil, err
	}
	plan.request.Same = plan.before.byTexts && plan.before.known && !plan.before.differs() && !plan.request.NoBaseline
	plan.planLost()
	plan.planUnconcerned()
	plan.planIncluders(ch)
	plan.probe(ctx, ch)
	return plan, nil
}

// isEverywhere reports whether a request is about all files of the workspace as they are on disk.
func (ch *Checker) isEverywhere(req api.CheckRequest) bool {
	if len(req.Contents)+len(req.Before) > 0 {
		return false
	}
	return req.Scope == api.ScopeWorkspace || slices.ContainsFunc(req.Files, func(name string) bool {
		path, err := ch.names.Resolve(name)
		return err == nil && path == ch.workspace.Root()
	})
}

// planFile reads a file and finds its servers.
func (ch *Checker) planFile(plan *checkPlan, name, path string, req api.CheckRequest) (diagnostics.File, error) {
	f := diagnostics.File{Path: path}
	if given, ok := req.Contents[name]; ok {
		f.Content = []byte(given)
		if err := ch.workspace.Diagnosable(path, f.Content); err != nil {
			return f, err
		}
	} else if opened, given := ch.overlay.Given(path); given {
		f.Content = opened
	} else {
		content, err := ch.readIncluded(plan.includers, path)
		if err != nil {
			return f, err
		}
		f.Content = content
	}
	candidates := plan.detection.Candidates(path)
	if missed := roots.Missed(candidates); len(missed) > 0 {
		candidates = missed
	}
	ch.finder.AddSources(&f, candidates) // optional servers that are unavailable are reported only if there is no other
	return f, nil
}

// runCheck checks the files and those that their changes affect. moved says that servers were told of changes on disk since
// they had been told so often.
func (ch *Checker) runCheck(ctx context.Context, plan *checkPlan, tellings uint64) (report diagnostics.Report, moved bool, err error) {
	began := ch.collector.Epoch()
	if err := ch.showBefore(ctx, plan); err != nil {
		return report, false, err
	}
	if plan.search != nil && len(plan.changes) > 0 {
		plan.search.ForgetLeft()
	}
	started := time.Now()
	if report, err = ch.checkAgainstDisk(ctx, plan); err != nil {
		return report, false, err
	}
	if moved = ch.workspace.Tellings() != tellings; moved {
		ch.collector.Distrust(began)
	}
	ch.doubtIgnored(ctx, plan, &report)
	if err := ch.checkUsers(ctx, plan, &report); err != nil || plan.search == nil {
		return report, moved, err
	}
	seen := ch.shownByOthers(plan)
	rest, late, err := seen.rest(ctx, started, plan.rest)
	if err != nil {
		return report, moved, err
	}
	unloaded, err := seen.inBrokenModules(ctx, slices.Concat(report.Files, report.Others))
	report.Others, report.Late = slices.Concat(report.Others, rest, unloaded), append(report.Late, late...)
	return report, moved, err
}

// shownByOthers enters changes made by others into the states of a transaction: they are on disk,
// and servers see them.
func (ch *Checker) shownByOthers(plan *checkPlan) *shown {
	return &shown{
		Checker: ch, search: plan.search, changes: plan.changes, renamed: plan.request.Renamed, unknown: plan.unknown, before: &plan.before, ignored: plan.ignored, since: plan.request.Since,
		terms: terms{severities: plan.request.Severities, timeout: plan.request.Timeout, limit: plan.limit},
	}
}

// checkAgainstDisk checks. The look at the disk runs in parallel with the servers' work, so that it costs no
// time if nothing has changed.
func (ch *Checker) checkAgainstDisk(ctx context.Context, plan *checkPlan) (report diagnostics.Report, err error) {
	plan.request.Follow = plan.limit.left()
	looked := func() look { return look{} }
	if !ch.opts.Once {
		held, release := ch.overlay.Hold(plan.contents)
		defer release()
		ch.changedTogether(plan.changes)
		if plan.search != nil {
			ch.finder.Unload(ctx, plan.search.Loaded)
		}
		bounded, cancel := context.WithTimeout(ctx, call.Left(ctx, ch.opts.Config.Settings.DiagnosticTimeout))
		defer cancel()
		looked = guard.Begin(func() look { return ch.lookAtDisk(bounded, held) })
	}
	report, err = ch.collector.Check(ctx, plan.request)
	disk := looked()
	ch.overlay.Noticed(disk.swept)
	report.Late = append(plan.late, report.Late...)
	if !disk.swept.Told {
		plan.unknown = append(plan.unknown, untoldBecause(disk.err)...)
	}
	return report, err
}

// A look is what was found on disk during a check.
type look struct {
	swept workspace.Swept
	err   error
}

// lookAtDisk compares all files with the last known state of the disk. It then reads the events
// that arrived meanwhile. The first time, it starts watching the folders, which compares all files as well: without that, the next
// check has to list and read all files again to find the users of what changed.
func (ch *Checker) lookAtDisk(ctx context.Context, held []string) (l look) {
	if watching, _ := ch.workspace.Watching(); !watching && ch.workspace.CanWatch() {
		l.swept, l.err = ch.workspace.Look(ctx, held)
		return l
	}
	if l.swept, l.err = ch.workspace.Sweep(ctx, held); l.err != nil || !ch.workspace.CanWatch() {
		return l
	}
	heard, err := ch.workspace.Look(ctx, held)
	l.swept.Deleted = append(l.swept.Deleted, heard.Deleted...)
	l.swept.Changed = append(l.swept.Changed, heard.Changed...)
	l.swept.Told, l.err = l.swept.Told || heard.Told, err
	return l
}
