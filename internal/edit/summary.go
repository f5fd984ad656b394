package edit

// A Summarizer returns one line that says what was changed, or would be if applied is false.
type Summarizer func(changes []Change, applied bool) string
