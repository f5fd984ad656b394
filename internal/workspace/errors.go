package workspace

import (
	"fmt"
	"io/fs"
	"strings"
)

// An OutsideWorkspaceError names a path that is not below the workspace root.
// Nothing is read or started for it.
type OutsideWorkspaceError struct {
	Path, Root string
	// Target is where a symbolic link leads, or "".
	Target string
}

func (e *OutsideWorkspaceError) Error() string {
	if e.Target != "" {
		return fmt.Sprintf("%s leads to %s, which is outside the workspace %s", e.Path, e.Target, e.Root)
	}
	return fmt.Sprintf("%s is outside the workspace %s", e.Path, e.Root)
}

// Hint says what to do.
func (e *OutsideWorkspaceError) Hint() string {
	return "name the folder that holds it with --root (lspine mcp: also with --allow-root)"
}

// A NotFoundError names a file that does not exist.
type NotFoundError struct {
	Path string
	// Nearest are existing files with similar names, the most similar first.
	Nearest []string
}

func (e *NotFoundError) Error() string { return e.Path + ": no such file" }

func (e *NotFoundError) Unwrap() error { return fs.ErrNotExist }

// Hint says what to do.
func (e *NotFoundError) Hint() string {
	if len(e.Nearest) == 0 {
		return "check the path; it is taken relative to the current folder"
	}
	return "did you mean " + strings.Join(e.Nearest, " or ") + "?"
}

// A NotDiagnosedError says that a file is never given to a server, and why.
type NotDiagnosedError struct {
	Path, Reason, Advice string
	// Unread says that the file may be one that a server judges all the same: it is only too large, may not be read, or is in an encoding
	// that is not known.
	Unread bool
}

func (e *NotDiagnosedError) Error() string { return e.Path + ": not checked: " + e.Reason }

// Hint says what to do.
func (e *NotDiagnosedError) Hint() string { return e.Advice }
