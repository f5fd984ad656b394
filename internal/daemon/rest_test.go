package daemon

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/lsptest"
)

// Memory is given back once when no call has ended for a while: not between calls that follow each
// other, and not after the end.
func TestRest(t *testing.T) {
	var times atomic.Int32
	synctest.Test(t, func(t *testing.T) {
		r := &rest{free: func() { times.Add(1) }}
		var got []int32
		seen := func(wait time.Duration) {
			<-time.After(wait)
			synctest.Wait()
			got = append(got, times.Load())
		}
		r.after()
		seen(restAfter - 1) // 0
		r.after()
		seen(restAfter - 1) // 0
		seen(2)             // 1
		seen(time.Hour)     // 1
		r.after()
		r.end()
		seen(time.Hour) // 1
		r.after()
		seen(time.Hour) // 1
		if diff := cmp.Diff([]int32{0, 0, 1, 1, 1, 1}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// After a call both its client and the daemon give memory back; a client that makes only one call
// ends instead.
func TestWhoRests(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	freed := make(chan string, 2)
	d.resting.free = func() { freed <- "daemon" }
	d.serves()
	if once := s.dial(func(o *Options) { o.Once = true }); once.resting != nil {
		t.Error("a client that makes only one call rests after it")
	}
	c := s.dial()
	c.resting.free = func() { freed <- "client" }
	s.mustDef(c)
	got := []string{<-freed, <-freed}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"client", "daemon"}, got); diff != "" {
		t.Error(diff)
	}
}
