package api

import "time"

// A Limits bounds an answer.
type Limits struct {
	MaxBytes  int `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000"`
	TimeoutMS int `json:"timeout_ms,omitempty" jsonschema:"deadline, default as configured"`
}

// Budget is how long an answer may be; 0 is the default.
func (l Limits) Budget() int { return l.MaxBytes }

// Deadline is when the answer is wanted at the latest; 0 is as configured.
func (l Limits) Deadline() time.Duration { return Milliseconds(l.TimeoutMS) }
