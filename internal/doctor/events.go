package doctor

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/result"
	"github.com/lspine/lspine/internal/workspace"
)

const (
	// staleAfter is how long changes of files are collected before somebody who waits for events hears of them, unless the
	// request says otherwise: the delay of agent-lsp. leastStale is the least that it may say.
	staleAfter = 3 * time.Second
	leastStale = 100 * time.Millisecond
	// unwatchedEvery is how often the disk is looked at for who says how long changes are collected, where folders cannot be watched.
	unwatchedEvery = 5 * time.Second
)

// Events returns the events (of servers: starts, crashes, ends; and of files that changed) after the event whose number the
// request gives. If there are none yet, it waits for one, at most for the request's time-out; then the list
// is empty. While it waits it looks at the disk when something changes there, so that whoever waits hears of it although
// nobody asks. Who says how long changes are collected wants to hear of all: then it looks first, so that it does not depend on others
// that somebody does, and again and again where folders cannot be watched.
func (doc *Doctor) Events(ctx context.Context, req api.EventsRequest) (result.Events, error) {
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(api.Milliseconds(req.TimeoutMS), doc.opts.Config.Settings.DiagnosticTimeout))
	defer cancel()
	settle := staleAfter
	if req.SettleMS > 0 {
		settle = max(api.Milliseconds(req.SettleMS), leastStale)
		_ = doc.opts.View.Look(waiting) // what could not be told to a server is part of the next answer
	}
	looking, end := context.WithCancel(waiting)
	looked := guard.Begin(func() struct{} { doc.lookAtChanges(looking, settle, req.SettleMS > 0); return struct{}{} })
	list, last, err := doc.opts.Workspace.Events(waiting, req.After)
	end()
	looked()
	if ctx.Err() != nil {
		return result.Events{}, ctx.Err()
	}
	if err != nil { // an empty list would make the caller ask forever
		return result.Events{}, err
	}
	answer := result.Events{Events: []result.Event{}, Last: last}
	for i := range list {
		answer.Events = append(answer.Events, doc.restateEvent(&list[i]))
	}
	return answer, nil
}

func (doc *Doctor) restateEvent(event *workspace.Event) result.Event {
	answer := result.Event{Number: event.Number, Time: event.Time.UTC(), Kind: string(event.Kind)}
	if event.Kind == workspace.FilesChanged {
		for _, file := range event.Files {
			answer.Files = append(answer.Files, doc.opts.Names.Relative(file))
		}
		answer.More, answer.SetsUp = event.More, event.SetsUp
		return answer
	}
	answer.Server, answer.Root, answer.Reason = event.Key.ID, doc.opts.Names.Relative(event.Key.Root), event.Reason
	answer.Source = doc.opts.Config.SourceOfServer(event.Key.ID)
	if event.First && answer.Source == config.AutoDetected {
		answer.Note = fmt.Sprintf(`%[1]s was found to fit files of this workspace, and no configuration names it; {"lsp": {"servers": {%[1]q: {"enabled": false}}}} in your own keeps it from starting`, event.Key.ID)
	}
	return answer
}

// lookAtChanges looks at the disk some time after something changed there, until ctx ends. Where that cannot be noticed, it looks again
// and again if all is wanted.
func (doc *Doctor) lookAtChanges(ctx context.Context, settle time.Duration, all bool) {
	for doc.awaitChange(ctx, all) == nil {
		select {
		case <-time.After(settle):
		case <-ctx.Done():
			return
		}
		_ = doc.opts.View.Look(ctx) // what could not be told to a server is part of the next answer
	}
}

// awaitChange waits until something may have changed on disk, or ctx ends.
func (doc *Doctor) awaitChange(ctx context.Context, all bool) error {
	waiting, cancel := ctx, func() {}
	if watched, _ := doc.opts.Workspace.Watching(); all && !watched {
		waiting, cancel = context.WithTimeout(ctx, unwatchedEvery)
	}
	defer cancel()
	_ = doc.opts.Workspace.AwaitChange(waiting)
	return ctx.Err()
}
