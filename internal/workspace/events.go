package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/roots"

	"github.com/lspine/lspine/internal/language"
	"github.com/lspine/lspine/internal/lsp"
)

// An EventKind says what happened.
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
	// FilesChanged is of no server: files are others on disk than they were when somebody last looked, whoever
	// changed them. What was said of them before, and of places in them, may hold no more.
	FilesChanged EventKind = "files_changed"
)

// An Event is something that happened to a server, or to files.
type Event struct {
	// Number counts the events of a workspace from 1.
	Number uint64
	Time   time.Time
	Kind   EventKind
	// Key is the server's, the zero Key with FilesChanged.
	Key roots.Key
	// Files are the absolute paths of the first files that changed, sorted, and More is how many others did.
	Files []string
	More  int
	// SetsUp says that one of them sets projects up, so that other files may be judged otherwise.
	SetsUp bool
	// Reason says why the server ended, "" if it did not.
	Reason string
	// First says that no server with the id has run in the workspace before, as far as this process
	// knows.
	First bool
}

const (
	// keptEvents bounds the events that are remembered.
	keptEvents = 100
	// namedFiles bounds the files that an event names.
	namedFiles = 20
)

// events are the last ones of a workspace.
type events struct {
	mu      sync.Mutex
	list    []Event
	number  uint64
	changed chan struct{} // closed and replaced by every event
	// seen are the ids of the servers that have run.
	seen map[string]bool
	// ready are those of the servers that were.
	ready map[roots.Key]bool
}

// tellReady adds the event that a server is ready when it is, once for each key. It returns when the server has ended at the latest.
func (e *events) tellReady(now func() time.Time, key roots.Key, server *lsp.Server) {
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

func (e *events) add(now time.Time, kind EventKind, key roots.Key, reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ran := kind == Started || kind == Recovered
	e.addLocked(Event{Time: now, Kind: kind, Key: key, Reason: reason, First: ran && !e.seen[key.ID]})
	if ran {
		e.seen[key.ID] = true
	}
}

// addChanged adds the event that files changed, if there are any.
func (e *events) addChanged(now time.Time, paths []string) {
	if len(paths) == 0 {
		return
	}
	files := slices.Compact(slices.Sorted(slices.Values(paths)))
	named := files[:min(len(files), namedFiles)]
	setsUp := slices.ContainsFunc(files, func(path string) bool { return language.SetsUp(filepath.Base(path)) })
	e.mu.Lock()
	defer e.mu.Unlock()
	e.addLocked(Event{Time: now, Kind: FilesChanged, Files: slices.Clone(named), More: len(files) - len(named), SetsUp: setsUp})
}

// addLocked adds an event and gives it its number. Where there are too many the oldest is forgotten, of files before of
// servers: there are more of those.
func (e *events) addLocked(event Event) {
	e.number++
	event.Number = e.number
	if len(e.list) == keptEvents {
		oldest := max(0, slices.IndexFunc(e.list, func(e Event) bool { return e.Kind == FilesChanged }))
		e.list = slices.Delete(e.list, oldest, oldest+1)
	}
	e.list = append(e.list, event)
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
