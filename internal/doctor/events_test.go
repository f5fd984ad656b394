package doctor_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/enginetest"
	"github.com/lspine/lspine/internal/lsptest"
)

// Events are told after a number; if there is none yet, the answer is an empty list when the time
// is over, and an error if the caller leaves before.
func TestEventsAfterANumber(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	s.Expect("main.toy clean")
	all := enginetest.Do(t, s, api.Events, api.EventsRequest{})
	var got []string
	for _, e := range all.Events {
		got = append(got, e.Kind+" "+e.Server+" "+e.Root)
	}
	if diff := cmp.Diff([]string{"started toy ."}, got); diff != "" || all.Last != 1 {
		t.Errorf("last is %d: %s", all.Last, diff)
	}
	none := enginetest.Do(t, s, api.Events, api.EventsRequest{After: all.Last, TimeoutMS: 1})
	if none.Events == nil || len(none.Events) > 0 || none.Last != all.Last {
		t.Errorf("there are none: %+v", none)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if left, err := api.Events.Do(ctx, s.Engine, api.EventsRequest{After: all.Last}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", left, err)
	}
}

// Who says how long changes are collected hears of files that change although nobody has looked at the disk before, and no server runs.
func TestEventsOfFilesThatNobodyLookedAt(t *testing.T) {
	t.Parallel()
	s := enginetest.OpenToy(t, lsptest.Script{}, lsptest.Project)
	past := enginetest.Do(t, s, api.Events, api.EventsRequest{After: 1<<64 - 1, SettleMS: 1})
	s.Write("main.toy", "ERROR changed\n")
	told := enginetest.Do(t, s, api.Events, api.EventsRequest{After: past.Last, SettleMS: 1, TimeoutMS: 60_000})
	if len(told.Events) != 1 || !slices.Equal(told.Events[0].Files, []string{"main.toy"}) {
		t.Errorf("%+v", told)
	}
}
