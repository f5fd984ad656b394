package checking

import (
	"context"
	"slices"

	"github.com/lspine/lspine/internal/edit"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

// quiet returns the judgement of an edit that is on disk. What changed there meanwhile,
// by others, makes it be judged again, against the state with their changes alone.
func (ed *edition) quiet(ctx context.Context, result result.Edit, err error) (result.Edit, error) {
	const most = 3
	disk := ed.look(ctx)
	for n := 0; disk.Told && err == nil; n++ {
		if n == most {
			ed.notes = append(ed.notes, "other files go on changing on disk; check says what is wrong when they are done")
			break
		}
		if slices.ContainsFunc(disk.Changed, ed.isTheirs) {
			err = ed.rebase(ctx)
		}
		if err == nil {
			result, err = ed.judge(ctx, true)
			disk = ed.look(ctx)
		}
	}
	return result, err
}

// isTheirs reports whether a file that a server judges is not one that the edition changes.
func (ed *edition) isTheirs(path string) bool {
	return !ed.touches(path) && len(workspace.Missed(ed.detection.Candidates(path))) > 0
}

// rebase makes the servers say what is wrong without the edit: what others changed beside
// it is then part of the baseline. Where the state before cannot be shown, because the
// edit made files come or go or the servers read the disk, the notes say that what is
// listed may be the others' doing.
func (ed *edition) rebase(ctx context.Context) error {
	own, _ := ed.own(false, false)
	moves := slices.ContainsFunc(ed.changes, func(c edit.Change) bool {
		return c.Created || c.Deleted || c.From != "" || ed.detection.SeenOnDisk(ctx, c.Path) || len(ed.readers(c.Path)) > 0
	})
	if moves || slices.ContainsFunc(own, ed.awaitsSave) {
		const shared = "other files changed on disk at the same time: what is listed may be due to that"
		if !slices.Contains(ed.notes, shared) {
			ed.notes = append(ed.notes, shared)
		}
		return nil
	}
	if err := ed.overlay.Shown.Lock(ctx); err != nil {
		return err
	}
	defer ed.overlay.Shown.Unlock()
	defer ed.showWritten() // nobody else may see the former text once the overlays are free
	if err := ed.baseline(ctx, append(slices.Clip(own), ed.dependants.files...), true); err != nil {
		return err
	}
	ed.since = ed.collector.Now()
	return nil
}

// showWritten makes the running servers that have a changed file open see the text that
// was written. One that cannot be told says so when it is asked.
func (ed *edition) showWritten() {
	for _, server := range ed.workspace.Running() {
		for _, c := range ed.changes {
			if _, _, open := server.Document(c.Path); open && !c.Deleted {
				_, _ = server.Sync(c.Path, c.After)
			}
		}
	}
}
