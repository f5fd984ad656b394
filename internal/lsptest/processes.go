package lsptest

import (
	"fmt"
	"os"
	"slices"
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
// test where they cannot be counted.
func Descendants(t testing.TB) []Process {
	t.Helper()
	needProcesses(t)
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
// skips the test where they cannot be counted. See [Marker].
func Marked(t testing.TB, marker string) []Process {
	t.Helper()
	needProcesses(t)
	return processes([]byte(marker))
}

func needProcesses(t testing.TB) {
	t.Helper()
	if !countsProcesses {
		t.Skip("processes are not counted on this system")
	}
}

var markers atomic.Int64

func newMarker() string {
	return fmt.Sprintf("%d-%d-%d", os.Getpid(), time.Now().UnixNano(), markers.Add(1))
}

// patience is how long the processes of a server may take to end after a test.
var patience = 10 * time.Second

// endMarked waits for the processes to end, and kills the rest.
func endMarked(t testing.TB, marker string, mayOutlive bool) {
	if !countsProcesses {
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
