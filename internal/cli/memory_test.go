package cli

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
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

// Memory is not saved where an engine works in this process.
func TestOwnEngineEndsSaving(t *testing.T) {
	t.Parallel()
	root := lsptest.Workspace(t, "-- a.txt --\nx\n")
	cfg, problems := config.Load(config.Options{Root: root, Environ: []string{"LSPINE_TRUST=always"}})
	working := 0
	b, err := new(global).open(t.Context(), &Streams{Dir: root, Environ: []string{}}, root, cfg, problems, purpose{name: "test", alone: true, working: func() { working++ }})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.closeSoon(t.Context()); err != nil || working != 1 {
		t.Errorf("told %d times that there is work; %v", working, err)
	}
}
