package diagnostics

import (
	"context"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A server that answers questions about an unchanged document by its newest
// state is asked again when something else changed, and its document is left
// open; one that only pushes has the document opened anew.
func TestWhoIsOpenedAnew(t *testing.T) {
	for _, s := range []struct {
		strategy registry.Strategy
		opened   int
	}{{registry.Pull, 1}, {registry.DiagnosisCommand, 1}, {registry.Progress, 1}, {registry.Versioned, 2}} {
		t.Run(string(s.strategy), func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(s.strategy))
				f.identifiers = []string{""}
				f.pull = func(context.Context, string, string, string) (protocol.Report, error) { return protocol.Report{}, nil }
				f.command = func(context.Context, string) ([]protocol.Diagnostic, error) { return nil, nil }
				f.shown = func(path string, version int32) {
					later(time.Millisecond, func() {
						f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "begin", Title: "diagnosing changes"})
						f.push(path, version)
						f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "end"})
					})
				}
				check(t, c, f.file("/w/a", "1"))
				f.disturb()
				check(t, c, f.file("/w/a", "1"))
				if f.opened != s.opened {
					t.Errorf("the document was opened %d times, want %d", f.opened, s.opened)
				}
			})
		})
	}
}

// A server of which nothing is known is asked for the symbols first: it is only
// after the answer that its silence is timed.
func TestSilenceIsTimedFromTheBarrier(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Settled))
		asked := 0
		f.barrier = func(context.Context, string) error {
			asked++
			<-time.After(2 * time.Second)
			return nil
		}
		start := time.Now()
		a, _ := check(t, c, f.file("/w/a", "1"))
		expect(t, said(a), "partial 1: ")
		expectElapsed(t, start, 2*time.Second+firstDelay)
		if asked != 1 {
			t.Errorf("asked %d times, want once", asked)
		}
	})
}
