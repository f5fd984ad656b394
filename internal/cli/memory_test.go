package cli

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A process saves memory until it has work of its own; afterwards it is as before, and stays so.
func TestSaveMemory(t *testing.T) { // not parallel: it changes the process
	type settings struct{ Processors, Percent int }
	now := func() settings {
		percent := debug.SetGCPercent(-1)
		debug.SetGCPercent(percent)
		return settings{runtime.GOMAXPROCS(0), percent}
	}
	before := now()
	end := saveMemory()
	saving := now()
	end()
	after := now()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(before.Processors + 1))
	end()
	want := []settings{{1, frugalPercent}, before, {before.Processors + 1, before.Percent}}
	if diff := cmp.Diff(want, []settings{saving, after, now()}); diff != "" {
		t.Error(diff)
	}
}
