package daemon

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
)

// beside returns the shop of another workspace of the same user.
func (s *shop) beside() *shop {
	return &shop{
		t: s.t, journal: s.journal, configFile: s.configFile, environ: s.environ, marker: s.marker, version: s.version, idle: s.idle,
		root: lsptest.Workspace(s.t, "-- toy.root --\n-- main.toy --\nuse helper\n-- lib.toy --\ndef helper\n"),
	}
}

// running returns the roots in which the daemon of a shop has a server.
func (s *shop) running() (roots []string) {
	s.t.Helper()
	var tenants []engine.Tenant
	if err := s.place().call(s.t.Context(), tenantsMethod, struct{}{}, &tenants); err != nil {
		s.t.Fatal(err)
	}
	for _, t := range tenants {
		roots = append(roots, t.Root)
	}
	return roots
}

// pass waits until what was asked before is no longer in use.
func (s *shop) pass() {
	s.t.Helper()
	began := time.Now()
	lsptest.Eventually(s.t, 30*time.Second, func() bool { return time.Since(began) > 1100*time.Millisecond }, "a second passes")
}

// What bounds the servers bounds those of all daemons of the user: the one that was asked longest
// ago is stopped, whichever workspace it is of, and starts again when it is asked.
func TestServersOfAllDaemonsAreBounded(t *testing.T) {
	first := newShop(t, lsptest.Script{})
	first.environ = append(first.environ, "LSPINE_MAX_SERVERS=2")
	second, third := first.beside(), first.beside()
	a, b := first.dial(), second.dial()
	first.mustDef(a)
	first.pass()
	second.mustDef(b)
	second.pass()
	if diff := cmp.Diff([][]string{{first.root}, {second.root}}, [][]string{first.running(), second.running()}); diff != "" {
		t.Fatalf("two may run:\n%s", diff)
	}
	first.mustDef(a) // so that it is not the one asked longest ago
	c := third.dial()
	third.mustDef(c)
	lsptest.Eventually(t, 30*time.Second, func() bool { return len(second.running()) == 0 }, "the second one's server is stopped")
	if diff := cmp.Diff([][]string{{first.root}, {third.root}}, [][]string{first.running(), third.running()}); diff != "" {
		t.Errorf("these run:\n%s", diff)
	}
	second.mustDef(b)
	if n := first.starts(); n != 4 {
		t.Errorf("%d servers were started", n)
	}
}

// A server that was asked since it was listed, and one that is unknown, are not stopped.
func TestOnlyWhatWasListedIsStopped(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	c := s.dial()
	s.mustDef(c)
	var tenants []engine.Tenant
	if err := s.place().call(t.Context(), tenantsMethod, struct{}{}, &tenants); err != nil || len(tenants) != 1 {
		t.Fatalf("%+v, %v", tenants, err)
	}
	s.pass()
	older, other := tenants[0], tenants[0]
	older.Obtained = older.Obtained.Add(-time.Second)
	other.Root = "/elsewhere"
	var got []bool
	for _, tenant := range []engine.Tenant{older, other, tenants[0], tenants[0]} {
		var rested bool
		if err := s.place().call(t.Context(), restMethod, resting{tenant, "a test wants it"}, &rested); err != nil {
			t.Fatal(err)
		}
		got = append(got, rested)
	}
	if diff := cmp.Diff([]bool{false, false, true, false}, got); diff != "" {
		t.Error(diff)
	}
}

// A daemon whose workspace is gone ends when its last client leaves, however long it would stay; and
// soon if it goes when nobody is connected.
func TestDaemonOfAFolderThatIsGone(t *testing.T) {
	for name, connected := range map[string]bool{"before its client leaves": true, "after": false} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, lsptest.Script{})
			s.idle = 2 * time.Minute
			c := s.dial()
			s.mustDef(c)
			pid := c.Daemon()
			if !connected {
				s.close(c)
			}
			if err := os.RemoveAll(s.root); err != nil {
				lsptest.Skip(t, "a folder that a process is in cannot be removed here")
			}
			if connected {
				s.close(c)
			}
			s.isGone(pid)
			if list, err := List(t.Context(), s.environ, ""); err != nil || len(list) != 0 {
				t.Errorf("%+v, %v", list, errors.Join(err))
			}
		})
	}
}

// Who only asks how a daemon is keeps it from its end no longer.
func TestAskingIsNoUse(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	s.idle = 2 * time.Second
	c := s.dial()
	s.mustDef(c)
	pid := c.Daemon()
	s.close(c)
	lsptest.Eventually(t, 30*time.Second, func() bool {
		list, err := List(t.Context(), s.environ, "")
		return err == nil && len(list) == 0 // asked again and again
	}, "the daemon ends")
	s.isGone(pid)
}
