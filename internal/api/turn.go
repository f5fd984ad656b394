package api

import (
	"time"

	"github.com/lspine/lspine/internal/result"
)

// A BeginTurnRequest begins a turn of a model.
type BeginTurnRequest struct {
	TimeoutMS int `json:"timeout_ms,omitempty" jsonschema:"deadline, default as configured"`
}

// Deadline returns how long the call may take; 0 means as configured.
func (r BeginTurnRequest) Deadline() time.Duration { return Milliseconds(r.TimeoutMS) }

// BeginTurn remembers the files of the workspace as they are. A session has one turn at a time: one
// that is open is given up.
var BeginTurn = Op[BeginTurnRequest, result.Turn]{
	Name:  "begin_turn",
	Title: "Begin turn",
	Doc:   "Begin a turn: its changes are judged against the present state of the files.",
	Class: Read,
}

// A CloseTurnRequest closes the turn of the session.
type CloseTurnRequest struct {
	Turn        string   `json:"turn,omitempty" jsonschema:"the turn, as begin_turn returned it; default: the open one"`
	Severities  []string `json:"severities,omitempty" jsonschema:"error, warning, info, hint; default: as configured"`
	BudgetBytes int      `json:"budget_bytes,omitempty" jsonschema:"size limit of the context items in bytes, default 8192"`
	TimeoutMS   int      `json:"timeout_ms,omitempty" jsonschema:"deadline for all files; default: as configured"`
	MaxBytes    int      `json:"max_bytes,omitempty" jsonschema:"budget of the answer, default 12000; -1 is none"`
}

// Budget returns how many bytes the answer may have; 0 means the default, -1 no bound.
func (r CloseTurnRequest) Budget() int { return r.MaxBytes }

// Deadline returns how long the call may take; 0 means as configured.
func (r CloseTurnRequest) Deadline() time.Duration { return Milliseconds(r.TimeoutMS) }

// CloseTurn judges every file that changed since the turn began, whoever changed it, and closes the
// turn unless its model is to go on and fix what it broke.
var CloseTurn = Op[CloseTurnRequest, result.ClosedTurn]{
	Name:  "close_turn",
	Title: "Close turn",
	Doc:   "Judge every file that changed since the turn began, also by shell commands: verdicts, new errors, context items, and whether to correct the errors or to ask a person.",
	Class: Read,
}
