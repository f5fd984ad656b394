package lsp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/jsonrpc"
)

// A server may also work all the time and answer nothing: the vigil sees that it is busy, and
// each question runs into its deadline. So one that missed several in a row is put to a test of
// its own time, and ended if it fails.

const (
	// manyTimeouts in a row put a server to the test.
	manyTimeouts = 3
	// healthTimes is how much longer than [Options.Still] a server may do nothing in the test.
	healthTimes = 3
	// busyTimes is how much longer than that it may work and send nothing.
	busyTimes = 6
)

// A HealthError says that a server was ended because it answered nothing any more.
type HealthError struct {
	// For is how long the test took.
	For time.Duration
}

func (e *HealthError) Error() string {
	return fmt.Sprintf("%d requests in a row ran into their deadline, and a test found no sign of it for %v, so it was ended",
		manyTimeouts, e.For.Round(100*time.Millisecond))
}

// A health counts what a server failed to answer in time.
type health struct {
	mu sync.Mutex
	// missed counts the deadlines since the last answer; testing says that a test is under way.
	missed  int
	testing bool
}

// Missed notes that somebody waited for the server until the deadline, and in vain. After
// several in a row the server is put to a test, which nobody waits for.
func (s *Server) Missed() {
	s.health.mu.Lock()
	s.health.missed++
	begin := s.health.missed >= manyTimeouts && !s.health.testing
	s.health.testing = s.health.testing || begin
	s.health.mu.Unlock()
	if !begin {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.unheard.Go(func() { _ = guard.Do(func() error { s.testHealth(); return nil }) })
	}
}

// met notes that the server gave an answer.
func (s *Server) met() {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	s.health.missed = 0
}

// testHealth asks the server something cheap, and ends it if there is no sign of it: no answer,
// and nothing else that it sends. One that says what it is working on, and works, is healthy.
func (s *Server) testHealth() {
	limit := healthTimes * s.opts.Still
	if took, healthy := s.showsItself(limit); !healthy {
		s.end(&HealthError{took})
	}
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	s.health.missed, s.health.testing = 0, false
}

// showsItself reports whether a sign of the server comes within a limit, or within a multiple of
// it as long as the server works, and how long that took.
func (s *Server) showsItself(limit time.Duration) (took time.Duration, healthy bool) {
	before, pulse := s.conn.Received(), limit/(healthTimes*pulses)
	ctx, cancel := context.WithCancel(context.Background())
	answered := s.askCheap(ctx)
	defer func() {
		cancel()
		<-answered
	}()
	_, known := s.CPUTime()
	ticker := newTicker(pulse)
	defer ticker.Stop()
	idle := idleness{last: s.vitals()}
	for {
		select {
		case <-answered:
			return took, true
		case <-s.conn.Done():
			return took, true // it has ended by itself, which is said elsewhere
		case <-ticker.C:
		}
		if !ticker.onTime() {
			continue
		}
		took += pulse
		worked := idle.add(s.vitals(), pulse)
		switch {
		case s.conn.Received() != before:
			return took, true
		case took >= busyTimes*limit:
			return took, worked && s.isLoading()
		case known && idle.time >= limit:
			return took, false
		}
	}
}

// askCheap asks the server something cheap until the context ends. The channel is closed when it
// answered, if only by a refusal, and when nobody asks any more.
func (s *Server) askCheap(ctx context.Context) <-chan struct{} {
	method, params := s.cheap()
	answered := make(chan struct{})
	go func() { // ends with the context
		defer close(answered)
		_ = guard.Do(func() error {
			_, err := s.conn.Call(ctx, method, params)
			var refused *jsonrpc.ResponseError
			if err != nil && !errors.As(err, &refused) {
				<-ctx.Done()
			}
			return nil
		})
	}()
	return answered
}

// end ends a server that is of no use any more. What waits for it fails as at a crash.
func (s *Server) end(reason error) {
	s.mu.Lock()
	s.hung = reason
	s.mu.Unlock()
	if s.process == nil {
		_ = s.conn.Close() // somebody else's process goes on
		return
	}
	s.process.Kill()
}
