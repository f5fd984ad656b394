package edit

import (
	"context"
	"errors"
)

// A Trial is an edit that has been written and can still be taken back. Until [Trial.Keep] or
// [Trial.TakeBack] nobody else can commit to its trees, and the old contents are kept beside the
// files. If the process dies meanwhile the whole edit stays.
type Trial struct {
	committer *committer
	journal   *journal
	unlock    func()
}

// Try writes a plan as [Commit] does, with the same errors. The caller must end the trial.
func Try(ctx context.Context, plan *Plan, journalDir string) (*Trial, error) {
	return (&committer{keeps: true}).try(ctx, plan, journalDir)
}

func (c *committer) try(ctx context.Context, plan *Plan, journalDir string) (*Trial, error) {
	staged, err := c.begin(ctx, plan, journalDir)
	if err != nil {
		return nil, err
	}
	if err := c.write(ctx, staged.journal, staged.targets); err != nil {
		defer staged.unlock()
		return nil, c.undo(staged.journal, err)
	}
	return &Trial{c, staged.journal, staged.unlock}, nil
}

// Keep ends the trial: the edit stays.
func (t *Trial) Keep() {
	defer t.unlock()
	t.committer.finish(t.journal)
}

// errUnwanted is why a trial is taken back.
var errUnwanted = errors.New("it was written to be judged, and is not wanted")

// TakeBack ends the trial: all files are as they were, with their modes. Only their modification
// time is now, so that build tools which saw the edit notice the change. A file that somebody else
// wrote meanwhile is left as it is; then, and if a file cannot be restored, the error is a
// *[TornError], and all others are restored. If the process dies before it is done, [Recover]
// restores the rest.
func (t *Trial) TakeBack() error {
	defer t.unlock()
	c, j := t.committer, t.journal
	if err := c.advance(j, moving); err != nil && j.phase != moving {
		c.finish(j) // it stands, whole
		states, _ := statesOf(err, nil, j)
		return &TornError{Cause: errUnwanted, Undo: err, States: states}
	}
	changed, failed := c.rollBack(j)
	if torn := tornError(errUnwanted, failed, changed, j); torn != nil {
		return torn
	}
	return nil
}
