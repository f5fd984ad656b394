package diagnostics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// A hearer is a fake server, whose publishes about at most four files with findings are kept.
func hearer(t *testing.T, c *Collector) *fake {
	t.Helper()
	c.opts.Heard = HeardLimits{Files: 4, Bytes: 4000}
	f := newFake(c, only(registry.Versioned))
	f.shown = func(path string, version int32) { later(0, func() { f.push(path, version) }) }
	return f
}

// publishes sends one error about each of n files of a folder, or takes them back.
func (f *fake) publishes(folder string, n int, messages ...string) {
	for i := range n {
		f.push(fmt.Sprintf("%s/%d", folder, i), -1, messages...)
	}
}

// What is kept of publishes about files that nobody asked about is limited: in number, in size, and outside of the root to an
// eighth of that. What is kept and what is remembered of the rest do not grow with what comes.
func TestPublishesAreKeptUpToLimits(t *testing.T) {
	type kept struct {
		Inside, Outside account
		Forgotten       int
		Many            bool
		Files           int
	}
	const one = 256 + 5 // bytes of an error with this message
	for name, tt := range map[string]struct {
		limits HeardLimits
		with   func(f *fake)
		want   kept
	}{
		"few":        {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 4, "wrong") }, kept{account{4, 0, 4 * one}, account{}, 0, false, 4}},
		"too many":   {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 6, "wrong") }, kept{account{4, 0, 4 * one}, account{}, 2, false, 4}},
		"too large":  {HeardLimits{4, 600}, func(f *fake) { f.publishes("/w", 4, "wrong") }, kept{account{2, 0, 2 * one}, account{}, 2, false, 2}},
		"silent":     {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 9) }, kept{account{0, 4, 0}, account{}, 0, false, 4}},
		"outside":    {HeardLimits{16, 80000}, func(f *fake) { f.publishes("/elsewhere", 5, "wrong"); f.publishes("/w", 3, "wrong") }, kept{account{3, 0, 3 * one}, account{2, 0, 2 * one}, 3, false, 5}},
		"beside":     {HeardLimits{16, 80000}, func(f *fake) { f.publishes("/wide", 5, "wrong") }, kept{account{}, account{2, 0, 2 * one}, 3, false, 2}},
		"again":      {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 4, "wrong"); f.publishes("/w", 4, "wrong") }, kept{account{4, 0, 4 * one}, account{}, 0, false, 4}},
		"taken back": {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 6, "wrong"); f.publishes("/w", 6) }, kept{account{0, 4, 0}, account{}, 0, false, 4}},
		"longer": {HeardLimits{4, 600}, func(f *fake) {
			f.publishes("/w", 2, "wrong")
			f.publishes("/w", 1, "wrong", strings.Repeat("x", 1000))
		}, kept{account{1, 0, one}, account{}, 1, false, 1}},
		"gone":  {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 6, "wrong"); f.collectorOf().Forget("/w/0", "/w/5") }, kept{account{3, 0, 3 * one}, account{}, 1, false, 3}},
		"asked": {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 4, "wrong"); f.streamOf().own("/w/0") }, kept{account{3, 0, 3 * one}, account{}, 0, false, 4}},
		"flood": {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 200_000, "wrong") }, kept{account{4, 0, 4 * one}, account{}, maxForgotten, true, 4}},
		"ended": {HeardLimits{4, 4000}, func(f *fake) { f.publishes("/w", 6, "wrong"); f.out.Ended(nil) }, kept{}},
	} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f := newFake(c, only(registry.Versioned))
			c.opts.Heard = tt.limits
			tt.with(f)
			s := c.stream(f.key)
			h := &s.hearing
			got := kept{h.inside, h.outside, len(h.forgotten), h.many, len(s.files)}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(account{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

func (f *fake) streamOf() *stream       { return f.out.(*stream) }
func (f *fake) collectorOf() *Collector { return f.streamOf().collector }

// show gives a file another text.
func (f *fake) show(path string, n int) { _, _ = f.Sync(path, fmt.Append(nil, n)) }

// own is what a check does first.
func (s *stream) own(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fileLocked(path)
}

// Who asks about other files is told that not all are known, as long as they are not; an answer about single files is whole. A
// file that is open, and one that was asked about, is heard however many others there are.
func TestAnswersSayThatNotAllIsKept(t *testing.T) {
	const why = "what is wrong in all other files: fake published errors for more files than are kept (4)"
	inBubble(t, func(t *testing.T, c *Collector) {
		f := hearer(t, c)
		type said struct {
			Verdict Verdict
			Unkept  []string
			Others  int
		}
		check := func(wide bool) said {
			t.Helper()
			r, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/mine", "x")}, OthersToo: wide, NoBaseline: true})
			if err != nil {
				t.Fatal(err)
			}
			return said{r.Judgement().Verdict(), r.Unkept, len(r.Others)}
		}
		got := []said{check(true)}
		f.publishes("/w", 9, "wrong")
		got = append(got, check(true), check(false))
		f.push("/w/mine", -1, "found since")
		got = append(got, check(false))
		f.push("/w/mine", -1)
		f.publishes("/w", 9)
		got = append(got, check(true))
		want := []said{{Verdict: Clean}, {Unknown, []string{why}, 0}, {Verdict: Clean}, {Verdict: NewErrors}, {Verdict: Clean}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A file of which something was published that was not kept is not clean because nothing is known of it, when somebody asks at
// last: only what the server says from then on counts.
func TestAFileThatWasNotHeard(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := hearer(t, c)
		s := c.stream(f.key)
		f.publishes("/w", 9, "wrong")
		answer := func() []any {
			a := Answer{Freshness: Fresh}
			s.admit("/w/8", &a)
			return []any{a.Freshness, a.Reason}
		}
		got := [][]any{answer()} // nobody has asked
		s.own("/w/8")
		got = append(got, answer())
		f.push("/w/8", -1)
		got = append(got, answer())
		want := [][]any{
			{Fresh, ""}, {Partial, "what it found before anybody asked about this file was not kept, as it found something in too many"}, {Fresh, ""},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// The findings of files that were asked about are limited as well: beyond that, the first are kept of each publish, and the answer
// says how many others there were.
func TestWhatIsKeptOfFilesThatWereAskedAbout(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		c.opts.Heard = HeardLimits{Files: 4, Bytes: 100_000}
		s := c.stream(f.key)
		many := make([]string, 300)
		for i := range many {
			many[i] = "wrong"
		}
		var got []string
		for i := range 3 {
			path := fmt.Sprintf("/w/%d", i)
			s.own(path)
			f.push(path, -1, many...)
			a := Answer{Freshness: Fresh}
			s.admit(path, &a)
			got = append(got, fmt.Sprintf("%d %s: %s", len(s.files[path].items), a.Freshness, a.Reason))
		}
		want := []string{"300 fresh: ", "100 partial: it found more than is kept of one file (200 others)", "100 partial: it found more than is kept of one file (200 others)"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// What was said of all files at earlier moments takes at most four times what it may take at one: the oldest moments are forgotten.
// A server of which not everything is kept has never reported on all files.
func TestMomentsAreKeptUpToALimit(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		c.opts.Heard = HeardLimits{Files: 4, Bytes: 600}
		turn := turnOf(c, f, f.key, "x")
		s := turn.stream
		s.server = f
		f.publishes("/w", 2, "wrong") // 522 bytes
		for world := range 9 {
			f.show(turn.path, world)
			turn.enter()
			s.completeOthers(turn)
		}
		if n := len(s.ledger.pages); n != 4 {
			t.Errorf("%d moments are kept, want 4", n)
		}
		f.publishes("/w", 5, "wrong")
		s.completeOthers(turn)
		if p := s.ledger.pages[turn.world]; p != nil && p.all != nil {
			t.Errorf("all is known of a server of which not all was kept: %v", p.all)
		}
	})
}

// That an answer was cut is known although its server has ended since, and with it what was kept of its publishes.
func TestCutAnswerOfAServerThatEnded(t *testing.T) {
	s := newStream(Key{ID: "toy"}, New(Options{}))
	for left, want := range map[int]string{
		0: "fresh: ",
		3: "partial: it found more than is kept of one file (3 others)",
	} {
		a := Answer{Freshness: Fresh, left: left}
		s.admit("/w/a", &a)
		if got := string(a.Freshness) + ": " + a.Reason; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
