package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// The end of the deadline is an answer of its own, with what is known by then
// and the reason; never an empty fresh one.
//
// Requirement: REQ-TIMING-010, BR-84, EC-47, LSP-FH-002.
func TestDeadline(t *testing.T) {
	for name, tt := range map[string]struct {
		shown        func(f *fake)
		want, reason string
	}{
		"nothing came": {func(*fake) {}, "timeout 1: ", "no answer in time"},
		"something came": {
			func(f *fake) { f.push("/w/a", -1, "half") },
			"partial 1: half", "the deadline came before",
		},
		"only something older came": {func(f *fake) { f.push("/w/a", 0, "old") }, "timeout 1: ", "no answer"},
		"it is still loading": {
			func(f *fake) { f.out.Progressed(protocol.ProgressEvent{Token: "1", Kind: "begin", Title: "indexing"}) },
			"indexing 1: ", "still busy: indexing",
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				f.shown = func(string, int32) { later(time.Second, func() { tt.shown(f) }) }
				start := time.Now()
				a, r := check(t, c, f.file("/w/a", "x"))
				expect(t, said(a), tt.want)
				if !strings.Contains(a.Reason, tt.reason) {
					t.Errorf("reason %q, want %q", a.Reason, tt.reason)
				}
				if (a.Freshness != Partial || len(a.Items) == 0) && r.Verdict != Unknown {
					t.Errorf("verdict %s", r.Verdict)
				}
				expectElapsed(t, start, 10*time.Second)
				if missed := a.Freshness == Timeout; (f.missed > 0) != missed {
					t.Errorf("it counts as %d deadlines missed", f.missed)
				}
				if a.Waited != 10*time.Second {
					t.Errorf("waited %v", a.Waited)
				}
			})
		})
	}
}

// A server that is still starting at the deadline is indexing.
func TestDeadlineWhileStarting(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		s := Source{Key: Key{"slow", "/w"}, Obtain: func(ctx context.Context) (Server, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		a, _ := check(t, c, File{Path: "/w/a", Sources: []Source{s}})
		expect(t, said(a), "indexing 0: ")
		expect(t, a.Reason, "still starting")
	})
}

// The long limit is for the first collection of a server alone, whatever that
// one's outcome was.
func TestFirstTouchIsUsedOnce(t *testing.T) {
	failure := &lsp.ServerError{Server: "fake", Phase: "initialize", Err: errors.New("no")}
	for name, first := range map[string]func(f *fake) (Server, error){
		"time-out": func(f *fake) (Server, error) { return f, nil },
		"success": func(f *fake) (Server, error) {
			f.shown = func(path string, version int32) {
				if version == 1 {
					later(ms, func() { f.push(path, version) })
				}
			}
			return f, nil
		},
		"failure": func(*fake) (Server, error) { return nil, failure },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				file := f.file("/w/a", "1")
				file.Sources[0].Obtain = func(context.Context) (Server, error) { return first(f) }
				start := time.Now()
				check(t, c, file)
				if name == "time-out" {
					expectElapsed(t, start, 10*time.Second)
				}
				start = time.Now()
				a, _ := check(t, c, f.file("/w/a", "2"))
				if a.Freshness != Timeout {
					t.Errorf("got %s", said(a))
				}
				expectElapsed(t, start, 3*time.Second)
			})
		})
	}
}

// What comes after the deadline is kept and handed over once, with the next
// answer about something else.
func TestLateAnswerIsDeliveredOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) {
			after := 10 * ms
			if path == "/w/slow" {
				after = 12 * time.Second
			}
			later(after, func() { f.push(path, version, "in "+path) })
		}
		a, _ := check(t, c, f.file("/w/slow", "x"))
		expect(t, said(a), "timeout 1: ")
		ask := func(path string) Report {
			t.Helper()
			report, err := c.Check(t.Context(), Request{Files: []File{f.file(path, "y")}})
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		if r := ask("/w/b"); len(r.Late) != 0 {
			t.Errorf("late before it came: %+v", r.Late)
		}
		<-time.After(5 * time.Second)
		r := ask("/w/c")
		if len(r.Late) != 1 || r.Late[0].Path != "/w/slow" || messages(r.Late[0].Diagnostics) != "in /w/slow" {
			t.Errorf("late: %+v", r.Late)
		}
		if r := ask("/w/d"); len(r.Late) != 0 {
			t.Errorf("late again: %+v", r.Late)
		}
	})
}

// When the caller is gone the work stops, and the error says so; the end of a
// deadline of the caller is an answer.
func TestCallersContext(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Pull))
		f.identifiers = []string{""}
		stopped := false
		f.pull = func(ctx context.Context, _, _, _ string) (protocol.Report, error) {
			<-ctx.Done()
			stopped = true
			return protocol.Report{}, ctx.Err()
		}
		ctx, cancel := context.WithCancel(t.Context())
		later(50*ms, cancel)
		start := time.Now()
		_, err := c.Check(ctx, Request{Files: []File{f.file("/w/a", "x")}})
		if !errors.Is(err, context.Canceled) || !stopped {
			t.Errorf("error %v, stopped %v", err, stopped)
		}
		expectElapsed(t, start, 50*ms)

		limited, cancel := context.WithTimeout(t.Context(), 200*ms)
		defer cancel()
		report, err := c.Check(limited, Request{Files: []File{f.file("/w/a", "y")}})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, said(report.Files[0].Answers[0]), "timeout 2: ")
	})
}

// What a cancelled check had shown is answered for the next one, although the
// server says it once only.
func TestCancelledCheckIsTakenUp(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) { later(100*ms, func() { f.push(path, version, "broken") }) }
		ctx, cancel := context.WithCancel(t.Context())
		later(50*ms, cancel)
		if _, err := c.Check(ctx, Request{Files: []File{f.file("/w/a", "x")}}); err == nil {
			t.Error("no error")
		}
		<-time.After(time.Second)
		a, _ := check(t, c, f.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
		if f.opened != 1 {
			t.Errorf("opened %d times", f.opened)
		}
	})
}

// Files and servers are waited for together, under one deadline.
func TestFilesShareOneDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) {
			if filepath.Base(path) == "3" {
				later(20*ms, func() { f.push(path, version, "broken") })
			}
		}
		var files []File
		dir := t.TempDir()
		for i := range 5 {
			name := filepath.Join(dir, fmt.Sprint(i))
			lsptest.WriteFile(t, name, "x")
			files = append(files, f.file(name, "x"))
		}
		start := time.Now()
		report, err := c.Check(t.Context(), Request{Files: files, Timeout: time.Second, FirstTouch: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		expectElapsed(t, start, time.Second)
		for i, r := range report.Files {
			want := "timeout 1: "
			if i == 3 {
				want = "fresh 1: broken"
			}
			expect(t, said(r.Answers[0]), want)
		}
	})
}

// A text that is not that of the file changes what a server says of others, also when its document
// is only opened with it: those that were shown before are looked at again. One that is opened with
// the text of the file changes nothing.
func TestDraftsOpenedTogether(t *testing.T) {
	for text, want := range map[string]int{"x": 0, "a draft": 1} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.Versioned))
			f.shown = func(path string, version int32) { later(20*ms, func() { f.push(path, version) }) }
			var files []File
			dir := t.TempDir()
			for i := range 2 {
				name := filepath.Join(dir, fmt.Sprint(i))
				lsptest.WriteFile(t, name, "x")
				files = append(files, f.file(name, text))
			}
			report := checkAll(t, c, files...)
			again := 0
			for _, r := range report.Files {
				again += int(r.Answers[0].Version) - 1
			}
			if again != want {
				t.Errorf("%q: %d are shown again, want %d", text, again, want)
			}
		})
	}
}

// A crash while an answer is awaited is the answer, with what the server last
// said of itself; one more start is tried.
//
// Requirement: LSP-FH-006.
func TestCrashWhileWaiting(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(string, int32) { later(20*ms, f.crash) }
		file := f.file("/w/a", "x")
		obtained := 0
		file.Sources[0].Obtain = func(context.Context) (Server, error) {
			if obtained++; obtained > 1 {
				return nil, errors.New("it is broken")
			}
			return f, nil
		}
		start := time.Now()
		a, r := check(t, c, file)
		expect(t, said(a), "unavailable 0: ")
		expect(t, a.Reason, "it is broken")
		expect(t, string(r.Verdict), string(LSPUnavailable))
		expectElapsed(t, start, 20*ms)

		// The next one lives.
		g := newFake(c, only(registry.Versioned))
		g.shown = func(path string, version int32) { later(ms, func() { g.push(path, version, "broken") }) }
		a, _ = check(t, c, g.file("/w/a", "x"))
		expect(t, said(a), "fresh 1: broken")
	})
}

// What a server said is nobody's word any more when it has ended.
func TestEndedServerStandsForNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) { later(ms, func() { f.push(path, version, "broken") }) }
		check(t, c, f.file("/w/a", "x"))
		if known := c.Known(nil); len(known) != 1 {
			t.Errorf("known: %+v", known)
		}
		f.crash()
		if known := c.Known(nil); len(known) != 0 {
			t.Errorf("known after the end: %+v", known)
		}
	})
}
