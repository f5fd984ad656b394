package checking

// An OpenedError says that a caller opened a file with a text of its own, so that
// the file on disk is not what it sees.
type OpenedError struct{ Path string }

func (e *OpenedError) Error() string { return e.Path + " was opened with a text that is not on disk" }

// Hint says how to go on.
func (e *OpenedError) Hint() string { return "close it first, then edit" }
