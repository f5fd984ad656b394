package lsptest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A Process is one that is alive (not a zombie).
type Process struct {
	PID, Parent int
	Command     string // the command line, arguments separated by spaces
}

func (p Process) String() string { return fmt.Sprintf("%d (%s)", p.PID, p.Command) }

// Descendants returns the live processes below this one, by pid. It skips the
// test where there is no /proc.
func Descendants(t testing.TB) []Process {
	t.Helper()
	needProc(t)
	below := map[int]bool{os.Getpid(): true}
	all := processes(nil)
	var found []Process
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if below[p.Parent] && !below[p.PID] {
				below[p.PID], grew = true, true
				found = append(found, p)
			}
		}
	}
	slices.SortFunc(found, func(a, b Process) int { return a.PID - b.PID })
	return found
}

// Marked returns the live processes other than this one whose environment or
// command line holds the marker, wherever they hang in the tree, by pid. It
// skips the test where there is no /proc. See [Marker].
func Marked(t testing.TB, marker string) []Process {
	t.Helper()
	needProc(t)
	return processes([]byte(marker))
}

func needProc(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted on Linux only")
	}
}

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

var markers atomic.Int64

func newMarker() string {
	return fmt.Sprintf("%d-%d-%d", os.Getpid(), time.Now().UnixNano(), markers.Add(1))
}

// patience is how long the processes of a server may take to end after a test.
var patience = 10 * time.Second

// endMarked waits for the processes to end, and kills the rest.
func endMarked(t testing.TB, marker string, mayOutlive bool) {
	if runtime.GOOS != "linux" {
		return
	}
	var left []Process
	gone := func() bool {
		left = processes([]byte(markerVariable + "=" + marker))
		return len(left) == 0
	}
	wait := patience
	if mayOutlive {
		wait = 0
	}
	if holdsWithin(wait, gone) {
		return
	}
	if !mayOutlive {
		t.Errorf("the test left processes behind: %v", left)
	}
	for _, p := range left {
		if process, err := os.FindProcess(p.PID); err == nil {
			_ = process.Kill()
		}
	}
}
