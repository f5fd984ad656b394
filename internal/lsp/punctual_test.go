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
