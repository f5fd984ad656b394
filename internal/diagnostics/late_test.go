package diagnostics

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// slowly is a server that reports on all files: what a text of lib breaks in user is
// published when it says that it is done, which takes its time.
func slowly(c *Collector, takes *time.Duration) *fake {
	f := newFake(c, only(registry.Versioned))
	f.shown = func(path string, version int32) {
		text := string(f.docs[path].text)
		later(*takes, func() {
			if strings.Contains(text, "broken") {
				f.push("/w/user", -1, "broken by lib")
			} else {
				f.push("/w/user", -1)
			}
			f.push(path, version)
		})
	}
	return f
}

// What an earlier change broke is never listed under a later one, least of all under the
// one that mended it: it comes late, under its own name, and is dropped once it is no
// longer true.
func TestLateAnswersBelongToTheirChange(t *testing.T) {
	type step struct {
		text  string
		takes time.Duration
		rest  time.Duration // before the next step
	}
	for name, tt := range map[string]struct {
		steps []step
		want  []string // of each step: others new; late
	}{
		"late, then another change": {
			[]step{{"broken", 20 * time.Second, 30 * time.Second}, {"broken, too", 10 * ms, 0}},
			[]string{"; ", "; /w/user broken by lib"},
		},
		"late, then the mending": {
			[]step{{"broken", 20 * time.Second, 30 * time.Second}, {"fine", 10 * ms, 0}},
			[]string{"; ", "; "},
		},
		"mended before it came": {
			[]step{{"broken", 5 * time.Second, 0}, {"fine", 20 * time.Second, 0}, {"fine again", 10 * ms, 0}},
			[]string{"; ", "; ", "; "},
		},
		"in time": {
			[]step{{"broken", 10 * ms, 0}, {"fine", 10 * ms, 0}},
			[]string{"/w/user broken by lib; ", "; "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				takes := 10 * ms
				f := slowly(c, &takes)
				ask := func(text string, probe bool) Report {
					report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/lib", text)}, OthersToo: true, Probe: probe})
					if err != nil {
						t.Fatal(err)
					}
					return report
				}
				ask("the beginning", true)
				for i, s := range tt.steps {
					takes = s.takes
					r := ask(s.text, false)
					var others, late []string
					for _, o := range r.Others {
						if len(o.New) > 0 {
							others = append(others, o.Path+" "+messages(o.New))
						}
					}
					for _, l := range r.Late {
						if len(l.New) > 0 {
							late = append(late, l.Path+" "+messages(l.New))
						}
					}
					expect(t, strings.Join(others, ", ")+"; "+strings.Join(late, ", "), tt.want[i])
					if i == 0 && s.takes > 10*time.Second && r.Judgement().Verdict() != Unknown {
						t.Errorf("verdict %s", r.Judgement().Verdict())
					}
					<-time.After(s.rest)
				}
			})
		})
	}
}

// What came late waits for an answer that tells it: a check within another operation leaves
// it alone.
func TestLateAnswersWaitForTheirReader(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		takes := 10 * ms
		f := slowly(c, &takes)
		ask := func(text string, probe, aside bool) (late []string) {
			report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/lib", text)}, OthersToo: true, Probe: probe, Aside: aside})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range report.Late {
				late = append(late, l.Path+" "+messages(l.New))
			}
			return late
		}
		ask("the beginning", true, false)
		takes = 20 * time.Second
		ask("broken", false, false)
		<-time.After(30 * time.Second)
		takes = 10 * ms
		var told [][]string
		for _, aside := range []bool{true, false, false} {
			told = append(told, ask("broken, too", false, aside))
		}
		if diff := cmp.Diff([][]string{nil, {"/w/user broken by lib"}, nil}, told); diff != "" {
			t.Error(diff)
		}
	})
}

// A server is followed beyond its deadline as long as it demonstrably works, by the
// processor time or by what comes from it, up to the limit; one that does nothing is given
// up at the deadline.
func TestPatience(t *testing.T) {
	for name, tt := range map[string]struct {
		works  func(f *fake)
		follow time.Duration
		done   time.Duration // when it answers
		want   string
		after  time.Duration
	}{
		"it does nothing":                {func(*fake) {}, 25 * time.Second, 20 * time.Second, "timeout 1: ", 10 * time.Second},
		"it works":                       {burn, 25 * time.Second, 20 * time.Second, "fresh 1: ", 20 * time.Second},
		"it works, and is not followed":  {burn, 0, 20 * time.Second, "timeout 1: ", 10 * time.Second},
		"it works for too long":          {burn, 25 * time.Second, 40 * time.Second, "timeout 1: ", 25 * time.Second},
		"it speaks of other files":       {speak, 25 * time.Second, 20 * time.Second, "fresh 1: ", 20 * time.Second},
		"it works, and hangs half-way":   {func(f *fake) { burnFor(f, 12) }, 25 * time.Second, 40 * time.Second, "timeout 1: ", 13 * time.Second},
		"it is nearly idle all the time": {func(f *fake) { burnBy(f, 60, ms) }, 25 * time.Second, 20 * time.Second, "timeout 1: ", 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c *Collector) {
				f := newFake(c, only(registry.Versioned))
				f.shown = func(path string, version int32) { later(tt.done, func() { f.push(path, version) }) }
				tt.works(f)
				start := time.Now()
				report, err := c.Check(t.Context(), Request{Files: []File{f.file("/w/a", "x")}, Follow: tt.follow})
				if err != nil {
					t.Fatal(err)
				}
				expect(t, said(report.Files[0].Answers[0]), tt.want)
				expectElapsed(t, start, tt.after)
			})
		})
	}
}

func burn(f *fake) { burnFor(f, 60) }

func burnFor(f *fake, seconds int) { burnBy(f, seconds, 500*ms) }

// burnBy makes the server use some processor time in each of the next seconds.
func burnBy(f *fake, seconds int, share time.Duration) {
	for i := range seconds {
		later(time.Duration(i)*time.Second+500*ms, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.cpu += share
		})
	}
}

// speak makes the server publish for another file each second.
func speak(f *fake) {
	for i := range 60 {
		later(time.Duration(i)*time.Second+500*ms, func() { f.push("/w/other", int32(i)) })
	}
}

// What comes late is a finding as far as it would have been one in time: what comes of what the
// project lacks is none.
func TestLateAnswersOfASetUpThatLacks(t *testing.T) {
	symptoms := &registry.Symptoms{Missing: `broken by (lib)$`, Follows: `^$`, Nearby: `^$`}
	for name, c := range map[string]struct {
		setup *Setup
		want  []string
	}{
		"nothing is missing": {nil, []string{"/w/user broken by lib"}},
		"lib is missing":     {&Setup{Symptoms: symptoms, Lacks: func(_ string, names []string) Lack { return Lack{Missing: "there is no lib", Names: names} }}, nil},
	} {
		inBubble(t, func(t *testing.T, collector *Collector) {
			takes := 10 * ms
			f := slowly(collector, &takes)
			ask := func(text string, probe bool) []string {
				file := f.file("/w/lib", text)
				file.Sources[0].Setup = c.setup
				report, err := collector.Check(t.Context(), Request{Files: []File{file}, OthersToo: true, Probe: probe})
				if err != nil {
					t.Fatal(err)
				}
				return lateOf(report)
			}
			ask("the beginning", true)
			takes = 20 * time.Second
			ask("broken", false)
			<-time.After(30 * time.Second)
			takes = 10 * ms
			if diff := cmp.Diff(c.want, ask("broken, too", false)); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		})
	}
}
