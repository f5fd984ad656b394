package edit

import (
	"context"
	"errors"
)

// A Trial is an edit that is on disk and may still be taken back. Until [Trial.Keep]
// or [Trial.TakeBack] nobody else can commit to its trees, and what was there before
// is kept beside the files; a process that dies meanwhile leaves the whole edit.
type Trial struct {
	committer *committer
	journal   *journal
	unlock    func()
}

// Try puts a plan on disk as [Commit] does, with the same errors.
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

// TakeBack ends the trial: all files are what they were, with their modes; only the
// time of their last change is now, for who compiled the edit to see that they changed
// again. A file that somebody else wrote meanwhile is left as it is: then, and where one
// cannot be put back, the error is a *TornError, and the others are as they were. Of a
// process that dies on the way [Recover] makes the tree from before.
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
