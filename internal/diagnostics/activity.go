package diagnostics

import "time"

// pulse is how often a server that is waited for beyond its deadline must show that it is working.
const pulse = time.Second

// minWork is the processor time within a pulse that counts as work: idle servers use less for their
// timers.
const minWork = 20 * time.Millisecond

// An activity is a snapshot of what a server has done. Compared with a later one, it shows whether
// the server is working.
type activity struct {
	cpu    time.Duration
	events int
	busy   bool // the server reports progress
	// doubted says that it is still undecided whether the server hangs, renewed that it is being
	// restarted: the wait goes on until either is decided.
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

// worksSince reports whether the server has demonstrably worked since an earlier activity. Where
// the server's processor time is known, a progress that began and never ends does not count as
// work.
func (a activity) worksSince(earlier activity) bool {
	if a.doubted || a.renewed || a.events != earlier.events || a.cpu-earlier.cpu >= minWork {
		return true
	}
	return a.busy && a.cpu == 0
}
