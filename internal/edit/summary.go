package edit

// A Summarizer says in one line what was changed, or would be where that is not applied.
type Summarizer func(changes []Change, applied bool) string
