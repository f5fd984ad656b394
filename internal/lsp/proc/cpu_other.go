//go:build unix && !linux

package proc

import "time"

// processes are a process, by its id, and those below it. What they use is not known.
type processes int

func (processes) cpuTime() (time.Duration, bool) { return 0, false }
func (processes) memory() (int64, bool)          { return 0, false }
func (processes) runs() bool                     { return false }
