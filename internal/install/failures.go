package install

import "fmt"

// An UnknownError says that we cannot install a server or, for Installed, that it is not
// installed.
type UnknownError struct {
	ID        string
	Installed bool
}

func (e *UnknownError) Error() string {
	if e.Installed {
		return e.ID + " was not installed by lspine"
	}
	return e.ID + " is no server that lspine can install here"
}

// Hint says what to do.
func (e *UnknownError) Hint() string {
	if e.Installed {
		return "lspine install --list says what is"
	}
	return "lspine servers says how to get each one"
}

// A NeedsError says that a program is missing that installs a server.
type NeedsError struct{ ID, Program, hint string }

func (e *NeedsError) Error() string {
	return fmt.Sprintf("%s is installed by %s, which is not on PATH", e.ID, e.Program)
}

// Hint says what to do.
func (e *NeedsError) Hint() string { return e.hint }

// A ChecksumError says that a package is not the one whose checksum is known. Nothing of it
// was installed.
type ChecksumError struct {
	ID string
	// Said is what the package manager said.
	Said string
}

func (e *ChecksumError) Error() string {
	return e.ID + ": a package has another checksum than this version of lspine knows; nothing was installed\n" + e.Said
}

// Hint says what to do.
func (e *ChecksumError) Hint() string {
	return "somebody changed the package on its way; another registry or proxy, or an emptied cache of the package manager, may have the right one"
}

// A FailedError says that a server could not be installed. Nothing of it was.
type FailedError struct {
	ID, Reason string
	// Said is what the package manager said.
	Said string
}

func (e *FailedError) Error() string {
	text := e.ID + " could not be installed: " + e.Reason
	if e.Said != "" {
		text += "\n" + e.Said
	}
	return text
}
