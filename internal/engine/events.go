package engine

import (
	"context"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

var doEvents = bind(api.Events, func(ctx context.Context, e *Engine, req api.EventsRequest) (result.Events, error) {
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
})
