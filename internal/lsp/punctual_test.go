package lsp

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A tick that comes late says that this process was held up: it does not count against a server.
func TestLateTicksAreKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const every = 100 * time.Millisecond
		ticker := newTicker(every)
		defer ticker.Stop()
		var got []bool
		for _, heldUp := range []time.Duration{0, 0, 2*every + every/2, 0, 0} {
			<-time.After(heldUp)
			<-ticker.C
			got = append(got, ticker.onTime())
		}
		if diff := cmp.Diff([]bool{true, true, false, true, true}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// A server is idle for as long as it has done nothing since it last did something: by what it
// sent, by its processor time, or because a thread of it runs.
func TestWorkEndsIdleness(t *testing.T) {
	const pulse = time.Second
	idle := idleness{last: vital{cpu: time.Second, received: 7}}
	var got []time.Duration
	for _, now := range []vital{
		{cpu: time.Second, received: 7},
		{cpu: time.Second + minWork - 1, received: 7}, // a timer
		{cpu: time.Second + 2*minWork, received: 7},
		{cpu: time.Second + 2*minWork, received: 7},
		{cpu: time.Second + 2*minWork, received: 8},
		{cpu: time.Second + 2*minWork, received: 8},
		{cpu: time.Second + 2*minWork, received: 8, runs: true},
		{cpu: time.Second + 2*minWork, received: 8},
	} {
		before := idle.time
		if worked := idle.add(now, pulse); worked != (idle.time < before || idle.time == 0) {
			t.Errorf("%+v: it worked: %t", now, worked)
		}
		got = append(got, idle.time/pulse)
	}
	if diff := cmp.Diff([]time.Duration{1, 2, 0, 1, 0, 1, 0, 1}, got); diff != "" {
		t.Error(diff)
	}
}
