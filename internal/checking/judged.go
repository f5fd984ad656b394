package checking

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/diagnostics"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/overlay"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/restate"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/symbols"
)

// A judged transaction is one for which servers have reported what it breaks.
type judged struct {
	*shownDraft
	answer result.Edit
	// older are the diagnostics that are not listed, by path.
	older map[string][]result.Diagnostic
	// reports are those that the answer lists.
	reports []diagnostics.FileReport
	// failed is why it is not known what the changes break, nil if it is.
	failed error
	// tellings is [workspace.Workspace.Tellings] before servers were asked.
	tellings uint64
}

// own returns the changed files that a server can judge, with the text from before or after the
// change, and the results for files that cannot be judged.
func (t *transaction) own(after, saved bool) (files []diagnostics.File, results []result.File) {
	for _, c := range t.changes {
		path, content := c.Path, c.After
		if !after {
			content = c.Before
			if c.From != "" {
				path = c.From
			}
		}
		if c.Deleted && after || c.Created && !after {
			continue
		}
		f := diagnostics.File{
			Path: path, Content: content, Created: after && (c.Created || c.From != ""), Saved: saved,
			Narrow: t.alone || t.search.InParts(path),
		}
		if after {
			f.From, f.Former = c.From, c.Before // so that its older errors are taken over
		}
		err := t.workspace.Diagnosable(path, content)
		t.search.Sources(&f)
		switch {
		case len(f.Sources)+len(f.Failures) == 0: // no server judges it, and none needs to
		case err != nil:
			results = append(results, result.File{Path: t.names.Relative(path), Diagnostics: []result.Diagnostic{}, Error: restate.Problem(err)})
		default:
			files = append(files, f)
		}
	}
	return files, results
}

// judge shows the servers the changed texts, which saved says are on disk, and finds what is new in
// them and in other files.
func (d *shownDraft) judge(ctx context.Context, saved bool) (*judged, error) {
	if slices.ContainsFunc(d.changes.Paths(), d.bringsServers) {
		d.search.DetectAnew()
	}
	began := time.Now()
	own, results := d.own(true, saved)
	if !saved { // some would be judged by other texts than the new ones
		own = slices.DeleteFunc(own, d.seesOthersOnDisk)
		d.shown.beside = d.texts()
		defer func() { d.shown.beside = nil; d.hideBeside() }()
	}
	j := &judged{shownDraft: d, answer: result.Edit{Files: results}, tellings: d.workspace.Tellings()}
	if j.answer.Files == nil {
		j.answer.Files = []result.File{}
	}
	var controls, later []diagnostics.File
	if !d.alone {
		controls, later = d.search.ControlFiles(ctx, own)
	}
	users := d.search.Belonging(ctx)
	if !saved {
		users = slices.DeleteFunc(slices.Clone(users), d.seesOthersOnDisk)
	}
	asked := d.againWith(slices.Concat(own, users, controls))
	d.search.ForgetLeft()
	notes := d.beginNotes(own)
	ask := d.shown.ask(asked)
	ask.OthersToo, ask.Apart = !d.alone, apart(d.changes, asked)
	report, err := d.collect(ctx, ask)
	caveats := notes() // waited for even on errors: a detection may have only one user at a time
	if err != nil {
		return j, err
	}
	if d.alone {
		j.fill(reports{own: report.Files}, caveats)
		return j, nil
	}
	rest, late, err := d.shown.rest(ctx, began, slices.Concat(own, later))
	if err != nil {
		return j, err
	}
	d.late = slices.Concat(d.late, report.Late, late)
	unloaded, err := d.shown.inBrokenModules(ctx, slices.Concat(report.Files, report.Others))
	if err != nil {
		return j, err
	}
	inferred, err := d.judgeInferred(ctx, j, asked)
	if err != nil {
		return j, err
	}
	j.fill(reports{report.Files[:len(own)], slices.Concat(report.Files[len(own):], inferred), slices.Concat(report.Others, rest, unloaded), report.Unkept}, caveats)
	return j, nil
}

// againWith returns files together with those that were checked for the changes which these
// replace: what servers reported about the latter may no longer be true.
func (d *shownDraft) againWith(files []diagnostics.File) []diagnostics.File {
	for _, f := range d.asked {
		if !slices.ContainsFunc(files, func(other diagnostics.File) bool { return other.Path == f.Path }) {
			files = append(files, f)
		}
	}
	d.asked = slices.Clone(files)
	return files
}

// beginNotes starts looking for notes on the changed files, in parallel with the servers' work;
// notes waits for them.
func (d *shownDraft) beginNotes(own []diagnostics.File) (notes func() []string) {
	var paths []string
	for _, f := range own {
		paths = append(paths, f.Path)
	}
	detection := d.search.Detection()
	if d.belongs.notes == nil || !slices.Equal(d.belongs.paths, paths) {
		d.belongs = belonging{paths, sync.OnceValue(func() []string { return d.search.Members().Notes(paths) })}
	}
	ofProjects := d.belongs.notes
	return guard.Begin(func() []string { return slices.Concat(ofProjects(), d.caveats(detection, paths)) })
}

// A belonging holds the notes on files because of the projects they belong to, or do not.
type belonging struct {
	paths []string
	notes func() []string
}

// judgeInferred checks the files that are affected because a function turned out to have another
// inferred type; asked are all other files of the check.
func (d *shownDraft) judgeInferred(ctx context.Context, j *judged, asked []diagnostics.File) ([]diagnostics.FileReport, error) {
	a := d.view.Access()
	defer a.Close()
	more, counts := d.search.Inferred(ctx, symbols.New(draftedAccess{a, d.transaction}))
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return nil, err
	}
	j.answer.Dependants = counts
	if len(more) == 0 {
		return nil, nil
	}
	d.asked = append(d.asked, more...)
	ask := d.shown.ask(more)
	ask.Apart = apart(d.changes, slices.Concat(asked, more))
	report, err := d.collect(ctx, ask)
	d.late = append(d.late, report.Late...)
	return report.Files, err
}

// draftedAccess gives access to the files with the changes applied.
type draftedAccess struct {
	*overlay.Access
	t *transaction
}

// Text implements [symbols.Access].
func (a draftedAccess) Text(path string) ([]byte, error) {
	for _, c := range a.t.changes {
		if c.Path == path && !c.Deleted {
			return c.After, nil
		}
	}
	return a.Access.Text(path)
}

// fill puts the new findings of the reports into the answer.
func (j *judged) fill(found reports, caveats []string) {
	j.older = make(map[string][]result.Diagnostic)
	j.reports = slices.Concat(found.own, j.late)
	j.overdue = slices.ContainsFunc(slices.Concat(found.own, found.concerned, found.others), overdue)
	if j.Checker.judged != nil && len(found.own) > 0 {
		j.Checker.judged(countedIn(found.own))
	}
	for i := range found.own {
		r := &found.own[i]
		j.answer.Files = append(j.answer.Files, j.presentNew(r))
		if r.Baseline == diagnostics.None && len(r.New) > 0 && !j.changes.Create(r.Path) {
			j.answer.Notes = append(j.answer.Notes, "what was wrong in "+j.names.Relative(r.Path)+" before the edit is not known: all of it counts as new")
		}
	}
	j.answer.Notes = slices.Concat(j.answer.Notes, notesOf(j.answer.Files), caveats)
	unchecked := j.answer.Dependants.Unchecked
	o := j.shown.outcomeOf(found, j.answer.Files, unchecked, func(r *diagnostics.FileReport) diagnostics.Judgement { return r.Judgement })
	j.answer.Unknown = o.unknown
	for i := range o.others {
		if r := &o.others[i]; len(r.New)+len(r.Fixed) > 0 {
			j.answer.Others = append(j.answer.Others, j.presentNew(r))
			j.reports = append(j.reports, *r)
		}
	}
	for i := range j.late {
		j.answer.Late = append(j.answer.Late, j.presentNew(&j.late[i]))
	}
	if len(j.answer.Files)+len(o.others) > 0 || o.all.Lacking { // else no server judges anything that it may affect
		j.answer.Verdict = string(o.all.Verdict())
	}
	j.sure = j.confidence(&j.answer) == result.HighConfidence
}

func countedIn(reports []diagnostics.FileReport) (sum Counted) {
	for i := range reports {
		c := reports[i].Counts
		sum.Files++
		sum.ErrorsBefore += c.ErrorsBefore
		sum.ErrorsAfter += c.ErrorsAfter
		sum.WarningsBefore += c.WarningsBefore
		sum.WarningsAfter += c.WarningsAfter
	}
	return sum
}

// notesOf returns the notes on servers' answers, each once.
func notesOf(files []result.File) (notes []string) {
	for _, f := range files {
		for _, a := range f.Servers {
			for _, note := range a.Notes() {
				if !slices.Contains(notes, note) {
					notes = append(notes, note)
				}
			}
		}
	}
	return notes
}

// presentNew returns the result for a report, with only the new diagnostics.
func (j *judged) presentNew(r *diagnostics.FileReport) result.File {
	f := restate.File(j.names, r, func(string) *protocol.Mapper { return nil })
	f.Path = j.names.Relative(r.Path)
	unseen := []result.Diagnostic{}
	for _, d := range f.Diagnostics {
		if d.New {
			unseen = append(unseen, d)
			continue
		}
		if d.Standing {
			f.Standing++
		} else {
			f.Older++
		}
		j.older[f.Path] = append(j.older[f.Path], d)
	}
	f.Diagnostics = unseen
	return f
}

// overdue reports whether a server that is needed for the verdict did not answer for a file in
// time.
func overdue(r diagnostics.FileReport) bool {
	return slices.ContainsFunc(r.Answers, func(a diagnostics.Answer) bool {
		return !a.Dispensable && (a.Freshness == diagnostics.Timeout || a.Freshness == diagnostics.Indexing)
	})
}
