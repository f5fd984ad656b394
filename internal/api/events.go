package api

import "github.com/lspine/lspine/internal/result"

// An EventsRequest asks for what happened to servers and files.
type EventsRequest struct {
	After     uint64 `json:"after,omitempty" jsonschema:"the number of the last known event; a number in the future returns only the last one"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"how long to wait for an event"`
	SettleMS  int    `json:"settle_ms,omitempty" jsonschema:"how long changes of files are collected before they are told, at least 100; default: 3000, and changes are only told where others had a look at the disk before"`
}

// Events reports what happened to servers and files, or waits until something does.
var Events = Op[EventsRequest, result.Events]{
	Name:  "events",
	Title: "Events of servers and files",
	Doc:   "Report which servers started, crashed, recovered or were given up since an event, and which files changed on disk; wait for one if there is none.",
	Class: Read,
	Waits: true,
}
