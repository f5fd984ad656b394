package lsp

import (
	"context"
	"fmt"
	"time"

	"github.com/lspine/lspine/internal/guard"
)

// StartLimit is the longest time that a server may take to start while it demonstrably works.
const StartLimit = 300 * time.Second

const (
	// defaultStart is how long a start may take of a server that does nothing.
	defaultStart = 2 * time.Minute
	// startPulses divide that time: who did nothing in one of them is not followed.
	startPulses = 12
)

// A StartError says that a server was ended because it did not answer initialize in time. It
// matches context.DeadlineExceeded.
type StartError struct {
	After time.Duration
	// Worked says that the server was working all the time.
	Worked bool
}

func (e *StartError) Error() string {
	if e.Worked {
		return fmt.Sprintf("it worked for %v and had not answered", e.After.Round(time.Second))
	}
	return fmt.Sprintf("no answer within %v, and it did nothing any more", e.After.Round(100*time.Millisecond))
}

// Unwrap returns context.DeadlineExceeded.
func (e *StartError) Unwrap() error { return context.DeadlineExceeded }

// followStart returns a context for the answer to initialize. It ends when the time for a
// start is over, and as long as the server works then, at the limit. The caller must call
// stop, which returns why it ended, nil if it did not.
func (s *Server) followStart(ctx context.Context) (following context.Context, stop func() error) {
	following, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = guard.Do(func() error { s.watchStart(following, cancel); return nil })
	}()
	return following, func() error {
		cancel(nil)
		<-ended
		if gaveUp, ours := context.Cause(following).(*StartError); ours {
			return gaveUp
		}
		return nil
	}
}

func (s *Server) watchStart(ctx context.Context, end context.CancelCauseFunc) {
	pulse := s.opts.StartTimeout / startPulses
	ticker := newTicker(pulse)
	defer ticker.Stop()
	seen := s.vitals()
	for waited := pulse; ; waited += pulse {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now := s.vitals()
		onTime := ticker.onTime()
		works := now.worksSince(seen, pulse) || !onTime
		seen = now
		if waited >= StartLimit || waited >= s.opts.StartTimeout && !works {
			end(&StartError{waited, works})
			return
		}
	}
}
