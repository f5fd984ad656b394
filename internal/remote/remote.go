// Package remote lets operations be called from another process: framed JSON-RPC 2.0 over
// any stream. [Serve] answers by an [api.Caller]; a [Client] at the other end is one.
// Results, errors with their kinds and hints, progress and cancellation mean the same as
// in one process, and several calls may be in flight.
//
// The method is the name of the operation, its params are those of [call]; the result is
// that of the operation. An error has a [result.Error] as its data. Progress comes as
// $/progress with the token of the call; $/cancelRequest cancels it. Whoever serves may add
// methods of its own, whose names have a slash.
package remote

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/api"
)

const (
	progressMethod = "$/progress"
	endingMethod   = "lspine/ending"
	// CodeFailed is of a call that failed; the data of the error say how.
	CodeFailed = -32000
)

// A call is the params of a request.
type call struct {
	Request   json.RawMessage `json:"request"`
	Session   string          `json:"session,omitempty"`
	Principal string          `json:"principal,omitempty"`
	Absolute  bool            `json:"absolute,omitempty"`
	Dir       string          `json:"dir,omitempty"`
	Last      bool            `json:"last,omitempty"`
	Client    string          `json:"client,omitempty"`
	// Permission, Asks and Answers are for the policy.
	Permission *api.Permission `json:"permission,omitempty"`
	Asks       bool            `json:"asks,omitempty"`
	Answers    []api.Answer    `json:"answers,omitempty"`
	// TimeoutMS is how much time is left until the caller's deadline; 0 is without.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
	// Progress is the token under which the caller wants to hear of progress; 0 is not.
	Progress int64 `json:"progress,omitempty"`
}

// A note is the params of a notification of progress.
type note struct {
	Token int64        `json:"token"`
	Value api.Progress `json:"value"`
}
