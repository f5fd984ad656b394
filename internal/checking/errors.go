package checking

// An OpenedError says that a file cannot be edited on disk because a caller opened it with a
// different text, which is what servers see.
type OpenedError struct{ Path string }

func (e *OpenedError) Error() string { return e.Path + " was opened with a text that is not on disk" }

// Hint says how to proceed.
func (e *OpenedError) Hint() string { return "close it first, then edit" }
