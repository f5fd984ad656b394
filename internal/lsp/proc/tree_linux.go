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

// processes are a process, by its id, and those below it.
type processes int

func (p processes) pids() []int { return append(descendants(int(p)), int(p)) }

// cpuTime includes ended children that were waited for.
func (p processes) cpuTime() (time.Duration, bool) {
	var ticks int64
	known := false
	for _, pid := range p.pids() {
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

func (p processes) memory() (bytes int64, known bool) {
	for _, pid := range p.pids() {
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

func (p processes) runs() bool {
	for _, pid := range p.pids() {
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
