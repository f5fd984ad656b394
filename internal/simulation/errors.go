package simulation

import (
	"fmt"
	"strings"

	"github.com/lspine/lspine/internal/result"
)

// An UnknownSessionError says that the caller has no simulation session with that id.
type UnknownSessionError struct {
	Session string
	// How says how the session ended, "" if it never existed or is no longer remembered. Known are
	// the ids of the caller's sessions.
	How   string
	Known []string
}

func (e *UnknownSessionError) Error() string {
	if e.How != "" {
		return fmt.Sprintf("session %q is gone: %s", e.Session, e.How)
	}
	return fmt.Sprintf("there is no session %q", e.Session)
}

// Kind returns result.NotFound.
func (*UnknownSessionError) Kind() result.Kind { return result.NotFound }

// Hint lists the existing sessions.
func (e *UnknownSessionError) Hint() string {
	const most = 20
	if len(e.Known) == 0 {
		return "there are no sessions: simulate with action create makes one"
	}
	names := strings.Join(e.Known[:min(most, len(e.Known))], ", ")
	if more := len(e.Known) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return "sessions are " + names
}

// A TooManyError says that the caller already has as many simulation sessions as allowed.
type TooManyError struct{ Limit int }

func (e *TooManyError) Error() string {
	return fmt.Sprintf("there are %d sessions already, which is the limit", e.Limit)
}

// Kind returns result.Argument.
func (*TooManyError) Kind() result.Kind { return result.Argument }

// Hint says how to make room.
func (*TooManyError) Hint() string {
	return "simulate with action destroy ends one; simulate with action list names them; those that nobody uses for an hour end by themselves"
}

// A TooLargeError says that a session would hold more text than allowed. Sizes are in bytes. The
// session is unchanged.
type TooLargeError struct{ Size, Limit int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the session would keep %d bytes of text, the limit is %d", e.Size, e.Limit)
}

// Kind returns result.Argument.
func (*TooLargeError) Kind() result.Kind { return result.Argument }

// Hint says what to do.
func (*TooLargeError) Hint() string {
	return "the session is as it was: commit it, and go on in another one"
}

// A StateError says that an action is not possible in the state of a session. The states are
// constants of package result.
type StateError struct{ Session, State, Action string }

func (e *StateError) Error() string {
	return fmt.Sprintf("session %q is %s: it cannot %s", e.Session, e.State, e.Action)
}

// Kind returns result.Argument.
func (*StateError) Kind() result.Kind { return result.Argument }

// Hint says how to continue.
func (e *StateError) Hint() string {
	return "simulate with action create makes another session; simulate with action destroy ends this one"
}

// A StaleError says that files changed on disk since a session read them. The session is unchanged.
type StaleError struct {
	Session string
	Files   []StaleFile
}

// A StaleFile is a file that changed. Read and Now are the hashes of its content when the session
// read it and now, "" if there was or is no file. Fits reports whether the session's change can
// still be applied to the new text.
type StaleFile struct {
	Path, Read, Now string
	Fits            bool
}

func (e *StaleError) Error() string {
	lines := make([]string, len(e.Files))
	for i, f := range e.Files {
		line := fmt.Sprintf("%s changed on disk since the session read it: %s then, %s now", f.Path, short(f.Read), short(f.Now))
		if f.Fits {
			line += "; the session's own change still fits"
		} else {
			line += "; the session's own change no longer fits"
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

func short(hash string) string {
	if hash == "" {
		return "no file"
	}
	return hash[:12]
}

// Kind returns result.Stale.
func (*StaleError) Kind() result.Kind { return result.Stale }

// Data returns the path of the first file.
func (e *StaleError) Data() result.Data { return result.Data{Path: e.Files[0].Path} }

// Hint says how to apply the session's changes to the files as they are now.
func (e *StaleError) Hint() string {
	text := fmt.Sprintf("nothing was written, and the session is as it was; simulate with action commit and apply false returns its changes as a patch, against the files as it read them; "+
		"give that patch as an edit to a new session, which reads the files as they are now, and evaluate that; then destroy %q", e.Session)
	for _, f := range e.Files {
		if !f.Fits {
			return text + "; where it no longer fits, read the file and write the edit anew"
		}
	}
	return text
}
