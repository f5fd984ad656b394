package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/result"
)

// The message of a failure shows what is not seen; its data is exact.
func TestFailuresAreLegible(t *testing.T) {
	err := Failure(CodeFailed, &result.Error{Kind: result.Argument, Message: "\u202ex\x1b[2J"})
	var response *jsonrpc.ResponseError
	if !errors.As(err, &response) || response.Message != `\u202ex\x1b[2J` {
		t.Errorf("%v", err)
	}
	if of := result.ErrorOf(Restated(t.Context(), err)); of.Message != "\u202ex\x1b[2J" {
		t.Errorf("%q at the other end", of.Message)
	}
}

// What fails at one end has the same kind at the other, and the cause that callers look for: the end of the call, its
// deadline, or the end of the stream.
func TestErrorsCrossTheStream(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	failure := func(kind result.Kind) error {
		return Failure(CodeFailed, &result.Error{Kind: kind, Message: "m", Hint: "h"})
	}
	bare := &jsonrpc.ResponseError{Method: "x", Code: 1, Message: "m"}
	type restated struct {
		Kind                   result.Kind
		Message, Hint          string
		Canceled, Late, IsLost bool
	}
	for name, c := range map[string]struct {
		ctx  context.Context
		err  error
		want restated
	}{
		"an answer":              {t.Context(), failure(result.NotFound), restated{Kind: result.NotFound, Message: "m", Hint: "h"}},
		"it was canceled":        {t.Context(), failure(result.Canceled), restated{Kind: result.Canceled, Message: "m", Hint: "h", Canceled: true}},
		"it came too late":       {t.Context(), failure(result.Timeout), restated{Kind: result.Timeout, Message: "m", Hint: "h", Late: true}},
		"an answer at the end":   {over, failure(result.NotFound), restated{Kind: result.NotFound, Message: "m", Hint: "h"}},
		"nobody waits":           {over, errors.New("x"), restated{Kind: result.Canceled, Message: "context canceled", Canceled: true}},
		"the stream has ended":   {t.Context(), fmt.Errorf("x: %w", jsonrpc.ErrClosed), restated{Kind: result.Unavailable, Message: "the service has ended: x: connection closed", Hint: "start it again", IsLost: true}},
		"an answer without data": {t.Context(), bare, restated{Kind: result.Failed, Message: bare.Error()}},
		"something else":         {t.Context(), errors.New("x"), restated{Kind: result.Failed, Message: "x"}},
	} {
		err := Restated(c.ctx, c.err)
		of := result.ErrorOf(err)
		got := restated{of.Kind, of.Message, of.Hint, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), IsLost(err)}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if err.Error() != of.Message {
			t.Errorf("%s: %q, and %q", name, err.Error(), of.Message)
		}
	}
	var response *jsonrpc.ResponseError
	codes := make(map[result.Kind]int)
	for _, kind := range []result.Kind{result.Canceled, result.Failed} {
		if !errors.As(failure(kind), &response) {
			t.Fatalf("%s is no response", kind)
		}
		codes[kind] = response.Code
	}
	if diff := cmp.Diff(map[result.Kind]int{result.Canceled: jsonrpc.CodeRequestCancelled, result.Failed: CodeFailed}, codes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Of the progress of a call its listener gets the newest; what is of no call, or makes no sense, is nothing. The end is
// announced once.
func TestNotificationsOfAService(t *testing.T) {
	c := &Client{notes: map[int64]chan api.Progress{1: make(chan api.Progress, 1)}, ending: make(chan struct{})}
	progress := func(token, done int) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"token":%d,"value":{"done":%d}}`, token, done))
	}
	c.Notification(progressMethod, progress(1, 1))
	c.Notification(progressMethod, progress(1, 2))
	c.Notification(progressMethod, progress(2, 3))
	c.Notification(progressMethod, json.RawMessage(`[]`))
	c.Notification("other", progress(1, 4))
	if got := <-c.notes[1]; got.Done != 2 || len(c.notes[1]) > 0 {
		t.Errorf("%+v", got)
	}
	for range 2 {
		c.Notification(endingMethod, nil)
	}
	<-c.Ending()
	if _, err := c.Request("x", nil); !errors.Is(err, jsonrpc.ErrMethodNotFound) {
		t.Error(err)
	}
}

// Each call that is followed has a token of its own, and its listener hears nothing more when it has ended.
func TestTokensOfCalls(t *testing.T) {
	c := &Client{notes: make(map[int64]chan api.Progress)}
	heard := make(chan int, 1)
	tell := func(_ context.Context, p api.Progress) { heard <- p.Done }
	first, stopFirst := c.follow(t.Context(), tell)
	second, stopSecond := c.follow(t.Context(), tell)
	c.Notification(progressMethod, json.RawMessage(`{"token":2,"value":{"done":7}}`))
	if got := <-heard; got != 7 {
		t.Errorf("heard %d", got)
	}
	stopFirst()
	stopSecond()
	if first != 1 || second != 2 || len(c.notes) != 0 {
		t.Errorf("tokens %d and %d, and %d are left", first, second, len(c.notes))
	}
}

// A call is waited for until it is given up; what goes wrong with its JSON is an error of it.
func TestHowLongACallIsWaitedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waiting, done := beyond(ctx)
	if waiting.Err() != nil {
		t.Error("it ends at once")
	}
	cancel()
	<-waiting.Done()
	if cause := context.Cause(waiting); !errors.Is(cause, context.Canceled) {
		t.Errorf("it ends with %v", cause)
	}
	done()
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	waiting, done = beyond(late)
	if waiting.Err() != nil {
		t.Error("it ends with the deadline")
	}
	done()
	if waiting.Err() == nil {
		t.Error("it does not end")
	}
	var c Client
	for name, err := range map[string]error{"ask": c.Ask(t.Context(), "ask", func() {}, nil), "check": c.Call(t.Context(), "check", func() {}, nil)} {
		if of := result.ErrorOf(err); of == nil || of.Kind != result.Failed || of.Message != name+": json: unsupported type: func()" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
