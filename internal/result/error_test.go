package result

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type lost struct{ where string }

func (e *lost) Error() string { return e.where + ": lost" }
func (e *lost) Kind() Kind    { return NotFound }
func (e *lost) Hint() string  { return "look elsewhere" }
func (e *lost) Data() Data    { return Data{Path: e.where} }

// An error becomes data by what it, or one that it wraps, says of itself; the end of a
// context is known without that, and an error that is data already stays as it is.
func TestErrorsBecomeData(t *testing.T) {
	already := &Error{Kind: Stale, Message: "m", Hint: "h", Data: Data{Path: "p"}}
	for _, c := range []struct {
		name string
		err  error
		want *Error
	}{
		{"none", nil, nil},
		{"a plain one", errors.New("x"), &Error{Kind: Failed, Message: "x"}},
		{"its own words", &lost{"a.go"}, &Error{Kind: NotFound, Message: "a.go: lost", Hint: "look elsewhere", Data: Data{Path: "a.go"}}},
		{"wrapped", fmt.Errorf("op: %w", &lost{"a.go"}), &Error{Kind: NotFound, Message: "op: a.go: lost", Hint: "look elsewhere", Data: Data{Path: "a.go"}}},
		{"a deadline", fmt.Errorf("op: %w", context.DeadlineExceeded), &Error{Kind: Timeout, Message: "op: context deadline exceeded"}},
		{"canceled", context.Canceled, &Error{Kind: Canceled, Message: "context canceled"}},
		{"data", fmt.Errorf("op: %w", already), already},
	} {
		if diff := cmp.Diff(c.want, ErrorOf(c.err)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}
