package diagnostics

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/protocol"
)

// What is mended in a file that changed itself, and was not judged in time, is not told of the next
// change, of another file that it uses.
func TestChangedFilesThatAreStillOwed(t *testing.T) {
	inBubble(t, func(t *testing.T, collector *Collector) {
		user := &slowUser{wrong: "e"}
		f := pulls(collector, nil)
		f.pull = user.pull
		ask := func(files ...File) FileReport {
			t.Helper()
			report, err := collector.Check(t.Context(), Request{Files: files, OthersToo: true, Timeout: time.Second, FirstTouch: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			return report.Files[0]
		}
		ask(f.file(here("/w/user"), "x"))
		user.becomes("", 20*time.Second)
		if r := ask(f.file(here("/w/user"), "y")); r.Answers[0].Freshness != Timeout {
			t.Fatal(said(r.Answers[0]))
		}
		user.becomes("", 0)
		r := ask(f.dependant(here("/w/user"), "y"), f.file(here("/w/lib"), "1"))
		if got := fmt.Sprintf("%s: fixed %s, since %s", said(r.Answers[0]), messages(r.Fixed), r.Baseline); got != "fresh 2: : fixed , since session" {
			t.Error(got)
		}
	})
}

// What a change did to a file that uses it, and that could not be judged in time, is told under that
// change when it is known, and never under the next one: what was said before both is no baseline of
// the next, neither for a fix nor for an error, until the server has answered for the first.
func TestUsersThatAreStillOwed(t *testing.T) {
	type told struct {
		Known              bool // when the next change begins
		Baseline           Baseline
		New, Fixed         string
		LateNew, LateFixed string
	}
	for _, c := range []struct {
		name          string
		before, after string // what is wrong with the user before the first change and after it
		waits         bool   // for the answer, before the next change
		asks          bool   // about the user as it is before the next change, like an edit
		want          told
	}{
		{"mended, and not answered yet", "e", "", false, false, told{Baseline: Session, LateFixed: "e"}},
		{"broken, and not answered yet", "", "e", false, false, told{Baseline: None, New: "e", LateNew: "e"}},
		{"as it was, and not answered yet", "e", "e", false, false, told{Baseline: Session}},
		{"mended, and asked about before the next", "e", "", false, true, told{Known: true, Baseline: Session, LateFixed: "e"}},
		{"broken, and asked about before the next", "", "e", false, true, told{Known: true, Baseline: Session, LateNew: "e"}},
		{"mended, and answered before the next", "e", "", true, false, told{Known: true, Baseline: Session, LateFixed: "e"}},
		{"broken, and answered before the next", "", "e", true, false, told{Known: true, Baseline: Session, LateNew: "e"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				used := &slowUser{wrong: c.before}
				f := pulls(collector, nil)
				f.pull = used.pull
				n := 0
				change := func() Report {
					t.Helper()
					n++
					report, err := collector.Check(t.Context(), Request{
						Files: []File{f.file(here("/w/lib"), fmt.Sprint(n)), f.dependant(here("/w/user"), "x")}, OthersToo: true, Timeout: time.Second, FirstTouch: time.Second,
					})
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				change()
				used.becomes(c.after, 20*time.Second)
				if first := change(); first.Files[1].Answers[0].Freshness != Timeout {
					t.Fatalf("the first change: %s", said(first.Files[1].Answers[0]))
				}
				if c.waits {
					<-time.After(time.Minute)
				}
				if c.asks {
					if _, err := collector.Check(t.Context(), Request{Files: []File{f.dependant(here("/w/user"), "x")}, Probe: true, NoBaseline: true, Timeout: time.Minute}); err != nil {
						t.Fatal(err)
					}
				}
				used.becomes(c.after, 0)
				got := told{Known: collector.Knows(f.dependant(here("/w/user"), "x"), false)}
				next := change()
				user := next.Files[1]
				got.Baseline, got.New, got.Fixed = user.Baseline, messages(user.New), messages(user.Fixed)
				<-time.After(time.Minute)
				f.disturb()
				for _, late := range append(next.Late, change().Late...) {
					got.LateNew += messages(late.New)
					got.LateFixed += messages(late.Fixed)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// What is owed about a file is known until the server has answered what was asked last: an answer
// to an earlier question does not settle it, nor does one that is given up. A question about the
// state before a change owes nothing.
func TestWhatIsOwed(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes []time.Duration // of the changes that are not answered in time
		probe bool            // the last is no change, but a question about the state before one
		after time.Duration
		known bool
	}{
		{"answered", []time.Duration{20 * time.Second}, false, time.Minute, true},
		{"not answered yet", []time.Duration{20 * time.Second}, false, 10 * time.Second, false},
		{"only an earlier one is answered", []time.Duration{20 * time.Second, 25 * time.Second}, false, 20 * time.Second, false},
		{"both are answered", []time.Duration{20 * time.Second, 25 * time.Second}, false, 2 * time.Minute, true},
		{"given up", []time.Duration{24 * time.Hour}, false, 48 * time.Hour, false},
		{"a question before a change", []time.Duration{20 * time.Second}, true, 10 * time.Second, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				user := &slowUser{wrong: "e"}
				f := pulls(collector, nil)
				f.pull = user.pull
				ask := func(req Request) {
					t.Helper()
					req.Timeout, req.FirstTouch = time.Second, time.Second
					if _, err := collector.Check(t.Context(), req); err != nil {
						t.Fatal(err)
					}
				}
				one := f.dependant(here("/w/user"), "x")
				ask(Request{Files: []File{one}})
				for i, takes := range c.takes {
					user.becomes("e", takes)
					switch {
					case c.probe:
						ask(Request{Files: []File{one}, Probe: true, NoBaseline: true})
					default:
						ask(Request{Files: []File{f.file(here("/w/lib"), fmt.Sprint(i)), one}, OthersToo: true})
					}
				}
				<-time.After(c.after)
				if known := collector.Knows(one, false); known != c.known {
					t.Errorf("known: %v", known)
				}
			})
		})
	}
}

// A slowUser is what a server says of /w/user, and how long it takes for that: a question that was
// given up may still be at it.
type slowUser struct {
	mu    sync.Mutex
	wrong string // "" is nothing
	takes time.Duration
}

func (u *slowUser) becomes(wrong string, takes time.Duration) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.wrong, u.takes = wrong, takes
}

func (u *slowUser) pull(ctx context.Context, path, _, _ string) (report protocol.Report, _ error) {
	if path != here("/w/user") {
		return report, ctx.Err()
	}
	u.mu.Lock()
	if u.wrong != "" {
		report.Items = errorsOf(u.wrong)
	}
	takes := u.takes
	u.mu.Unlock()
	<-time.After(takes)
	return report, ctx.Err()
}

// An answer about a file is owed from the moment that it is asked for because of a change; not for a
// question about the state before one, nor where the server reports on all files by itself, unless
// this file is not among them.
func TestWhatIsOwedFromTheBeginning(t *testing.T) {
	const path = "/w/a"
	own, user, reported := File{Path: path}, File{Path: path, Closed: true}, File{Path: path, Closed: true, Reported: true}
	for _, c := range []struct {
		name  string
		file  File
		all   bool // the server reports on all files
		probe bool
		owed  bool
	}{
		{"what changed", own, false, false, true},
		{"what changed, before", own, false, true, false},
		{"what changed, of all", own, true, false, false},
		{"a user", user, false, false, true},
		{"a user, before", user, false, true, false},
		{"a user, of all", user, true, false, true},
		{"a user, of all, before", user, true, true, false},
		{"a user that is reported on", reported, false, false, true},
		{"a user that is reported on, of all", reported, true, false, false},
	} {
		s, j := &stream{files: make(map[string]*fileState), publishesAll: c.all}, new(job)
		due := s.beginDue(j, Request{Probe: c.probe}, c.file)
		if owed := due == j; owed != c.owed || !owed && due != nil {
			t.Errorf("%s: owed: %t", c.name, owed)
		}
	}
	s := &stream{files: map[string]*fileState{path: {due: new(job)}}}
	if due := s.beginDue(new(job), Request{Probe: true}, own); due == nil || due != s.files[path].due {
		t.Error("a question about the state before a change does not learn what is owed")
	}
}
