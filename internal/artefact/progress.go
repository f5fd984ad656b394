package artefact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// How long a store may do nothing. How long all of it takes is not limited: an artefact may be large, and a line slow.
const (
	// answerLimit is for a connection, and the head of an answer to a request without a body.
	answerLimit = 30 * time.Second
	// progressLimit is for the next bytes, in both directions, and for an answer to what was sent.
	progressLimit = 60 * time.Second
)

// A StalledError says that a store does nothing.
type StalledError struct {
	// What is what it does not do.
	What string
	For  time.Duration
}

func (e *StalledError) Error() string { return fmt.Sprintf("the server %s for %v", e.What, e.For) }

// Hint says what to do then.
func (e *StalledError) Hint() string { return "try again, or ask who runs the server" }

// A progressing transport ends requests in which nothing happens, with a *[StalledError].
type progressing struct{ http.RoundTripper }

func (p progressing) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	l := &limit{ctx: ctx, cancel: cancel}
	r = r.Clone(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &sent{r.Body, l}
		l.begin("took nothing", progressLimit)
	} else {
		l.begin("did not answer", answerLimit)
	}
	response, err := p.RoundTripper.RoundTrip(r)
	l.pause()
	if err != nil {
		err = l.explain(err)
		cancel(nil)
		return nil, err
	}
	response.Body = &received{response.Body, l}
	return response, nil
}

// A limit cancels a request when what it waits for does not happen in time. It is safe for concurrent use.
type limit struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu       sync.Mutex
	timer    *time.Timer
	answered bool
}

// begin has the request canceled unless begin or pause is called in time. what is what the server then did not do.
func (l *limit) begin(what string, limit time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beginLocked(what, limit)
}

func (l *limit) beginLocked(what string, limit time.Duration) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.timer = time.AfterFunc(limit, func() { l.cancel(&StalledError{what, limit}) })
}

// sending is begin for the body of a request, which may still be sent when the answer is already there: then that counts.
func (l *limit) sending(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.answered {
		l.beginLocked(what, progressLimit)
	}
}

// pause says that the request waits for us.
func (l *limit) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer.Stop()
	l.answered = true
}

// explain returns the *[StalledError] that a request failed with, if it is one.
func (l *limit) explain(err error) error {
	if stalled := (*StalledError)(nil); errors.As(context.Cause(l.ctx), &stalled) {
		return stalled
	}
	return err
}

// sent is the body of a request.
type sent struct {
	io.ReadCloser
	limit *limit
}

func (s *sent) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	if err != nil {
		s.limit.sending("did not answer")
	} else {
		s.limit.sending("took nothing")
	}
	return n, err
}

// received is the body of an answer.
type received struct {
	io.ReadCloser
	limit *limit
}

func (r *received) Read(b []byte) (int, error) {
	r.limit.begin("sent nothing", progressLimit)
	n, err := r.ReadCloser.Read(b)
	r.limit.pause()
	if err != nil && !errors.Is(err, io.EOF) {
		err = r.limit.explain(err)
	}
	return n, err
}

func (r *received) Close() error {
	r.limit.pause()
	defer r.limit.cancel(nil)
	return r.ReadCloser.Close()
}
