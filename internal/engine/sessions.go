package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/result"
)

// sessions knows who calls. It is safe for concurrent use.
type sessions struct {
	mu sync.Mutex
	// byName has the sessions that have called and have not ended.
	byName  map[string]*result.Session
	number  int           // of the last session that began
	last    uint64        // number of the last change; 1 before there is any
	changed chan struct{} // closed and replaced by every change
}

func newSessions() *sessions {
	return &sessions{byName: make(map[string]*result.Session), last: 1, changed: make(chan struct{})}
}

// beginCall counts a call of a session until done is called.
func (s *sessions) beginCall(with *api.Call, operation string) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.byName[with.Session]
	if of == nil {
		s.number++
		of = &result.Session{Number: s.number, Began: time.Now().UTC()}
		s.byName[with.Session] = of
	}
	of.Client, of.Operation, of.Last = cmp.Or(with.Client, of.Client), operation, time.Now().UTC()
	of.Calls++
	of.Running++
	s.changeLocked()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		of.Running--
		s.changeLocked()
	}
}

// forget forgets a session.
func (s *sessions) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byName[name] != nil {
		delete(s.byName, name)
		s.changeLocked()
	}
}

func (s *sessions) changeLocked() {
	s.last++
	close(s.changed)
	s.changed = make(chan struct{})
}

// await waits until something has changed after a change, at most until ctx ends.
func (s *sessions) await(ctx context.Context, after uint64) {
	for {
		s.mu.Lock()
		last, changed := s.last, s.changed
		s.mu.Unlock()
		if last != after {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// list returns the sessions, the oldest first, the number of each by its name, and that of the last change.
func (s *sessions) list() (all []result.Session, numbers map[string]int, last uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, numbers = make([]result.Session, 0, len(s.byName)), make(map[string]int)
	for name, of := range s.byName {
		all = append(all, *of)
		numbers[name] = of.Number
	}
	slices.SortFunc(all, func(a, b result.Session) int { return cmp.Compare(a.Number, b.Number) })
	return all, numbers, s.last
}
