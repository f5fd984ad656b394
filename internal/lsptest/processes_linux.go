package lsptest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const countsProcesses = true

// KilledCode is the exit code of a process that was killed, as os.ProcessState tells it.
const KilledCode = -1

// processes reads /proc; a nil marker finds all. Processes that end meanwhile
// are left out.
func processes(marker []byte) []Process {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var found []Process
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		stat, err2 := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil || err2 != nil {
			continue
		}
		// The name in parentheses may hold anything; state and parent follow it.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		cmdline, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if marker != nil {
			environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
			if pid == os.Getpid() || !bytes.Contains(environ, marker) && !bytes.Contains(cmdline, marker) {
				continue
			}
		}
		command := strings.TrimSpace(strings.ReplaceAll(string(cmdline), "\x00", " "))
		found = append(found, Process{pid, parent, command})
	}
	slices.SortFunc(found, func(a, b Process) int { return a.PID - b.PID })
	return found
}
