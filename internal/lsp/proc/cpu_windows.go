package proc

import (
	"time"

	"golang.org/x/sys/windows"
)

// cpuTime returns the processor time that a process has used so far.
func cpuTime(pid int) (time.Duration, bool) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer func() { _ = windows.CloseHandle(process) }()
	var created, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &ended, &kernel, &user) != nil {
		return 0, false
	}
	const tick = 100 * time.Nanosecond
	ticks := func(t windows.Filetime) time.Duration {
		return time.Duration(uint64(t.HighDateTime)<<32 | uint64(t.LowDateTime))
	}
	return (ticks(kernel) + ticks(user)) * tick, true
}

// memory is not known.
func memory(int) (int64, bool) { return 0, false }

// runs is not known either.
func runs(int) bool { return false }
