package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/diagnostics"
)

// judgeOnDisk judges changes that are on disk.
func (d *shownDraft) judgeOnDisk(ctx context.Context) *judged {
	j, err := d.judge(ctx, true)
	return j.afterOthers(ctx, err)
}

// afterOthers returns the final judgement of changes that are on disk, whose first judgement
// returned err. If others have changed files on disk meanwhile, the changes are judged again,
// against the state with only the others' changes.
func (j *judged) afterOthers(ctx context.Context, err error) *judged {
	const most = 3
	for n := 0; err == nil; n++ {
		theirs, moved := j.seeOthers(ctx)
		if !moved {
			break
		}
		if n == most {
			j.goOn()
			break
		}
		if theirs {
			err = j.rebase(ctx)
		}
		if err == nil {
			j, err = j.judge(ctx, true)
		}
	}
	j.failed = err
	return j
}

// goOn says that it is not known what the changes break, because other files go on changing.
func (j *judged) goOn() {
	j.answer.Unknown = append(j.answer.Unknown, "what the edit broke, as other files go on changing on disk; check says what is wrong when they are done")
	if j.answer.Verdict != "" && j.harmless() {
		j.answer.Verdict = string(diagnostics.Unknown)
	}
	j.sure = false
}

// seeOthers looks at the disk. moved says that since servers were asked, they were told that something
// changed there, by this look or by that of another call; theirs, that it may not be the changes themselves.
func (j *judged) seeOthers(ctx context.Context) (theirs, moved bool) {
	disk := j.look(ctx)
	told := j.workspace.Tellings() - j.tellings
	byOthers := told > 1 || told == 1 && !disk.Told // of what, is not known here
	return byOthers || slices.ContainsFunc(disk.Changed, j.isOthers), told > 0
}

// isOthers reports whether a file is judged by a server and is not part of the changes.
func (t *transaction) isOthers(path string) bool {
	return !t.changes.Touch(path) && len(roots.Missed(t.search.Detection().Candidates(path))) > 0
}

// rebase makes the servers report what is wrong without the changes, so that what others changed
// meanwhile becomes part of the baseline. Where the state before cannot be shown, because files are
// created or deleted or because servers read the disk, a note says instead that findings may be due
// to others' changes.
func (d *shownDraft) rebase(ctx context.Context) error {
	own, _ := d.own(false, false)
	if d.onlySeenWritten(ctx) || slices.ContainsFunc(own, d.finder.AwaitsSave) {
		const shared = "other files changed on disk at the same time: what is listed may be due to that"
		if !slices.Contains(d.notes, shared) {
			d.notes = append(d.notes, shared)
		}
		return nil
	}
	if err := d.overlay.Shown.Lock(ctx); err != nil {
		return err
	}
	defer d.overlay.Shown.Unlock()
	defer d.showWritten() // nobody else may see the former text once Shown is unlocked
	if err := d.baseline(ctx, slices.Concat(own, d.search.Files), true); err != nil {
		return err
	}
	d.shown.since = d.collector.Now()
	return nil
}

// showWritten shows the written text to the running servers that have a changed file open. A server
// that cannot be told reports that when it is asked.
func (t *transaction) showWritten() {
	for _, server := range t.workspace.Running() {
		for _, c := range t.changes {
			if _, _, open := server.Document(c.Path); open && !c.Deleted {
				_, _ = server.Sync(c.Path, c.After)
			}
		}
	}
}
