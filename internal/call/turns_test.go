package call

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Calls that come while all turns are taken begin in the order in which they came, each when another ends.
//
// Requirement: HTTP-15.
func TestCallsBeginInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns()
		ends := taken(t, turns)
		var began []int
		for i := range 10 {
			go func() {
				end, err := turns.Take(t.Context())
				if err != nil {
					t.Error(err)
				}
				began = append(began, i)
				end()
			}()
			synctest.Wait() // it waits
		}
		if began != nil {
			t.Errorf("%v began", began)
		}
		ends[0]()
		synctest.Wait()
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, began); diff != "" {
			t.Error(diff)
		}
		for _, end := range ends[1:] {
			end()
		}
	})
}

// A call that takes long does not keep others from beginning for long, and gives nothing back twice.
func TestLongCallsLoseTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns()
		ends := taken(t, turns)
		begun := time.Now()
		end, err := turns.Take(t.Context())
		if err != nil || time.Since(begun) != turnLimit {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		end()
		for _, end := range ends {
			end()
		}
		for _, end := range taken(t, turns) { // all are free
			end()
		}
	})
}

// A call waits for its turn until its caller leaves or its deadline has passed; a call within a call does not wait.
func TestCallsWithoutATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := NewTurns()
		ends := taken(t, turns)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if _, err := turns.Take(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller left: %v", err)
		}
		outer, cancel := Begin(t.Context(), time.Millisecond)
		defer cancel()
		inner, cancel := Begin(outer, 0)
		defer cancel()
		begun := time.Now()
		for _, ctx := range []context.Context{inner, outer} {
			end, err := turns.Take(ctx)
			if err != nil {
				t.Error(err)
			}
			end()
			if want := map[context.Context]time.Duration{inner: 0, outer: time.Millisecond}[ctx]; time.Since(begun) != want {
				t.Errorf("it waited for %v, want %v", time.Since(begun), want)
			}
		}
		for _, end := range ends {
			end()
		}
	})
}

// taken takes all turns, and returns what ends them.
func taken(t *testing.T, turns *Turns) (ends []func()) {
	t.Helper()
	begun := time.Now()
	for turns.free.TryAcquire(1) {
		turns.free.Release(1)
		end, err := turns.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if time.Since(begun) > 0 || len(ends) < 2 {
		t.Fatalf("%d turns are free", len(ends))
	}
	return ends
}
