package result

import "time"

// Sessions are those of all clients of a workspace, with what they hold.
type Sessions struct {
	Head
	Sessions    []Session        `json:"sessions" jsonschema:"the oldest first"`
	Simulations []HeldSimulation `json:"simulations,omitempty" jsonschema:"simulation sessions of all of them"`
	Last        uint64           `json:"last" jsonschema:"the number of the last change, to be used as after in the next request"`
}

// A Session is a conversation of a client. It has no handle: others must not use it.
type Session struct {
	Number    int       `json:"number" jsonschema:"counts the sessions from 1"`
	Client    string    `json:"client,omitempty" jsonschema:"who it is, as in the evidence"`
	Began     time.Time `json:"began" jsonschema:"when its first call came"`
	Last      time.Time `json:"last" jsonschema:"when its last call came"`
	Operation string    `json:"operation,omitempty" jsonschema:"the operation of its last call"`
	Calls     int       `json:"calls" jsonschema:"number of calls so far"`
	Running   int       `json:"running,omitempty" jsonschema:"number of calls in progress"`
}

// A HeldSimulation is a simulation session with the session that holds it.
type HeldSimulation struct {
	Holder int `json:"holder,omitempty" jsonschema:"the number of the session that holds it"`
	SimulationSession
}
