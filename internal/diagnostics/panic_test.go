package diagnostics

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// A panic in the collection from one server is that server's missing answer: those beside
// it are complete, and so is its own next one.
func TestPanicInACollection(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		broken := true
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
			if path == "/w/a" && broken {
				panic("kaboom")
			}
			return protocol.Report{Items: errorsOf("wrong")}, nil
		}
		report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/a", "x"), f.file("/w/b", "x")}})
		if err != nil {
			t.Fatal(err)
		}
		a, b := report.Files[0], report.Files[1]
		if got := a.Answers[0]; got.Freshness != Unavailable || !strings.Contains(got.Reason, "failed inside: kaboom") || a.Verdict == Clean {
			t.Errorf("%s: %+v", a.Verdict, got)
		}
		expect(t, said(b.Answers[0]), "fresh 1: wrong")
		broken = false
		again, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(again), "fresh 1: wrong")
	})
}

// A collection that goes on after its deadline may panic, too: nobody waits for it, and
// the next answer is not concerned.
func TestPanicInALateCollection(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		release, threw := make(chan struct{}), false
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			if !threw {
				threw = true
				<-release
				panic("kaboom")
			}
			return protocol.Report{Items: errorsOf("wrong")}, nil
		}
		report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/a", "x")}, Timeout: time.Second, FirstTouch: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, said(report.Files[0].Answers[0]), "timeout 1: ")
		close(release)
		synctest.Wait()
		a, _ := check(t, c, f.file("/w/a", "y"))
		expect(t, said(a), "fresh 2: wrong")
	})
}

// A panic while the disk is checked costs what that check would have found: the answer says
// so, and the next check is another one.
func TestPanicInADiskCheck(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		p := newCompiler(t, c)
		a := p.write(t, "a", "one")
		works := p.disk
		p.disk = func(context.Context) error { panic("kaboom") }
		answer, r := check(t, c, a)
		if r.Verdict == Clean || !strings.Contains(answer.Reason, "failed inside: kaboom") {
			t.Errorf("%s: %+v", r.Verdict, answer)
		}
		p.disk = works
		again, _ := check(t, c, a)
		expect(t, said(again), "fresh 1: compiled one")
	})
}
