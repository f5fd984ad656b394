package edit

import (
	"fmt"
	"strings"
)

// A ReadOnlyError says that a file may not be written. Nothing was changed.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) Error() string {
	return e.Path + " is read-only; nothing was changed"
}

// A ConflictError says that a file on disk is not what the plan was made for. Nothing was changed.
type ConflictError struct{ Path, Reason string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s: %s; nothing was changed: read it again", e.Path, e.Reason)
}

// A WriteError says which step of a commit failed at which file. Nothing was
// changed.
type WriteError struct {
	Path, Step string
	Err        error
}

func (e *WriteError) Error() string {
	return fmt.Sprintf("%s: %s: %v; nothing was changed", e.Path, e.Step, e.Err)
}

func (e *WriteError) Unwrap() error { return e.Err }

// A stepError is a step that failed, with no word on what became of the files.
type stepError struct {
	path, step string
	err        error
}

func (e *stepError) Error() string { return fmt.Sprintf("%s: %s: %v", e.path, e.step, e.err) }
func (e *stepError) Unwrap() error { return e.err }

// A FileState says what is at a path after a commit that could not be undone.
type FileState string

const (
	StateBefore  FileState = "as before"
	StateAfter   FileState = "changed"
	StateForeign FileState = "written by somebody else meanwhile"
	StateUnknown FileState = "cannot be read"
)

// A TornError says that a commit failed and could not be undone. Its journal stays, and [Recover]
// tries again.
type TornError struct {
	Cause  error // why the commit failed
	Undo   error // why it could not be undone, nil if somebody wrote meanwhile
	States []PathState
}

// A PathState is what is at one path after a commit that could not be undone.
type PathState struct {
	Path   string
	State  FileState
	Backup string // where the old content is, "" if nowhere else
}

func (e *TornError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the edit failed half-way and could not be undone: %v", plainCause(e.Cause))
	if e.Undo != nil {
		fmt.Fprintf(&b, "; undoing: %v", plainCause(e.Undo))
	}
	b.WriteString("; the files now:")
	for _, s := range e.States {
		fmt.Fprintf(&b, "\n%s: %s", s.Path, s.State)
		if s.Backup != "" {
			fmt.Fprintf(&b, " (before it: %s)", s.Backup)
		}
	}
	return b.String()
}

func (e *TornError) Unwrap() error { return e.Cause }

// plainCause leaves out "nothing was changed", which is not so here.
func plainCause(err error) string {
	return strings.ReplaceAll(err.Error(), "; nothing was changed", "")
}

// tornError says what is where if not all is as before, or written by somebody
// else without us; otherwise it is nil.
func tornError(cause, undo error, changed []ChangedFile, j *journal) error {
	states, undone := statesOf(undo, changed, j)
	if undone && len(changed) == 0 {
		return nil
	}
	return &TornError{cause, undo, states}
}

// statesOf says what is at each path of a commit that was undone, with an error if it
// could not be; undone is false if something that it moved did not go back.
func statesOf(undo error, changed []ChangedFile, j *journal) (states []PathState, undone bool) {
	undone = true
	for i, m := range j.Moves {
		s := PathState{Path: m.Path, State: StateForeign}
		switch now, err := hashOf(m.Path); {
		case err != nil:
			s.State = StateUnknown
		case now == m.Before:
			s.State = StateBefore
		case now == m.After:
			s.State = StateAfter
		}
		for _, f := range changed {
			if f.Path == m.Path {
				s.Backup = f.Kept
			}
		}
		if h, err := hashOf(m.Backup); err == nil && h != "" && s.State != StateBefore && s.Backup == "" {
			s.Backup = m.Backup
		}
		undone = undone && (undo == nil || s.State == StateBefore || j.phase != moving || !j.Moves[i].done())
		states = append(states, s)
	}
	return states, undone
}

// An UnfinishedError says that a commit of a process which died was just
// recovered, so that files may not be what a plan was made for.
type UnfinishedError struct{ Report Report }

func (e *UnfinishedError) Error() string {
	paths := e.Report.Undone
	for _, f := range e.Report.Changed {
		paths = append(paths, f.Path)
	}
	return fmt.Sprintf("an earlier edit that was interrupted was just undone, nothing else was changed: read again %s", strings.Join(paths, ", "))
}
