//go:build unix

package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/engine"
	"github.com/lspine/lspine/internal/lsptest"
)

// A house is a daemon in the process of a test and a double of another daemon with servers.
type house struct {
	*inner
	log     *written
	mu      sync.Mutex
	tenants []engine.Tenant
	asked   int       // how often the double listed them
	rested  []resting // what it was asked to stop
	stays   string    // the one that it does not stop
	fails   error     // of its answers
}

// written is a log that can be read while it is written.
type written struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *written) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(b)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// tenant is a server of the double, of 10 MiB.
func tenant(id string, second int) engine.Tenant {
	return engine.Tenant{ID: id, Root: "/r", Obtained: time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC), Memory: 10 << 20}
}

func newHouse(t *testing.T) (*house, *shop) {
	t.Helper()
	s := newShop(t, lsptest.Script{})
	h := &house{inner: s.listens(), log: &written{}}
	h.server.log = slog.New(slog.NewTextHandler(h.log, nil))
	h.serves()
	p := h.place.sibling(t, "other", "/other")
	standsIn(t, p, double{others: map[string]func(net.Conn, json.RawMessage) (any, error){
		statusMethod: func(net.Conn, json.RawMessage) (any, error) { return Status{}, nil },
		tenantsMethod: func(net.Conn, json.RawMessage) (any, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.asked++
			return h.tenants, h.fails
		},
		restMethod: func(_ net.Conn, params json.RawMessage) (any, error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			var r resting
			err := errors.Join(json.Unmarshal(params, &r), h.fails)
			h.rested = append(h.rested, r)
			return r.Tenant.ID != h.stays, err
		},
	}})
	h.place.sibling(t, "dead", "/dead")
	return h, s
}

// Room is made where more servers run than may, or with more memory: the one asked longest ago is
// stopped first, then the next, until it is enough. One that stays does not count as stopped.
func TestHowMuchRoomIsMade(t *testing.T) {
	h, _ := newHouse(t)
	a, b, c := tenant("a", 1), tenant("b", 2), tenant("c", 3)
	h.tenants = []engine.Tenant{b, c, a}
	count := func(n string) string {
		return "more than " + n + " servers ran in all workspaces; it was asked longest ago"
	}
	size := func(used, most string) string {
		return "the servers of all workspaces used " + used + " MiB, more than " + most + "; it was asked longest ago"
	}
	for name, c := range map[string]struct {
		most, memory int
		stays        string
		asked        int
		want         []resting
	}{
		"no limit":          {asked: 0},
		"three may run":     {most: 3, asked: 1},
		"two may run":       {most: 2, asked: 1, want: []resting{{a, count("2")}}},
		"one may run":       {most: 1, asked: 1, want: []resting{{a, count("1")}, {b, count("1")}}},
		"one does not stop": {most: 2, asked: 1, stays: "a", want: []resting{{a, count("2")}, {b, count("2")}}},
		"enough memory":     {memory: 30, asked: 1},
		"less memory":       {memory: 29, asked: 1, want: []resting{{a, size("30", "29")}}},
		"enough for two":    {memory: 20, asked: 1, want: []resting{{a, size("30", "20")}}},
		"enough for one":    {memory: 19, asked: 1, want: []resting{{a, size("30", "19")}, {b, size("20", "19")}}},
		"none can stop":     {memory: 29, asked: 1, stays: "a", want: []resting{{a, size("30", "29")}, {b, size("30", "29")}}},
		"both limits":       {most: 2, memory: 10, asked: 1, want: []resting{{a, count("2")}, {b, size("20", "10")}}},
		"a wide limit":      {most: 9, memory: 29, asked: 1, want: []resting{{a, size("30", "29")}}},
	} {
		settings := &h.opts.Identity.Config.Settings
		settings.MaxServers, settings.MaxServerMemory = c.most, c.memory
		h.asked, h.rested, h.stays = 0, nil, c.stays
		if err := h.makeRoom(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, h.rested); diff != "" || h.asked != c.asked {
			t.Errorf("%s: asked %d times: %s", name, h.asked, diff)
		}
	}
	if said := h.log.String(); strings.Count(said, `msg="made room" server=`) != 12 ||
		!strings.Contains(said, `msg="made room" server=b root=/r because="the servers of all workspaces used 20 MiB, more than 10"`) {
		t.Errorf("its log:\n%s", said)
	}
}

// Where a daemon does not answer, that is the error; only one daemon makes room at a time, and the
// lock for it is released.
func TestRoomThatCannotBeMade(t *testing.T) {
	h, _ := newHouse(t)
	h.opts.Identity.Config.Settings.MaxServers = 1
	h.tenants, h.fails = []engine.Tenant{tenant("a", 1)}, errors.New("not now")
	if err := h.makeRoom(t.Context()); err == nil || err.Error() != "/other: not now" || h.rested != nil {
		t.Errorf("it lists none: %v, %v", err, h.rested)
	}
	if all, err := h.neighbours(t.Context()); len(all) > 0 || err == nil || err.Error() != "/other: not now" {
		t.Errorf("its neighbours: %v, %v", all, err)
	}
	h.fails = nil
	all, err := h.neighbours(t.Context())
	if err != nil || len(all) != 1 || all[0].Tenant != h.tenants[0] || all[0].from == nil || all[0].from.Record.Root != "/other" {
		t.Fatalf("its neighbours: %+v, %v", all, err)
	}
	h.fails = errors.New("not now")
	if rested, err := h.rest(t.Context(), all[0], "why"); rested || err == nil || err.Error() != "not now" {
		t.Errorf("it is stopped: %t, %v", rested, err)
	}
	h.fails, h.asked = nil, 0
	path := filepath.Join(filepath.Dir(h.place.dir), roomFile)
	room := held(t, flock.New(path)) // so that it was released before
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.makeRoom(canceled); !errors.Is(err, context.Canceled) || h.asked != 0 {
		t.Errorf("while another makes room: %v, asked %d times", err, h.asked)
	}
	must(t, room.Close())
}

// After the start of a server room is made in all workspaces; what cannot be done is only logged. A
// daemon lists its own servers, each once, and stops them if it is asked.
func TestRoomIsMadeAfterAStart(t *testing.T) {
	h, s := newHouse(t)
	h.mu.Lock()
	h.opts.Identity.Config.Settings.MaxServers = 1
	h.tenants = []engine.Tenant{tenant("a", 1)}
	h.mu.Unlock()
	c := s.dial()
	s.mustDef(c)
	lsptest.Eventually(t, patience, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.rested) == 1
	}, "room is made")
	h.mu.Lock()
	diff := cmp.Diff([]resting{{tenant("a", 1), "more than 1 servers ran in all workspaces; it was asked longest ago"}}, h.rested)
	h.tenants = nil
	h.mu.Unlock()
	if diff != "" {
		t.Error(diff)
	}
	all, err := h.neighbours(t.Context())
	if err != nil || len(all) != 1 || all[0].from != nil || all[0].Root != s.root {
		t.Fatalf("its neighbours: %+v, %v", all, err)
	}
	own := all[0]
	other := own
	other.Root = "/elsewhere"
	s.pass()
	var got []bool
	for _, n := range []neighbour{other, own, own} {
		rested, err := h.rest(t.Context(), n, "a test wants it")
		must(t, err)
		got = append(got, rested)
	}
	if diff := cmp.Diff([]bool{false, true, false}, got); diff != "" {
		t.Errorf("stopped: %s", diff)
	}
	h.mu.Lock()
	h.fails = errors.New("not now")
	h.mu.Unlock()
	s.mustDef(c) // starts it again
	lsptest.Eventually(t, patience, func() bool {
		return strings.Contains(h.log.String(), `msg="no room could be made for the servers" error="/other: not now"`)
	}, "it is logged that none could be made")
	s.close(c)
	must(t, h.ends())
	if said := h.log.String(); strings.Count(said, "no room") != 1 {
		t.Errorf("its log:\n%s", said)
	}
}

// What is asked of a daemon by another one is read strictly.
func TestRequestsThatMakeNoSense(t *testing.T) {
	s := newShop(t, lsptest.Script{})
	d := s.listens()
	d.serves()
	for _, method := range []string{helloMethod, restMethod} {
		if err := d.place.call(t.Context(), method, "nonsense", nil); err == nil || !strings.Contains(err.Error(), "cannot unmarshal") {
			t.Errorf("%s: %v", method, err)
		}
	}
	if err := s.beside().place().call(t.Context(), statusMethod, struct{}{}, nil); !isNobody(err) {
		t.Errorf("where nobody listens: %v", err)
	}
}
