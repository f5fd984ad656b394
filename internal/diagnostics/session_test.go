package diagnostics

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lspine/lspine/internal/registry"
)

// lateOf returns what an answer tells that came late.
func lateOf(r Report) (late []string) {
	for _, l := range r.Late {
		late = append(late, l.Path+" "+messages(l.New))
	}
	return late
}

// Two sessions share servers and nothing else: what came late of a change of the one is told
// to that one, however often the other asks, and only once.
func TestSessionsHearWhatCameLateOfTheirOwnChanges(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		takes := 10 * ms
		f := slowly(c, &takes)
		ask := func(session, path, text string, probe bool) []string {
			report, err := c.Check(t.Context(), Request{Session: session, Files: []File{f.file(path, text)}, OthersToo: true, Probe: probe})
			if err != nil {
				t.Fatal(err)
			}
			return lateOf(report)
		}
		ask("one", "/w/lib", "the beginning", true)
		takes = 20 * time.Second
		ask("one", "/w/lib", "broken", false)
		<-time.After(30 * time.Second)
		takes = 10 * ms
		got := [][]string{
			ask("two", "/w/other", "broken as well", false), ask("two", "/w/other", "still broken", false),
			ask("one", "/w/lib", "broken, too", false), ask("one", "/w/lib", "broken anew", false),
		}
		if diff := cmp.Diff([][]string{nil, nil, {"/w/user broken by lib"}, nil}, got); diff != "" {
			t.Error(diff)
		}
	})
}

// A session compares with the texts that it heard of: those that only others had judged are
// unknown to it, and one that others had judged since does not stand. When it ends, nothing
// of it is kept.
func TestSessionsKnowTheirOwnTexts(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		takes := 10 * ms
		f := slowly(c, &takes)
		ask := func(session, text string) {
			if _, err := c.Check(t.Context(), Request{Session: session, Files: []File{f.file("/w/lib", text)}, OthersToo: true}); err != nil {
				t.Fatal(err)
			}
		}
		type knowledge struct {
			Text            string
			Standing, Known bool
		}
		knows := func(session string) knowledge {
			text, standing, known := c.LastText(session, "/w/lib", f.file("/w/lib", "").Sources)
			if judged, is := c.Judged(session)["/w/lib"]; is != known || string(judged) != string(text) {
				t.Errorf("%s: judged is %q, %t", session, judged, is)
			}
			return knowledge{string(text), standing, known}
		}
		ask("one", "first")
		expectEqual(t, knowledge{"first", true, true}, knows("one"))
		expectEqual(t, knowledge{}, knows("two"))
		ask("two", "second")
		expectEqual(t, knowledge{"first", false, true}, knows("one"))
		expectEqual(t, knowledge{"second", true, true}, knows("two"))
		expectEqual(t, knowledge{"second", true, true}, knows("")) // the only one of a process
		c.EndSession("two")
		expectEqual(t, knowledge{}, knows("two"))
		expectEqual(t, knowledge{"first", false, true}, knows("one"))
	})
}

func expectEqual[T any](t *testing.T, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a session is owed of other files is its own: another's check that hears it all takes
// nothing of it away.
func TestSessionsAreOwedTheirOwn(t *testing.T) {
	s := newStream(Key{ID: "toy"}, New(Options{}))
	defer s.collector.Close()
	s.owe("one", s.known("", 0, nil))
	if owed := s.takeOwed("two", nil); owed != nil {
		t.Errorf("two takes %v", owed)
	}
	s.collector.streams[s.key] = s
	s.collector.EndSession("two")
	if owed := s.takeOwed("one", nil); owed == nil {
		t.Error("one is owed nothing any more")
	}
	s.owe("one", s.known("", 0, nil))
	s.noteOrigins("one", false, false, nil)
	s.collector.EndSession("one")
	if len(s.owed) != 0 || len(s.origins) != 0 {
		t.Errorf("after the end %v is owed, and %d origins are kept", s.owed, len(s.origins))
	}
}

// What was there when a session began is older to that session, whoever made it; what came since
// remains, until it is mended.
func TestSessionsHaveTheirOwnOrigins(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f := newFake(c, only(registry.Versioned))
		f.shown = func(path string, version int32) {
			text := string(f.docs[path].text)
			later(10*ms, func() {
				var says []string
				for _, word := range []string{"first", "second"} {
					if strings.Contains(text, word) {
						says = append(says, word)
					}
				}
				f.push(path, version, says...)
			})
		}
		ask := func(session, text string, probe bool) string {
			report, err := c.Check(t.Context(), Request{Session: session, Files: []File{f.file("/w/lib", text)}, Probe: probe})
			if err != nil {
				t.Fatal(err)
			}
			r := report.Files[0]
			return "new " + messages(r.New) + ", remaining " + messages(r.Standing)
		}
		ask("one", "fine", true)
		got := []string{ask("one", "first", false), ask("one", "first again", false)}
		ask("two", "first", true) // it is so when the other begins
		got = append(got, ask("two", "first and second", false), ask("two", "first and second again", false), ask("one", "first and second once more", false))
		want := []string{
			"new first, remaining ", "new , remaining first",
			"new second, remaining ", "new , remaining second", "new , remaining first, second",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
