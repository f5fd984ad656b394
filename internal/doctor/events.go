package doctor

import (
	"cmp"
	"context"
	"fmt"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/result"
)

// Events returns the server events (starts, crashes, ends) after the event whose number the request
// gives. If there are none yet, it waits for one, at most for the request's time-out; then the list
// is empty.
func (doc *Doctor) Events(ctx context.Context, req api.EventsRequest) (result.Events, error) {
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(api.Milliseconds(req.TimeoutMS), doc.opts.Config.Settings.DiagnosticTimeout))
	defer cancel()
	list, last, err := doc.opts.Workspace.Events(waiting, req.After)
	if ctx.Err() != nil {
		return result.Events{}, ctx.Err()
	}
	if err != nil { // an empty list would make the caller ask forever
		return result.Events{}, err
	}
	answer := result.Events{Events: []result.Event{}, Last: last}
	for _, event := range list {
		source, note := doc.opts.Config.SourceOfServer(event.Key.ID), ""
		if event.First && source == config.AutoDetected {
			note = fmt.Sprintf(`%[1]s was found to fit files of this workspace, and no configuration names it; {"lsp": {"servers": {%[1]q: {"enabled": false}}}} in your own keeps it from starting`, event.Key.ID)
		}
		answer.Events = append(answer.Events, result.Event{
			Number: event.Number, Time: event.Time.UTC(), Kind: string(event.Kind),
			Server: event.Key.ID, Root: doc.opts.Names.Relative(event.Key.Root), Reason: event.Reason,
			Source: source, Note: note,
		})
	}
	return answer, nil
}
