package result

import "time"

// Events are what happened to servers and, while somebody waits for them, to files.
type Events struct {
	Head
	Events []Event `json:"events" jsonschema:"the oldest first; at most the last hundred"`
	Last   uint64  `json:"last" jsonschema:"the number of the last event, to be used as after in the next request"`
}

// An Event is something that happened to one server, or to files.
type Event struct {
	Number uint64    `json:"number"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind" jsonschema:"started, ready (it has read its projects, for the first time), crashed, recovered, rested or given_up; or files_changed, which is of no server: files are others on disk than they were, and what was said of them before may hold no more"`
	Server string    `json:"server,omitempty"`
	Root   string    `json:"root,omitempty" jsonschema:"relative to the workspace"`
	Source string    `json:"source,omitempty" jsonschema:"registered where a configuration names the server, else auto-detected"`
	Files  []string  `json:"files,omitempty" jsonschema:"with files_changed: the files, at most 20"`
	More   int       `json:"more,omitempty" jsonschema:"with files_changed: how many files changed that are not named"`
	SetsUp bool      `json:"sets_up,omitempty" jsonschema:"with files_changed: one of them sets projects up, so that other files may be judged otherwise now"`
	Reason string    `json:"reason,omitempty" jsonschema:"why it ended"`
	Note   string    `json:"note,omitempty" jsonschema:"on the first start of a server that no configuration names: why it was chosen, and how to configure it or keep it from starting"`
}
