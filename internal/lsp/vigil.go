package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/lspine/lspine/internal/guard"
	"github.com/lspine/lspine/internal/protocol"
)

// A server may come to a standstill: it runs, reads what it is sent, and does nothing any
// more. Nobody would hear of that, and each question would wait for its whole deadline. So
// a server that owes something is watched: what it sends, and the processor time of its
// processes. If it does nothing for a while, it is asked something cheap; and if it does
// nothing about that either, it is ended, as if it had crashed.

// defaultStill is how long a server that owes something may do nothing before it is asked
// whether it is there.
const defaultStill = 3 * time.Second

const (
	// pulses divide that time.
	pulses = 3
	// loadingTimes is how much longer one may be silent that says it is loading: it may
	// wait for a network.
	loadingTimes = 10
	// minWork is the processor time in a second that counts as work: less is what idle
	// servers use for timers.
	minWork = 20 * time.Millisecond
)

// A HangError says that a server was ended because it did nothing although an answer was due.
type HangError struct {
	// For is how long it did nothing.
	For time.Duration
}

func (e *HangError) Error() string {
	return fmt.Sprintf("it owed an answer and did nothing for %v, so it was ended", e.For.Round(100*time.Millisecond))
}

// A vigil is the watch over a server that owes something.
type vigil struct {
	mu sync.Mutex
	// owed counts what the server owes; left what nobody waits for any more, since it was
	// last seen to do something.
	owed, left int
	// timer begins the watch, over ends it; both are nil when nothing is owed.
	timer *time.Timer
	over  chan struct{}
	// keeping says that the watch has begun, vouched that the server showed in it that
	// it is there.
	keeping, vouched bool
}

// Owes notes that an answer, or diagnostics, are due from the server. The caller must call
// settled when they have come or are no longer waited for; came tells which.
func (s *Server) Owes() (settled func(came bool)) {
	v := &s.vigil
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.owed++; v.over == nil {
		over := make(chan struct{})
		v.over = over
		v.timer = time.AfterFunc(s.opts.Still/pulses, func() { s.beginVigil(over) })
	}
	return func(came bool) {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.owed--; !came && v.keeping {
			v.left++
		}
		v.endLocked()
		if came {
			s.met()
		}
	}
}

// Owing reports whether anything is due from the server.
func (s *Server) Owing() bool {
	s.vigil.mu.Lock()
	defer s.vigil.mu.Unlock()
	return s.vigil.owed > 0
}

// endLocked ends the watch if nothing is owed.
func (v *vigil) endLocked() {
	if v.owed+v.left > 0 || v.over == nil {
		return
	}
	v.timer.Stop()
	close(v.over)
	v.over, v.keeping, v.vouched = nil, false, false
}

// Doubted reports whether the server may hang: an answer is due, it has done nothing lately, and
// it was not asked yet whether it is there.
func (s *Server) Doubted() bool {
	s.vigil.mu.Lock()
	defer s.vigil.mu.Unlock()
	return s.vigil.keeping && !s.vigil.vouched
}

func (s *Server) beginVigil(over chan struct{}) {
	if _, known := s.CPUTime(); !known {
		return // whether it is busy could not be told
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return
	}
	s.vigil.mu.Lock()
	defer s.vigil.mu.Unlock()
	if s.vigil.over == over {
		s.vigil.keeping = true
		s.unheard.Go(func() { _ = guard.Do(func() error { s.keepVigil(over); return nil }) })
	}
}

// keepVigil watches the server until nothing is owed any more, or it is ended.
func (s *Server) keepVigil(over chan struct{}) {
	quiet, pulse := s.opts.Still, s.opts.Still/pulses
	ticker := time.NewTicker(pulse)
	defer ticker.Stop()
	idle := idleness{last: s.vitals()}
	for {
		select {
		case <-over:
			return
		case <-s.conn.Done():
			return
		case <-ticker.C:
		}
		if idle.add(s.vitals(), pulse) {
			s.seen()
		}
		switch {
		case idle.time < quiet, s.isLoading() && idle.time < loadingTimes*quiet:
		case s.isThere(over, pulse):
			s.vouch()
			quiet, idle = 2*quiet, idleness{last: s.vitals()}
		default:
			s.end(&HangError{idle.time})
			return
		}
	}
}

// An idleness is how long a server has done nothing without a break.
type idleness struct {
	last vital
	time time.Duration
}

// add counts the time that passed since the last vitals, and reports whether the server worked
// in it.
func (i *idleness) add(now vital, elapsed time.Duration) (worked bool) {
	if worked = now.worksSince(i.last, elapsed); worked {
		i.time = 0
	} else {
		i.time += elapsed
	}
	i.last = now
	return worked
}

// seen notes that the server does something: what nobody waits for is forgotten.
func (s *Server) seen() {
	s.vigil.mu.Lock()
	defer s.vigil.mu.Unlock()
	s.vigil.left = 0
	s.vigil.endLocked()
}

// vouch notes that the server answered.
func (s *Server) vouch() {
	s.vigil.mu.Lock()
	s.vigil.vouched = true
	s.vigil.mu.Unlock()
	s.seen()
}

// isLoading reports whether the server says that it works on something, or has not said
// that it is ready.
func (s *Server) isLoading() bool {
	return len(s.Works()) > 0 || s.def.Readiness != nil && !s.Loaded()
}

// isThere asks the server something cheap and reports whether it answers, or at least
// does something, in twice a pulse.
func (s *Server) isThere(over <-chan struct{}, pulse time.Duration) bool {
	ctx, cancel := context.WithCancel(context.Background())
	answered := s.askCheap(ctx)
	defer func() {
		cancel()
		<-answered
	}()
	before := s.vitals()
	ticker := newTicker(pulse)
	defer ticker.Stop()
	for left := 2; left > 0; {
		select {
		case <-answered:
			return true
		case <-s.conn.Done():
			return true // it has ended by itself
		case <-over:
			return true
		case <-ticker.C:
			if ticker.onTime() {
				left--
			}
		}
	}
	return s.vitals().worksSince(before, 2*pulse)
}

// A punctual ticker knows when it was late: then this process did not get the processor, and
// cannot tell whether another one did anything.
type punctual struct {
	*time.Ticker
	every time.Duration
	last  time.Time
}

func newTicker(every time.Duration) *punctual {
	return &punctual{time.NewTicker(every), every, time.Now()}
}

// onTime reports whether the tick that was just received came about when it should have.
func (t *punctual) onTime() bool {
	now := time.Now()
	late := now.Sub(t.last) > t.every*3/2
	t.last = now
	return !late
}

// cheap returns a request that takes no time: the outline of the document that was used
// last, so that those who work on documents are asked, and not only the one who reads; else
// one that no server knows.
func (s *Server) cheap() (method string, params json.RawMessage) {
	const outline = "textDocument/documentSymbol"
	if path := s.lastUsed(); path != "" && s.Supports(outline) {
		if raw, err := protocol.Marshal(protocol.DocumentParams(protocol.URIFromPath(path))); err == nil {
			return outline, raw
		}
	}
	return "$/lspine/ping", nil
}

// lastUsed returns the open document that was used last, "" if none is open.
func (s *Server) lastUsed() (last string) {
	s.docs.mu.Lock()
	defer s.docs.mu.Unlock()
	var used uint64
	for path, doc := range s.docs.open {
		if doc.used >= used {
			last, used = path, doc.used
		}
	}
	return last
}

// A vital is what shows, compared with a later one, that a server does something.
type vital struct {
	cpu      time.Duration
	received int64
	// runs says that a thread runs, or waits for the disk.
	runs bool
}

func (s *Server) vitals() vital {
	v := vital{received: s.conn.Received()}
	if s.process != nil {
		v.cpu, _ = s.process.CPUTime()
		v.runs = s.process.Runs()
	}
	return v
}

// worksSince reports whether the server did something since an earlier moment.
func (v vital) worksSince(earlier vital, elapsed time.Duration) bool {
	enough := max(time.Duration(float64(minWork)*elapsed.Seconds()), minWork/2)
	return v.runs || v.received != earlier.received || v.cpu-earlier.cpu >= enough
}
