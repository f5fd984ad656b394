package workspace

import (
	"time"

	"github.com/lspine/lspine/internal/roots"
)

// minWork is the processor time between two questions that counts as work.
const minWork = 20 * time.Millisecond

// AtWork returns a function that reports whether any running server has used the processor since
// the function was last called or, where that is not known, whether it says that it is working.
// Nothing is measured before its first call.
func (w *Workspace) AtWork() func() bool {
	measure := func() (cpu time.Duration, says bool) {
		for _, s := range w.Running() {
			used, known := s.CPUTime()
			cpu += used
			says = says || !known && len(s.Works()) > 0
		}
		return cpu + w.StartTime(roots.Key{}), says
	}
	var before time.Duration
	return func() bool {
		now, says := measure()
		worked := now-before >= minWork
		before = now
		return worked || says
	}
}
