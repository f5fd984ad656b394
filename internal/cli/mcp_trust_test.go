package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/api"
	"github.com/lspine/lspine/internal/config"
	"github.com/lspine/lspine/internal/lsptest"
)

// A session of MCP is longer than the time in which a checkout is not trusted: what the user says of it holds from the next call on.
// What the user says of another one changes nothing.
func TestMCPHearsOfTrust(t *testing.T) {
	s := newShop(t, "-- a.toy --\n", lsptest.Script{})
	own, other := t.TempDir(), t.TempDir()
	streams := &Streams{Dir: s.root, Environ: append(homeIn(own), "XDG_CONFIG_HOME="+own, "LSPINE_DAEMON=never"), Out: &full{}, Err: &full{}}
	e := &engines{flags: &global{configFile: s.configFile}, streams: streams, working: func() {}, open: make(map[string]*opened)}
	t.Cleanup(func() {
		if err := e.close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	cfg, _ := config.Load(config.Options{Root: s.root, UserFile: s.configFile, Environ: streams.Environ})
	say := func(root, hash string) func() {
		return func() {
			if changed, err := config.SetTrust(streams.Environ, root, hash); !changed || err != nil {
				t.Fatal(changed, err)
			}
		}
	}
	var got, want []bool
	var last api.Caller
	for _, step := range []struct {
		says func()
		anew bool
	}{
		{func() {}, true}, {func() {}, false}, {say(other, "x"), false}, {say(s.root, cfg.Trust.Hash), true}, {func() {}, false}, {say(s.root, ""), true}, {func() {}, false},
	} {
		step.says()
		caller, err := e.Engine(t.Context(), s.root)
		if err != nil {
			t.Fatal(err)
		}
		got, want, last = append(got, caller != last), append(want, step.anew), caller
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("which calls have another engine (-want +got):\n%s", diff)
	}
}
