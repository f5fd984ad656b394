package engine

import (
	"context"

	"github.com/lspine/lspine/internal/result"
)

// An EventsRequest asks for what happened to servers.
type EventsRequest struct {
	After     uint64 `json:"after,omitempty" jsonschema:"the number of the last event that is known; one that is yet to come asks for the last alone"`
	TimeoutMS int    `json:"timeout_ms,omitempty" jsonschema:"how long to wait for an event"`
}

// Events reports what happened to servers, or waits until something does.
var Events = Op[EventsRequest, result.Events]{
	Name:  "events",
	Title: "Events of servers",
	Doc:   "Report which servers started, crashed, recovered or were given up since an event; wait for one if there is none.",
	Class: Read,
	run: func(ctx context.Context, e *Engine, req EventsRequest) (result.Events, error) {
		waiting, cancel := context.WithTimeout(ctx, e.wait(req.TimeoutMS))
		defer cancel()
		list, last, err := e.workspace.Events(waiting, req.After)
		if ctx.Err() != nil {
			return result.Events{}, ctx.Err()
		}
		if err != nil { // else who waits for events would ask again and again
			return result.Events{}, err
		}
		answer := result.Events{Events: []result.Event{}, Last: last}
		for _, event := range list {
			answer.Events = append(answer.Events, result.Event{
				Number: event.Number, Time: event.Time.UTC(), Kind: string(event.Kind),
				Server: event.Key.ID, Root: e.relative(event.Key.Root), Reason: event.Reason,
			})
		}
		return answer, nil
	},
}
