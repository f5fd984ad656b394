package diagnostics

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/jsonrpc"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A complete answer stands while nothing that could change it happened; then
// the server is made to look again.
func TestStandingAnswers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) { later(10*ms, func() { f.push(path, version, "broken") }) }
		ask := func(want string, took time.Duration) {
			t.Helper()
			start := time.Now()
			a, _ := check(t, c, f.file(here("/w/a"), "x"))
			expect(t, said(a), want)
			expectElapsed(t, start, took)
		}
		ask("fresh 1: broken", 10*ms)
		ask("fresh 1: broken", 0)
		f.disturb() // the sweep found something
		ask("fresh 2: broken", 10*ms)
		ask("fresh 2: broken", 0)
		f.out.Refreshed() // the server took it back
		ask("fresh 2: broken", 0)
	})
}

// What a server pulls back by a refresh is pulled again.
func TestRefreshMakesAPullAgain(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		pulls := 0
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			if pulls++; pulls == 1 {
				f.out.Refreshed() // overtaken while it was computed
			}
			return protocol.Report{Items: errorsOf("broken")}, nil
		}
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "fresh 1: broken")
		check(t, c, f.file(here("/w/a"), "x"))
		if pulls != 2 {
			t.Errorf("%d pulls, want one more for the refresh and none for the same state", pulls)
		}
		f.out.Refreshed()
		check(t, c, f.file(here("/w/a"), "x"))
		if pulls != 3 {
			t.Errorf("%d pulls after a refresh", pulls)
		}
	})
}

// A server that takes back every pull is partial, not silent.
func TestRefreshForeverIsPartial(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			<-time.After(10 * ms)
			f.out.Refreshed()
			return protocol.Report{Items: errorsOf("broken")}, nil
		}
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "partial 1: broken")
	})
}

// Two checks of one file at once: same content is sent once and answers both;
// of two contents each is answered for its own version or a later one.
func TestTwoChecksOfOneFile(t *testing.T) {
	for _, second := range []string{"x", "y"} {
		t.Run(second, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				f.shown = func(path string, version int32) { later(50*ms, func() { f.push(path, version, "broken") }) }
				var both sync.WaitGroup
				both.Go(func() {
					if a, _ := check(t, c, f.file(here("/w/a"), "x")); a.Freshness != Fresh || a.Version < 1 {
						t.Errorf("first: %s", said(a))
					}
				})
				<-time.After(20 * ms)
				both.Go(func() {
					a, _ := check(t, c, f.file(here("/w/a"), second))
					if version := f.docs[here("/w/a")].version; a.Freshness != Fresh || a.Version != version {
						t.Errorf("second: %s, the document has version %d", said(a), version)
					}
				})
				both.Wait()
				if f.opened != 1 {
					t.Errorf("opened %d times", f.opened)
				}
			})
		})
	}
}

// The second of two checks hears a push that came before it asked, if that was
// for what it shows.
func TestSecondCheckHearsTheFirstOnesPush(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		f.shown = func(path string, _ int32) { later(50*ms, func() { f.push(path, -1, "broken") }) }
		var both sync.WaitGroup
		both.Go(func() { check(t, c, f.file(here("/w/a"), "x")) })
		<-time.After(60 * ms) // pushed, but not yet settled
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "fresh 1: broken")
		both.Wait()
	})
}

// A document that is closed and opened again is not clean because the server
// first took back what it had said of it.
func TestEmptyPushOfACloseIsNotClean(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		f.shown = func(path string, version int32) {
			if version > 1 {
				later(ms, func() { f.push(path, -1) })
				later(400*ms, func() { f.push(path, -1, "broken") })
				return
			}
			later(10*ms, func() { f.push(path, -1, "broken") })
		}
		check(t, c, f.file(here("/w/a"), "x"))
		f.disturb()
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		if a.Freshness == Fresh && len(a.Items) == 0 {
			t.Errorf("got %s", said(a))
		}
	})
}

// Pulls that fail only because the state moved on are asked again, within the
// deadline; those that must not be retried are not.
func TestPullRetries(t *testing.T) {
	modified := &jsonrpc.ResponseError{Code: jsonrpc.CodeContentModified}
	cancelled := &jsonrpc.ResponseError{Code: jsonrpc.CodeServerCancelled, Data: []byte(`{"retriggerRequest":true}`)}
	final := &jsonrpc.ResponseError{Code: jsonrpc.CodeServerCancelled, Data: []byte(`{"retriggerRequest":false}`), Message: "enough"}
	for name, tt := range map[string]struct {
		failures []error
		want     string
		pulls    int
	}{
		"both kinds":  {[]error{modified, cancelled, modified}, "fresh 1: broken", 4},
		"not again":   {[]error{final}, "unavailable 0: ", 1},
		"other error": {[]error{errors.New("no")}, "unavailable 0: ", 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Pull))
				f.identifiers = []string{""}
				pulls := 0
				f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
					if pulls++; pulls <= len(tt.failures) {
						return protocol.Report{}, tt.failures[pulls-1]
					}
					return protocol.Report{Items: errorsOf("broken")}, nil
				}
				a, _ := check(t, c, f.file(here("/w/a"), "x"))
				a.Version = max(a.Version, 0)
				if a.Freshness == Unavailable {
					a.Version = 0
				}
				expect(t, said(a), tt.want)
				if pulls != tt.pulls {
					t.Errorf("%d pulls, want %d", pulls, tt.pulls)
				}
			})
		})
	}
	t.Run("without end", func(t *testing.T) {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.Pull))
			f.identifiers = []string{""}
			f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
				return protocol.Report{}, modified
			}
			a, _ := check(t, c, f.file(here("/w/a"), "x"))
			expect(t, said(a), "timeout 1: ")
		})
	})
}

// Every identifier is pulled, also those registered late; an unchanged report
// keeps the items of its own; related files are known.
func TestPullIdentifiersAndUnchanged(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		later(100*ms, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.identifiers = []string{"types", "style"}
			close(f.registered)
		})
		f.pull = func(_ context.Context, _, identifier, previous string) (protocol.Report, error) {
			if previous != "" {
				return protocol.Report{Unchanged: true, ResultID: previous}, nil
			}
			return protocol.Report{
				ResultID: "id of " + identifier, Items: errorsOf(identifier),
				Related: map[protocol.DocumentURI]protocol.Report{protocol.URIFromPath(here("/w/b")): {Items: errorsOf("related")}},
			}, nil
		}
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "fresh 1: types, style")
		a, _ = check(t, c, f.file(here("/w/a"), "y"))
		expect(t, said(a), "fresh 2: types, style")
		known := c.Known(nil)
		if len(known) != 2 || known[1].Path != here("/w/b") || messages(known[1].Diagnostics) != "related" {
			t.Errorf("known: %+v", known)
		}
	})
}

// "Unchanged" since a report that never was is no answer.
func TestUnchangedSinceNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			return protocol.Report{Unchanged: true}, nil
		}
		a, r := check(t, c, f.file(here("/w/a"), "x"))
		if a.Freshness != Unavailable || r.Verdict != LSPUnavailable {
			t.Errorf("got %s, %s", said(a), r.Verdict)
		}
	})
}

// Where a server needs to be told of saves, it is, and its own save does not
// call the answer into question. It is not asked about a text that is not on disk,
// for it would answer for the one that is; and sent anew, a text is saved anew.
func TestSavesWhereNeeded(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.Versioned)
		d.NeedsSave = true
		f := newFake(c, d)
		f.shown = func(path string, version int32) { later(ms, func() { f.push(path, version, "broken") }) }
		path := filepath.Join(t.TempDir(), "a")
		lsptest.WriteFile(t, path, "x")
		for range 3 {
			a, _ := check(t, c, f.file(path, "x"))
			expect(t, said(a), "fresh 1: broken")
		}
		if f.saved != 1 || f.opened != 1 {
			t.Errorf("saved %d times, opened %d times", f.saved, f.opened)
		}
		a, r := check(t, c, f.file(path, "y"))
		if a.Freshness != Unavailable || !strings.Contains(a.Reason, "on disk") || r.Verdict != LSPUnavailable {
			t.Errorf("of a text that is not on disk: %s, %s, %s", said(a), a.Reason, r.Verdict)
		}
		f.disturb()
		a, _ = check(t, c, f.file(path, "x"))
		expect(t, said(a), "fresh 2: broken")
		if f.saved != 2 {
			t.Errorf("saved %d times in all, want 2", f.saved)
		}
	})
}

// The epoch grows with every check and every publish; who waits for it is told
// at once, or when the time is over.
func TestEpoch(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) { later(ms, func() { f.push(path, version) }) }
		before := c.Epoch()
		report, err := c.Check(t.Context(), Request{Files: []File{f.file(here("/w/a"), "x")}})
		if err != nil || report.Epoch <= before {
			t.Fatalf("epoch %d after %d, error %v", report.Epoch, before, err)
		}
		if silent, err := c.Check(t.Context(), Request{}); err != nil || silent.Epoch != report.Epoch+1 {
			t.Errorf("epoch %d after a check in which nobody was asked, and %d before, error %v", silent.Epoch, report.Epoch, err)
		}
		start, now := time.Now(), c.Epoch()
		later(70*ms, func() { f.push(here("/w/b"), -1, "elsewhere") })
		if got := c.AwaitEpoch(t.Context(), now); got != now+1 {
			t.Errorf("epoch %d, want %d", got, now+1)
		}
		expectElapsed(t, start, 70*ms)
		limited, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if got := c.AwaitEpoch(limited, now+1); got != now+1 {
			t.Errorf("epoch %d without any event", got)
		}
	})
}

// Who is told of an epoch and then asks what is known gets what that epoch counts, not what was
// known before it: nobody would tell them a second time.
func TestEpochIsNotToldBeforeItsFindings(t *testing.T) {
	c := New(Options{})
	defer c.Close()
	f := newFake(c, only(registry.Versioned))
	const publishes = 5000
	first := c.Epoch()
	go func() {
		for i := range publishes {
			f.push(here("/w/a"), -1, strconv.Itoa(i+1))
		}
	}()
	for epoch := first; epoch < first+publishes; {
		epoch = c.AwaitEpoch(t.Context(), epoch)
		known := c.Known([]protocol.Severity{protocol.SeverityError})
		told := 0
		if len(known) > 0 {
			told, _ = strconv.Atoi(known[0].Diagnostics[0].Message)
		}
		if counted := int(epoch - first); told < counted {
			t.Fatalf("epoch %d counts publish %d, and publish %d is known", epoch, counted, told)
		}
	}
}

// Close ends what is under way, and later checks get no answer from a server.
func TestCloseEndsTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		f := newFake(c, only(registry.Versioned))
		later(50*ms, c.Close)
		start := time.Now()
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		if a.Freshness == Fresh {
			t.Errorf("got %s", said(a))
		}
		expectElapsed(t, start, 50*ms)
		a, _ = check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "unavailable 0: ")
	})
}

// Of two checks of one text, around a change of something else, the one that began later
// is what stands, whichever ends first.
func TestLaterCheckStands(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		var pulls atomic.Int32
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			if pulls.Add(1) == 1 {
				<-time.After(100 * ms)
				return protocol.Report{Items: errorsOf("before")}, nil
			}
			return protocol.Report{Items: errorsOf("after")}, nil
		}
		var first sync.WaitGroup
		first.Go(func() {
			a, _ := check(t, c, f.file(here("/w/a"), "x"))
			expect(t, said(a), "fresh 1: before")
		})
		<-time.After(50 * ms)
		f.disturb()
		a, _ := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "fresh 1: after")
		first.Wait()
		a, _ = check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a), "fresh 1: after")
		if n := pulls.Load(); n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}
