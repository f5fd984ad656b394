package engine

// A NothingToChangeError says that an edit leaves every file as it is.
type NothingToChangeError struct{}

func (e *NothingToChangeError) Error() string { return "nothing would change" }

// Hint says what that means.
func (e *NothingToChangeError) Hint() string {
	return "the files are already as the edit would make them"
}

// An OpenedError says that a caller opened a file with a text of its own, so that
// the file on disk is not what it sees.
type OpenedError struct{ Path string }

func (e *OpenedError) Error() string { return e.Path + " was opened with a text that is not on disk" }

// Hint says how to go on.
func (e *OpenedError) Hint() string { return "close it first, then edit" }
