package diagnostics

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A quiet server works on one text after the other, each for a while, and publishes
// only what differs from what it published before, without a version.
type quiet struct {
	*fake
	lag func() time.Duration

	mu        sync.Mutex
	texts     []string
	busy      bool
	published string
}

func newQuiet(c *Collector, lag func() time.Duration) *quiet {
	q := &quiet{fake: newFake(c, registry.Diagnostics{Outside: registry.OutsideTouch, Provocation: "bad!"}), lag: lag, published: "[]"}
	q.shown = func(path string, _ int32) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.texts = append(q.texts, string(q.docs[path].text))
		if !q.busy {
			q.busy = true
			later(q.lag(), func() { q.work(path) })
		}
	}
	return q
}

// work takes the next text and publishes what is wrong with it: each line that
// begins with bad.
func (q *quiet) work(path string) {
	q.mu.Lock()
	text := q.texts[0]
	q.texts = q.texts[1:]
	var items []protocol.Diagnostic
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "bad") {
			items = append(items, at(i, line))
		}
	}
	state := fmt.Sprint(items)
	differs := state != q.published
	q.published = state
	if q.busy = len(q.texts) > 0; q.busy {
		later(q.lag(), func() { q.work(path) })
	}
	q.mu.Unlock()
	if differs {
		q.out.Published(lsp.Published{Path: path, Items: items})
	}
}

// TestProbe asks a server that says nothing where nothing differs for text after
// text, right and wrong ones, faster and slower than it works: each answer is fresh
// and the truth, and nothing of our own error is ever told.
func TestProbe(t *testing.T) {
	lags := map[string]func() time.Duration{
		"fast":   func() time.Duration { return time.Millisecond },
		"slow":   func() time.Duration { return 700 * time.Millisecond },
		"uneven": func() time.Duration { return time.Duration(rand.IntN(900)) * time.Millisecond },
	}
	texts := []string{"good\n", "good", "fine\n\n", "bad\n", "good\nbad", "fine\nbad", "bad\nbad2\n", ""}
	for name, lag := range lags {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := New(Options{Timeout: time.Minute, FirstTouch: time.Minute})
				defer c.Close()
				q := newQuiet(c, lag)
				for range 60 {
					text := texts[rand.IntN(len(texts))]
					if rand.IntN(4) == 0 {
						q.disturb()
					}
					a, _ := check(t, c, q.file("/w/a", text))
					want := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !strings.HasPrefix(line, "bad") })
					version, shown, _ := q.Document("/w/a")
					expect(t, said(a), fmt.Sprintf("fresh %d: %s", version, strings.Join(want, ", ")))
					expect(t, string(shown), text)
				}
			})
		})
	}
}

// TestProbeHanging: a server that hangs is a time-out; what it then says of our
// error is nobody's, and its word on the text is offered late.
func TestProbeHanging(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Timeout: time.Second, FirstTouch: time.Second, Patience: time.Minute})
		defer c.Close()
		q := newQuiet(c, func() time.Duration { return 5 * time.Second })
		a, _ := check(t, c, q.file("/w/a", "good\n"))
		expect(t, string(a.Freshness), string(Timeout))
		<-time.After(30 * time.Second)
		_, shown, _ := q.Document("/w/a")
		expect(t, string(shown), "good\n")
		a, _ = check(t, c, q.file("/w/a", "good\n"))
		version, _, _ := q.Document("/w/a")
		expect(t, said(a), fmt.Sprintf("fresh %d: ", version))
	})
}
