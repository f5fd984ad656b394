package diagnostics

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

const ms = time.Millisecond

func only(s registry.Strategy) registry.Diagnostics {
	return registry.Diagnostics{
		Strategies: []registry.Strategy{s}, AnnouncePull: s == registry.Pull,
		BarrierMethod: "textDocument/foldingRange", ProgressTitle: "diagnosing ",
		Commands: []registry.CommandCall{{Command: "diagnose", Result: registry.ResultPublished}},
	}
}

// inBubble runs a story under fake time with a collector of the defaults.
func inBubble(t *testing.T, story func(t *testing.T, c *Collector)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		defer c.Close()
		story(t, c)
	})
}

// A pull is complete exactly when the response comes, pushes or not.
func TestPullEndsWithTheResponse(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.shown = func(path string, _ int32) { later(10*ms, func() { f.push(path, -1) }) }
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			<-time.After(70 * ms)
			return protocol.Report{Items: errorsOf("broken")}, nil
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
		expectElapsed(t, start, 70*ms)
	})
}

// A diagnosis command is complete when its response comes; what counts is what
// was pushed before it.
func TestCommandEndsWithTheResponse(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.DiagnosisCommand))
		f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
			<-time.After(20 * ms)
			f.push(path, -1, "early")
			<-time.After(20 * ms)
			f.push(path, -1, "broken")
			<-time.After(20 * ms)
			return nil, nil
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
		expectElapsed(t, start, 60*ms)
	})
}

// A diagnosis command after which nothing was ever pushed is no clean file.
func TestCommandWithoutAnyPushIsPartial(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.DiagnosisCommand))
		f.command = func(context.Context, string) ([]protocol.Diagnostic, error) { return nil, nil }
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "partial 1: ")
	})
}

// A command that answers with the diagnostics themselves needs no push.
func TestCommandWithItsOwnResult(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.DiagnosisCommand)
		d.Commands = []registry.CommandCall{
			{Command: "syntactic", Result: registry.ResultTSServer}, {Command: "semantic", Result: registry.ResultTSServer},
		}
		f := newFake(c, d)
		f.command = func(context.Context, string) ([]protocol.Diagnostic, error) { return errorsOf("half"), nil }
		a, r := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: half, half")
		expect(t, messages(r.Diagnostics), "half")
		// A push, which may be older, does not replace an answer.
		f.push("/w/a", -1)
		a, _ = check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: half, half")
	})
}

// Progress is complete at the end of the work that began after the change, and
// neither at the answer to the barrier nor at the end of other work.
func TestProgressEndsWithTheWorkOfTheChange(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Progress))
		event := func(kind, token, title string) {
			f.out.Progressed(protocol.ProgressEvent{Token: token, Kind: kind, Title: title})
		}
		event("begin", "0", "loading")
		f.shown = func(path string, version int32) {
			later(30*ms, func() { event("begin", "1", "diagnosing a") })
			later(40*ms, func() { event("end", "0", "") })
			later(50*ms, func() { f.push(path, version, "broken") })
			later(60*ms, func() { event("end", "1", "") })
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
		expectElapsed(t, start, 60*ms)
	})
}

// A barrier alone is not the end: the publish for the version is.
func TestBarrierWaitsForThePublish(t *testing.T) {
	for name, times := range map[string][2]time.Duration{
		"publish first": {10 * ms, 40 * ms}, "barrier first": {40 * ms, 10 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Barrier))
				f.shown = func(path string, version int32) {
					later(times[0], func() { f.push(path, version, "broken") })
				}
				f.barrier = func(context.Context, string) error { <-time.After(times[1]); return nil }
				start := time.Now()
				a, _ := check(t, c, f.file("/w/a", "x"))
				expect(t, said(a), "fresh 1: broken")
				expectElapsed(t, start, 40*ms)
			})
		})
	}
}

// A versioned push is complete with the first publish that names the version or
// a later one; those without a version or for an older one do not count.
func TestVersionedEndsWithTheVersion(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) {
			later(10*ms, func() { f.push(path, version-1) })
			later(20*ms, func() { f.push(path, -1) })
			later(30*ms, func() { f.push(path, version, "broken") })
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
		expectElapsed(t, start, 30*ms)
	})
}

// A settled push is complete when the server is quiet, at first for the longest
// quiet there is, and then for three times its own gap.
//
// Requirement: REQ-TIME-050, BR-15, EC-12.
func TestSettledLearnsTheQuiet(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		f.shown = func(path string, _ int32) {
			later(30*ms, func() { f.push(path, -1) })
			later(40*ms, func() { f.push(path, -1, "broken") })
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "1"))
		expect(t, said(a), "fresh 1: broken")
		expectElapsed(t, start, 40*ms+3*10*ms) // the gap was learnt meanwhile
		start = time.Now()
		a, _ = check(t, c, f.file("/w/a", "2"))
		expect(t, said(a), "fresh 2: broken")
		expectElapsed(t, start, 40*ms+3*10*ms)

		// One push only: the first time the quiet is not known.
		c2 := New(Options{})
		defer c2.Close()
		g := newFake(c2, only(registry.Settled))
		g.shown = func(path string, _ int32) { later(30*ms, func() { g.push(path, -1, "once") }) }
		start = time.Now()
		a, _ = check(t, c2, g.file("/w/a", "1"))
		expect(t, said(a), "fresh 1: once")
		expectElapsed(t, start, 30*ms+maxQuiet)
	})
}

// Of a server that publishes part by part the quiet is what its entry says, and
// never shorter, whatever was learnt.
func TestSettledWaitsForTheLastPart(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		parts := only(registry.Settled)
		parts.Quiet, parts.BarrierMethod = 500*ms, ""
		f := newFake(c, parts)
		f.shown = func(path string, _ int32) {
			later(10*ms, func() { f.push(path, -1) })
			later(410*ms, func() { f.push(path, -1, "broken") })
		}
		for _, text := range []string{"1", "2"} {
			start := time.Now()
			a, _ := check(t, c, f.file("/w/a", text))
			expect(t, said(a), "fresh "+text+": broken")
			expectElapsed(t, start, 410*ms+500*ms)
		}
	})
}

// Where a part may take any time, the answer to a read that needs the same work is
// waited for, and what comes after it.
func TestSettledAsksWhenItIsQuiet(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		parts := only(registry.Settled)
		parts.Quiet = 100 * ms
		f := newFake(c, parts)
		f.shown = func(path string, _ int32) {
			later(10*ms, func() { f.push(path, -1) })
			later(2050*ms, func() { f.push(path, -1, "broken") })
		}
		barriers := 0
		f.barrier = func(ctx context.Context, _ string) error {
			if barriers++; barriers == 2 {
				select {
				case <-time.After(1890 * ms):
				case <-ctx.Done():
				}
			}
			return nil
		}
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
	})
}

// What a server publishes and is quiet about while it does what its entry calls
// loading is not its last word. Other work may never end.
func TestSettledWaitsForLoading(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		f.def.Loading, f.def.AnnouncesLoading = []string{"index"}, true
		f.out.Progressed(protocol.ProgressEvent{Token: "0", Kind: "begin", Title: "endless"})
		f.shown = func(path string, _ int32) {
			later(10*ms, func() { f.push(path, -1) })
			later(900*ms, func() { f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "begin", Title: "indexing"}) })
			later(2000*ms, func() {
				f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "end"})
				f.push(path, -1, "broken")
			})
		}
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
	})
}

// A server that publishes whenever a document is sent is waited for as long as there
// is time, whatever its pace was before.
func TestTouchedServersAreWaitedFor(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.Settled)
		d.Outside = registry.OutsideTouch
		f := newFake(c, d)
		delay := 10 * ms
		f.shown = func(path string, version int32) { later(delay, func() { f.push(path, version, "broken") }) }
		check(t, c, f.file("/w/a", "x"))
		delay = 2500 * ms
		a, _ := check(t, c, f.file("/w/a", "y"))
		expect(t, said(a), "fresh 2: broken")
	})
}

// What a server pushes of which nobody knows whether it is all is only partial, with
// the reason.
func TestUnsureIsPartial(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		d := only(registry.Settled)
		d.Unsure = "it may go on"
		f := newFake(c, d)
		f.shown = func(path string, version int32) { later(10*ms, func() { f.push(path, version) }) }
		a, _ := check(t, c, f.file("/w/a", "x"))
		if a.Freshness != Partial || a.Reason != "it may go on" {
			t.Errorf("%s, %q; want partial, with the reason", a.Freshness, a.Reason)
		}
	})
}

// A server that publishes nothing is never taken for one that has no complaint.
func TestSilenceIsNeverFresh(t *testing.T) {
	for _, s := range []registry.Strategy{registry.Settled, registry.Versioned, registry.Barrier, registry.Progress} {
		t.Run(string(s), func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(s))
				a, _ := check(t, c, f.file("/w/a", "x"))
				want := "timeout 1: "
				if s == registry.Settled {
					want = "partial 1: "
				}
				expect(t, said(a), want)
			})
		})
	}
}

// Publishes that never end are partial at the deadline.
func TestNeverEndingPublishesArePartial(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		ticker := time.NewTicker(15 * ms)
		defer ticker.Stop()
		ended := make(chan struct{})
		defer close(ended)
		go func() {
			for {
				select {
				case <-ticker.C:
					f.push("/w/a", -1, "broken")
				case <-ended:
					return
				}
			}
		}()
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "partial 1: broken")
		expectElapsed(t, start, 10*time.Second)
	})
}

// A push that overtakes the one after it neither counts nor replaces it, now or
// for the next question.
func TestPushForAnOlderVersionNeverCounts(t *testing.T) {
	for _, s := range []registry.Strategy{registry.Settled, registry.Versioned, registry.DiagnosisCommand} {
		t.Run(string(s), func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(s))
				f.command = func(context.Context, string) ([]protocol.Diagnostic, error) {
					<-time.After(10 * ms)
					return nil, nil
				}
				f.shown = func(path string, version int32) {
					switch version {
					case 1:
						later(5*ms, func() { f.push(path, 1) })
					case 2: // the good news is old
						later(3*ms, func() { f.push(path, 1) })
						later(20*ms, func() { f.push(path, 2, "broken") })
						later(25*ms, func() { f.push(path, 1) })
					}
				}
				check(t, c, f.file("/w/a", "1"))
				a, _ := check(t, c, f.file("/w/a", "2"))
				expect(t, said(a), "fresh 2: broken")
				<-time.After(time.Second)
				a, _ = check(t, c, f.file("/w/a", "2"))
				expect(t, said(a), "fresh 2: broken")
			})
		})
	}
}

// A push without a version, after a version that was never answered, may be
// about that one: it is partial. When nothing more can come it counts again.
func TestUnversionedPushAfterUnansweredVersion(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		f.shown = func(path string, version int32) {
			switch version {
			case 1:
				later(8*time.Second, func() { f.push(path, -1) }) // clean, of version 1
			case 3:
				later(50*ms, func() { f.push(path, -1, "broken") })
			}
		}
		a, _ := check(t, c, f.file("/w/a", "1"))
		expect(t, said(a), "partial 1: ")
		<-time.After(2500 * ms)
		a, _ = check(t, c, f.file("/w/a", "2"))
		expect(t, said(a), "partial 2: ")
		<-time.After(time.Minute)
		a, _ = check(t, c, f.file("/w/a", "3"))
		expect(t, said(a), "fresh 3: broken")
	})
}

// Where the definition names nothing, a version is believed, silence is not.
func TestServerNobodyKnows(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, registry.Diagnostics{})
		f.shown = func(path string, version int32) { later(30*ms, func() { f.push(path, version, "broken") }) }
		a, _ := check(t, c, f.file("/w/a", "1"))
		expect(t, said(a), "fresh 1: broken")
	})
}

// The strategy is the first of the definition's that the server can follow, of those for single files where nothing
// wider is asked; if it can follow none, publishes are taken as they come.
func TestStrategyOfAServer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		const pull, command, progress, barrier, versioned = registry.Pull, registry.DiagnosisCommand, registry.Progress, registry.Barrier, registry.Versioned
		diagnose := []registry.CommandCall{{Command: "diagnose"}}
		for name, tt := range map[string]struct {
			d       registry.Diagnostics
			command bool
			file    registry.Strategy
			wide    registry.Strategy
		}{
			"the first":              {registry.Diagnostics{Strategies: []registry.Strategy{versioned, pull}, AnnouncePull: true}, true, versioned, versioned},
			"no pull is announced":   {registry.Diagnostics{Strategies: []registry.Strategy{pull, versioned}}, true, versioned, versioned},
			"a pull":                 {registry.Diagnostics{Strategies: []registry.Strategy{pull, versioned}, AnnouncePull: true}, true, pull, pull},
			"a command":              {registry.Diagnostics{Strategies: []registry.Strategy{command, versioned}, Commands: diagnose}, true, command, command},
			"a command it lacks":     {registry.Diagnostics{Strategies: []registry.Strategy{command, versioned}, Commands: diagnose}, false, versioned, versioned},
			"a command of no name":   {registry.Diagnostics{Strategies: []registry.Strategy{command, versioned}}, true, versioned, versioned},
			"a barrier":              {registry.Diagnostics{Strategies: []registry.Strategy{barrier}, BarrierMethod: "x"}, true, barrier, barrier},
			"progress, no method":    {registry.Diagnostics{Strategies: []registry.Strategy{progress, barrier}}, true, registry.Settled, registry.Settled},
			"another for files":      {registry.Diagnostics{Strategies: []registry.Strategy{versioned}, FileStrategies: []registry.Strategy{pull}, AnnouncePull: true}, true, pull, versioned},
			"nothing that it can do": {registry.Diagnostics{}, true, registry.Settled, registry.Settled},
		} {
			f := newFake(c, tt.d)
			if tt.command {
				f.command = func(context.Context, string) ([]protocol.Diagnostic, error) { return nil, nil }
			}
			if file, wide := strategy(f, false), strategy(f, true); file != tt.file || wide != tt.wide {
				t.Errorf("%s: %v for a file, %v beyond it", name, file, wide)
			}
		}
	})
}

// Once quiet has come the last publish stands: it is fresh if it has the version, or later, and else unless it may
// be about the version before, or only the response to closing the document; a server that is never sure is partial.
func TestLastPublishOfAQuietServer(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		for name, tt := range map[string]struct {
			version          int32
			messages         []string
			overlaps, closed bool
			unsure           string
			want             Freshness
		}{
			"the version":                 {2, []string{"bad"}, true, true, "", Fresh},
			"a later one":                 {3, nil, true, true, "", Fresh},
			"an older one, of no overlap": {1, []string{"bad"}, false, false, "", Fresh},
			"an older one, that overlaps": {1, []string{"bad"}, true, false, "", Partial},
			"no version":                  {-1, []string{"bad"}, false, false, "", Fresh},
			"no version, that overlaps":   {-1, []string{"bad"}, true, false, "", Partial},
			"empty, after closing":        {-1, nil, false, true, "", Partial},
			"not empty, after closing":    {-1, []string{"bad"}, false, true, "", Fresh},
			"empty":                       {-1, nil, false, false, "", Fresh},
			"it is never sure":            {2, []string{"bad"}, false, false, "it guesses", Partial},
		} {
			f := newFake(c, registry.Diagnostics{Unsure: tt.unsure})
			path := "/w/" + name
			f.push(path, tt.version, tt.messages...)
			turn := turn{server: f, stream: c.stream(f.key), path: path, synced: lsp.Synced{Version: 2}, overlaps: tt.overlaps, sending: sending{closed: tt.closed}}
			items, freshness := turn.settledOn()
			if len(items) != len(tt.messages) || freshness != tt.want || turn.reason != tt.unsure {
				t.Errorf("%s: %d findings, %v, because %q", name, len(items), freshness, turn.reason)
			}
		}
	})
}
