package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// becomeSubreaper makes orphans below us our children instead of init's.
func becomeSubreaper() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func duplicate(from, to int) error { return unix.Dup3(from, to, 0) }

// descendants returns the processes below pid, parents first.
func descendants(pid int) (pids []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				pids = append(append(pids, child), descendants(child)...)
			}
		}
	}
	return pids
}

// ticksPerSecond is USER_HZ, which Linux has fixed at 100 on every architecture Go knows.
const ticksPerSecond = 100

// cpuTime sums the processor time of a process and those below it, ended children that
// were waited for included.
func cpuTime(pid int) (time.Duration, bool) {
	var ticks int64
	known := false
	for _, pid := range append(descendants(pid), pid) {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in brackets, may hold anything.
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		if len(fields) < 15 {
			continue
		}
		for _, field := range fields[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
		known = true
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond, known
}

// memory sums the resident memory of a process and those below it.
func memory(pid int) (bytes int64, known bool) {
	for _, pid := range append(descendants(pid), pid) {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			continue // it has ended
		}
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			bytes += pages * int64(os.Getpagesize())
			known = true
		}
	}
	return bytes, known
}

// runs reports whether a thread of a process or of those below it runs, or waits for the
// disk.
func runs(pid int) bool {
	for _, pid := range append(descendants(pid), pid) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, task := range tasks {
			data, err := os.ReadFile(task)
			if err != nil {
				continue // it has ended
			}
			fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
			if len(fields) > 0 && (fields[0] == "R" || fields[0] == "D") {
				return true
			}
		}
	}
	return false
}
