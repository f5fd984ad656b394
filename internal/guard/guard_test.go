package guard

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// thrower is named in the stacks of the tests.
func thrower() { panic("broken") }

// A panic is an error of the work that it happened in, with the stack of its own place,
// through as many goroutines as there are; those beside it end as always.
func TestPanicIsAnErrorOfItsWork(t *testing.T) {
	ended := 0
	for name, work := range map[string]func() error{
		"itself": func() error { thrower(); return nil },
		"in a group": func() error {
			var g Group
			done := make(chan struct{})
			g.Go(func() { <-done; ended++ })
			g.Go(func() { defer close(done); thrower() })
			g.Wait()
			return nil
		},
		"begun": func() error { return Begin(func() error { thrower(); return nil })() },
		"far down": func() error {
			return Begin(func() error {
				var g Group
				g.Go(func() { Begin(func() int { thrower(); return 0 })() })
				g.Wait()
				return nil
			})()
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := Do(work)
			var p *PanicError
			if !errors.As(err, &p) || p.Value != "broken" || !strings.Contains(p.Stack, "guard.thrower") {
				t.Errorf("%T: %v", err, err)
			}
		})
	}
	if ended != 1 {
		t.Error("who was beside the panic did not end")
	}
}

// Without a panic results and errors are what they are.
func TestNothingIsCaughtWithoutAPanic(t *testing.T) {
	failure := errors.New("failure")
	if err := Do(func() error { return failure }); err != failure {
		t.Error(err)
	}
	wait := Begin(func() []int { return []int{1} })
	if diff := cmp.Diff([]int{1}, wait()); diff != "" {
		t.Error(diff)
	}
}
