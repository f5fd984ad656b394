package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/lsp"
)

// An EventKind says what happened to a server.
type EventKind string

const (
	// Started: it runs, for the first time or after it was stopped.
	Started EventKind = "started"
	// Ready: it has read its projects, for the first time, and is at work on nothing. Of a server that never
	// tells what it works on, nobody knows.
	Ready EventKind = "ready"
	// Crashed: it ended by itself, or could not be started; it will be started again.
	Crashed EventKind = "crashed"
	// Recovered: it runs again after that.
	Recovered EventKind = "recovered"
	// Rested: it was stopped because nobody asked it; the next one starts it.
	Rested EventKind = "rested"
	// GivenUp: it crashed too often and is not started again.
	GivenUp EventKind = "given_up"
)

// An Event is something that happened to a server.
type Event struct {
	// Number counts the events of a workspace from 1.
	Number uint64
	Time   time.Time
	Kind   EventKind
	Key    Key
	// Reason says why the server ended, "" if it did not.
	Reason string
	// First says that no server with the id has run in the workspace before, as far as this process
	// knows.
	First bool
}

// keptEvents bounds the events that are remembered.
const keptEvents = 100

// events are the last ones of a workspace.
type events struct {
	mu      sync.Mutex
	list    []Event
	number  uint64
	changed chan struct{} // closed and replaced by every event
	// seen are the ids of the servers that have run.
	seen map[string]bool
	// ready are those of the servers that were.
	ready map[Key]bool
}

// tellReady adds the event that a server is ready when it is, once for each key. It returns when the server has ended at the latest.
func (e *events) tellReady(now func() time.Time, key Key, server *lsp.Server) {
	worked := false
	for {
		changed := server.WorksChanged()
		works := len(server.Works()) > 0
		if worked = worked || works || len(server.Begins()) > 0 || server.TellsLoaded(); worked && !works && server.Loaded() {
			break
		}
		select {
		case <-changed:
		case <-server.Done():
			return
		}
	}
	e.mu.Lock()
	was := e.ready[key]
	e.ready[key] = true
	e.mu.Unlock()
	if !was {
		e.add(now(), Ready, key, "")
	}
}

func (e *events) add(now time.Time, kind EventKind, key Key, reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.number++
	if len(e.list) == keptEvents {
		e.list = e.list[1:]
	}
	ran := kind == Started || kind == Recovered
	e.list = append(e.list, Event{e.number, now, kind, key, reason, ran && !e.seen[key.ID]})
	if ran {
		e.seen[key.ID] = true
	}
	close(e.changed)
	e.changed = make(chan struct{})
}

// Events returns the events after a number, the oldest first and as far as they are
// remembered, and the number of the last one there was. If there is none it waits
// for one, until ctx ends; not after a number that is yet to come. The error says
// that the workspace is closed.
func (w *Workspace) Events(ctx context.Context, after uint64) (list []Event, last uint64, err error) {
	for {
		w.events.mu.Lock()
		for _, e := range w.events.list {
			if e.Number > after {
				list = append(list, e)
			}
		}
		last, changed := w.events.number, w.events.changed
		w.events.mu.Unlock()
		if len(list) > 0 || after > last {
			return list, last, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, last, nil
		case <-w.background.Done():
			return nil, last, errClosed
		}
	}
}
