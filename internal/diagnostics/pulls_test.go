package diagnostics

import (
	"context"
	"maps"
	"testing"
	"testing/synctest"

	"github.com/lspine/lspine/internal/protocol"
	"github.com/lspine/lspine/internal/registry"
)

// noting is a server that says of a file what it noted of it before, until the file is
// sent again, and what is really wrong with it.
func noting(c *Collector) (f *fake, noted, wrong map[string][]protocol.Diagnostic) {
	f = newFake(c, only(registry.Pull))
	f.def.Quirks, f.identifiers = []registry.Quirk{registry.ConfirmErrors}, []string{""}
	noted, wrong = make(map[string][]protocol.Diagnostic), make(map[string][]protocol.Diagnostic)
	f.shown = func(path string, _ int32) { delete(noted, path) }
	f.pull = func(_ context.Context, path, _, _ string) (protocol.Report, error) {
		return protocol.Report{Items: append(noted[path], wrong[path]...)}, nil
	}
	return f, noted, wrong
}

// What a server notes of a file while it looks at others, and says later, is asked about
// again: the file is sent once more. That it is clean is believed, and so is what it says
// when nothing has changed since it was sent.
func TestNotedErrorsAreConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, noted, wrong := noting(c)
		ask := func(path, text, want string) {
			t.Helper()
			a, _ := check(t, c, f.file(path, text))
			expect(t, said(a), want)
		}
		wrong["/w/b"] = errorsOf("broken")
		ask("/w/b", "x", "fresh 1: broken") // just sent
		ask("/w/a", "one", "fresh 1: ")
		ask("/w/b", "x", "fresh 2: broken") // confirmed
		ask("/w/b", "x", "fresh 2: broken") // stands
		noted["/w/b"] = errorsOf("mended")
		ask("/w/a", "two", "fresh 2: ")
		ask("/w/b", "x", "fresh 3: broken")
		delete(wrong, "/w/b")
		noted["/w/b"] = errorsOf("broken")
		ask("/w/a", "three", "fresh 3: ")
		ask("/w/b", "x", "fresh 4: ")
		ask("/w/a", "four", "fresh 4: ")
		ask("/w/b", "x", "fresh 4: ") // nothing is said
		f.out.Refreshed()
		wrong["/w/b"] = errorsOf("broken")
		ask("/w/b", "x", "fresh 4: broken") // pulled again, in the same state
		ask("/w/a", "five", "fresh 5: ")
		ask("/w/a", "six", "fresh 6: ")
		ask("/w/b", "x", "fresh 5: broken") // confirmed: of what was noted after "five" nothing is known
	})
}

// An error is believed at once if the file was judged just before the last change and nothing
// was wrong: nothing that the server could have noted meanwhile is old. After two changes it is
// confirmed by a second question. A file that was wrong before is sent again before the first.
func TestNewErrorsAreBelieved(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		changes       []string // of another file, which is checked at each
		want          string
		pulls         int
	}{
		"new":                               {"", "new", []string{"two"}, "fresh 1: new", 1},
		"new after two changes":             {"", "new", []string{"two", "three"}, "fresh 2: new", 2},
		"wrong before":                      {"old", "new", []string{"two"}, "fresh 2: new", 1},
		"wrong before two changes":          {"old", "old", []string{"two", "three"}, "fresh 2: old", 1},
		"wrong before, and mended":          {"old", "", []string{"two"}, "fresh 2: ", 1},
		"clean before and after":            {"", "", []string{"two"}, "fresh 1: ", 1},
		"wrong before, and nothing changed": {"old", "new", nil, "fresh 1: new", 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, collector *Collector) {
				f, _, wrong := noting(collector)
				says := func(message string) {
					if delete(wrong, "/w/b"); message != "" {
						wrong["/w/b"] = errorsOf(message)
					}
				}
				pulls, answer := 0, f.pull
				f.pull = func(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
					pulls++
					return answer(ctx, path, identifier, previous)
				}
				check(t, collector, f.file("/w/a", "one"))
				says(c.before)
				check(t, collector, f.file("/w/b", "x"))
				for _, text := range c.changes {
					check(t, collector, f.file("/w/a", text))
				}
				says(c.after)
				f.out.Refreshed() // so that no answer stands
				pulls = 0
				a, _ := check(t, collector, f.file("/w/b", "x"))
				if expect(t, said(a), c.want); pulls != c.pulls {
					t.Errorf("asked %d times, want %d", pulls, c.pulls)
				}
			})
		})
	}
}

// A file is not sent again if the server has forgotten its notes in this state of the texts
// already: because the file was changed, or judged, in it.
func TestSentAgainOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, _, wrong := noting(c)
		ask := func(path, text, want string) {
			t.Helper()
			f.out.Refreshed() // so that no answer stands
			a, _ := check(t, c, f.file(path, text))
			expect(t, said(a), want)
		}
		ask("/w/a", "one", "fresh 1: ")
		ask("/w/b", "x", "fresh 1: ")
		ask("/w/a", "two", "fresh 2: ")
		wrong["/w/b"] = errorsOf("broken")
		ask("/w/b", "x", "fresh 1: broken")
		ask("/w/b", "x", "fresh 1: broken") // judged
		ask("/w/a", "three", "fresh 3: ")
		ask("/w/b", "y", "fresh 2: broken") // changed
	})
}

// What was wrong in the state before is confirmed also if the state changes between sending the
// file and asking about it.
func TestChangeBeforeTheQuestion(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, noted, wrong := noting(c)
		check(t, c, f.file("/w/a", "one"))
		wrong["/w/b"] = errorsOf("broken")
		check(t, c, f.file("/w/b", "x"))
		f.out.Refreshed()
		delete(wrong, "/w/b")
		noted["/w/b"] = errorsOf("broken")
		f.identifiers = nil // the question waits
		go func() {
			synctest.Wait()
			f.disturb()
			f.mu.Lock()
			defer f.mu.Unlock()
			f.identifiers = []string{""}
			close(f.registered)
		}()
		a, _ := check(t, c, f.file("/w/b", "x"))
		expect(t, said(a), "fresh 2: ")
	})
}

// What is said of a file that was never judged is confirmed, unless it was sent in the state
// that it is judged in; that other documents are opened as they are on disk is no other state.
func TestOpeningOthersIsNoChange(t *testing.T) {
	for name, c := range map[string]struct{ onDisk, want string }{
		"as on disk":    {"one", "fresh 1: broken"},
		"with new text": {"none", "fresh 2: broken"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, c0 *Collector) {
				f, _, wrong := noting(c0)
				f.onDisk = map[string]string{"/w/a": c.onDisk}
				wrong["/w/b"] = errorsOf("broken")
				if _, err := f.Sync("/w/b", []byte("x")); err != nil {
					t.Fatal(err)
				}
				check(t, c0, f.file("/w/a", "one"))
				a, _ := check(t, c0, f.file("/w/b", "x"))
				expect(t, said(a), c.want)
			})
		})
	}
}

// Where other files change all the time, what is said of a file that was just sent is
// confirmed as well, once.
func TestConfirmedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, _, wrong := noting(c)
		wrong["/w/b"] = errorsOf("broken")
		answer, pulls := f.pull, 0
		f.pull = func(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
			pulls++
			f.disturb()
			return answer(ctx, path, identifier, previous)
		}
		a, _ := check(t, c, f.file("/w/b", "x"))
		expect(t, said(a), "fresh 2: broken")
		if pulls != 2 {
			t.Errorf("asked %d times", pulls)
		}
	})
}

// A hint is not worth it: it is in no verdict. And of a server without the quirk nothing is
// asked twice.
func TestHintsAreNotConfirmed(t *testing.T) {
	for _, hint := range []bool{true, false} {
		inBubble(t, func(t *testing.T, c *Collector) {
			f, noted, _ := noting(c)
			check(t, c, f.file("/w/b", "x"))
			check(t, c, f.file("/w/a", "one"))
			noted["/w/b"] = errorsOf("unused")
			if hint {
				noted["/w/b"][0].Severity = protocol.SeverityHint
			} else {
				f.def.Quirks = nil
			}
			a, _ := check(t, c, f.file("/w/b", "x"))
			expect(t, said(a), "fresh 1: unused")
		})
	}
}

// A text that somebody else showed meanwhile is not sent over: what was said counts for
// the one before.
func TestConfirmingLeavesLaterTexts(t *testing.T) {
	inBubble(t, func(t *testing.T, c *Collector) {
		f, noted, _ := noting(c)
		check(t, c, f.file("/w/b", "x"))
		check(t, c, f.file("/w/a", "one"))
		answer, later := f.pull, false
		f.pull = func(ctx context.Context, path, identifier, previous string) (protocol.Report, error) {
			report, err := answer(ctx, path, identifier, previous)
			if !later {
				later = true
				before := maps.Clone(noted)
				_, _ = f.Sync(path, []byte("y"))
				maps.Copy(noted, before)
			}
			return report, err
		}
		noted["/w/b"] = errorsOf("noted")
		a, _ := check(t, c, f.file("/w/b", "x"))
		expect(t, said(a), "fresh 1: noted")
		if version, text, _ := f.Document("/w/b"); version != 2 || string(text) != "y" {
			t.Errorf("the server has %q as version %d", text, version)
		}
	})
}
