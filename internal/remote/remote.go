// Package remote carries calls of operations between processes, as JSON-RPC 2.0 messages with
// Content-Length frames over any stream. [Serve] answers them with an [api.Caller]; a [Client] at
// the other end is an api.Caller too. Results, errors with their kinds and hints, progress and
// cancellation are the same as within one process. Several calls may be in flight.
//
// The method of a request is the name of the operation, its params are a call, and its result is
// that of the operation. An error has a [result.Error] as its data. Progress is sent as $/progress
// with the token of the call; $/cancelRequest cancels it. A server may add methods of its own,
// whose names contain a slash.
package remote

import (
	"encoding/json"

	"github.com/lspine/lspine/internal/api"
)

const (
	progressMethod = "$/progress"
	endingMethod   = "lspine/ending"
	// CodeFailed is the code of the error of a failed call; its data is the [result.Error].
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
	Tool      string          `json:"tool,omitempty"`
	Own       bool            `json:"own,omitempty"`
	// Permission, Asks and Answers are those of [api.Call], for the policy.
	Permission *api.Permission `json:"permission,omitempty"`
	Asks       bool            `json:"asks,omitempty"`
	Answers    []api.Answer    `json:"answers,omitempty"`
	// TimeoutMS is the time left until the caller's deadline, in milliseconds; 0 if there is none.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
	// Progress is the token under which the caller wants progress reports; 0 if it wants none.
	Progress int64 `json:"progress,omitempty"`
}

// A note is the params of a notification of progress.
type note struct {
	Token int64        `json:"token"`
	Value api.Progress `json:"value"`
}
