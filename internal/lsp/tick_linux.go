package lsp

import (
	"time"

	"golang.org/x/sys/unix"
)

// clockTick returns how often the clock changes from which file systems take their times.
func clockTick() time.Duration {
	var tick unix.Timespec
	if err := unix.ClockGetres(unix.CLOCK_REALTIME_COARSE, &tick); err != nil {
		return maxClockTick
	}
	return min(time.Duration(tick.Nano()), maxClockTick)
}
