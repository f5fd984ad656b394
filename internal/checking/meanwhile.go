package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/workspace"
)

// judgeOnDisk has changes judged that are on disk.
func (d *shownDraft) judgeOnDisk(ctx context.Context) *judged {
	j, err := d.judge(ctx, true)
	return j.afterOthers(ctx, err)
}

// afterOthers returns the judgement of changes that are on disk, which failed with err. What
// others changed there meanwhile makes them be judged again, against the state with the
// others' changes alone.
func (j *judged) afterOthers(ctx context.Context, err error) *judged {
	const most = 3
	disk := j.look(ctx)
	for n := 0; disk.Told && err == nil; n++ {
		if n == most {
			j.notes = append(j.notes, "other files go on changing on disk; check says what is wrong when they are done")
			break
		}
		if slices.ContainsFunc(disk.Changed, j.isOthers) {
			err = j.rebase(ctx)
		}
		if err == nil {
			j, err = j.judge(ctx, true)
			disk = j.look(ctx)
		}
	}
	j.failed = err
	return j
}

// isOthers reports whether a file that a server judges is not one of the changes.
func (t *transaction) isOthers(path string) bool {
	return !t.changes.Touch(path) && len(workspace.Missed(t.search.Detection().Candidates(path))) > 0
}

// rebase makes the servers say what is wrong without the changes: what others changed
// beside them is then part of the baseline. Where the state before cannot be shown, because
// files come or go or the servers read the disk, the notes say that what is listed may be
// the others' doing.
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
	defer d.showWritten() // nobody else may see the former text once the overlays are free
	if err := d.baseline(ctx, slices.Concat(own, d.search.Files), true); err != nil {
		return err
	}
	d.shown.since = d.collector.Now()
	return nil
}

// showWritten makes the running servers that have a changed file open see the text that
// was written. One that cannot be told says so when it is askt.
func (t *transaction) showWritten() {
	for _, server := range t.workspace.Running() {
		for _, c := range t.changes {
			if _, _, open := server.Document(c.Path); open && !c.Deleted {
				_, _ = server.Sync(c.Path, c.After)
			}
		}
	}
}
