package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/lspine/lspine/internal/lsp"
	"github.com/lspine/lspine/internal/lsptest"
	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// dependant is a file that is asked about because of others.
func (f *fake) dependant(path, text string) File {
	file := f.file(path, text)
	file.Closed = true
	return file
}

// pulls returns a server that answers every pull with what report says.
func pulls(c *Collector, report func(path string) []protocol.Diagnostic) *fake {
	d := only(registry.Pull)
	d.ClosedFiles = registry.ClosedPull
	f := newFake(c, d)
	f.identifiers = []string{""}
	f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
		return protocol.Report{Items: report(path)}, nil
	}
	return f
}

// A server that speaks of closed files is asked without opening them, its answer
// stands while nothing changes, and is the baseline of the next one.
func TestDependantsStayClosed(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		asked, wrong := 0, "old"
		f := pulls(c, func(string) []protocol.Diagnostic { asked++; return errorsOf(wrong) })
		a, _ := check(t, c, f.dependant(here("/w/user"), "x"))
		expect(t, said(a), "fresh 0: old")
		check(t, c, f.dependant(here("/w/user"), "x"))
		if f.opened != 0 || asked != 1 {
			t.Errorf("opened %d, asked %d times", f.opened, asked)
		}
		f.disturb()
		wrong = "new"
		a, report := check(t, c, f.dependant(here("/w/user"), "x"))
		expect(t, said(a), "fresh 0: new")
		expect(t, messages(report.New)+" for "+messages(report.Fixed), "new for old")
	})
}

// A server can be asked about a file that is not open if it pulls or has a command for closed files, or if it pulls for
// single files what it otherwise publishes for all; if it is asked about all files, it cannot.
func TestWhoSpeaksOfClosedFiles(t *testing.T) {
	ids, none := []string{""}, []string(nil)
	files := []registry.Strategy{registry.Pull}
	for _, tt := range []struct {
		closed      registry.ClosedFiles
		identifiers []string
		strategies  []registry.Strategy
		wide, want  bool
	}{
		{registry.ClosedPull, ids, nil, false, true},
		{registry.ClosedPull, none, nil, false, false},
		{registry.ClosedPushes, ids, files, false, true},
		{registry.ClosedPushes, ids, files, true, false},
		{registry.ClosedPushes, none, files, false, false},
		{registry.ClosedPushes, ids, []registry.Strategy{registry.Versioned}, false, false},
		{registry.ClosedCommand, ids, []registry.Strategy{registry.DiagnosisCommand}, false, true},
		{registry.ClosedCommand, ids, files, false, false},
		{registry.ClosedOpen, ids, files, false, false},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			d := only(registry.Pull)
			d.ClosedFiles, d.FileStrategies, d.Commands = tt.closed, tt.strategies, []registry.CommandCall{{Command: "diagnose"}}
			f := newFake(c, d)
			f.identifiers = tt.identifiers
			f.command = func(context.Context, string) ([]protocol.Diagnostic, error) { return nil, nil }
			if got := (&turn{server: f, wide: tt.wide}).speaksUnopened(); got != tt.want {
				t.Errorf("%s with identifiers %q, strategies %q, wide %t: %t", tt.closed, tt.identifiers, tt.strategies, tt.wide, got)
			}
		})
	}
}

// One that knows open files alone gets dependants opened; of those the ones used
// longest ago are closed when there are too many, but none that was checked for its
// own sake.
func TestLentDocumentsAreGivenBack(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		c.opts.MaxLent = 2
		d := only(registry.Versioned)
		d.ClosedFiles = registry.ClosedOpen
		f := newFake(c, d)
		f.shown = func(path string, version int32) { later(ms, func() { f.push(path, version) }) }
		check(t, c, f.file(here("/w/own"), "x"))
		check(t, c, f.dependant(here("/w/own"), "x"))
		for i := range 3 {
			check(t, c, f.dependant(fmt.Sprintf(here("/w/%d"), i), "x"))
			check(t, c, f.dependant(here("/w/0"), "x"))
		}
		check(t, c, f.file(here("/w/2"), "x")) // now it is wanted itself
		check(t, c, f.dependant(here("/w/3"), "x"))
		check(t, c, f.dependant(here("/w/4"), "x"))
		if want := []string{here("/w/1"), here("/w/0")}; !slices.Equal(f.closed, want) {
			t.Errorf("closed %q, want %q", f.closed, want)
		}
	})
}

// No file of a check is asked about before the server was shown all of them.
func TestAllAreShownBeforeOneIsAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var mu sync.Mutex
		var f *fake
		tooEarly := 0
		f = pulls(c, func(string) []protocol.Diagnostic {
			mu.Lock()
			defer mu.Unlock()
			if _, _, open := f.Document(here("/w/late")); !open {
				tooEarly++
			}
			return nil
		})
		late := f.file(here("/w/late"), "x")
		obtain := late.Sources[0].Obtain
		late.Sources[0].Obtain = func(ctx context.Context) (Server, error) {
			<-time.After(50 * ms)
			return obtain(ctx)
		}
		report, err := c.Check(t.Context(), Request{Files: []File{f.file(here("/w/a"), "x"), late, f.dependant(here("/w/b"), "x")}})
		if err != nil || tooEarly != 0 {
			t.Errorf("%d were asked about too early, %v", tooEarly, err)
		}
		for _, file := range report.Files {
			if !file.Fresh() {
				t.Errorf("%s: %s", file.Path, said(file.Answers[0]))
			}
		}
	})
}

// A file that cannot be shown keeps nobody from passing.
func TestFailureDoesNotHoldOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, func(string) []protocol.Diagnostic { return nil })
		bad := f.file(here("/w/bad"), "x")
		bad.Sources[0].Obtain = func(context.Context) (Server, error) { return nil, errEnded }
		start := time.Now()
		report, err := c.Check(t.Context(), Request{Files: []File{bad, f.file(here("/w/a"), "x")}})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, said(report.Files[0].Answers[0])+"; "+said(report.Files[1].Answers[0]), "unavailable 0: ; fresh 1: ")
		expectElapsed(t, start, 0)
	})
}

// What a server pushed for one file before another changed is not its last word.
func TestPushBeforeTheOthersChangedDoesNotCount(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		var mu sync.Mutex
		state := "first"
		f.shown = func(path string, version int32) {
			mu.Lock()
			defer mu.Unlock()
			if path == here("/w/b") {
				state = "second"
			}
			said := state
			later(ms, func() { f.push(path, version, said) })
		}
		for round, want := range []string{"second second", "second second"} {
			mu.Lock()
			state = "first"
			mu.Unlock()
			late := f.file(here("/w/b"), fmt.Sprint(round))
			obtain := late.Sources[0].Obtain
			late.Sources[0].Obtain = func(ctx context.Context) (Server, error) {
				if round > 0 {
					<-time.After(20 * ms)
				}
				return obtain(ctx)
			}
			if round == 0 { // only opened: nobody knew another text
				check(t, c, late)
			}
			report, err := c.Check(t.Context(), Request{Files: []File{f.file(here("/w/a"), fmt.Sprint(round)), late}})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, messages(report.Files[0].Diagnostics)+" "+messages(report.Files[1].Diagnostics), want)
		}
	})
}

// What was said is known for the texts that all files had then; for other files only if the server
// was done with them.
func TestKnows(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, func(string) []protocol.Diagnostic { return nil })
		file := f.file(here("/w/a"), "x")
		expect(t, fmt.Sprint(c.Knows(nil, file, false)), "false")
		check(t, c, file)
		expect(t, fmt.Sprint(c.Knows(nil, file, false), c.Knows(nil, file, true), c.Knows(nil, f.file(here("/w/a"), "y"), false)), "true false false")
		if _, err := c.Check(t.Context(), Request{Files: []File{file}, OthersToo: true}); err != nil {
			t.Fatal(err)
		}
		check(t, c, f.file(here("/w/b"), "one"))
		expect(t, fmt.Sprint(c.Knows(nil, file, false), c.Knows(nil, file, true)), "true true")
		check(t, c, f.file(here("/w/b"), "two"))
		expect(t, fmt.Sprint(c.Knows(nil, file, false), c.Knows(map[string][]byte{here("/w/b"): []byte("one")}, file, true)), "false true")
	})
}

// A file that was known is asked about again when another one of the same check
// changes.
func TestStandingAnswerFallsWithTheOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		var f *fake
		f = pulls(c, func(path string) []protocol.Diagnostic {
			_, text, _ := f.Document(here("/w/lib"))
			return errorsOf("with " + string(text))
		})
		for _, text := range []string{"one", "two"} {
			report, err := c.Check(t.Context(), Request{Files: []File{f.dependant(here("/w/user"), "x"), f.file(here("/w/open"), "x"), f.file(here("/w/lib"), text)}})
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range report.Files {
				expect(t, messages(file.Diagnostics), "with "+text)
			}
		}
	})
}

// A server that says of a project file that it could not load the project knows
// only a part of what is wrong elsewhere: nothing of that is clean.
func TestUnloadedProjectIsNeverClean(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, func(string) []protocol.Diagnostic { return nil })
		f.def.Diagnostics.ProjectFiles = []string{"build.file"}
		_, report := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, string(report.Verdict), string(Clean))
		f.push(here("/w/build.file"), -1, "no such plugin")
		f.disturb()
		a, report := check(t, c, f.file(here("/w/a"), "x"))
		expect(t, said(a)+"; "+a.Reason+"; "+string(report.Verdict), "partial 1: ; the project is not loaded: build.file:1: no such plugin; unknown")
		a, _ = check(t, c, f.file(here("/w/build.file"), "x"))
		expect(t, string(a.Freshness), "fresh")
		f.push(here("/w/build.file"), -1)
		f.disturb()
		_, report = check(t, c, f.file(here("/w/a"), "x"))
		expect(t, string(report.Verdict), string(Clean))
	})
}

// A server that publishes only what differs from its last publish, and was asked about a
// file in between, does not say again what it published before: the file is asked about
// once more, whether it became wrong or was mended.
func TestPublishedAgainIsNotAsked(t *testing.T) {
	for _, c := range []struct{ published, asked string }{{"wrong", ""}, {"", "wrong"}} {
		inBubble(t, func(t *testing.T, collector *Collector) {
			d := only(registry.DiagnosisCommand)
			d.FileStrategies, d.AnnouncePull, d.ClosedFiles = []registry.Strategy{registry.Pull}, true, registry.ClosedPushes
			f := newFake(collector, d)
			f.identifiers = []string{""}
			list := func(text string) []protocol.Diagnostic {
				return errorsOf(slices.DeleteFunc([]string{text}, func(s string) bool { return s == "" })...)
			}
			now, said := c.published, "nothing"
			f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
				if path != here("/w/user") {
					return protocol.Report{}, nil
				}
				return protocol.Report{Items: list(now)}, nil
			}
			f.command = func(_ context.Context, path string) ([]protocol.Diagnostic, error) {
				f.push(path, -1)
				if said != now {
					f.out.Published(lsp.Published{Path: here("/w/user"), Items: list(now)})
					said = now
				}
				return nil, nil
			}
			checkAll(t, collector, f.file(here("/w/own"), "1"))
			now = c.asked
			checkAll(t, collector, f.file(here("/w/own"), "2"))
			user := f.dependant(here("/w/user"), "x")
			user.Narrow = true
			if a, _ := check(t, collector, user); messages(merge([]Answer{a})) != c.asked {
				t.Errorf("asked: %v", a.Items)
			}
			now = c.published
			report := checkAll(t, collector, f.file(here("/w/own"), "3"))
			var unseen, fixed string
			for _, o := range report.Others {
				unseen, fixed = messages(o.New), messages(o.Fixed)
			}
			if unseen != c.published || fixed != c.asked {
				t.Errorf("published %q, answered %q: new %q, fixed %q", c.published, c.asked, unseen, fixed)
			}
		})
	}
}

func checkAll(t *testing.T, c *Collector, files ...File) Report {
	t.Helper()
	report, err := c.Check(t.Context(), Request{Files: files, OthersToo: true})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// A file that is judged only when it is open is opened, whoever asks.
func TestShownFilesAreOpened(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, func(string) []protocol.Diagnostic { return nil })
		file := f.dependant(here("/w/user"), "x")
		file.Shown = true
		check(t, c, file)
		if f.opened != 1 {
			t.Errorf("opened %d, want 1", f.opened)
		}
	})
}

// A server that refuses to answer about a closed file has not said that it is clean.
func TestRefusalOfAClosedFile(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := pulls(c, nil)
		f.pull = func(context.Context, string, string, string) (protocol.Report, error) {
			return protocol.Report{}, errors.New("it broke")
		}
		a, report := check(t, c, f.dependant(here("/w/user"), "x"))
		expect(t, said(a)+a.Reason, "unavailable 0: it broke")
		expect(t, string(report.Verdict), string(LSPUnavailable))
	})
}

// here returns the path on this system of a file that a test names for all systems.
func here(path string) string { return lsptest.Rooted(path) }
