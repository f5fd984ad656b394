package load

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsptest"
)

const (
	clients = 64
	calls   = 5 // of each client in the story
)

// revisions of MCP with and without sessions.
var revisions = []string{"2025-11-25", "2026-07-28"}

// Sixty-four clients with one token, over three servers in three workspaces, all at once: half of them with sessions and
// half without, then all in one way, as many as a token may have sessions. Nobody is refused, every answer is that of its own question, and when
// the clients have left, what they took is given back. The first round starts the servers.
//
// Requirement: HTTP-15.
func TestManyClients(t *testing.T) {
	origin := serve(t)
	round := func(revisions ...string) {
		t.Helper()
		c := crowd{origin: origin, clients: clients, revisions: revisions, more: func(asked int) bool { return asked < calls }}
		for _, err := range c.run(t.Context()).errors {
			t.Error(err)
		}
	}
	round(revisions...)
	heap, goroutines := left()
	for _, revision := range revisions {
		round(revision)
	}
	round(revisions...)
	lsptest.Eventually(t, time.Minute, func() bool {
		after, now := left()
		return after < heap+4<<20 && now <= goroutines+5
	}, "%d KB and %d goroutines have grown", heap>>10, goroutines)
}

// left returns the bytes that are in use, and the number of goroutines.
func left() (heap uint64, goroutines int) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc, runtime.NumGoroutine()
}

// took are the times of the answers of some clients, and what went wrong.
type took struct {
	mu     sync.Mutex
	kinds  map[string]map[int][]time.Duration // by the project and the kind of question, and by the client
	errors []error
}

// A crowd are clients that come at once. Each asks as long as more says so of the number of questions that it has asked.
type crowd struct {
	origin    string
	clients   int
	revisions []string
	more      func(asked int) bool
}

// run returns when the last of the clients has left.
func (c *crowd) run(ctx context.Context) *took {
	all := &took{kinds: make(map[string]map[int][]time.Duration)}
	var here sync.WaitGroup
	for i := range c.clients {
		here.Go(func() {
			if err := c.client(ctx, i, all); err != nil {
				all.mu.Lock()
				defer all.mu.Unlock()
				all.errors = append(all.errors, fmt.Errorf("client %d: %w", i, err))
			}
		})
	}
	here.Wait()
	return all
}

// client is one client, from its arrival to its end.
func (c *crowd) client(ctx context.Context, i int, all *took) error {
	p := &projects[i%len(projects)]
	revision := c.revisions[i/len(projects)%len(c.revisions)]
	session, leave, err := connect(ctx, c.origin, p, revision)
	if err != nil {
		return err
	}
	for asked := 0; c.more(asked); asked++ {
		questions := p.questions((i + asked) % functions)
		q := &questions[(i+asked)%len(questions)]
		begun := time.Now()
		if err := q.ask(ctx, session); err != nil {
			_ = leave() // the error says more
			return err
		}
		all.add(p.name+" "+q.kind, i, time.Since(begun))
	}
	return leave()
}

func (all *took) add(kind string, client int, d time.Duration) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.kinds[kind] == nil {
		all.kinds[kind] = make(map[int][]time.Duration)
	}
	all.kinds[kind][client] = append(all.kinds[kind][client], d)
}

// milliseconds returns the time that a share of some times does not exceed.
func milliseconds(times []time.Duration, share float64) float64 {
	slices.Sort(times)
	return times[int(share*float64(len(times)-1))].Seconds() * 1000
}

// String returns a table of times in milliseconds, by kind: of all calls, and the medians of the clients.
func (all *took) String() string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(all.kinds)) {
		var times, medians []time.Duration
		for _, own := range all.kinds[kind] {
			times = append(times, own...)
			medians = append(medians, time.Duration(milliseconds(own, .5)*float64(time.Millisecond)))
		}
		median, client := milliseconds(times, .5), milliseconds(medians, .5)
		fmt.Fprintf(&b, "%-14s %6d calls, median %6.1f, p99 %6.1f, slowest %6.1f ms (%.1f medians); slowest client %6.1f (%.1f)\n", kind, len(times),
			median, milliseconds(times, .99), milliseconds(times, 1), milliseconds(times, 1)/median, milliseconds(medians, 1), milliseconds(medians, 1)/client)
	}
	return b.String()
}

// One client of each project alone, then all at once, for as long as E2E_LOAD says: every answer is right, and the log has how
// long they took. Nothing is demanded of these times: they are for who measures.
func TestTimesUnderLoad(t *testing.T) {
	long, err := time.ParseDuration(cmp.Or(os.Getenv("E2E_LOAD"), "1s"))
	if err != nil {
		t.Fatal(err)
	}
	origin := serve(t)
	until := func(d time.Duration) func(int) bool {
		end := time.Now().Add(d)
		return func(int) bool { return time.Now().Before(end) }
	}
	start := crowd{origin, 6, revisions, func(asked int) bool { return asked < 6 }}
	start.run(t.Context()) // the servers
	for i := range projects {
		alone := &took{kinds: make(map[string]map[int][]time.Duration)}
		one := crowd{origin, 1, revisions, until(long / 6)}
		if err := one.client(t.Context(), i, alone); err != nil {
			t.Error(err)
		}
		t.Logf("alone:\n%s", alone)
	}
	heap, goroutines := left()
	many := crowd{origin, clients, revisions, until(long)}
	all := many.run(t.Context())
	for _, err := range all.errors {
		t.Error(err)
	}
	after, now := left()
	t.Logf("%d at once:\n%s\n%d KB and %d goroutines before, %d KB and %d after", clients, all, heap>>10, goroutines, after>>10, now)
}
