package daemon

import (
	"sync"
	"time"
)

// restAfter is how long after a call a process returns memory to the system. Each session of an
// agent has a process that mostly waits for the next call, and the daemon waits with them.
const restAfter = 500 * time.Millisecond

// A rest returns memory to the system if no call ends for a while: starting and answering need
// several times as much memory as waiting. Calls that are still in progress do not count, because
// some wait for events, for as long as the session lasts. It is safe for concurrent use.
type rest struct {
	free func() // returns memory to the system

	mu    sync.Mutex
	timer *time.Timer // nil before the first call
	ended bool
}

// after notes that a call has ended.
func (r *rest) after() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.ended:
	case r.timer == nil:
		r.timer = time.AfterFunc(restAfter, r.free)
	default:
		r.timer.Reset(restAfter)
	}
}

// end notes that the process is about to end: its memory is returned then.
func (r *rest) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended = true; r.timer != nil {
		r.timer.Stop()
	}
}
