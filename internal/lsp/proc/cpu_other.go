//go:build !linux

package proc

import "time"

// cpuTime is not known.
func cpuTime(int) (time.Duration, bool) { return 0, false }

// memory is not known either.
func memory(int) (int64, bool) { return 0, false }

// runs is not known either.
func runs(int) bool { return false }
