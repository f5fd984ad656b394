package diagnostics

import "time"

// pulse is how often a server that is followed beyond its deadline must show that it
// works.
const pulse = time.Second

// minWork is the processor time within a pulse that counts as work: less is what idle
// servers use for timers.
const minWork = 20 * time.Millisecond

// An activity is what shows, compared with a later one, that a server works on what it
// was asked.
type activity struct {
	cpu    time.Duration
	events int
	busy   bool // it says itself that it is at work
	// doubted says that it is not known yet whether it hangs, renewed that it is being
	// started anew: who follows a server waits for the outcome of both.
	doubted, renewed bool
}

// activity returns what a job's server has done so far.
func (j *job) activity(s *stream, source *Source) activity {
	j.mu.Lock()
	t, renewed := j.turn, j.renewed
	j.mu.Unlock()
	s.mu.Lock()
	a := activity{events: s.events, busy: len(s.works) > 0, renewed: renewed}
	s.mu.Unlock()
	if t != nil {
		a.cpu, _ = t.server.CPUTime()
		a.doubted = t.server.Doubted()
	} else if source.StartTime != nil {
		a.cpu = source.StartTime()
	}
	return a
}

// worksSince reports whether the server demonstrably worked since an earlier activity. A
// progress that was begun and never ends is no work by itself where the processor time
// of the server is known.
func (a activity) worksSince(earlier activity) bool {
	if a.doubted || a.renewed || a.events != earlier.events || a.cpu-earlier.cpu >= minWork {
		return true
	}
	return a.busy && a.cpu == 0
}
