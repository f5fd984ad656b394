package api

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The deadline of a call and the size of its answer are those that its request names.
func TestLimitsOfRequests(t *testing.T) {
	type limits struct {
		Deadline time.Duration
		Budget   int
	}
	for name, c := range map[string]struct {
		request any
		want    limits
	}{
		"nothing is named":                 {CheckRequest{}, limits{}},
		"a deadline that is past":          {Limits{TimeoutMS: -1}, limits{}},
		"navigation":                       {Limits{TimeoutMS: 20, MaxBytes: 30}, limits{20 * time.Millisecond, 30}},
		"a check":                          {CheckRequest{TimeoutMS: 20, MaxBytes: 30}, limits{20 * time.Millisecond, 30}},
		"a check that waits for longer":    {CheckRequest{TimeoutMS: 20, WaitLimitMS: 50}, limits{Deadline: 50 * time.Millisecond}},
		"a check that waits for less":      {CheckRequest{TimeoutMS: 20, WaitLimitMS: 10}, limits{Deadline: 20 * time.Millisecond}},
		"a check that only waits":          {CheckRequest{WaitLimitMS: 50}, limits{}},
		"diagnostics of files":             {DiagnosticsRequest{Files: []string{"a.go"}, TimeoutMS: 20, MaxBytes: 30}, limits{20 * time.Millisecond, 30}},
		"diagnostics that wait for events": {DiagnosticsRequest{TimeoutMS: 20}, limits{}},
		"context":                          {AssembleRequest{TimeoutMS: 20}, limits{Deadline: 20 * time.Millisecond}},
		"context again":                    {RevalidateRequest{TimeoutMS: 20}, limits{Deadline: 20 * time.Millisecond}},
		"capabilities":                     {CapabilitiesRequest{MaxBytes: 30}, limits{Budget: 30}},
		"the beginning of a turn":          {BeginTurnRequest{TimeoutMS: 20}, limits{Deadline: 20 * time.Millisecond}},
		"the end of a turn":                {CloseTurnRequest{TimeoutMS: 20, MaxBytes: -1}, limits{20 * time.Millisecond, -1}},
	} {
		var got limits
		if r, ok := c.request.(interface{ Deadline() time.Duration }); ok {
			got.Deadline = r.Deadline()
		}
		if r, ok := c.request.(interface{ Budget() int }); ok {
			got.Budget = r.Budget()
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A limit below zero is refused, and its argument is named; zero is the default.
func TestLimitsThatMakeNoSense(t *testing.T) {
	for argument, limits := range map[string]Limits{
		"": {}, "max_bytes": {MaxBytes: -1}, "timeout_ms": {TimeoutMS: -1},
	} {
		var wrong *ArgumentError
		got := ""
		if errors.As(limits.Valid(), &wrong) {
			got = wrong.Argument
		}
		if got != argument {
			t.Errorf("%+v: %q is wrong, want %q", limits, got, argument)
		}
	}
}
