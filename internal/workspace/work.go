package workspace

import "time"

// minWork is the processor time between two questions that counts as work.
const minWork = 20 * time.Millisecond

// AtWork returns what reports whether a running server used the processor since it was
// asked last or, where that is not known, says that it is at work. Nothing is measured
// before it is asked for the first time: most questions are answered by then.
func (w *Workspace) AtWork() func() bool {
	measure := func() (cpu time.Duration, says bool) {
		for _, s := range w.Running() {
			used, known := s.CPUTime()
			cpu += used
			says = says || !known && len(s.Works()) > 0
		}
		return cpu + w.StartTime(Key{}), says
	}
	var before time.Duration
	return func() bool {
		now, says := measure()
		worked := now-before >= minWork
		before = now
		return worked || says
	}
}
