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

// What is compared with the beginning of a session is new to each session once; after that it is said
// to remain, and counts in the verdict for as long as it is there.
func TestSessionsCompareWithTheirBeginning(t *testing.T) {
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
		check := func(r Request) Report {
			report, err := c.Check(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		check(Request{Files: []File{f.file("/w/lib", "fine")}, Probe: true})
		began := c.At(map[string][]byte{"/w/lib": []byte("fine")})
		ask := func(session, text string) string {
			file := f.file("/w/lib", text)
			file.Former = []byte("fine")
			report := check(Request{Session: session, Files: []File{file}, Since: began, SinceBegan: true})
			c.Tell(session, report.Files)
			r := report.Files[0]
			return "new " + messages(r.New) + ", remaining " + messages(r.Standing) + ": " + string(r.Verdict)
		}
		got := []string{
			ask("one", "first"), ask("one", "first"), ask("one", "first again"), ask("two", "first"),
			ask("two", "first and second"), ask("one", "first and second"), ask("one", "fine"), ask("one", "first"),
		}
		want := []string{
			"new first, remaining : new_errors", "new , remaining first: new_errors", "new , remaining first: new_errors", "new first, remaining : new_errors",
			"new second, remaining first: new_errors", "new second, remaining first: new_errors", "new , remaining : clean", "new first, remaining : new_errors",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
