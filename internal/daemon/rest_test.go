package daemon

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A client gives memory back once when no call came for a while; not between calls that follow
// each other, not when it made its only call, and not after its end.
func TestRest(t *testing.T) {
	var times atomic.Int32
	free := func() { times.Add(1) }
	synctest.Test(t, func(t *testing.T) {
		seen := func(wait time.Duration) int32 {
			<-time.After(wait)
			synctest.Wait()
			return times.Load()
		}
		c := &Client{free: free}
		c.rest()
		got := []int32{seen(restAfter - 1)}
		c.rest()
		got = append(got, seen(restAfter-1), seen(2), seen(time.Hour))
		c.rest()
		if err := c.Close(t.Context()); err != nil {
			t.Error(err)
		}
		c.rest()
		got = append(got, seen(time.Hour))
		once := &Client{opts: Options{Once: true}, free: free}
		once.rest()
		if diff := cmp.Diff([]int32{0, 0, 1, 1, 1, 1}, append(got, seen(time.Hour))); diff != "" {
			t.Error(diff)
		}
	})
}
