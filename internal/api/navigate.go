package api

import "time"

// Limits bound an answer.
type Limits struct {
	MaxBytes  int `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000"`
	TimeoutMS int `json:"timeout_ms,omitempty" jsonschema:"deadline, default as configured"`
}

// Valid returns an *ArgumentError if a limit makes no sense.
func (l Limits) Valid() error {
	if l.MaxBytes < 0 {
		return &ArgumentError{Argument: "max_bytes", Reason: "a budget is at least 1 byte", Advice: "for example 12000"}
	}
	if l.TimeoutMS < 0 {
		return &ArgumentError{Argument: "timeout_ms", Reason: "a deadline is at least 1 ms", Advice: "for example 5000"}
	}
	return nil
}

// Budget returns how many bytes the answer may have; 0 means the default.
func (l Limits) Budget() int { return l.MaxBytes }

// Deadline returns how long the call may take; 0 means as configured.
func (l Limits) Deadline() time.Duration { return Milliseconds(l.TimeoutMS) }
