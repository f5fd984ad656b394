package result

import "time"

// Events are what happened to servers.
type Events struct {
	Head
	Events []Event `json:"events" jsonschema:"the oldest first; at most the last hundred"`
	Last   uint64  `json:"last" jsonschema:"the number of the last event, to be used as after in the next request"`
}

// An Event is something that happened to one server.
type Event struct {
	Number uint64    `json:"number"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind" jsonschema:"started, ready (it has read its projects, for the first time), crashed, recovered, rested or given_up"`
	Server string    `json:"server"`
	Root   string    `json:"root" jsonschema:"relative to the workspace"`
	Source string    `json:"source" jsonschema:"registered where a configuration names the server, else auto-detected"`
	Reason string    `json:"reason,omitempty" jsonschema:"why it ended"`
	Note   string    `json:"note,omitempty" jsonschema:"on the first start of a server that no configuration names: why it was chosen, and how to configure it or keep it from starting"`
}
