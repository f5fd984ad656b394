// Package guard keeps a panic within the one piece of work that it happened in: on a
// goroutine that somebody waits for, it goes on where that one waits; elsewhere it is an
// error like any other.
package guard

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// A PanicError is a panic that was caught.
type PanicError struct {
	// Value is what it was called with, Stack where.
	Value, Stack string
}

func (e *PanicError) Error() string { return "it failed inside: " + e.Value }

// Hint says what to do.
func (e *PanicError) Hint() string { return "this is a defect of lspine: please report it" }

// caught returns the error for what recover returned, or nil.
func caught(recovered any) *PanicError {
	switch p := recovered.(type) {
	case nil:
		return nil
	case *PanicError: // of another goroutine, which this one waited for
		return p
	}
	return &PanicError{fmt.Sprint(recovered), string(debug.Stack())}
}

// Do calls do. If that panics, the error is a *PanicError.
func Do(do func() error) (err error) {
	defer func() {
		if p := caught(recover()); p != nil {
			err = p
		}
	}()
	return do()
}

// A Group is goroutines that somebody waits for. Its zero value is ready; like a
// sync.WaitGroup it must not be copied.
type Group struct {
	running sync.WaitGroup

	mu    sync.Mutex
	first *PanicError
}

// Go calls do on a goroutine of its own.
func (g *Group) Go(do func()) {
	g.running.Go(func() {
		var failed *PanicError
		defer func() {
			if failed = caught(recover()); failed == nil {
				return
			}
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.first == nil {
				g.first = failed
			}
		}()
		do()
	})
}

// Wait waits until all have returned. If one of them panicked, so does Wait.
func (g *Group) Wait() {
	g.running.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.first != nil {
		panic(g.first)
	}
}

// Begin calls do on a goroutine of its own. The returned function waits for its result,
// and panics if do did.
func Begin[T any](do func() T) (wait func() T) {
	var g Group
	var result T
	g.Go(func() { result = do() })
	return func() T {
		g.Wait()
		return result
	}
}
